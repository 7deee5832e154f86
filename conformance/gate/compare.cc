// `conformance compare`: what a fix repaired, missed and broke, by cause.

#include <fmt/format.h>

#include <filesystem>
#include <memory>

#include "conformance/format/text.h"
#include "conformance/gate/command.h"
#include "conformance/gate/progress.h"
#include "conformance/results/results_plan.h"
#include "reports/repair.h"

namespace poolproof {
namespace {

using reports::CausePart;
using reports::Effect;

constexpr size_t kLines = 15;  // of all that is printed without --all

struct CompareOptions {
  std::string before, after;
  bool all = false;
};

std::string ResultsIn(const std::string& path) {
  std::error_code code;
  return std::filesystem::is_directory(path, code) ? path + "/results.jsonl" : path;
}

std::string RunText(const reports::Run& run) {
  const std::string part = run.Part();
  return EscapeForTerminal(fmt::format("{}: {}, {} of {} fail{}", run.path, run.Title(), WithCommas(run.counts.Bad()),
                                       Plural(run.counts.Total(), "case"), part.empty() ? "" : " (" + part + ")"));
}

// Differences of the two runs besides the fix, a sentence each.
std::vector<std::string> Differences(const reports::Run& before, const reports::Run& after) {
  std::vector<std::string> lines;
  const auto differ = [&](const std::string& was, const std::string& is, const std::string& what) {
    if (was != is) lines.push_back(EscapeForTerminal(fmt::format("{}: {}, then {}", what, was, is)));
  };
  const auto name = [](const reports::Run& run) { return StringOr(ObjectOr(run.header, "backend"), "name"); };
  differ(name(before), name(after), "these are runs of two backends");
  const auto readings = [](const reports::Run& run) {
    return StringOr(run.header, "profile") + " " + ObjectOr(run.header, "readings").dump();
  };
  differ(readings(before), readings(after), "other readings of the documents were demanded");
  return lines;
}

// "all 12 cases", "10 cases, all but 2", "3 cases, all of them for another cause now".
std::string CountText(Effect effect, const CausePart& part) {
  const std::string cases = Plural(part.cases, "case");
  if (effect == Effect::kRepaired) {
    return part.cases == part.all ? "all " + cases : fmt::format("{}, all but {}", cases, part.all - part.cases);
  }
  if (part.elsewhere > 0) {
    const std::string moved = part.elsewhere == part.cases ? "all" : WithCommas(part.elsewhere);
    return fmt::format("{}, {} of them for another cause now", cases, moved);
  }
  if (part.failing == 0 || effect < Effect::kUnsupported) return cases;
  const bool before = effect == Effect::kUnsupported;
  return fmt::format("{}, {} of which fail{}", cases, WithCommas(part.failing), before ? "ed before" : "");
}

void PrintPart(Effect effect, const CausePart& part, bool all) {
  std::string text = CountText(effect, part);
  if (!part.cause.empty()) text += ": " + EscapeForTerminal(part.cause);
  const bool example = !all && effect != Effect::kRepaired && !part.ids.empty();
  if (example) text += ", such as " + EscapeForTerminal(ShellQuoted(Shorten(part.ids[0], 200)));
  if (example && effect == Effect::kWorsened) text += fmt::format(" ({})", part.change);
  fmt::print("{}{}\n", effect < Effect::kOnlyBefore ? "  " : "", text);
  for (size_t i = 0; all && i < part.ids.size(); ++i) fmt::print("    {}\n", EscapeForTerminal(part.ids[i]));
}

void PrintEffect(const reports::Repair& repair, Effect effect, size_t shown, bool all) {
  const std::vector<CausePart>& parts = repair.Of(effect);
  if (parts.empty()) return;
  const bool wrong = effect == Effect::kBroken || effect == Effect::kWorsened || effect == Effect::kRejected;
  const std::string name(EffectName(effect));
  fmt::print("{}: ", wrong ? Painted(Paint::kBad, name) : name);
  // Cases of one run alone are not told by cause.
  if (effect < Effect::kOnlyBefore) {
    fmt::print("{} of {}\n", Plural(repair.Cases(effect), "case"), Plural(parts.size(), "cause"));
  }
  for (size_t i = 0; i < std::min(parts.size(), shown); ++i) PrintPart(effect, parts[i], all);
}

// Causes of one effect that there is room for.
size_t ShownOf(const reports::Repair& repair, size_t lines) {
  size_t effects = 0;
  for (const std::vector<CausePart>& parts : repair.parts) effects += parts.empty() ? 0 : 1;
  const size_t room = kLines - std::min(kLines, lines + effects);
  return effects == 0 ? 0 : std::max<size_t>(1, room / effects);
}

void Print(const reports::Run& before, const reports::Run& after, const reports::Repair& repair, bool all) {
  const std::vector<std::string> differences = Differences(before, after);
  fmt::print("before {}\nafter  {}\n", RunText(before), RunText(after));
  for (const std::string& line : differences) fmt::print("{}\n", line);
  const size_t shown = all ? SIZE_MAX : ShownOf(repair, differences.size() + 3);
  for (size_t e = 0; e < reports::kEffects; ++e) PrintEffect(repair, static_cast<Effect>(e), shown, all);
  const uint64_t wrong = repair.NewlyWrong();
  fmt::print("{}\n", wrong == 0 ? Painted(Paint::kGood, "NOTHING IS NEWLY WRONG")
                                : Painted(Paint::kBad, fmt::format("NEWLY WRONG: {}", Plural(wrong, "case"))));
}

void CompareRuns(const CompareOptions& options, Program& program) {
  const std::optional<Specs> specs = program.Load();
  if (!specs) return;
  Error error;
  const auto before = reports::ReadRun(ResultsIn(options.before), &error);
  const auto after = before ? reports::ReadRun(ResultsIn(options.after), &error) : std::nullopt;
  if (!after) return program.Fail(kUsage, error.message);
  const auto repair = reports::CompareRepair(*before, *after, options.all, EachCaseWith(*specs), &error);
  if (!repair) return program.Fail(kUsage, error.message);
  Print(*before, *after, *repair, options.all);
  program.exit_code = repair->NewlyWrong() == 0 ? kConforms : kDoesNotConform;
}

}  // namespace

void AddCompareCommand(Command app, Program& program) {
  auto options = std::make_shared<CompareOptions>();
  Command compare = app.AddCommand("compare", "Say what a fix repaired, missed and broke, by cause");
  compare.First();
  compare.AddOption("before", options->before, "Results before the fix: results.jsonl, or its folder").Required();
  compare.AddOption("after", options->after, "Results after it").Required();
  compare.AddFlag("--all", options->all, "Name every cause, and every case by its id");
  compare.Do([&program, options] { CompareRuns(*options, program); });
}

}  // namespace poolproof
