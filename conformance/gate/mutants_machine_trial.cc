// Runs mutants: the cases in which each makes a difference, then a gate.
#include <dlfcn.h>
#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <random>
#include <unordered_map>

#include "conformance/cases/run_limits.h"
#include "conformance/gate/mutants_machine.h"
#include "conformance/gate/proof_gate.h"
#include "conformance/properties/in_process.h"

namespace poolproof {
namespace {

// Random problems under other readings than the documented ones.
constexpr uint64_t kOtherRandom = 4000;
// Argued mutants are tried under every fourth reading.
constexpr size_t kStepOfArgued = 4;
// Seconds that a case may take in a run of the gate, whose large problems take these libraries long.
constexpr double kGateTimeout = 120;

// Elements of a problem that is traced. Larger ones take most of the time, and small ones come to every line but those
// of counters, which the gate comes to.
constexpr int64_t kMostTraced = 4000;
constexpr size_t kMostCases = 96;  // of one mutant

// A function of machine.h in a library; nullptr where it has none.
template <typename Function>
Function* Find(const std::string& library, const char* name) {
  void* const handle = dlopen(library.c_str(), RTLD_NOW | RTLD_LOCAL);
  return handle == nullptr ? nullptr : reinterpret_cast<Function*>(dlsym(handle, name));
}

// Places in a plan; where they are many, every second, fourth, ... of them.
class SomeCases {
 public:
  void Add(uint64_t n) {
    if (seen_++ % step_ != 0) return;
    kept_.push_back(n);
    if (kept_.size() < kMostCases) return;
    for (size_t i = 0; i < kMostCases / 2; ++i) kept_[i] = kept_[2 * i];
    kept_.resize(kMostCases / 2);
    step_ *= 2;
  }
  const std::vector<uint64_t>& All() const { return kept_; }

 private:
  uint64_t seen_ = 0, step_ = 1;
  std::vector<uint64_t> kept_;
};

// By number of the mutant: cases in which it makes a difference where it is. In all others it answers as if it
// were not there.
using CasesOfMutants = std::unordered_map<uint32_t, SomeCases>;

void RunCase(const Problem& problem, InProcessBackend& backend, TensorMemory* memory) {
  if (!problem.ShapesAlone()) {
    backend.Run(problem, memory, {.max_bytes = size_t{kMaxRunBytes}});
    return;
  }
  Call call;
  call.Bind(problem);
  backend.Infer(&call);
}

// Finds them: runs the plan on the library, without any mutant, in this process.
bool TraceMutants(const Plan& plan, const std::string& library, const std::vector<std::string>& options,
                  CasesOfMutants* cases, Error* error) {
  const std::unique_ptr<InProcessBackend> backend = InProcessBackend::Open(library, options, error);
  if (backend == nullptr) return false;
  const auto trace = Find<decltype(poolproof_machine_trace)>(library, "poolproof_machine_trace");
  const auto get_noted = Find<decltype(poolproof_machine_noted)>(library, "poolproof_machine_noted");
  trace(true);
  TensorMemory memory;
  PlannedCase planned;
  for (uint64_t n = 0; n < plan.Size(); ++n) {
    if (!plan.Get(n, &planned)) continue;
    if (!planned.problem.ShapesAlone() && planned.problem.Elements() > kMostTraced) continue;
    RunCase(planned.problem, *backend, &memory);
    size_t count = 0;
    const uint32_t* const noted = get_noted(&count);
    for (size_t i = 0; i < count; ++i) (*cases)[noted[i]].Add(n);
  }
  trace(false);
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
    if (choose) reading.selection.Demand(entry, drawn);
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
    PlanOptions plan, other;
    plan.random_count = options_.random;
    other.random_count = std::min(options_.random, kOtherRandom);
    other.level = Level::kQuick;
    plan_ = Plan::Make(specs_, plan, error);
    if (plan_) other_plan_ = Plan::Make(specs_, other, error);
    return plan_ && other_plan_;
  }

  // The cases that concern the mutant, those of other readings after those of the documented ones; the gate for
  // what is left, but for what is argued. False and a sentence where the runner fails.
  bool Run(MachineMutant* mutant, Error* error) {
    const size_t readings = HasReadings(mutant->library) ? readings_.size() : 1;
    const size_t step = mutant->argument != nullptr ? kStepOfArgued : 1;
    for (size_t i = 0; i < readings && !mutant->Caught(); i += step) {
      mutant->by = readings_[i].by;
      if (!TryCases(i, mutant, error)) return false;
    }
    if (mutant->Caught() || mutant->argument != nullptr) return true;
    mutant->by = CaughtBy::kGate;
    return TryGate("!sizes !networks !counters", options_.random, mutant, error) &&
           (mutant->Caught() || TryGate("counters", 0, mutant, error));
  }

 private:
  // Only the oracle takes readings as options.
  static bool HasReadings(const std::string& library) { return library.find(kMachineLibraries[0]) != library.npos; }

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

  // Runs the cases in which it makes a difference one by one, up to the first failure: one that hangs or dies
  // costs a single case.
  bool TryCases(size_t reading, MachineMutant* mutant, Error* error) {
    const SomeCases* cases = nullptr;
    if (!FindCases(reading, *mutant, &cases, error)) return false;
    if (cases == nullptr) return true;
    LaneOptions options;
    options.backend = mutant->library;
    options.options = readings_[reading].options;
    options.options.push_back("mutant=" + mutant->mutant->Name());
    options.timeout_seconds = options_.timeout;
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
      // An argued mutant has no wrong answer, but may take longer for it.
      if (mutant->argument != nullptr && judgement.verdict == Verdict::kTimeout) continue;
      mutant->verdict = VerdictName(judgement.verdict);
      mutant->first = planned.id;
      break;
    }
    return true;
  }

  // A part of the default gate: all of it takes these libraries long.
  bool TryGate(const char* filter, uint64_t random, MachineMutant* mutant, Error* error) const {
    ProofGate gate(mutant->library, {"mutant=" + mutant->mutant->Name()});
    gate.session.lane.timeout_seconds = kGateTimeout;
    gate.session.engine.stop_after = 1;
    gate.session.plan.filter = filter;
    gate.session.plan.random_count = random;
    int exit_code = kConforms;
    const auto result = gate.Run(specs_, error, &exit_code);
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

}  // namespace

std::span<const machine::Mutant> MutantsOf(const std::string& library, std::string* sentence) {
  const auto list = Find<decltype(poolproof_machine_mutants)>(library, "poolproof_machine_mutants");
  if (list == nullptr) {
    *sentence = fmt::format("{}: no mutants made by machine can be read from this: {}.", library, dlerror());
    return {};
  }
  size_t count = 0;
  const machine::Mutant* const first = list(&count);
  return {first, count};
}

bool RunMachineMutants(const Specs& specs, const MachineOptions& options, std::vector<MachineMutant>* mutants,
                       Error* error) {
  Trial trial(specs, options);
  if (!trial.Prepare(*mutants, error)) return false;
  std::atomic<size_t> next{0}, done{0};
  std::atomic<bool> failed{false};
  std::mutex mutex;
  const auto work = [&] {
    for (size_t i = next++; i < mutants->size() && !failed; i = next++) {
      MachineMutant& mutant = (*mutants)[i];
      Error trouble;
      const bool good = trial.Run(&mutant, &trouble);
      const std::lock_guard lock(mutex);
      if (!good) *error = trouble;
      failed = failed || !good;
      const std::string end = mutant.Caught() ? mutant.verdict : mutant.Survives() ? "survives" : "argued";
      fmt::print(stderr, "{}/{} {} {} {}\n", ++done, mutants->size(), mutant.mutant->Name(), end, mutant.first);
    }
  };
  {
    std::vector<std::jthread> threads;
    for (int job = 0; job < options.jobs; ++job) threads.emplace_back(work);
  }
  return !failed;
}

}  // namespace poolproof
