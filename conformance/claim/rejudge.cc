#include "conformance/claim/rejudge.h"

#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <charconv>
#include <cmath>
#include <random>

#include "conformance/cases/digest.h"
#include "conformance/format/reader.h"
#include "conformance/format/text.h"
#include "conformance/results/record.h"
#include "conformance/results/results_plan.h"

namespace poolproof {
namespace {

// Which of several explanations holds, and whether a case contradicts another one, only all cases together show.
bool IsSame(bool contradicts, const Record& claimed, const Record& now) {
  const Judgement &was = claimed.judgement, &is = now.judgement;
  if (ExplanationWords(was) != ExplanationWords(is)) return false;
  if (!contradicts && claimed.answer != now.answer) return false;
  if (!is.candidates.empty()) return was.verdict == Verdict::kPass || was.verdict == Verdict::kDeviates;
  return was.verdict == is.verdict && EvidenceWords(was) == EvidenceWords(is);
}

std::string Words(const Record& record) {
  std::string words(VerdictName(record.judgement.verdict));
  if (!record.answer.empty()) words += " with answer " + record.answer;
  if (!record.judgement.evidence.empty()) words += " that reads " + EvidenceWords(record.judgement);
  return words;
}

// Holds the cases that are run now against what the claim says of them.
class SideBySide {
 public:
  SideBySide(const Specs& specs, Baseline baseline) : specs_(specs), baseline_(std::move(baseline)) {}

  bool Open(const std::string& results, Error* error) { return reader_.Open(specs_, results, true, error); }
  PlannedReader& reader() { return reader_; }
  uint64_t count() const { return count_; }

  // The next of cases in plan order.
  bool Take(const Record& now, Error* error) {
    using Item = PlannedReader::Item;
    Item item = Item::kCase;
    do {
      item = reader_.Next(error);
      if (item != Item::kCase) return item != Item::kRefused;
    } while (reader_.current().n < now.n);
    const Record claimed = RecordOf(reader_.planned(), reader_.current());
    const bool contradicts = reader_.current().verdict == Verdict::kInconsistent;
    // Nothing is known of a case that was set aside.
    if (claimed.judgement.verdict == Verdict::kMissing || now.judgement.verdict == Verdict::kMissing) return true;
    ++count_;
    if (IsSame(contradicts, claimed, now) || MayVary(claimed, now)) return true;
    const std::string& message = now.judgement.message;
    return Fail(fmt::format("case \"{}\" is claimed to be {} and is {} now{}{}", EscapeForTerminal(now.id),
                            Words(claimed), Words(now), message.empty() ? "." : ": ", EscapeForTerminal(message)),
                error);
  }

  // After the last one.
  bool End(const EngineResult& engine, Error* error) const {
    const BaselineSummary summary = baseline_.Summary(nullptr, nullptr);
    if (Changed(summary))
      return Fail("more varies than may: " + EscapeForTerminal(summary.changes[0].ids[0]) + ".", error);
    if (engine.process_faults.empty()) return true;
    return Fail(fmt::format("outside of any case the backend {}.", EscapeForTerminal(engine.process_faults[0].text)),
                error);
  }

 private:
  // The baseline takes the answer, or lets the case pass as well.
  bool MayVary(const Record& claimed, const Record& now) {
    bool covered = false;
    const bool unlisted = !baseline_.Check(now, &covered);
    const bool passes = Conforms(now.judgement.verdict) && !Conforms(claimed.judgement.verdict);
    return covered || (unlisted && passes);
  }

  const Specs& specs_;
  Baseline baseline_;
  PlannedReader reader_;
  uint64_t count_ = 0;
};

// Leaves a plan this number of its cases, each as likely as any other.
void Draw(const Share& share, uint64_t seed, uint64_t left, Plan* plan) {
  const double part = std::ceil(static_cast<double>(left) * share.percent / 100);
  uint64_t wanted = share.cases > 0 ? share.cases : static_cast<uint64_t>(part);
  std::mt19937_64 random(seed);
  std::vector<bool> places(plan->Size());
  PlannedCase unused;
  for (uint64_t n = 0; n < plan->Size() && left > 0; ++n) {
    if (!plan->Options().filter.empty() && !plan->Get(n, &unused)) continue;
    places[n] = random() % left-- < wanted;
    wanted -= places[n] ? 1 : 0;
  }
  plan->KeepOnly(std::move(places));
}

bool IsBuildOf(const Json& statement, const std::string& path, Error* error) {
  const std::string claimed = StringOr(ObjectOr(statement, "backend"), "digest"), found = DigestOfFile(path);
  if (claimed == found) return true;
  const auto named = [](const std::string& digest) { return digest.empty() ? "none" : EscapeForTerminal(digest); };
  return Fail(fmt::format("\"{}\" is not the build of the claim: its digest is {}, claimed is {} (--any-build runs it "
                          "all the same).",
                          EscapeForTerminal(path), named(found), named(claimed)),
              error);
}

// As the claim says that the results were made.
LaneOptions LaneOf(const OpenClaim& claim, Level level, LaneOptions lane) {
  lane.options = StringsOf(ObjectOr(claim.statement, "backend"), "options");
  lane.odd_starts = level == Level::kFull;
  return lane;
}

}  // namespace

std::optional<Share> ParseShare(std::string_view text, Error* error) {
  Share share;
  const char *const begin = text.data(), *const end = begin + text.size();
  const auto all = std::from_chars(begin, end, share.cases);
  if (all.ec == std::errc() && all.ptr == end && share.cases > 0) return share;
  share.cases = 0;
  const auto part = std::from_chars(begin, end, share.percent, std::chars_format::fixed);
  const bool percentage = part.ec == std::errc() && part.ptr + 1 == end && text.ends_with('%');
  if (percentage && share.percent > 0 && share.percent <= 100) return share;
  error->message = fmt::format(
      "--share: \"{}\" is neither a number of cases nor a percentage of them, for example 1000 or 2.5%.", text);
  return std::nullopt;
}

bool Rejudge(const Specs& specs, const OpenClaim& claim, RejudgeRequest request, uint64_t* count, int* exit_code,
             Error* error) {
  *exit_code = kUsage;
  if (!request.any_build && !IsBuildOf(claim.statement, request.lane.backend, error)) return false;
  auto baseline = Baseline::Load(claim.In("baseline.txt"), error);
  if (!baseline) return false;
  SideBySide comparison(specs, *std::move(baseline));
  if (!comparison.Open(claim.In("merged/results.jsonl"), error)) return false;
  const auto selection = SelectReadings(comparison.reader().header(), error);
  if (!selection) return false;
  Plan plan = comparison.reader().plan();
  Draw(request.share, request.seed, static_cast<uint64_t>(IntOr(claim.statement, "cases")), &plan);
  EngineOptions engine;
  engine.selection = *selection;
  std::vector<std::unique_ptr<Lane>> lanes;
  *exit_code = kBackendNotStarted;
  lanes.push_back(StartLane(LaneOf(claim, plan.Options().level, std::move(request.lane)), error));
  if (lanes[0] == nullptr) return false;
  *exit_code = kUsage;
  bool same = true;
  SetAside set_aside(engine.limits);
  const std::atomic<bool> never{false};
  const Sink sink = [&](const Record& now) { return same = comparison.Take(now, error); };
  EngineResult result = RunPlan(plan, engine, lanes, set_aside, sink, never);
  StopLanes(lanes, &result);
  *count = comparison.count();
  return same && comparison.End(result, error);
}

}  // namespace poolproof
