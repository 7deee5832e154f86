#include "conformance/gate/summary.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <fstream>

#include "conformance/format/text.h"
#include "conformance/gate/progress.h"
#include "conformance/gate/summary_causes.h"
#include "conformance/results/answer.h"
#include "conformance/results/record.h"
#include "conformance/worker/denied.h"

namespace poolproof {
namespace {

constexpr size_t kShownGroups = 4;  // causes that a screen has room for
constexpr size_t kShownIds = 10;    // of each way in which a run differs from its baseline

// "subnormals=flushed-output (f32) kept (f16 f64)": a silence that types read apart; empty where that is not said.
std::string TextByType(const Tally& tally, const std::string& id) {
  const reference::Entry entry = *reference::FindEntry(id);
  std::map<std::string, std::string> types;
  for (const auto& [type, readings] : ReadingsByType(tally, entry)) {
    std::string& of_reading = types[EvidenceText(entry, readings)];
    of_reading += (of_reading.empty() ? "" : " ") + type;
  }
  std::string text;
  for (const auto& [reading, names] : types) text += fmt::format("{}{} ({})", text.empty() ? "" : " ", reading, names);
  return text.empty() ? "" : id + "=" + text;
}

// How the silences are read, all in one line; those that types read apart in a second one, and those that no single
// reading fits in a third one.
void PrintReadings(const Tally& tally) {
  std::string one, by_type, several;
  for (const auto& [id, readings] : CommonReadings(tally)) {
    const std::string apart = readings == 0 ? TextByType(tally, id) : "";
    if (!apart.empty()) by_type += " " + apart;
    if (readings == 0 && apart.empty()) several += " " + id;
    if (readings != 0) one += fmt::format(" {}={}", id, EvidenceText(*reference::FindEntry(id), readings));
  }
  if (!one.empty()) fmt::print("\nwhere the documents are silent, it reads{}\n", one);
  if (!by_type.empty()) fmt::print("it reads by element type{}\n", by_type);
  if (!several.empty()) fmt::print("no single reading fits{}\n", several);
}

// Readings that few libraries follow: how far they lead, and how to have them fail.
void PrintRareReadings(const RunResult& result) {
  const Tally& tally = result.tally;
  for (const auto& [key, use] : tally.evidence()) {
    const reference::Entry entry = *reference::FindEntry(key.first);
    const auto rare = RareReading(entry, key.second);
    if (!rare) continue;
    const std::string reading = fmt::format("{}={}", key.first, *rare);
    const auto ulp = tally.ulp().find(reading);
    const std::string far =
        ulp == tally.ulp().end() ? "" : fmt::format(", results up to {:.3g} ulp from exact", ulp->second);
    const std::string_view usual = reference::ReadingNames(entry)[0];
    fmt::print("few libraries read {}: {} case{} pass{} by it alone{}, such as {}; --reading={}={} makes them fail\n",
               reading, WithCommas(use.cases), use.cases == 1 ? "" : "s", use.cases == 1 ? "es" : "", far,
               EscapeForTerminal(use.example), key.first, usual);
    for (const RarePlace& place : result.rare_places) {
      if (place.reading != reading) continue;
      fmt::print("{} reads {} in two ways: {} where {}, {} wherever else it would show\n",
                 place.function.empty() ? "it" : place.function, key.first, *rare, EscapeForTerminal(place.where),
                 usual);
    }
  }
}

// How many cases changed in which way: "2 with another answer, 1 for another cause".
std::string ChangesText(const BaselineSummary& baseline) {
  constexpr std::pair<std::string_view, std::string_view> kWays[] = {{"answer", "with another answer"},
                                                                     {"worsened", "with another verdict"},
                                                                     {"cause", "for another cause"},
                                                                     {"expired", "in a block that has expired"}};
  std::string text;
  for (const auto& [kind, way] : kWays) {
    for (const BaselineSummary::Change& change : baseline.changes) {
      if (change.kind != kind) continue;
      text += fmt::format("{}{} {}", text.empty() ? "" : ", ", WithCommas(change.count), way);
    }
  }
  return text;
}

// Prints what differs from a baseline as a whole: more cases than a block allows, what the backend has no more.
void PrintBaselineAsAWhole(const BaselineSummary& baseline) {
  constexpr std::pair<std::string_view, std::string_view> kMeanings[] = {
      {"exceeded", "more cases than the block allows"},
      {"lost", "functions, element types and calls that the backend does not have any more"}};
  for (const auto& [kind, meaning] : kMeanings) {
    for (const BaselineSummary::Change& change : baseline.changes) {
      if (change.kind != kind) continue;
      for (size_t i = 0; i < std::min(change.ids.size(), kShownIds); ++i) {
        fmt::print("baseline: {}: {} ({})\n", kind, EscapeForTerminal(change.ids[i]), meaning);
      }
      if (change.count > kShownIds) fmt::print("baseline: {}: and {} more\n", kind, change.count - kShownIds);
    }
  }
  for (const std::string& text : baseline.varying) fmt::print("baseline: varies: {}\n", EscapeForTerminal(text));
}

// The lines that can go, and the command that removes them.
void PrintLinesThatCanGo(const RunResult& result, const SessionOptions& session, const Program& program) {
  const uint64_t lines = result.baseline.LinesThatCanGo();
  if (lines == 0) return;
  const std::string file = ShellQuoted(result.baseline.file);
  const bool usual = session.out == SessionOptions().out;
  const std::string results = usual ? "" : " --results=" + ShellQuoted(result.results_path);
  fmt::print("{} can go: {}\n", Plural(lines, "line"),
             EscapeForTerminal(fmt::format("{} --prune={}{}", program.Again("baseline"), file, results)));
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
  const auto hung = [](const AsidePair& pair) { return pair.why.ends_with(" hung"); };
  if (std::any_of(pairs.begin(), pairs.end(), hung)) {
    fmt::print("where a slow or busy machine is to blame, --timeout gives a case more seconds\n");
  }
  if (result.undescribed > 0) {
    fmt::print("{} groups of discrepancies are shown as found: no time was left to name or shrink them\n",
               result.undescribed);
  }
}

constexpr std::string_view kTraceback = "Traceback (most recent call last)";

// The first error that the backend wrote in one of its processes: a traceback, or lines as they come, repeated ones
// once.
std::vector<std::string> FirstError(const SessionOptions& session) {
  constexpr size_t kMost = 12;
  std::vector<std::string> lines;
  for (int lane = 1; lane <= session.jobs && lines.empty(); ++lane) {
    std::ifstream log(fmt::format("{}/backend-{}.log", session.out, lane));
    bool ended = false;
    for (std::string line; !ended && std::getline(log, line);) {
      if (line.starts_with(kTraceback)) lines.clear();
      ended = !lines.empty() && lines[0].starts_with(kTraceback) && !line.starts_with(' ');
      const bool again = !lines.empty() && lines.back() == line;
      if (ended || (lines.size() < kMost && !again)) lines.push_back(line);
    }
  }
  return lines;
}

// Prints what the cell may have denied, where that is what is `said` in lines; whether it is.
bool PrintDenied(const SessionOptions& session, const std::vector<std::string>& said) {
  const std::string allows =
      WhatAllows(fmt::format("{}", fmt::join(said, "\n")), session.lane.cell, session.lane.backend);
  if (!allows.empty()) fmt::print("the cell may keep it from that; {}\n", EscapeForTerminal(allows));
  return !allows.empty();
}

// The same for what the backend answered instead of a result: the sentence of each group.
void PrintDeniedInAnswers(const SessionOptions& session, const RunResult& result) {
  for (const CauseGroup& group : result.tally.groups()) {
    if (IsOfError(group.signature) && PrintDenied(session, {group.message})) return;
  }
}

// Prints what a program wrote before it died or where it caught its own exception, which says more than the verdict,
// and what the cell denied to any backend.
void PrintFirstError(const SessionOptions& session, const RunResult& result) {
  if (result.tally.classes().empty()) return;
  const std::vector<std::string> lines = FirstError(session);
  const bool died = result.tally.counts()[static_cast<size_t>(Verdict::kCrash)] > 0;
  if (lines.empty() || (!died && !lines[0].starts_with(kTraceback))) return PrintDeniedInAnswers(session, result);
  fmt::print("\nthe first error that the backend wrote, in {}:\n",
             Painted(Paint::kPath, EscapeForTerminal(session.out + "/backend-*.log")));
  for (const std::string& line : lines) fmt::print("  | {}\n", EscapeForTerminal(line));
  PrintDenied(session, lines);
}

void PrintNothingPassed(const RunResult& result) {
  if (result.tally.counts()[static_cast<size_t>(Verdict::kPass)] == 0) {
    fmt::print("no case passed: nothing was shown to work\n");
  }
}

void PrintHint(const RunResult& result) {
  if (!result.profile_hint) return;
  fmt::print("\n--profile={} would make {} of {} deviations pass.\n", result.profile_hint->profile,
             result.profile_hint->explained, result.profile_hint->deviations);
}

// How much of the plan was judged, where that is not all of it, and which operators were not.
std::string JudgedText(const RunResult& result) {
  const VerdictCounts counts{result.tally.counts()};
  if (Judged(counts) == counts.Total() || !result.conforms) return "";
  const std::string not_there = result.tally.lists().Operators().NotThere();
  return fmt::format("the {} of {} cases that the backend supports{}{}", WithCommas(Judged(counts)),
                     WithCommas(counts.Total()), JudgedAreFew(counts) ? ", too few to speak for an operator" : "",
                     not_there.empty() ? "" : "; not there: " + not_there);
}

// Names what the verdict is about where that is not the whole plan.
std::string ScopeOf(const RunResult& result) {
  const std::string part = result.part.empty() ? "" : " in a part of the plan: " + result.part;
  const std::string judged = JudgedText(result);
  if (judged.empty()) return part;
  return part + (part.empty() ? " in " : "; judged are ") + judged;
}

std::string VerdictWord(const RunResult& result) {
  if (!result.Judged()) return Painted(Paint::kBad, "NOT JUDGED");
  return result.conforms ? Painted(Paint::kGood, "CONFORMS") : Painted(Paint::kBad, "DOES NOT CONFORM");
}

// Prints the largest causes.
void PrintCauses(const Specs& specs, const RunResult& result, const EndOptions& options) {
  const std::vector<CauseGroup>& groups = result.tally.groups();
  for (size_t i = 0; i < std::min(groups.size(), kShownGroups); ++i) {
    fmt::print("\n");
    PrintCause(specs, groups[i], options, kMostLinesOfACause);
  }
  if (groups.size() > kShownGroups) {
    uint64_t cases = 0;
    for (size_t i = kShownGroups; i < groups.size(); ++i) cases += groups[i].cases;
    fmt::print("\n... and {} more groups with {} cases, see the report\n", groups.size() - kShownGroups, cases);
  }
}

// Prints what is new, by cause: the first one in the lines that there are, further ones, most often another sign of the
// same mistake, in a line each. All in all it is ten lines: the others say how much is new, what is known, of which run
// that is, the verdict, and where the report is.
void PrintNew(const Specs& specs, const RunResult& result, const EndOptions& options) {
  const StandingCounts counts = result.tally.Standings();
  if (counts.Cases(Standing::kNew) == 0) return;
  fmt::print("NEW: {}\n", counts.Text(Standing::kNew));
  const size_t lines = result.baseline.LinesThatCanGo() > 0 ? 4 : 5;
  const size_t more = counts.Causes(Standing::kNew) - 1;
  const size_t further = std::min(more, lines - kLinesOfACause);
  const size_t shown = 1 + further - (further < more ? 1 : 0);
  size_t number = 0;
  for (const CauseGroup& group : result.tally.groups()) {
    if (group.standing != Standing::kNew || ++number > shown) continue;
    if (number > 1) {
      PrintCauseInALine(specs, group);
    } else {
      PrintCause(specs, group, options, lines - further);
    }
  }
  if (further < more) fmt::print("... and {}, see the report\n", Plural(1 + more - shown, "more cause"));
}

// Prints what changed. Together with a new cause it is most often a consequence, cases in which both show, and has one
// line with what is known.
void PrintChanged(const Specs& specs, const RunResult& result, const EndOptions& options) {
  const StandingCounts counts = result.tally.Standings();
  if (counts.Cases(Standing::kChanged) == 0) return;
  const bool shares_line = counts.Cases(Standing::kNew) > 0 && !counts.Known().empty();
  fmt::print("CHANGED: {}: {}{}", counts.Text(Standing::kChanged), ChangesText(result.baseline),
             shares_line ? "; " : "\n");
  if (counts.Cases(Standing::kNew) > 0) return;
  size_t shown = 0;
  for (const CauseGroup& group : result.tally.groups()) {
    if (group.standing != Standing::kChanged || shown++ >= kShownGroups) continue;
    PrintCause(specs, group, options, kLinesOfACause);
  }
  if (shown > kShownGroups) fmt::print("... and {}, see the report\n", Plural(shown - kShownGroups, "more cause"));
}

// Prints whether the code that problems reached led the fuzzer.
void PrintGuidance(const SessionOptions& session, const RunResult& result) {
  if (session.plan.level != Level::kFuzz) return;
  if (result.engine.reached_new_code > 0) {
    fmt::print("guided: {} reached code of the library that none before had reached\n",
               Plural(result.engine.reached_new_code, "problem"));
  } else {
    fmt::print(
        "not guided: the library does not count what is reached; compiled with -fsanitize-coverage=trace-pc by GCC, or "
        "with -fsanitize=fuzzer-no-link by clang, it does\n");
  }
}

// One line on the run and one with the verdict, which says of what it is.
void PrintVerdictAgainstBaseline(const SessionOptions& session, const RunResult& result) {
  const StandingCounts counts = result.tally.Standings();
  fmt::print("backend {} {}, profile {}, seed {}: {} cases in {:.1f} s\n", EscapeForTerminal(result.backend.name),
             EscapeForTerminal(result.backend.version), session.profile, result.seed,
             WithCommas(result.tally.planned()), result.duration_seconds);
  const std::string why = result.conforms ? counts.Known() : counts.Differences(result.baseline.LinesThatCanGo());
  std::string part = result.part;
  if (part.starts_with("level ")) part.erase(0, 6);
  const std::string judged = JudgedText(result);
  fmt::print("{}{}{}{}{}\n", VerdictWord(result), why.empty() ? "" : (result.conforms ? ", " : ": ") + why,
             part.empty() ? "" : " (" + part + ")", judged.empty() ? "" : "; judged are ", judged);
}

// Failures of problems that the runs behind the baseline did not have say nothing of the backend's change.
void PrintMoreRandom(const SessionOptions& session, const RunResult& result) {
  const RandomCounts& random = result.baseline.random;
  const auto same = random.find(session.plan.seed);
  const uint64_t had = same == random.end() ? 0 : same->second, has = RandomOf(session.plan);
  if (random.empty() || had >= has || result.tally.Standings().Cases(Standing::kNew) == 0) return;
  const std::string known = had > 0 ? WithCommas(had) : fmt::format("none of seed {}", session.plan.seed);
  fmt::print("baseline: made of {} random problems, here are {}: what the others meet is new to it\n", known,
             WithCommas(has));
}

// Prints what the baseline does not say, by cause: what is new, what changed; then what is known, and what can go.
void PrintAgainstBaseline(const Specs& specs, const SessionOptions& session, const RunResult& result,
                          const EndOptions& options, const Program& program) {
  PrintNew(specs, result, options);
  PrintChanged(specs, result, options);
  if (const std::string known = result.tally.Standings().Known(); !known.empty())
    fmt::print("{}, as expected\n", known);
  PrintLinesThatCanGo(result, session, program);
  PrintBaselineAsAWhole(result.baseline);
  PrintMoreRandom(session, result);
  if (result.tally.Standings().Cases(Standing::kNew) > 0) PrintFirstError(session, result);
  PrintSetAside(result);
  PrintFaults(result);
  if (session.lane.cell.isolation == Isolation::kNone) PrintIsolation(session.lane.cell.isolation, {});
  PrintNothingPassed(result);
  PrintGuidance(session, result);
  PrintVerdictAgainstBaseline(session, result);
}

}  // namespace

void PrintSummary(const Specs& specs, const SessionOptions& session, const RunResult& result, const EndOptions& options,
                  const Program& program) {
  if (!result.baseline.file.empty()) return PrintAgainstBaseline(specs, session, result, options, program);
  const Tally& tally = result.tally;
  if (!result.part.empty()) fmt::print("A part of the plan: {}\n", result.part);
  PrintCauses(specs, result, options);
  PrintReadings(tally);
  PrintHint(result);
  PrintFirstError(session, result);
  PrintSetAside(result);
  PrintFaults(result);
  fmt::print("\nbackend {} {}, profile {}, level {}, seed {}\n", EscapeForTerminal(result.backend.name),
             EscapeForTerminal(result.backend.version), session.profile, LevelName(session.plan.level), result.seed);
  PrintIsolation(session.lane.cell.isolation, result.backend.cell);
  if (result.engine.stdout_bytes > 0) {
    fmt::print("the backend wrote {} bytes to standard output, kept in {}\n", result.engine.stdout_bytes,
               Painted(Paint::kPath, EscapeForTerminal(session.out + "/backend-*.log")));
  }
  const double seconds = result.duration_seconds;
  const double judged = static_cast<double>(tally.planned() - result.resumed);
  fmt::print("{} cases in {:.1f} s ({:.0f} per second): {}\n", tally.planned(), seconds,
             seconds > 0 ? judged / seconds : 0.0, CountsText(tally, true));
  PrintNothingPassed(result);
  PrintRareReadings(result);
  PrintGuidance(session, result);
  fmt::print("{}{}\n", VerdictWord(result), ScopeOf(result));
}

}  // namespace poolproof
