#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>
#include <tuple>

#include "conformance/format/text.h"
#include "reports/view.h"

namespace poolproof::reports {
namespace {

Json OutcomeTag(Outcome outcome) {
  if (outcome != kAbsent) return VerdictTag(static_cast<Verdict>(outcome));
  return {{"verdict", "not run"}, {"meaning", "this run has no such case"}, {"tone", "none"}, {"symbol", "·"}};
}

std::string OptionsText(const Run& run) {
  std::string text;
  for (const std::string& option : StringsOf(ObjectOr(run.header, "backend"), "options")) {
    text += (text.empty() ? "" : " ") + option;
  }
  return Shorten(text, 200);
}

Json RunHead(const Run& run, size_t index) {
  return {{"number", index + 1},
          {"title", run.Title()},
          {"options", OptionsText(run)},
          {"path", Shorten(run.path, 200)},
          {"profile", Shorten(StringOr(run.header, "profile"), 100)},
          {"started", Shorten(StringOr(run.header, "started"), 60)},
          {"verdict", VerdictView(run)},
          {"pass", WithCommas(run.counts[Verdict::kPass])},
          {"bad", WithCommas(run.counts.Bad())},
          {"unsupported", WithCommas(run.counts[Verdict::kUnsupported])}};
}

// Facts that the outcomes of a line have in common.
enum class Kind { kFailing, kSupport, kSame };

Kind KindOf(const OutcomeRow& row) {
  if (!row.Differs()) return Kind::kSame;
  return std::any_of(row.outcomes.begin(), row.outcomes.end(), IsBad) ? Kind::kFailing : Kind::kSupport;
}

Json RowsView(const Comparison& comparison, Kind kind) {
  Json rows = Json::array();
  for (const OutcomeRow& row : comparison.rows) {
    if (KindOf(row) != kind) continue;
    Json outcomes = Json::array();
    for (const Outcome o : row.outcomes) outcomes.push_back(OutcomeTag(o));
    rows.push_back({{"operator", row.op},
                    {"cases", WithCommas(row.cases)},
                    {"raw", row.cases},
                    {"outcomes", outcomes},
                    {"example", row.example}});
  }
  return rows;
}

// Changes that are alike in operator and verdicts are one line.
Json FoldedView(const std::vector<Change>& changes) {
  Json rows = Json::array();
  std::map<std::tuple<std::string, Outcome, Outcome>, size_t> places;
  for (const Change& c : changes) {
    const auto [it, added] = places.emplace(std::tuple(c.op, c.before, c.after), rows.size());
    if (added) {
      rows.push_back({{"operator", c.op},
                      {"before", OutcomeTag(c.before)},
                      {"after", OutcomeTag(c.after)},
                      {"raw", 0},
                      {"example", c.id}});
    }
    rows[it->second]["raw"] = rows[it->second]["raw"].get<size_t>() + 1;
  }
  return rows;
}

// The identity of a group from run to run.
std::string GroupKey(const Json& group) {
  const std::string cause = StringOr(ObjectOr(group, "cause"), "id");
  return StringOr(group, "verdict") + '\0' + (cause.empty() ? StringOr(group, "signature") : cause);
}

// The groups of `run` that `other` does not have.
Json GroupsOnlyIn(const Run& run, size_t index, const Run& other) {
  std::set<std::string> known;
  for (const Json& group : other.groups) known.insert(GroupKey(group));
  Json list = Json::array();
  for (const Json& group : run.groups) {
    if (known.contains(GroupKey(group)) || list.size() == 50) continue;
    list.push_back({{"title", GroupTitle(run, group)},
                    {"anchor", fmt::format("run{}-group-{}", index + 1, IntOr(group, "group"))},
                    {"cases", Plural(static_cast<uint64_t>(std::max<int64_t>(IntOr(group, "cases"), 0)), "case")}});
  }
  return list;
}

Json ListView(const std::vector<Change>& changes) {
  Json list = Json::array();
  for (const Change& c : changes) {
    list.push_back({{"id", c.id}, {"before", OutcomeTag(c.before)}, {"after", OutcomeTag(c.after)}});
  }
  return list;
}

Json ChangesView(const Changes& c, const std::vector<Run>& runs) {
  const auto name = [&runs](size_t i) { return fmt::format("run {}, {}", i + 1, runs[i].Title()); };
  return {
      {"before", name(c.before)},
      {"after", name(c.after)},
      {"broken_count", WithCommas(c.broken_count)},
      {"fixed_count", WithCommas(c.fixed_count)},
      {"any_broken", c.broken_count > 0},
      {"any_fixed", c.fixed_count > 0},
      {"broken_groups", GroupsOnlyIn(runs[c.after], c.after, runs[c.before])},
      {"fixed_groups", GroupsOnlyIn(runs[c.before], c.before, runs[c.after])},
      {"broken_rows", FoldedView(c.broken)},
      {"fixed_rows", FoldedView(c.fixed)},
      {"broken", ListView(c.broken)},
      {"fixed", ListView(c.fixed)},
      {"broken_rest", c.broken_count > c.broken.size() ? Plural(c.broken_count - c.broken.size(), "more case") : ""},
      {"fixed_rest", c.fixed_count > c.fixed.size() ? Plural(c.fixed_count - c.fixed.size(), "more case") : ""}};
}

}  // namespace

Json ComparisonView(const Comparison& comparison, const std::vector<Run>& runs) {
  Json heads = Json::array(), changes = Json::array();
  for (size_t i = 0; i < runs.size(); ++i) heads.push_back(RunHead(runs[i], i));
  for (const Changes& c : comparison.changes) changes.push_back(ChangesView(c, runs));
  const Json failing = RowsView(comparison, Kind::kFailing);
  const Json support = RowsView(comparison, Kind::kSupport);
  return {{"runs", heads},
          {"any_changes", !changes.empty()},
          {"changes", changes},
          {"any_differing", !failing.empty() || !support.empty()},
          {"any_failing", !failing.empty()},
          {"failing", failing},
          {"any_support", !support.empty()},
          {"support", support},
          {"same", RowsView(comparison, Kind::kSame)},
          {"folded_away", comparison.folded_away == 0 ? "" : Plural(comparison.folded_away, "case")}};
}

}  // namespace poolproof::reports
