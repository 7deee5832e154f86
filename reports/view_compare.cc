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
  return Shorten(fmt::format("{}", fmt::join(StringsOf(ObjectOr(run.header, "backend"), "options"), " ")), 200);
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

Json TableView(const Comparison& comparison, Kind kind, const char* caption, const char* label, const char* name) {
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
  return {{"caption", caption}, {"label", label}, {"name", name}, {"rows", rows}};
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

Json ListView(const char* name, const ChangeList& changes, const Json& groups) {
  Json ids = Json::array();
  for (const Change& c : changes.first) {
    ids.push_back({{"id", c.id}, {"before", OutcomeTag(c.before)}, {"after", OutcomeTag(c.after)}});
  }
  return {
      {"name", name},     {"count", WithCommas(changes.count)},
      {"groups", groups}, {"rows", FoldedView(changes.first)},
      {"ids", ids},       {"rest", changes.count > ids.size() ? Plural(changes.count - ids.size(), "more case") : ""}};
}

Json ChangesView(const Changes& c, const std::vector<Run>& runs) {
  const auto name = [&runs](size_t i) { return fmt::format("run {}, {}", i + 1, runs[i].Title()); };
  return {{"before", name(c.before)},
          {"after", name(c.after)},
          {"broken_count", WithCommas(c.broken.count)},
          {"fixed_count", WithCommas(c.fixed.count)},
          {"lists",
           {ListView("New", c.broken, GroupsOnlyIn(runs[c.after], c.after, runs[c.before])),
            ListView("Fixed", c.fixed, GroupsOnlyIn(runs[c.before], c.before, runs[c.after]))}}};
}

}  // namespace

Json ComparisonView(const Comparison& comparison, const std::vector<Run>& runs) {
  Json heads = Json::array(), changes = Json::array();
  for (size_t i = 0; i < runs.size(); ++i) heads.push_back(RunHead(runs[i], i));
  for (const Changes& c : comparison.changes) changes.push_back(ChangesView(c, runs));
  constexpr const char* kFailing = "Where at least one run does not conform";
  constexpr const char* kSupport = "Where no run fails, but not all support the case";
  const Json failing = TableView(comparison, Kind::kFailing, kFailing, kFailing, "differences");
  Json support = TableView(comparison, Kind::kSupport, kSupport, kSupport, "differences of support");
  support["alone"] = failing["rows"].empty();
  return {{"runs", heads},
          {"changes", changes},
          {"any_differing", !failing["rows"].empty() || !support["rows"].empty()},
          {"failing", failing},
          {"support", support},
          {"same", TableView(comparison, Kind::kSame, "Outcomes that all runs share", "Where the runs agree", "")},
          {"folded_away", comparison.folded_away == 0 ? "" : Plural(comparison.folded_away, "case")}};
}

}  // namespace poolproof::reports
