// `conformance machine-mutants`: runs every mutant that transform.py made through the gate.

#include "conformance/gate/mutants_machine.h"

#include <dlfcn.h>
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <filesystem>
#include <fstream>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <random>
#include <thread>

#include "conformance/causes/machine/argued.h"
#include "conformance/gate/command.h"

namespace poolproof {
namespace {

constexpr std::string_view kLibraries[] = {"poolproof_machine_reference", "poolproof_machine_optimized"};
// Random problems under other readings than the documented ones.
constexpr uint64_t kOtherRandom = 4000;
// What is argued is tried under every fourth reading.
constexpr size_t kStepOfArgued = 4;
// Seconds that a case may take in a run of the gate, whose large problems take these libraries long.
constexpr double kGateTimeout = 120;

struct MachineOptions {
  std::string folder, only, argued, write;
  uint64_t sample = 0, seed = 1;
  uint64_t random = 10000;
  int jobs = static_cast<int>(std::max(1u, std::thread::hardware_concurrency()));
  double timeout = 2;
  bool list = false;
};

// Appends the mutants of a library; false and a sentence where there is none.
bool AppendMutants(const std::string& library, std::vector<MachineMutant>* mutants, std::string* sentence) {
  void* const handle = dlopen(library.c_str(), RTLD_NOW | RTLD_LOCAL);
  using List = decltype(&poolproof_machine_mutants);
  const auto list = handle == nullptr ? nullptr : reinterpret_cast<List>(dlsym(handle, "poolproof_machine_mutants"));
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
  CaughtBy by = CaughtBy::kGate;
};

// Draws readings of what the documents are silent about, which the gate allows, or of all, which are then chosen.
Reading DrawReading(const Specs& specs, CaughtBy by, const std::function<uint32_t()>& draw) {
  Reading reading;
  reading.by = by;
  for (size_t i = 0; i < reference::kEntryCount; ++i) {
    const auto entry = static_cast<reference::Entry>(i);
    const std::string_view id = reference::EntryId(entry);
    const bool choose = by == CaughtBy::kChoice;
    if (!choose && specs.FindLedger(id)->kind != "silence") continue;
    const auto drawn = static_cast<uint8_t>(draw() % reference::ComputableReadings(entry));
    if (choose) reading.selection.readings[entry] = drawn;
    if (choose) reading.selection.demanded.Add(entry);
    reading.options.push_back(fmt::format("reading.{}={}", id, reference::ReadingNames(entry)[drawn]));
  }
  return reading;
}

// The documented readings first; then others under the gate as it is, then chosen ones: such that every reading
// of every entry is in one of them, and some at random, since what one entry decides may depend on how another
// is read.
std::vector<Reading> AllReadings(const Specs& specs) {
  std::vector<Reading> all(1);
  uint32_t most = 1;
  for (size_t i = 0; i < reference::kEntryCount; ++i) {
    most = std::max<uint32_t>(most, reference::ComputableReadings(static_cast<reference::Entry>(i)));
  }
  std::mt19937 random(1);
  for (const CaughtBy by : {CaughtBy::kGateOtherwise, CaughtBy::kChoice}) {
    const uint32_t turns = most + (by == CaughtBy::kChoice ? 12 : 3);
    for (uint32_t turn = 0; turn < turns; ++turn) {
      all.push_back(DrawReading(specs, by, [&] { return turn < most ? turn : static_cast<uint32_t>(random()); }));
    }
  }
  return all;
}

// Tries mutants. One for all threads.
class Trial {
 public:
  Trial(const Specs& specs, const MachineOptions& options) : specs_(specs), options_(options) {}

  bool Prepare(const std::vector<MachineMutant>& mutants, Error* error) {
    for (const MachineMutant& mutant : mutants) traced_[mutant.library].cases.resize(readings_.size());
    for (const bool documented : {true, false}) {
      PlanOptions plan;
      if (!documented) plan.level = Level::kQuick;
      plan.random_count = documented ? options_.random : std::min(options_.random, kOtherRandom);
      (documented ? plan_ : other_plan_) = Plan::Make(specs_, plan, error);
      if (!(documented ? plan_ : other_plan_)) return false;
    }
    return true;
  }

  // The cases that concern the mutant, those of other readings after those of the documented ones; the gate for
  // what is left, but for what is argued. False and a sentence where the runner fails.
  bool Run(const std::string& scratch, MachineMutant* mutant, Error* error) {
    const size_t readings = HasReadings(mutant->library) ? readings_.size() : 1;
    const size_t step = mutant->argument != nullptr ? kStepOfArgued : 1;
    for (size_t i = 0; i < readings && !mutant->Caught(); i += step) {
      mutant->by = readings_[i].by;
      if (!TryCases(i, mutant, error)) return false;
    }
    if (mutant->Caught() || mutant->argument != nullptr) return true;
    mutant->by = CaughtBy::kGate;
    return TryGate("!sizes !networks !counters", options_.random, scratch, mutant, error) &&
           (mutant->Caught() || TryGate("counters", 0, scratch, mutant, error));
  }

 private:
  // Only the oracle takes readings as options.
  static bool HasReadings(const std::string& library) { return library.find(kLibraries[0]) != library.npos; }

  // The cases in which the mutant makes a difference where it is; nullptr where there is none. All mutants of a
  // library are traced at once, under a reading when the first of them comes to it.
  bool FindCases(size_t reading, const MachineMutant& mutant, const SomeCases** cases, Error* error) {
    Traced& traced = traced_.at(mutant.library);
    const std::lock_guard lock(traced.mutex);
    std::optional<CasesOfMutants>& all = traced.cases[reading];
    const Plan& plan = reading == 0 ? *plan_ : *other_plan_;
    if (!all && !TraceMutants(plan, mutant.library, readings_[reading].options, &all.emplace(), error)) return false;
    const auto found = all->find(mutant.mutant->number);
    *cases = found == all->end() ? nullptr : &found->second;
    return true;
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
  bool TryCases(size_t reading, MachineMutant* mutant, Error* error) {
    const SomeCases* cases = nullptr;
    if (!FindCases(reading, *mutant, &cases, error)) return false;
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
      // What is argued gives no wrong answer, but may take longer for it.
      if (mutant->argument != nullptr && judgement.verdict == Verdict::kTimeout) continue;
      mutant->verdict = VerdictName(judgement.verdict);
      mutant->first = planned.id;
      break;
    }
    return true;
  }

  // A part of the default gate: all of it takes these libraries long.
  bool TryGate(const char* filter, uint64_t random, const std::string& scratch, MachineMutant* mutant,
               Error* error) const {
    SessionOptions session;
    session.lane = LaneOf(readings_.front(), *mutant);
    session.lane.timeout_seconds = kGateTimeout;
    session.engine.stop_after = 1;
    session.plan.filter = filter;
    session.plan.random_count = random;
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
  const std::vector<Reading> readings_ = AllReadings(specs_);
  std::optional<Plan> plan_, other_plan_;
  struct Traced {
    std::mutex mutex;
    std::vector<std::optional<CasesOfMutants>> cases;  // by reading
  };
  std::map<std::string, Traced> traced_;  // by library
};

// Runs all mutants on so many threads; false and a sentence where the runner fails.
bool RunAll(Trial& trial, int jobs, std::vector<MachineMutant>* mutants, Error* error) {
  const auto scratch = std::filesystem::temp_directory_path() / fmt::format("poolproof-machine-{}", getpid());
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
                 mutant.Caught()     ? mutant.verdict
                 : mutant.Survives() ? "survives"
                                     : "argued",
                 mutant.first);
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
  std::erase_if(mutants,
                [&](const MachineMutant& m) { return m.mutant->Key().find(options.only) == std::string::npos; });
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

void AddMachineMutantsCommand(Command app, Program& program) {
  auto options = std::make_shared<MachineOptions>();
  options->folder = BesideProgram("");
  Command command =
      app.AddCommand("machine-mutants", "Run the gate against backends in which one operator or constant is another");
  command.AddOption("--folder", options->folder, "Folder of the libraries of mutants").ShowDefault();
  command.AddOption("--only", options->only, "Only mutants whose file, function or line contains this");
  command.AddOption("--sample", options->sample, "Only so many of them, drawn by --seed; 0: all")
      .Checked(WholeNumber(0, UINT32_MAX));
  command.AddOption("--seed", options->seed, "Seed of the sample").Checked(Seed()).ShowDefault();
  command.AddOption("--jobs", options->jobs, "Mutants that are run at once").Checked(WholeNumber(1, 256)).ShowDefault();
  command.AddOption("--random", options->random, "Random problems at most, per mutant")
      .Checked(RandomCount())
      .ShowDefault();
  command.AddOption("--timeout", options->timeout, "Seconds that one case may take")
      .Checked(Seconds(0.001, kMaxSeconds))
      .ShowDefault();
  command.AddOption("--argued", options->argued, "Arguments to use instead of those compiled in");
  command.AddOption("--write", options->write, "File for the page");
  command.AddFlag("--list", options->list, "Name the mutants and their arguments, run none");
  command.Do([&program, options] { Prove(*options, program); });
}

}  // namespace poolproof
