#include <fmt/format.h>

#include <cctype>

#include "conformance/format/text.h"
#include "reports/reports.h"
#include "reports/templates.h"
#include "reports/view.h"

namespace poolproof::reports {
namespace {

constexpr size_t kMarkdownGroups = 10;

Json CountsOf(const VerdictCounts& counts) {
  Json view = Json::object();
  for (size_t i = 0; i < kVerdictCount; ++i) {
    if (counts.n[i] > 0) view[std::string(Facts(static_cast<Verdict>(i)).name)] = counts.n[i];
  }
  return view;
}

Json StandingsOf(const Run& run) {
  Json view = Json::object();
  for (const Standing standing : {Standing::kNew, Standing::kChanged, Standing::kKnown}) {
    view[std::string(StandingName(standing))] = {{"cases", run.standings.Cases(standing)},
                                                 {"causes", run.standings.Causes(standing)}};
  }
  return view;
}

// "451 discrepant cases of 2 causes".
std::string Cases(uint64_t cases, size_t causes) {
  return Plural(cases, "discrepant case") + (causes == 0 ? "" : " of " + Plural(causes, "cause"));
}

std::string Prose(std::string_view text, size_t limit) { return EscapeMarkup(Shorten(text, limit), Markup::kMarkdown); }

std::string Code(std::string_view text, size_t limit) {
  return EscapeMarkup(Shorten(text, limit), Markup::kMarkdownCode);
}

std::string CountsTable(const Run& run) {
  std::string text = "| verdict | cases |\n| --- | ---: |\n";
  for (size_t i = 0; i < kVerdictCount; ++i) {
    if (run.counts.n[i] == 0) continue;
    text += fmt::format("| {} | {} |\n", Facts(static_cast<Verdict>(i)).name, WithCommas(run.counts.n[i]));
  }
  return text;
}

// Causes of one standing; of all of them where there is no baseline.
std::string GroupsList(const Run& run, Standing standing = Standing::kNew) {
  const Json view = GroupsView(run, {});
  const uint64_t causes = run.HasBaseline() ? run.standings.Causes(standing) : run.group_count;
  std::string text;
  size_t shown = 0;
  for (const Json& group : ArrayOr(view, "groups")) {
    if (StandingOf(group) != standing && run.HasBaseline()) continue;
    if (shown++ == kMarkdownGroups) break;
    text += fmt::format("- **{}** {} ({}; {})\n", StringOr(ObjectOr(group, "tag"), "verdict"),
                        Prose(StringOr(group, "title"), 300), Prose(StringOr(group, "cases"), 100),
                        Prose(StringOr(group, "operators"), 200));
    const std::string layers = StringOr(group, "layers"), line = StringOr(group, "line");
    if (!layers.empty()) text += fmt::format("  {}.\n", Prose(layers, 500));
    if (!line.empty()) text += fmt::format("  {}\n", Code(line, 500));
  }
  if (causes > kMarkdownGroups) text += fmt::format("- and {} more\n", Plural(causes - kMarkdownGroups, "group"));
  return text;
}

// Lists what the baseline does not say, by cause, then what is known and what can go.
std::string AgainstBaseline(const Run& run) {
  std::string text;
  for (const Standing standing : {Standing::kNew, Standing::kChanged}) {
    if (run.standings.Cases(standing) == 0) continue;
    text += fmt::format("\n### {}: {}\n\n{}", standing == Standing::kNew ? "New" : "Changed",
                        run.standings.Text(standing), GroupsList(run, standing));
  }
  const std::string known = run.standings.Known();
  if (!known.empty()) text += fmt::format("\n{}, as expected.\n", known);
  const std::string file = Code("--prune=" + StringOr(ObjectOr(run.footer, "baseline"), "file"), 300);
  const uint64_t lines = run.LinesThatCanGo();
  if (lines > 0) text += fmt::format("\n{} can go: {} baseline {}\n", Plural(lines, "line"), run.program, file);
  return text;
}

std::string ChangesText(const Comparison& comparison) {
  std::string text;
  for (const Changes& c : comparison.changes) {
    text += fmt::format("\nFrom run {} to run {}: {} new, {} fixed.\n", c.before + 1, c.after + 1,
                        WithCommas(c.broken.count), WithCommas(c.fixed.count));
    size_t shown = 0;
    for (const Change& change : c.broken.first) {
      if (shown++ == kMarkdownGroups) break;
      text += fmt::format("- new: {}\n", Code(change.id, 300));
    }
  }
  return text;
}

std::string Lowered(std::string word) {
  if (!word.empty()) word[0] = static_cast<char>(std::tolower(static_cast<unsigned char>(word[0])));
  return word;
}

}  // namespace

std::string JsonSummary(const Results& results) {
  const Run& run = results.runs.back();
  const Json& backend = ObjectOr(run.header, "backend");
  Json summary = {{"poolproof_summary", 1},
                  {"backend", {{"name", StringOr(backend, "name")}, {"version", StringOr(backend, "version")}}},
                  {"profile", StringOr(run.header, "profile")},
                  {"level", StringOr(run.header, "level")},
                  {"seed", IntOr(run.header, "seed")},
                  {"conforms", run.Conforms()},
                  {"part", run.Part()},
                  {"cases", run.counts.Total()},
                  {"counts", CountsOf(run.counts)},
                  {"baselined", run.AsBaselined()},
                  {"standings", StandingsOf(run)},
                  {"profile_hint", ObjectOr(run.footer, "profile_hint")},
                  {"duration_seconds", NumberOr(run.footer, "duration_seconds")}};
  Json groups = Json::array(), operators = Json::object();
  const Json view = GroupsView(run, {});
  for (const Json& group : ArrayOr(view, "groups")) {
    groups.push_back({{"group", IntOr(group, "number")},
                      {"verdict", StringOr(ObjectOr(group, "tag"), "verdict")},
                      {"title", StringOr(group, "title")},
                      {"cause", StringOr(group, "cause")},
                      {"where", StringOr(group, "where")},
                      {"evidence", StringOr(group, "evidence")},
                      {"layers", StringOr(group, "layers")},
                      {"cases", StringOr(group, "cases")},
                      {"line", StringOr(group, "line")}});
  }
  for (const OperatorTally& op : run.operators) {
    if (op.counts.Total() > 0) operators[op.name] = CountsOf(op.counts);
  }
  summary["operators"] = operators;
  summary["groups"] = groups;
  if (results.comparison) {
    summary["changes"] = Json::array();
    for (const Changes& c : results.comparison->changes) {
      summary["changes"].push_back({{"before", results.runs[c.before].path},
                                    {"after", results.runs[c.after].path},
                                    {"new", c.broken.count},
                                    {"fixed", c.fixed.count}});
    }
  }
  return summary.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

std::string Markdown(const Results& results) {
  const Run& run = results.runs.back();
  const Json verdict = VerdictView(run);
  const bool against = run.HasBaseline();
  std::string text =
      fmt::format("## poolproof: {} {}\n", Prose(run.Title(), 200), Prose(Lowered(StringOr(verdict, "word")), 700));
  text += against ? AgainstBaseline(run) : fmt::format("\n{}\n", Prose(StringOr(verdict, "sentence"), 500));
  if (const std::string not_there = StringOr(verdict, "not_there"); !not_there.empty()) {
    text += fmt::format("\n{}\n", Prose(not_there, 500));
  }
  const std::string part = StringOr(verdict, "part"), hint = StringOr(verdict, "hint");
  if (!part.empty() && !against) text += fmt::format("\n{}\n", Prose(part, 500));
  for (const Json& remark : ArrayOr(verdict, "remarks")) {
    text += fmt::format("\n{}\n", Prose(AsText(remark), 500));
  }
  if (against) return text;
  if (!hint.empty()) text += fmt::format("\n{}\n", Prose(hint, 500));
  text += "\n" + CountsTable(run);
  if (results.comparison) text += ChangesText(*results.comparison);
  const std::string groups = GroupsList(run);
  if (!groups.empty()) text += "\n### Causes, the three largest first\n\n" + groups;
  return text;
}

std::string Badge(const Results& results) {
  const Run& run = results.runs.back();
  constexpr size_t kMaxPart = 48;  // bytes of what the run is a part of that fit
  const bool excused = run.Conforms() && run.counts.Bad() > 0;
  const std::string part = run.Part();
  const std::string against = run.AgainstBaseline();
  std::string text = !run.WasJudged()   ? "not judged"
                     : run.Conforms()   ? "conforms" + (against.empty() ? "" : ", " + against)
                     : !against.empty() ? against
                                        : Cases(run.counts.Bad(), run.group_count);
  if (run.Conforms() && JudgedAreFew(run.counts)) {
    text += fmt::format(" in {} of {} cases", WithCommas(Judged(run.counts)), WithCommas(run.counts.Total()));
  } else if (const Presence all = run.Operators(); run.Conforms() && all.OperatorsThere() < all.operators()) {
    text += fmt::format(" in {} of {} operators", all.OperatorsThere(), all.operators());
  }
  if (!part.empty()) text += part.size() <= kMaxPart ? ": " + part : ", a part of the plan";
  return BadgeOf(text, excused ? kExcusedColour : run.Conforms() ? kConformsColour : kFailsColour);
}

std::string BadgeOf(const std::string& text, const std::string& colour) {
  constexpr double kLeft = 66;
  const double right = 16 + 6.6 * static_cast<double>(text.size());
  return Render("badge.html", {{"label", "poolproof"},
                               {"text", text},
                               {"colour", colour},
                               {"left", kLeft},
                               {"inner", kLeft - 3},
                               {"right", right},
                               {"width", kLeft + right},
                               {"left_x", kLeft / 2},
                               {"right_x", kLeft + right / 2}});
}

}  // namespace poolproof::reports
