#include "conformance/run/session.h"

#include <fmt/format.h>
#include <sys/stat.h>

#include <atomic>
#include <chrono>
#include <nlohmann/json.hpp>

#include "conformance/diagnosis/diagnosis.h"
#include "conformance/diagnosis/layers.h"
#include "conformance/diagnosis/rare.h"
#include "conformance/format/part.h"
#include "conformance/format/reader.h"
#include "conformance/format/text.h"
#include "conformance/results/finish.h"
#include "conformance/results/header.h"
#include "conformance/results/record.h"
#include "conformance/results/results_file.h"
#include "conformance/results/results_plan.h"
#include "conformance/run/lane_starter.h"
#include "conformance/run/passes_in_isolation.h"
#include "conformance/run/probe.h"
#include "conformance/run/smallest.h"
#include "conformance/run/work.h"

namespace poolproof {
namespace {

using Clock = std::chrono::steady_clock;

constexpr size_t kMaxDescribed = 40;  // groups that are shrunk and drawn
// The part of a time budget that is for cases; the rest is for naming and shrinking what they found.
constexpr double kCasesShare = 0.9;
// Time that cases in flight have to end by themselves once the run is interrupted.
constexpr auto kInterruptGrace = std::chrono::seconds(1);

Clock::time_point After(Clock::time_point start, double seconds) {
  constexpr double kLongest = 1e9;
  if (seconds <= 0 || seconds > kLongest) return Clock::time_point::max();
  return start + std::chrono::duration_cast<Clock::duration>(std::chrono::duration<double>(seconds));
}

double Seconds(Clock::time_point since) { return std::chrono::duration<double>(Clock::now() - since).count(); }

// One run; members are what its steps share.
class Session {
 public:
  Session(const Specs& specs, const SessionOptions& options, const Progress& progress,
          const std::atomic<bool>& interrupt)
      : specs_(specs),
        options_(options),
        progress_(progress),
        interrupt_(interrupt),
        set_aside_(options.engine.limits) {}

  std::optional<RunResult> Run(Error* error, int* exit_code) {
    error_ = error;
    begun_ = Clock::now();
    *exit_code = kUsage;
    if (!options_.baseline_path.empty()) {
      baseline_ = Baseline::Load(options_.baseline_path, error);
      if (!baseline_) return std::nullopt;
      if (options_.plan.level == Level::kFuzz) baseline_->KnowByCause();
    }
    Say("making the plan");
    if (!MakePlan()) return std::nullopt;
    bool busy = false;
    result_.lock = FolderLock::Take(options_.out, &busy, error);
    *exit_code = busy ? kUsage : kRunnerFailed;
    if (result_.lock == nullptr) return std::nullopt;
    if (!options_.resume && !file_.Create(options_.out, error)) return std::nullopt;
    if (options_.resume && ResultsFile::Find(options_.out) == ResultsFile::Left::kNothing) {
      error->message = fmt::format("{}/results.jsonl.partial: cannot be resumed: there is no such file.", options_.out);
      *exit_code = kUsage;
      return std::nullopt;
    }
    *exit_code = kBackendNotStarted;
    // Results of this run so far are none of the backend's business.
    options_.lane.cell.hidden.push_back(options_.out);
    SetClock();
    Say("starting the backend");
    LaneStarter starter;
    Lanes lanes;
    if (!starter.Start(options_, &lanes, error)) return std::nullopt;
    result_.backend = lanes[0]->Info();
    if (options_.plan.seed_drawn) TakeSeed();
    for (const auto& lane : lanes) lane->SetSeed(options_.plan.seed);
    *exit_code = kRunnerFailed;
    Probe(*lanes[0]);
    if (!Begin()) {
      if (other_run_) *exit_code = kUsage;
      return std::nullopt;
    }
    if (!RunCases(lanes) || !Close(*lanes[0])) return std::nullopt;
    *exit_code = result_.conforms ? kConforms : kDoesNotConform;
    return std::move(result_);
  }

 private:
  // One clock for all that the backend is waited for. What came before, such as the plan, is part of the budget.
  void SetClock() {
    const double budget = options_.engine.time_budget_seconds;
    latest_ = budget > 0 ? After(begun_, budget + options_.lane.timeout_seconds) : Clock::time_point::max();
    options_.lane.must_end = [this] { return MustEnd(); };
  }

  // The budget and what one more case may take are over, or the run was interrupted and what ran did not end. Lanes
  // ask from threads of their own.
  bool MustEnd() {
    const Clock::time_point now = Clock::now();
    if (now >= latest_) return true;
    if (!interrupt_) return false;
    Clock::rep never = 0;
    interrupted_at_.compare_exchange_strong(never, now.time_since_epoch().count());
    return now.time_since_epoch() - Clock::duration(interrupted_at_.load()) > kInterruptGrace;
  }

  bool MakePlan() {
    if (!options_.probe_path.empty()) {
      options_.plan.support = ReadProbe(specs_, options_.probe_path, error_);
      if (!options_.plan.support) return false;
    }
    plan_ = Plan::Make(specs_, options_.plan, error_);
    if (plan_ && !plan_->Any()) {
      // Where no shard has a case it is not this one's fault.
      PlanOptions whole = options_.plan;
      whole.shard = {};
      const std::optional<Plan> all = Plan::Make(specs_, whole, error_);
      const bool any = options_.plan.filter.empty() || (all && all->Any());
      error_->message = NoCaseFits(options_.plan.filter, any ? options_.plan.shard : Shard());
      plan_.reset();
    }
    return plan_.has_value();
  }

  // Draws the seed, unless the run goes on, which then has the one that it began with.
  void TakeSeed() {
    options_.plan.seed = DrawSeed();
    const bool partial = ResultsFile::Find(options_.out) == ResultsFile::Left::kPartial;
    const std::string path = options_.out + "/results.jsonl" + (partial ? ".partial" : "");
    ResultsReader old;
    Error none;
    if (options_.resume && old.Open(path, &none) && old.Next(&none) == ResultsReader::Item::kHeader) {
      options_.plan.seed = old.value().value("seed", options_.plan.seed);
      options_.plan.seed_drawn = BoolOr(old.value(), "seed_drawn");
    }
    plan_->SetSeed(options_.plan.seed);
  }

  // Without random problems nothing depends on what the backend has.
  void Probe(Lane& lane) {
    if (!options_.probe || !options_.probe_path.empty() || RandomOf(options_.plan) == 0) return;
    Say("asking the backend what it has");
    options_.plan.support = ProbeBackend(specs_, lane);
    plan_->Follow(*options_.plan.support);
  }

  // Writes the header, or reads what an interrupted run left behind.
  bool Begin() {
    // As it will be read, with what is no UTF-8 replaced.
    const std::optional<Json> header = ParseStrictly(Line(MakeHeader(specs_, options_, result_.backend)), error_);
    if (!header) return false;
    header_ = *header;
    result_.tally = RunCloser::EmptyTally(header_, Baselined());
    if (!options_.resume) return file_.Append(Line(header_), error_);
    if (ResultsFile::Find(options_.out) == ResultsFile::Left::kComplete) return Reopen();
    CasesOfPlan planned(*plan_, false);
    ResultsGrammar grammar;
    uint64_t number = 0;
    const bool resumed = file_.Resume(
        options_.out,
        [&](std::string_view line) {
          ++number;
          return TakeOver(line, number, &planned, &grammar);
        },
        error_);
    return resumed && (number > 0 || file_.Append(Line(header_), error_));
  }

  bool TakeOver(std::string_view line, uint64_t number, CasesOfPlan* planned, ResultsGrammar* grammar) {
    using Item = ResultsGrammar::Item;
    bool good = false;
    switch (grammar->Take(line, error_)) {
      case Item::kHeader: good = SameHeader(grammar->value()); break;
      case Item::kCase: good = planned->Take(grammar->current(), error_) && TakeCase(*grammar, *planned); break;
      case Item::kRefused: break;
      default: error_->message = "stands in the file of a run that has not ended";
    }
    if (!good) error_->message = fmt::format("{}:{}: {}.", file_.PartialPath(), number, error_->message);
    return good;
  }

  bool SameHeader(const Json& old) {
    const std::string difference = HeaderDifference(old, header_);
    other_run_ = !difference.empty();
    if (other_run_) error_->message = "cannot be resumed: " + difference;
    if (!other_run_) header_ = old;  // a run has started once, with as many lanes as it had then
    return !other_run_;
  }

  // A run that came to its end; groups and footer are made again.
  bool Reopen() {
    using Item = PlannedReader::Item;
    const std::string path = options_.out + "/results.jsonl";
    PlannedReader reader;
    if (!reader.Open(specs_, path, true, error_)) return false;
    if (!SameHeader(reader.header())) return Fail(fmt::format("{}: {}.", path, error_->message), error_);
    return file_.Reopen(
        options_.out,
        [&](std::string* out, const ResultsFile::Flush& flush) {
          *out += Line(reader.header());
          Item item = reader.Next(error_);
          for (; item == Item::kCase; item = reader.Next(error_)) {
            const Record record = RecordOf(reader.planned(), reader.current());
            Closing closing;
            closing.group = TakeRecord(record);
            AppendRecord(record, closing, out);
            if (!flush()) return false;
          }
          for (; item != Item::kEnd && item != Item::kRefused; item = reader.Next(error_)) {
            if (item == Item::kFooter) TakeUlp(reader.reader().value());
          }
          return item == Item::kEnd;
        },
        error_);
  }

  bool TakeCase(const ResultsGrammar& grammar, const CasesOfPlan& planned) {
    const CaseLine& c = grammar.current();
    if (!c.plain) {
      TakeRecord(RecordOf(planned.Last(), c));
      return true;
    }
    next_ = c.n + 1;
    ++result_.resumed;
    result_.tally.AddPlainPass(c);
    return true;
  }

  // The number of its class, 0 for none.
  int TakeRecord(const Record& record) {
    next_ = record.n + 1;
    ++result_.resumed;
    set_aside_.Restore(record);
    failures_ += Conforms(record.judgement.verdict) ? 0 : 1;
    return result_.tally.Add(record);
  }

  // Passes have none in a file that is complete.
  void TakeUlp(const Json& footer) {
    for (const auto& [cases, ulp] : ObjectOr(footer, "ulp").items()) {
      if (ulp.is_number()) result_.tally.AddUlp(cases, ulp.get<double>());
    }
  }

  Baseline* Baselined() { return baseline_ ? &*baseline_ : nullptr; }

  bool RunCases(Lanes& lanes) {
    // Reads the whole plan, for nobody else.
    std::optional<Work> work;
    if (progress_) work.emplace(*plan_);
    Show(work);
    auto shown = Clock::now();
    std::string lines;
    bool good = true;
    const Sink sink = [&](Record& record) {
      Closing closing;
      closing.group = result_.tally.Add(record);
      AppendRecord(record, closing, &lines);
      next_ = record.n + 1;
      if (lines.size() < ResultsFile::kAppendBytes && Clock::now() - shown < std::chrono::milliseconds(250)) {
        return true;
      }
      good = file_.Append(lines, error_);
      lines.clear();
      shown = Clock::now();
      Show(work);
      return good;
    };
    EngineOptions engine = options_.engine;
    engine.selection = options_.selection;
    engine.first = next_;
    engine.failures = failures_;
    engine.deadline = After(begun_, engine.time_budget_seconds * kCasesShare);
    const bool stopped = engine.stop_after > 0 && failures_ >= engine.stop_after;
    if (stopped) result_.engine.stopped = true;
    if (!stopped) result_.engine = RunPlan(*plan_, engine, lanes, set_aside_, sink, interrupt_);
    StopLanes(lanes, &result_.engine);
    result_.set_aside = set_aside_.Pairs();
    good = good && file_.Append(lines, error_);
    return good && !Interrupted();
  }

  // Whether the run is to end, with the sentence that says how it goes on.
  bool Interrupted() {
    if (!interrupt_) return false;
    uint64_t wrong = 0;
    for (const FailureClass& failures : result_.tally.classes()) wrong += failures.cases;
    error_->message = fmt::format(
        "Interrupted after {}, of which {} did not conform; the same command with --resume goes on from {}.",
        Plural(result_.tally.planned(), "case"), WithCommas(wrong), file_.PartialPath());
    return true;
  }

  bool Close(Lane& lane) {
    AddCorpus(*plan_, &header_);
    RunCloser closer(specs_, options_.selection, header_, Baselined(), &file_, &result_, error_);
    if (!closer.Recount()) return false;
    FreshStarts starts(lane);
    FindGroups(starts, lane);
    FindRare();
    DescribeGroups(starts, lane);
    if (Interrupted()) return false;
    FindLayers(*plan_, End(), &result_.tally.groups());
    // Planning, starting, probing and naming are part of what a run costs.
    result_.duration_seconds = Seconds(begun_);
    return closer.Write();
  }

  // Behind the last place that was run.
  uint64_t End() const {
    const bool whole = !result_.engine.time_over && !result_.engine.stopped;
    return whole ? plan_->Size() : next_;
  }

  void FindGroups(FreshStarts& starts, Lane& lane) {
    if (result_.tally.classes().empty()) return;
    Say("naming the causes");
    // The process may have been started by a thread that is gone, and may be in any state.
    lane.Restart();
    const auto late = [this] { return Late(); };
    const RunFacts run{*plan_, options_.selection, result_.tally, End(), late};
    const PassesInIsolation right = FindPassesInIsolation(run, late, starts, lane);
    if (!interrupt_) result_.tally.SetGroups(FindCauses(run, right));
  }

  void FindRare() {
    if (result_.tally.rare().empty()) return;
    Say("looking where readings are followed");
    const auto late = [this] { return Late(); };
    result_.rare_places = FindRarePlaces({*plan_, options_.selection, result_.tally, End(), late});
  }

  // Nothing that only explains what was found is begun any more.
  bool Late() const { return interrupt_ || Clock::now() >= After(begun_, options_.engine.time_budget_seconds); }

  void Say(std::string_view phase, double share = 0) const {
    if (options_.phase) options_.phase(phase, share);
  }

  void Show(const std::optional<Work>& work) const {
    if (work) progress_(work->Share(next_), result_.tally);
  }

  void DescribeGroups(FreshStarts& starts, Lane& lane) {
    if (result_.tally.groups().empty()) return;
    lane.Restart();
    const auto late = [this] { return Late(); };
    const size_t described = std::min(result_.tally.groups().size(), kMaxDescribed);
    CauseSet named;
    for (const CauseGroup& group : result_.tally.groups()) named |= group.causes;
    for (size_t i = 0; i < described; ++i) {
      CauseGroup& group = result_.tally.groups()[i];
      Say("looking for the smallest cases", static_cast<double>(i) / static_cast<double>(described));
      // Where a baseline has a line, the cases that it lists are looked for, not smaller ones.
      const SmallestOptions smallest{options_.shrink && group.standing == Standing::kNew, named & ~group.causes};
      const bool described_it =
          !Late() && DescribeSmallest(*plan_, options_.selection, smallest, late, starts, lane, &group);
      if (!described_it) ++result_.undescribed;
    }
  }

  const Specs& specs_;
  SessionOptions options_;  // with what the backend was found to have
  const Progress& progress_;
  const std::atomic<bool>& interrupt_;
  Error* error_ = nullptr;
  std::optional<Plan> plan_;
  std::optional<Baseline> baseline_;
  Clock::time_point begun_, latest_;  // when the run began, and until when a backend is waited for
  std::atomic<Clock::rep> interrupted_at_{0};
  SetAside set_aside_;
  ResultsFile file_;
  Json header_;
  RunResult result_;
  uint64_t next_ = 0;       // place to begin at, and behind the last case that was run
  uint64_t failures_ = 0;   // before it
  bool other_run_ = false;  // what is to be resumed was asked for by other options
};

}  // namespace

std::optional<RunResult> RunSession(const Specs& specs, const SessionOptions& options, const Progress& progress,
                                    const std::atomic<bool>& interrupt, Error* error, int* exit_code) {
  return Session(specs, options, progress, interrupt).Run(error, exit_code);
}

}  // namespace poolproof
