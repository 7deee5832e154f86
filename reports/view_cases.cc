#include <fmt/format.h>

#include <algorithm>
#include <tuple>

#include "conformance/format/text.h"
#include "reports/view.h"

namespace poolproof::reports {
namespace {

constexpr size_t kListed = 200;  // bytes of an id in a list
constexpr size_t kFew = 10;      // changes against a baseline that are unfolded

Json SampleView(const Sample& s, const ViewOptions& options) {
  Json view = {{"id", Shorten(s.id, kListed)},       {"line", s.line == s.id ? "" : Shorten(s.line, 600)},
               {"message", Shorten(s.message, 600)}, {"with", Shorten(s.with, kListed)},
               {"operator", Shorten(s.op, 100)},     {"section", Shorten(s.section, 40)},
               {"tag", VerdictTag(s.verdict)},       {"group", false}};
  if (s.group > 0) {
    view["group"] = {{"number", s.group}, {"anchor", fmt::format("{}group-{}", options.prefix, s.group)}};
  }
  return view;
}

std::string Rest(uint64_t count, size_t shown) {
  return count <= shown ? "" : Plural(count - shown, "more case") + ", in the results file.";
}

Json SampleList(const char* title, const char* name, const std::vector<Sample>& samples, uint64_t count,
                const ViewOptions& options) {
  Json list = Json::array();
  for (const Sample& sample : samples) list.push_back(SampleView(sample, options));
  return {{"title", title},
          {"name", name},
          {"samples", list},
          {"count", WithCommas(count)},
          {"rest", Rest(count, samples.size())}};
}

Json PartView(const OperatorTally& op, const std::string& section, const std::string& type,
              const VerdictCounts& counts) {
  const bool only_unsupported = counts[Verdict::kPass] == 0 && counts.Bad() == 0;
  return {{"operator", op.name},
          {"section", section},
          {"type", type},
          {"total", WithCommas(counts.Total())},
          {"raw", counts.Total()},
          {"tag", VerdictTag(only_unsupported ? Verdict::kUnsupported : counts.Worst())},
          {"breakdown", Breakdown(counts)}};
}

// Each line stands for all cases of one operator, section and type, or for an operator that the
// backend does not have.
Json PartsView(const Run& run) {
  Json parts = Json::array(), without = Json::array();
  for (const OperatorTally& op : run.operators) {
    if (!op.Supports()) {
      without.push_back(PartView(op, "all", "all", op.counts));
      continue;
    }
    for (const auto& [key, part] : op.parts) {
      if (parts.size() < 3000) parts.push_back(PartView(op, key.first, key.second, part.counts));
    }
  }
  for (Json& part : without) parts.push_back(std::move(part));
  return parts;
}

// Entries of a baseline by reason: one line each, with the first case.
Json BaselineReasons(const Run& run) {
  using Key = std::tuple<std::string, Verdict, std::string>;
  std::map<Key, std::pair<uint64_t, std::string>> reasons;
  for (const Sample& s : run.baselined) {
    auto& [cases, example] = reasons[{s.baseline_reason, s.verdict, s.baseline_status}];
    if (cases++ == 0) example = s.id;
  }
  Json rows = Json::array();
  for (const auto& [key, value] : reasons) {
    if (rows.size() == 500) break;
    rows.push_back({{"reason", Shorten(std::get<0>(key), 500)},
                    {"tag", VerdictTag(std::get<1>(key))},
                    {"status", Shorten(std::get<2>(key), 40)},
                    {"cases", WithCommas(value.first)},
                    {"raw", value.first},
                    {"example", Shorten(value.second, kListed)}});
  }
  return rows;
}

Json IdList(const Json& change) {
  Json list = Json::array();
  for (const std::string& id : StringsOf(change, "ids")) {
    if (list.size() < 200) list.push_back(Shorten(id, kListed));
  }
  return list;
}

}  // namespace

Json CasesView(const Run& run, const ViewOptions& options) {
  return {{"prefix", options.prefix},
          {"reproduce", run.Reproduce("LINE", "")},
          {"parts", PartsView(run)},
          {"lists",
           {SampleList("Documented examples and invalid calls", "examples and invalid calls", run.named,
                       run.named_count, options),
            SampleList("Cases that do not conform", "cases that do not conform", run.bad, run.bad_count, options)}}};
}

Json UnsupportedView(const Run& run) {
  std::vector<std::pair<std::string, const Reason*>> sorted;
  for (const auto& [words, reason] : run.unsupported) sorted.emplace_back(words, &reason);
  std::stable_sort(sorted.begin(), sorted.end(),
                   [](const auto& a, const auto& b) { return a.second->cases > b.second->cases; });
  Json reasons = Json::array();
  for (const auto& [words, reason] : sorted) {
    reasons.push_back({{"words", words.empty() ? "no reason given" : words},
                       {"cases", WithCommas(reason->cases)},
                       {"raw", reason->cases},
                       {"operators", Listed({reason->operators.begin(), reason->operators.end()}, 6)},
                       {"example", Shorten(reason->example, 500)}});
  }
  return {{"count", WithCommas(run.counts[Verdict::kUnsupported])},
          {"reasons", reasons},
          {"rest", run.other_unsupported == 0 ? "" : Plural(run.other_unsupported, "case")}};
}

Json BaselineView(const Run& run) {
  const Json& baseline = ObjectOr(run.footer, "baseline");
  Json rows = Json::array();
  for (const Sample& s : run.baselined) {
    rows.push_back({{"id", Shorten(s.id, kListed)},
                    {"tag", VerdictTag(s.verdict)},
                    {"reason", Shorten(s.baseline_reason, 500)},
                    {"status", Shorten(s.baseline_status, 40)}});
  }
  Json changes = Json::array();
  for (const Json& change : ArrayOr(baseline, "changes")) {
    const Json ids = IdList(change);
    const uint64_t count = static_cast<uint64_t>(std::max<int64_t>(IntOr(change, "count"), 0));
    changes.push_back({{"what", Shorten(StringOr(change, "kind"), 40)},
                       {"count", WithCommas(count)},
                       {"ids", ids},
                       {"few", ids.size() <= kFew},
                       {"rest", Rest(count, ids.size())}});
  }
  return {{"any", !rows.empty() || !changes.empty()},
          {"file", Shorten(StringOr(baseline, "file"), 300)},
          {"count", WithCommas(run.baselined_count)},
          {"reasons", BaselineReasons(run)},
          {"rows", rows},
          {"rest", Rest(run.baselined_count, run.baselined.size())},
          {"changes", changes}};
}

}  // namespace poolproof::reports
