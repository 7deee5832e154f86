// `conformance machine-mutants`: runs every mutant that transform.py made through the gate.

#include "conformance/cli/mutants_machine.h"

#include <dlfcn.h>
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <filesystem>
#include <fstream>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <random>
#include <set>
#include <thread>

#include "conformance/cli/command.h"
#include "conformance/mutants/machine/argued.h"

namespace poolproof {
namespace {

constexpr std::string_view kLibraries[] = {"poolproof_machine_reference", "poolproof_machine_optimized"};
// Random problems under other readings than the documented ones.
constexpr uint64_t kOtherRandom = 10000;

struct MachineOptions {
  std::string folder, only, argued, write;
  uint64_t sample = 0, seed = 1;
  uint64_t random = 50000;
  int jobs = static_cast<int>(std::max(1u, std::thread::hardware_concurrency()));
  double timeout = 2;
  bool list = false;
};

// Appends the mutants of a library; false and a sentence where there is none.
bool AppendMutants(const std::string& library, std::vector<MachineMutant>* mutants, std::string* sentence) {
  void* const handle = dlopen(library.c_str(), RTLD_NOW | RTLD_LOCAL);
  using List = decltype(&poolproof_machine_mutants);
  const auto list =
      handle == nullptr ? nullptr : reinterpret_cast<List>(dlsym(handle, "poolproof_machine_mutants"));
  if (list == nullptr) {
    *sentence = fmt::format("{}: no mutants made by machine can be read from this: {}.", library, dlerror());
    return false;
  }
  size_t count = 0;
  const machine::Mutant* const all = list(&count);
  for (size_t i = 0; i < count; ++i) mutants->push_back({all + i, library, nullptr, "", ""});
  return true;
}

// One way to read the documents: for the gate, and as options of the oracle as a backend.
struct Reading {
  Selection selection;
  std::vector<std::string> options;
};

// The documented readings first; then, demanded, such that every reading of every entry is in one of them, and
// some at random, since what one entry decides may depend on how another is read.
std::vector<Reading> AllReadings() {
  constexpr uint32_t kRandomTurns = 12;
  std::vector<Reading> all(1);
  uint32_t most = 1;
  for (size_t i = 0; i < reference::kEntryCount; ++i) {
    most = std::max<uint32_t>(most, reference::ComputableReadings(static_cast<reference::Entry>(i)));
  }
  std::mt19937 random(1);
  for (uint32_t turn = 0; turn < most + kRandomTurns; ++turn) {
    Reading& reading = all.emplace_back();
    for (size_t i = 0; i < reference::kEntryCount; ++i) {
      const auto entry = static_cast<reference::Entry>(i);
      const uint32_t drawn = turn < most ? turn : static_cast<uint32_t>(random());
      const uint8_t chosen = static_cast<uint8_t>(drawn % reference::ComputableReadings(entry));
      reading.selection.readings[entry] = chosen;
      reading.selection.demanded.Add(entry);
      reading.options.push_back(fmt::format("reading.{}={}", reference::EntryId(entry),
                                            reference::ReadingNames(entry)[chosen]));
    }
  }
  return all;
}

// Tries mutants. One for all threads.
class Trial {
 public:
  Trial(const Specs& specs, const MachineOptions& options) : specs_(specs), options_(options) {}

  // Finds for each mutant the cases in which it makes a difference where it is.
  bool Prepare(const std::vector<MachineMutant>& mutants, Error* error) {
    std::set<std::string> libraries;
    for (const MachineMutant& mutant : mutants) libraries.insert(mutant.library);
    for (const bool documented : {true, false}) {
      PlanOptions plan;
      plan.level = Level::kQuick;
      plan.random_count = documented ? options_.random : std::min(options_.random, kOtherRandom);
      (documented ? plan_ : other_plan_) = Plan::Make(specs_, plan, error);
      if (!(documented ? plan_ : other_plan_)) return false;
    }
    // In one library after the other reading, the libraries at once.
    for (const std::string& library : libraries) cases_[library].resize(readings_.size());
    std::atomic<bool> good{true};
    std::vector<std::thread> threads;
    for (const std::string& library : libraries) {
      threads.emplace_back([&, library] { good = PrepareLibrary(library, error) && good; });
    }
    for (std::thread& thread : threads) thread.join();
    return good;
  }

  // The cases that concern the mutant, then the gate, then the cases under other readings. What is argued is
  // not run through the gate. False and a sentence where the runner fails.
  bool Run(const std::string& scratch, MachineMutant* mutant, Error* error) const {
    if (!TryCases(0, mutant, error)) return false;
    const bool gate = !mutant->Caught() && mutant->argument == nullptr && CasesOf(0, *mutant) != nullptr;
    if (gate && !TryGate(scratch, mutant, error)) return false;
    for (size_t i = 1; i < readings_.size() && !mutant->Caught(); ++i) {
      mutant->other_reading = true;
      if (!TryCases(i, mutant, error)) return false;
    }
    return true;
  }

 private:
  // Only the oracle takes readings as options.
  static bool HasReadings(const std::string& library) { return library.find(kLibraries[0]) != library.npos; }

  bool PrepareLibrary(const std::string& library, Error* error) {
    std::vector<CasesOfMutants>& cases = cases_.at(library);
    for (size_t i = 0; i < (HasReadings(library) ? readings_.size() : 1); ++i) {
      const Plan& plan = i == 0 ? *plan_ : *other_plan_;
      if (!TraceMutants(plan, library, readings_[i].options, &cases[i], error)) return false;
    }
    return true;
  }

  // nullptr where it makes no difference in any case.
  const SomeCases* CasesOf(size_t reading, const MachineMutant& mutant) const {
    const CasesOfMutants& cases = cases_.at(mutant.library)[reading];
    const auto found = cases.find(mutant.mutant->number);
    return found == cases.end() ? nullptr : &found->second;
  }

  LaneOptions LaneOf(const Reading& reading, const MachineMutant& mutant) const {
    LaneOptions lane;
    lane.backend = mutant.library;
    lane.options = reading.options;
    lane.options.push_back("mutant=" + mutant.mutant->Name());
    lane.timeout_seconds = options_.timeout;
    return lane;
  }

  // Runs the cases in which it makes a difference one by one, up to the first failure: one that hangs or dies
  // costs a single case.
  bool TryCases(size_t reading, MachineMutant* mutant, Error* error) const {
    const SomeCases* const cases = CasesOf(reading, *mutant);
    if (cases == nullptr) return true;
    LaneOptions options = LaneOf(readings_[reading], *mutant);
    options.rest_seconds = 0;
    const std::unique_ptr<Lane> lane = StartLane(options, error);
    if (lane == nullptr) return false;
    OneCase one(*lane, readings_[reading].selection);
    PlannedCase planned;
    for (const uint64_t n : cases->All()) {
      if (!(reading == 0 ? plan_ : other_plan_)->Get(n, &planned)) continue;
      const Judgement judgement = one.Run(planned);
      mutant->refuses |= judgement.verdict == Verdict::kUnsupported;
      if (Conforms(judgement.verdict)) continue;
      mutant->verdict = VerdictName(judgement.verdict);
      mutant->first = planned.id;
      break;
    }
    return true;
  }

  bool TryGate(const std::string& scratch, MachineMutant* mutant, Error* error) const {
    SessionOptions session;
    session.engine.lane = LaneOf(readings_.front(), *mutant);
    session.engine.stop_after = 1;
    session.plan.level = Level::kQuick;
    session.plan.random_count = options_.random;
    session.out = scratch;
    session.shrink = false;
    session.probe = false;  // what a mutant lacks is to be seen
    const std::atomic<bool> interrupt{false};
    int exit_code = kConforms;
    const auto result = RunSession(specs_, session, {}, interrupt, error, &exit_code);
    if (!result) return false;
    mutant->refuses |= result->tally.counts()[static_cast<size_t>(Verdict::kUnsupported)] > 0;
    if (result->conforms) return true;
    const auto& groups = result->tally.groups();
    mutant->verdict = groups.empty() ? "nothing passed" : VerdictName(groups.front().verdict);
    if (!groups.empty()) mutant->first = groups.front().first.front();
    return true;
  }

  const Specs& specs_;
  const MachineOptions& options_;
  const std::vector<Reading> readings_ = AllReadings();
  std::optional<Plan> plan_, other_plan_;
  std::map<std::string, std::vector<CasesOfMutants>> cases_;  // by library and reading
};

// Runs all mutants on so many threads; false and a sentence where the runner fails.
bool RunAll(const Trial& trial, int jobs, std::vector<MachineMutant>* mutants, Error* error) {
  const auto scratch =
      std::filesystem::temp_directory_path() / fmt::format("poolproof-machine-{}", getpid());
  std::atomic<size_t> next{0}, done{0};
  std::atomic<bool> failed{false};
  std::mutex mutex;
  const auto work = [&](int job) {
    for (size_t i = next++; i < mutants->size() && !failed; i = next++) {
      MachineMutant& mutant = (*mutants)[i];
      Error trouble;
      const bool good = trial.Run((scratch / std::to_string(job)).string(), &mutant, &trouble);
      const std::lock_guard lock(mutex);
      if (!good) *error = trouble;
      failed = failed || !good;
      fmt::print(stderr, "{}/{} {} {} {}\n", ++done, mutants->size(), mutant.mutant->Name(),
                 mutant.Caught() ? mutant.verdict : mutant.Survives() ? "survives" : "argued", mutant.first);
    }
  };
  std::vector<std::thread> threads;
  for (int job = 0; job < jobs; ++job) threads.emplace_back(work, job);
  for (std::thread& thread : threads) thread.join();
  std::filesystem::remove_all(scratch);
  return !failed;
}

// The mutants that the options ask for, with their arguments; empty after a sentence.
std::vector<MachineMutant> Choose(const MachineOptions& options, machine::Arguments* arguments, Program& program) {
  std::vector<MachineMutant> mutants;
  std::string sentence;
  for (const std::string_view name : kLibraries) {
    if (AppendMutants(fmt::format("{}/lib{}.so", options.folder, name), &mutants, &sentence)) continue;
    program.Fail(kUsage, sentence);
    return {};
  }
  for (MachineMutant& mutant : mutants) mutant.argument = arguments->ReasonOf(*mutant.mutant);
  std::erase_if(mutants, [&](const MachineMutant& m) {
    return m.mutant->Key().find(options.only) == std::string::npos;
  });
  if (mutants.empty()) program.Fail(kUsage, fmt::format("--only \"{}\" names no mutant.", options.only));
  if (options.sample > 0 && options.sample < mutants.size()) {
    std::vector<MachineMutant> some;
    std::sample(mutants.begin(), mutants.end(), std::back_inserter(some), options.sample,
                std::mt19937_64(options.seed));
    mutants.swap(some);
  }
  return mutants;
}

bool ReadArguments(const std::string& path, machine::Arguments* arguments, Program& program) {
  std::string text(machine::Arguments::BuiltIn());
  if (!path.empty()) {
    std::ifstream file(path);
    if (!file) program.Fail(kUsage, path + ": cannot be read.");
    if (!file) return false;
    text.assign(std::istreambuf_iterator<char>(file), {});
  }
  const std::string sentence = arguments->Read(text, path.empty() ? "argued.txt" : path);
  if (!sentence.empty()) program.Fail(kUsage, sentence);
  return sentence.empty();
}

void List(const std::vector<MachineMutant>& mutants) {
  for (const MachineMutant& m : mutants) {
    fmt::print("{}\t{}\t{}\n", m.mutant->Name(), m.mutant->Key(), m.argument != nullptr ? *m.argument : "");
  }
}

// Prints what is to be done about; the exit code says whether there is anything.
void Conclude(const std::vector<MachineMutant>& mutants, const std::vector<std::string>& unused, Program& program) {
  uint64_t caught = 0, survivors = 0, wrong = 0;
  for (const MachineMutant& m : mutants) {
    caught += m.Caught() ? 1 : 0;
    if (m.Survives()) {
      ++survivors;
      fmt::print("survives: {}\n", m.mutant->Key());
    } else if (m.Caught() && m.argument != nullptr) {
      ++wrong;
      fmt::print("argued, but caught ({}, {}): {}\n", m.verdict, m.first, m.mutant->Key());
    }
  }
  for (const std::string& key : unused) fmt::print("argued, but there is no such mutant: {}\n", key);
  fmt::print("{} mutants, {} caught, {} argued or unsupported, {} survive\n", mutants.size(), caught,
             mutants.size() - caught - survivors, survivors);
  program.exit_code = wrong == 0 && unused.empty() ? kConforms : kDoesNotConform;
}

void Prove(const MachineOptions& options, Program& program) {
  const std::optional<Specs> specs = program.Load();
  machine::Arguments arguments;
  if (!specs || !ReadArguments(options.argued, &arguments, program)) return;
  std::vector<MachineMutant> mutants = Choose(options, &arguments, program);
  if (mutants.empty()) return;
  if (options.list) return List(mutants);
  Error error;
  Trial trial(*specs, options);
  if (!trial.Prepare(mutants, &error) || !RunAll(trial, options.jobs, &mutants, &error)) {
    return program.Fail(kRunnerFailed, error.message);
  }
  if (!options.write.empty() && !program.Write(options.write, MachinePage(mutants))) return;
  Conclude(mutants, options.only.empty() ? arguments.Unused() : std::vector<std::string>(), program);
}

}  // namespace

void AddMachineMutantsCommand(CLI::App& app, Program& program) {
  auto options = std::make_shared<MachineOptions>();
  options->folder = BesideProgram("");
  CLI::App* command = app.add_subcommand(
      "machine-mutants", "Run the gate against backends in which one operator or constant is another");
  command->add_option("--folder", options->folder, "Folder of the libraries of mutants")->capture_default_str();
  command->add_option("--only", options->only, "Only mutants whose file, function or line contains this");
  command->add_option("--sample", options->sample, "Only so many of them, drawn by --seed; 0: all")
      ->check(WholeNumber(0, UINT32_MAX));
  command->add_option("--seed", options->seed, "Seed of the sample")->check(Seed())->capture_default_str();
  command->add_option("--jobs", options->jobs, "Mutants that are run at once")
      ->check(WholeNumber(1, 256))
      ->capture_default_str();
  command->add_option("--random", options->random, "Random problems at most, per mutant")
      ->check(RandomCount())
      ->capture_default_str();
  command->add_option("--timeout", options->timeout, "Seconds that one case may take")
      ->check(Seconds(0.001, kMaxSeconds))
      ->capture_default_str();
  command->add_option("--argued", options->argued, "Arguments to use instead of those compiled in");
  command->add_option("--write", options->write, "File for the page");
  command->add_flag("--list", options->list, "Name the mutants and their arguments, run none");
  command->callback([&program, options] { Prove(*options, program); });
}

}  // namespace poolproof
