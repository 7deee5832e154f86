#include "conformance/run/session.h"

#include <fmt/format.h>
#include <sys/stat.h>

#include <chrono>

#include "conformance/run/finish.h"
#include "conformance/run/header.h"
#include "conformance/run/record_json.h"
#include "conformance/run/results_file.h"
#include "conformance/run/smallest.h"

namespace poolproof {
namespace {

using Clock = std::chrono::steady_clock;
using Lanes = std::vector<std::unique_ptr<Lane>>;

constexpr size_t kFlushBytes = 1 << 16;
constexpr size_t kMaxDescribed = 40;  // groups that are shrunk and drawn

double Seconds(Clock::time_point since) {
  return std::chrono::duration<double>(Clock::now() - since).count();
}

std::string LogPath(const SessionOptions& options, int lane) {
  return fmt::format("{}/backend-{}.log", options.out, lane + 1);
}

bool StartLanes(const SessionOptions& options, Lanes* lanes, Error* error) {
  for (int i = 0; i < options.engine.jobs; ++i) {
    LaneOptions lane = options.engine.lane;
    lane.log_path = LogPath(options, i);
    lanes->push_back(StartLane(lane, error));
    if (lanes->back() == nullptr) return false;
  }
  return true;
}

// One run; members are what its steps share.
class Session {
 public:
  Session(const Specs& specs, const SessionOptions& options, const Progress& progress,
          const std::atomic<bool>& interrupt)
      : specs_(specs), options_(options), progress_(progress), interrupt_(interrupt) {}

  std::optional<SessionResult> Run(Error* error, int* exit_code) {
    error_ = error;
    *exit_code = kUsage;
    plan_ = Plan::Make(specs_, options_.plan, error);
    if (!plan_) return std::nullopt;
    if (!plan_->Any()) {
      error->message = fmt::format("--filter \"{}\" matches no case.", options_.plan.filter);
      return std::nullopt;
    }
    if (!options_.baseline_path.empty()) {
      baseline_ = Baseline::Load(options_.baseline_path, error);
      if (!baseline_) return std::nullopt;
    }
    *exit_code = kRunnerFailed;
    if (options_.resume ? !ResultsFile::CanResume(options_.out, error)
                        : !file_.Create(options_.out, error)) {
      return std::nullopt;
    }
    *exit_code = kBackendNotStarted;
    Lanes lanes;
    if (!StartLanes(options_, &lanes, error)) return std::nullopt;
    result_.backend = lanes[0]->Info();
    *exit_code = kRunnerFailed;
    if (!Begin() || !RunCases(lanes) || !Close(*lanes[0])) return std::nullopt;
    result_.results_path = file_.FinalPath();
    *exit_code = result_.conforms ? kConforms : kDoesNotConform;
    return std::move(result_);
  }

 private:
  // Writes the header, or reads what an interrupted run left behind.
  bool Begin() {
    const std::string header = Line(MakeHeader(specs_, options_, result_.backend));
    if (!options_.resume) return file_.Append(header, error_);
    bool first = true;
    const bool resumed = file_.Resume(options_.out, [&](std::string_view line) {
      if (!first) return TakeOver(line);
      first = false;
      return SameHeader(line, header);
    }, error_);
    if (!resumed) return false;
    return first ? file_.Append(header, error_) : true;
  }

  bool SameHeader(std::string_view line, const std::string& header) {
    const auto old = nlohmann::json::parse(line, nullptr, false);
    const std::string difference =
        old.is_object() ? HeaderDifference(old, nlohmann::json::parse(header)) : "no header";
    if (difference.empty()) return true;
    error_->message = fmt::format("{}: cannot be resumed: {}.", file_.PartialPath(), difference);
    return false;
  }

  bool TakeOver(std::string_view line) {
    const std::optional<Record> record = ParseRecord(specs_, line, error_);
    if (!record) {
      error_->message = fmt::format("{}: {}.", file_.PartialPath(), error_->message);
      return false;
    }
    result_.tally.Add(*record);
    next_ = record->n + 1;
    ++result_.resumed;
    return true;
  }

  bool RunCases(Lanes& lanes) {
    const auto start = Clock::now();
    auto shown = start;
    std::string lines;
    bool good = true;
    const Sink sink = [&](Record& record) {
      Closing closing;
      closing.group = result_.tally.Add(record);
      AppendRecord(record, closing, &lines);
      if (lines.size() < kFlushBytes && Clock::now() - shown < std::chrono::milliseconds(250)) {
        return true;
      }
      good = file_.Append(lines, error_);
      lines.clear();
      shown = Clock::now();
      if (progress_) progress_(record.n + 1, plan_->Size(), result_.tally);
      return good;
    };
    EngineOptions engine = options_.engine;
    engine.first = next_;
    result_.engine = RunPlan(*plan_, engine, lanes, sink, interrupt_);
    good = good && file_.Append(lines, error_);
    result_.duration_seconds = Seconds(start);
    if (good && interrupt_) {
      error_->message = fmt::format(
          "Interrupted after {} cases; the same command with --resume goes on from {}.",
          result_.tally.planned(), file_.PartialPath());
      return false;
    }
    return good;
  }

  bool Complete() const {
    return options_.plan.filter.empty() && options_.plan.shard.count == 1 &&
           !result_.engine.time_over && !result_.engine.stopped;
  }

  bool Close(Lane& lane) {
    uint64_t uncovered = 0;
    Baseline* baseline = baseline_ ? &*baseline_ : nullptr;
    if (!CloseCases(specs_, options_.engine.selection.readings, &result_.tally, baseline, &file_, &uncovered, error_)) return false;
    DescribeGroups(lane);
    const bool changed = baseline_ && baseline_->Changed(Complete());
    if (baseline_) result_.baseline = baseline_->Summary(Complete());
    const bool any = result_.tally.counts()[static_cast<size_t>(Verdict::kPass)] > 0;
    result_.conforms = uncovered == 0 && !changed && any;
    result_.profile_hint = ProfileHint(result_.tally, options_.profile);
    std::string lines;
    for (const Group& group : result_.tally.groups()) lines += Line(MakeGroup(specs_, group));
    lines += Line(MakeFooter(result_));
    return file_.Append(lines, error_) && file_.Finish(error_);
  }

  void DescribeGroups(Lane& lane) {
    if (result_.tally.groups().empty()) return;
    // The process may have been started by a thread that is gone, and may be in any state.
    lane.Restart();
    size_t described = 0;
    for (Group& group : result_.tally.groups()) {
      if (described++ == kMaxDescribed) return;
      DescribeSmallest(*plan_, options_.engine.selection, options_.shrink, lane, &group);
    }
  }

  const Specs& specs_;
  const SessionOptions& options_;
  const Progress& progress_;
  const std::atomic<bool>& interrupt_;
  Error* error_ = nullptr;
  std::optional<Plan> plan_;
  std::optional<Baseline> baseline_;
  ResultsFile file_;
  SessionResult result_;
  uint64_t next_ = 0;
};

}  // namespace

std::optional<SessionResult> RunSession(const Specs& specs, const SessionOptions& options,
                                        const Progress& progress,
                                        const std::atomic<bool>& interrupt, Error* error,
                                        int* exit_code) {
  return Session(specs, options, progress, interrupt).Run(error, exit_code);
}

std::optional<Selection> SelectReadings(
    const std::string& profile, const std::map<std::string, std::string>& overrides,
    Error* error) {
  const std::optional<reference::Readings> readings = reference::FindProfile(profile);
  if (!readings) {
    error->message = fmt::format("--profile: there is no profile \"{}\" (documented, openvino, pytorch).",
                                 profile);
    return std::nullopt;
  }
  Selection selection = {*readings, reference::FixedBy(profile)};
  for (const auto& [id, reading] : overrides) {
    const auto entry = reference::FindEntry(id);
    const auto value = entry ? reference::FindReading(*entry, reading) : std::nullopt;
    if (!value || *value >= reference::ComputableReadings(*entry)) {
      error->message = fmt::format("--reading: the ledger has no {}={} that can be selected.", id,
                                   reading);
      return std::nullopt;
    }
    selection.readings[*entry] = *value;
    selection.demanded.Add(*entry);
  }
  return selection;
}

}  // namespace poolproof
