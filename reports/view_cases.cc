#include <fmt/format.h>

#include "reports/text.h"
#include "reports/view.h"

namespace poolproof::reports {
namespace {

constexpr size_t kListed = 200;  // bytes of an id in a list

Json SampleView(const Sample& s, const ViewOptions& options) {
  Json view = {{"id", Shorten(s.id, kListed)},
               {"line", s.line == s.id ? "" : Shorten(s.line, 600)},
               {"message", Shorten(s.message, 600)},
               {"with", Shorten(s.with, kListed)},
               {"operator", Shorten(s.op, 100)},
               {"section", Shorten(s.section, 40)},
               {"tag", VerdictTag(s.verdict)},
               {"group", false}};
  if (s.group > 0) {
    view["group"] = {{"number", s.group},
                     {"anchor", fmt::format("{}group-{}", options.prefix, s.group)}};
  }
  return view;
}

Json SampleList(const std::vector<Sample>& samples, const ViewOptions& options) {
  Json list = Json::array();
  for (const Sample& sample : samples) list.push_back(SampleView(sample, options));
  return list;
}

std::string Rest(uint64_t count, size_t shown) {
  return count <= shown ? "" : Plural(count - shown, "more case") + ", in the results file.";
}

// Each line stands for all cases of one operator, section and type.
Json PartsView(const Run& run) {
  Json parts = Json::array();
  for (const OperatorTally& op : run.operators) {
    for (const auto& [key, part] : op.parts) {
      if (parts.size() == 3000) return parts;
      std::string breakdown;
      for (size_t i = 0; i < kVerdictCount; ++i) {
        if (part.counts.n[i] == 0) continue;
        breakdown += fmt::format("{}{} {}", breakdown.empty() ? "" : ", ",
                                 WithCommas(part.counts.n[i]),
                                 Facts(static_cast<Verdict>(i)).name);
      }
      const bool only_unsupported = part.counts[Verdict::kPass] == 0 && part.counts.Bad() == 0;
      parts.push_back(
          {{"operator", op.name},
           {"section", key.first},
           {"type", key.second},
           {"total", WithCommas(part.counts.Total())},
           {"raw", part.counts.Total()},
           {"tag", VerdictTag(only_unsupported ? Verdict::kUnsupported : part.counts.Worst())},
           {"breakdown", breakdown}});
    }
  }
  return parts;
}

Json IdList(const Json& baseline, const char* key) {
  Json list = Json::array();
  for (const std::string& id : Strings(baseline, key)) {
    if (list.size() < 200) list.push_back(Shorten(id, kListed));
  }
  return list;
}

}  // namespace

Json CasesView(const Run& run, const ViewOptions& options) {
  const Json named = SampleList(run.named, options), bad = SampleList(run.bad, options);
  return {{"prefix", options.prefix},
          {"parts", PartsView(run)},
          {"any_named", !named.empty()},
          {"named", named},
          {"named_count", WithCommas(run.named_count)},
          {"named_rest", Rest(run.named_count, run.named.size())},
          {"any_bad", !bad.empty()},
          {"bad", bad},
          {"bad_count", WithCommas(run.bad_count)},
          {"bad_rest", Rest(run.bad_count, run.bad.size())}};
}

Json UnsupportedView(const Run& run) {
  Json reasons = Json::array();
  for (const auto& [words, reason] : run.unsupported) {
    std::string operators;
    for (const std::string& op : reason.operators) operators += (operators.empty() ? "" : ", ") + op;
    reasons.push_back({{"words", words.empty() ? "no reason given" : words},
                       {"cases", WithCommas(reason.cases)},
                       {"raw", reason.cases},
                       {"operators", Shorten(operators, 400)},
                       {"example", Shorten(reason.example, 500)}});
  }
  return {{"any", !reasons.empty()},
          {"count", WithCommas(run.counts[Verdict::kUnsupported])},
          {"reasons", reasons},
          {"rest", run.other_unsupported == 0 ? "" : Plural(run.other_unsupported, "case")}};
}

Json BaselineView(const Run& run) {
  const Json& baseline = Object(run.footer, "baseline");
  Json rows = Json::array();
  for (const Sample& s : run.baselined) {
    rows.push_back({{"id", Shorten(s.id, kListed)},
                    {"tag", VerdictTag(s.verdict)},
                    {"reason", Shorten(s.baseline_reason, 500)},
                    {"status", Shorten(s.baseline_status, 40)}});
  }
  Json changes = Json::array();
  for (const char* key : {"improved", "worsened", "changed", "expired", "unmatched"}) {
    const Json ids = IdList(baseline, key);
    if (!ids.empty()) changes.push_back({{"what", key}, {"count", ids.size()}, {"ids", ids}});
  }
  return {{"any", !rows.empty() || !changes.empty()},
          {"file", Shorten(Str(baseline, "file"), 300)},
          {"count", WithCommas(run.baselined_count)},
          {"any_rows", !rows.empty()},
          {"rows", rows},
          {"rest", Rest(run.baselined_count, run.baselined.size())},
          {"changes", changes}};
}

}  // namespace poolproof::reports
