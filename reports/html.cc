#include <fmt/format.h>

#include "conformance/format/text.h"
#include "reports/reports.h"
#include "reports/templates.h"
#include "reports/view.h"

namespace poolproof::reports {
namespace {

// The browser runs our own script, known by its hash, and no other one.
std::string ScriptHash() {
  constexpr std::string_view kHex = POOLPROOF_REPORT_SCRIPT_SHA256;
  std::string bytes;
  for (size_t i = 0; i + 1 < kHex.size(); i += 2) {
    bytes += static_cast<char>(std::stoi(std::string(kHex.substr(i, 2)), nullptr, 16));
  }
  return Base64(bytes);
}

Json RunView(const Run& run, const ViewOptions& options) {
  return {{"prefix", options.prefix},
          {"title", run.Title()},
          {"verdict", VerdictView(run)},
          {"ran", FactsView(run)},
          {"types", TypeMatrixView(run)},
          {"holes", HoleMapView(run)},
          {"discrepancies", GroupsView(run, options)},
          {"readings", ReadingsView(run, options)},
          {"ledger", LedgerView(run, options)},
          {"performance", PerformanceView(options.performance)},
          {"cases", CasesView(run, options)},
          {"unsupported", UnsupportedView(run)},
          {"baseline", BaselineView(run)}};
}

std::string PageTitle(const std::vector<Run>& runs) {
  if (runs.size() == 1) return runs[0].Title() + ": pooling conformance";
  return fmt::format("{} runs compared: pooling conformance", runs.size());
}

}  // namespace

std::string Html(const Results& results) {
  Json page = {{"title", PageTitle(results.runs)},
               {"css", std::string(TemplateText("report.css")) + std::string(TemplateText("drawing.css"))},
               {"js", std::string(TemplateText("report.js"))},
               {"script_hash", ScriptHash()},
               {"glossary", GlossaryView()},
               {"single", false},
               {"compared", false}};
  if (results.runs.size() == 1) {
    page["single"] = RunView(results.runs[0], {"", results.performance});
    return Render("page.html", page);
  }
  Json runs = Json::array();
  for (size_t i = 0; i < results.runs.size(); ++i) {
    ViewOptions options{fmt::format("run{}-", i + 1), {}};
    if (i + 1 == results.runs.size()) options.performance = results.performance;
    Json view = RunView(results.runs[i], options);
    view["number"] = i + 1;
    runs.push_back(std::move(view));
  }
  page["compared"] = {{"comparison", ComparisonView(*results.comparison, results.runs)}, {"each", runs}};
  return Render("page.html", page);
}

}  // namespace poolproof::reports
