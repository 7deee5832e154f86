// `conformance report`: pages and summaries from results files.

#include <fmt/format.h>

#include <filesystem>
#include <memory>

#include "conformance/cli/command.h"
#include "conformance/cli/summary.h"
#include "reports/reports.h"

namespace poolproof {
namespace {

struct ReportOptions {
  std::vector<std::string> files;
  std::string performance, out = "poolproof-results";
};

using Writer = bool (*)(const reports::Results&, const std::string&, std::string*);
constexpr std::pair<const char*, Writer> kReports[] = {{"junit.xml", reports::WriteJunit},
                                                       {"summary.json", reports::WriteJsonSummary},
                                                       {"summary.md", reports::WriteMarkdown},
                                                       {"badge.svg", reports::WriteBadge},
                                                       {"report.html", reports::WriteHtml}};

bool WriteAll(const std::vector<std::string>& files, const std::string& folder,
              const std::string& performance, Error* error) {
  const auto results = reports::ReadResultsFiles(files, performance, &error->message);
  if (!results) return false;
  std::error_code ignored;  // writing says what is wrong with the folder
  std::filesystem::create_directories(folder, ignored);
  for (const auto& [name, write] : kReports) {
    if (!write(*results, folder + "/" + name, &error->message)) return false;
  }
  fmt::print("report: {}/report.html (beside it junit.xml, summary.json, summary.md, badge.svg)\n",
             folder);
  return true;
}

void Report(const ReportOptions& options, Program& program) {
  Error error;
  if (!WriteAll(options.files, options.out, options.performance, &error)) {
    program.Fail(kUsage, error.message);
  }
}

}  // namespace

bool WriteReports(const SessionResult& result, const std::string& folder,
                  const std::string& performance, Error* error) {
  return WriteAll({result.results_path}, folder, performance, error);
}

void AddReportCommand(CLI::App& app, Program& program) {
  auto options = std::make_shared<ReportOptions>();
  CLI::App* report = app.add_subcommand(
      "report", "Make HTML, JUnit, JSON, Markdown and badge from results files; several are compared");
  report->add_option("files", options->files, "results.jsonl, one or several")->required();
  report->add_option("--out", options->out, "Folder for the reports")->capture_default_str();
  report->add_option("--performance", options->performance, "JSON of the benchmark, to be shown");
  report->callback([&program, options] { Report(*options, program); });
}

}  // namespace poolproof
