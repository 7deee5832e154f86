#include "conformance/gate/summary.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "conformance/format/text.h"
#include "conformance/results/record.h"

namespace poolproof {
namespace {

constexpr size_t kShownGroups = 4;  // causes that a screen has room for
constexpr size_t kShownIds = 10;    // of each way in which a run differs from its baseline
constexpr auto kLogInterval = std::chrono::seconds(10);

std::string CountsText(const Tally& tally) {
  std::string text;
  for (size_t v = 0; v < kVerdictCount; ++v) {
    const uint64_t count = tally.counts()[v];
    if (count == 0) continue;
    text += fmt::format("{}{} {}", text.empty() ? "" : ", ", count, VerdictName(static_cast<Verdict>(v)));
  }
  return text;
}

// How the silences are read, all in one line; those that no one reading fits, in a second one.
void PrintReadings(const Tally& tally) {
  std::map<std::string, uint32_t> common;
  for (const auto& [key, use] : tally.evidence()) {
    if (!reference::IsSilence(*reference::FindEntry(key.first))) continue;
    const auto [known, added] = common.try_emplace(key.first, key.second);
    if (!added) known->second &= key.second;
  }
  std::string one, several;
  for (const auto& [id, readings] : common) {
    if (readings == 0) several += " " + id;
    if (readings != 0) one += fmt::format(" {}={}", id, EvidenceText(*reference::FindEntry(id), readings));
  }
  if (!one.empty()) fmt::print("\nwhere the documents are silent, it reads{}\n", one);
  if (!several.empty()) fmt::print("and in no one named way{}\n", several);
}

// Readings that few libraries follow: how far they lead, and how to have them fail.
void PrintRareReadings(const Tally& tally) {
  for (const auto& [key, use] : tally.evidence()) {
    const reference::Entry entry = *reference::FindEntry(key.first);
    const auto rare = RareReading(entry, key.second);
    if (!rare) continue;
    const std::string reading = fmt::format("{}={}", key.first, *rare);
    const auto ulp = tally.ulp().find(reading);
    const std::string far =
        ulp == tally.ulp().end() ? "" : fmt::format(", results up to {:.3g} ulp from exact", ulp->second);
    fmt::print("few libraries read {}: {} case{} pass{} by it alone{}, such as {}; --reading={}={} makes them fail\n",
               reading, WithCommas(use.cases), use.cases == 1 ? "" : "s", use.cases == 1 ? "es" : "", far,
               EscapeForTerminal(use.example), key.first, reference::ReadingNames(entry)[0]);
  }
}

// The meaning of each way to differ from a baseline.
std::string_view Meaning(std::string_view kind) {
  constexpr std::pair<std::string_view, std::string_view> kMeanings[] = {
      {"new", "fails and is in no block"},
      {"answer", "fails with another answer than its line has"},
      {"worsened", "fails with another verdict than its line has"},
      {"cause", "fails for another cause than its block has"},
      {"improved", "does not fail any more"},
      {"expired", "is in a block that has expired"},
      {"exceeded", "more cases than the block allows"},
      {"unmatched", "is not in the plan"},
      {"lost", "functions, element types and calls that the backend does not have any more"}};
  for (const auto& [name, meaning] : kMeanings) {
    if (name == kind) return meaning;
  }
  return "";
}

void PrintBaseline(const BaselineSummary& baseline) {
  for (const BaselineSummary::Change& change : baseline.changes) {
    for (size_t i = 0; i < std::min(change.ids.size(), kShownIds); ++i) {
      fmt::print("baseline: {}: {} ({})\n", change.kind, EscapeForTerminal(change.ids[i]), Meaning(change.kind));
    }
    if (change.count > kShownIds) {
      fmt::print("baseline: {}: and {} more\n", change.kind, change.count - kShownIds);
    }
  }
  for (const std::string& text : baseline.varying) fmt::print("baseline: varies: {}\n", EscapeForTerminal(text));
}

// Faults that count against a backend though no case does.
void PrintFaults(const RunResult& result) {
  for (const ProcessFault& fault : result.engine.process_faults) {
    fmt::print("outside of any case the backend {} ({} time{})\n", EscapeForTerminal(fault.text), fault.times,
               fault.times == 1 ? "" : "s");
  }
  for (const ProcessFault& warning : result.engine.process_warnings) {
    fmt::print("warning: outside of any case the backend {} ({} time{}); the verdict does not depend on it\n",
               EscapeForTerminal(warning.text), warning.times, warning.times == 1 ? "" : "s");
  }
}

// Prints what the backend was kept from, and what this system lacks for that. Nothing for merged results,
// whose parts may have run in different places.
void PrintIsolation(Isolation level, const std::vector<CellPart>& parts) {
  std::string missing;
  for (const CellPart& part : parts) {
    if (part.state != "on") missing += fmt::format("; {} {}", part.name, EscapeForTerminal(part.state));
  }
  if (level == Isolation::kNone) {
    fmt::print("isolation none: the backend had all rights of this program\n");
  } else if (!parts.empty()) {
    fmt::print("isolation {}{}\n", IsolationName(level), missing.empty() ? ": all on" : missing);
  }
}

// Pairs are listed while they are few; the report has them all.
void PrintSetAside(const RunResult& result) {
  constexpr size_t kListed = 3;
  const std::vector<AsidePair>& pairs = result.set_aside;
  uint64_t rest = 0;
  for (size_t i = 0; i < pairs.size(); ++i) {
    if (i >= kListed) {
      rest += pairs[i].missing;
      continue;
    }
    fmt::print("set aside: {} {}, since {}: {} case{} missing\n", EscapeForTerminal(pairs[i].operator_name),
               EscapeForTerminal(pairs[i].type), EscapeForTerminal(pairs[i].why), pairs[i].missing,
               pairs[i].missing == 1 ? "" : "s");
  }
  if (pairs.size() > kListed) {
    fmt::print("set aside: {} more pairs of operator and type: {} case{} missing\n", pairs.size() - kListed, rest,
               rest == 1 ? "" : "s");
  }
  if (result.undescribed > 0) {
    fmt::print("{} groups of discrepancies are shown as found: --time-budget left no time to shrink them\n",
               result.undescribed);
  }
}

void PrintHint(const RunResult& result) {
  if (!result.profile_hint) return;
  fmt::print("\n--profile={} would make {} of {} deviations pass.\n", result.profile_hint->profile,
             result.profile_hint->explained, result.profile_hint->deviations);
}

// Prints what is wrong, as far as it is known.
std::string TitleOf(const CauseGroup& group) {
  std::string title;
  if (!group.cause.id.empty()) title = fmt::format(": {} ({})", group.cause.title, group.cause.id);
  if (title.empty() && !group.reading.empty()) title = ": " + group.reading;
  if (!group.where.empty()) title += ", only where " + group.where;
  return EscapeForTerminal(title);
}

// "crash in 40 cases, missing in 1 case", worst first.
std::string VerdictsOf(const CauseGroup& group) {
  std::vector<std::pair<Verdict, uint64_t>> all(group.verdicts.begin(), group.verdicts.end());
  std::sort(all.begin(), all.end(), [](const auto& a, const auto& b) { return Severity(a.first) > Severity(b.first); });
  std::string text;
  for (const auto& [verdict, cases] : all) {
    text +=
        fmt::format("{}{} in {} case{}", text.empty() ? "" : ", ", VerdictName(verdict), cases, cases == 1 ? "" : "s");
  }
  return text;
}

std::string Duration(double seconds) {
  const auto whole = static_cast<int64_t>(seconds);
  return whole < 60 ? fmt::format("{} s", whole) : fmt::format("{} min {} s", whole / 60, whole % 60);
}

// A set of names is listed while it is short.
std::string Names(const std::set<std::string>& names) {
  constexpr size_t kListed = 4;
  if (names.size() <= kListed) return fmt::format("{}", fmt::join(names, " "));
  return fmt::format("{} and {} more", *names.begin(), names.size() - 1);
}

// What the verdict is about where that is not the whole plan.
std::string ScopeOf(const RunResult& result) {
  const VerdictCounts counts{result.tally.counts()};
  std::string scope = result.part.empty() ? "" : " in a part of the plan: " + result.part;
  if (Judged(counts) == counts.Total() || !result.conforms) return scope;
  scope += fmt::format("{} the {} of {} cases that the backend supports", scope.empty() ? " in" : "; judged are",
                       WithCommas(Judged(counts)), WithCommas(counts.Total()));
  return JudgedAreFew(counts) ? scope + ", too few to speak for an operator" : scope;
}

}  // namespace

void ProgressLine::Show(uint64_t done, uint64_t size, const Tally& tally) {
  const auto now = std::chrono::steady_clock::now();
  if (!terminal_ && now - shown_ < kLogInterval) return;
  const double seconds = std::chrono::duration<double>(now - begun_).count();
  if (first_ == 0) first_ = done;
  const double rate = seconds > 0 ? static_cast<double>(done - first_) / seconds : 0;
  std::string text = fmt::format("judging {}/{} ({}%)", done, size, done * 100 / size);
  if (rate > 0) {
    text += fmt::format(", {:.0f} per second, {} left", rate, Duration(static_cast<double>(size - done) / rate));
  }
  Print(text + ": " + CountsText(tally));
}

void ProgressLine::Phase(std::string_view phase) {
  if (!terminal_ && std::chrono::steady_clock::now() - shown_ < kLogInterval) return;
  Print(std::string(phase));
}

void ProgressLine::Print(const std::string& text) {
  shown_ = std::chrono::steady_clock::now();
  fmt::print(stderr, "{}{:.120}{}", terminal_ ? "\r\033[K" : "", text, terminal_ ? "" : "\n");
  std::fflush(stderr);
}

void ProgressLine::Clear() {
  if (terminal_) fmt::print(stderr, "\r\033[K");
}

void PrintGroup(const Specs& specs, const CauseGroup& group, const std::string& reproduce,
                const BackendOptions& backend) {
  fmt::print("\n{}. {}{}\n", group.number, VerdictsOf(group), TitleOf(group));
  fmt::print("   {}, {}{}{}\n", Names(group.operators), Names(group.types), group.evidence.empty() ? "" : "; ",
             EscapeForTerminal(group.evidence));
  fmt::print("   {}\n", EscapeForTerminal(group.message));
  if (const Clause* clause = specs.FindClause(group.clause)) {
    fmt::print("   {}: {}\n", clause->id, clause->statement);
  }
  const std::string line = group.smallest.line.empty() ? group.smallest_line : group.smallest.line;
  // A contradiction is seen only next to its case.
  const bool alone = group.smallest_with.empty() || backend.backend.empty();
  const std::string with = alone ? "" : " --with=" + ShellQuoted(group.smallest_with);
  fmt::print("   reproduce: {}\n",
             EscapeForTerminal(fmt::format("{} {}{}{}", reproduce, ShellQuoted(line), with, backend.Again())));
}

// Prints what a backend that conforms is excused for, in one line; otherwise the largest causes.
void PrintCauses(const Specs& specs, const RunResult& result, const std::string& reproduce,
                 const BackendOptions& backend) {
  const std::vector<CauseGroup>& groups = result.tally.groups();
  if (result.conforms && !groups.empty()) {
    uint64_t cases = 0;
    for (const CauseGroup& group : groups) cases += group.cases;
    fmt::print("{} cases of {} cause{} do not conform, as {} expects\n", cases, groups.size(),
               groups.size() == 1 ? "" : "s", EscapeForTerminal(result.baseline.file));
    return;
  }
  for (size_t i = 0; i < std::min(groups.size(), kShownGroups); ++i) {
    PrintGroup(specs, groups[i], reproduce, backend);
  }
  if (groups.size() > kShownGroups) {
    uint64_t cases = 0;
    for (size_t i = kShownGroups; i < groups.size(); ++i) cases += groups[i].cases;
    fmt::print("\n... and {} more groups with {} cases, see the report\n", groups.size() - kShownGroups, cases);
  }
}

void PrintSummary(const Specs& specs, const SessionOptions& session, const RunResult& result,
                  const std::string& reproduce, const BackendOptions& backend) {
  const Tally& tally = result.tally;
  if (!result.part.empty()) fmt::print("A part of the plan: {}\n", result.part);
  PrintCauses(specs, result, reproduce, backend);
  PrintReadings(tally);
  PrintHint(result);
  PrintBaseline(result.baseline);
  PrintSetAside(result);
  PrintFaults(result);
  fmt::print("\nbackend {} {}, profile {}, level {}, seed {}\n", EscapeForTerminal(result.backend.name),
             EscapeForTerminal(result.backend.version), session.profile, LevelName(session.plan.level), result.seed);
  PrintIsolation(session.lane.cell.isolation, result.backend.cell);
  if (result.engine.stdout_bytes > 0) {
    fmt::print("the backend wrote {} bytes to standard output, kept in {}/backend-*.log\n", result.engine.stdout_bytes,
               EscapeForTerminal(session.out));
  }
  const double seconds = result.duration_seconds;
  const double judged = static_cast<double>(tally.planned() - result.resumed);
  fmt::print("{} cases in {:.1f} s ({:.0f} per second): {}\n", tally.planned(), seconds,
             seconds > 0 ? judged / seconds : 0.0, CountsText(tally));
  if (tally.counts()[static_cast<size_t>(Verdict::kPass)] == 0) {
    fmt::print("no case passed: nothing was shown to work\n");
  }
  PrintRareReadings(tally);
  fmt::print("{}{}\n", result.conforms ? "CONFORMS" : "DOES NOT CONFORM", ScopeOf(result));
}

}  // namespace poolproof
