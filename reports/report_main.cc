// report: makes reports from results files.
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <cstdio>

#include "conformance/format/text.h"
#include "reports/reports.h"

namespace {

using poolproof::reports::Results;
using Writer = bool (*)(const Results&, const std::string&, std::string*);

constexpr int kUsage = 2;

struct Output {
  const char* flag;
  const char* what;
  Writer write;
  std::string path;
};

int Run(const std::vector<std::string>& files, const std::string& performance, const std::vector<Output>& outputs) {
  std::string error;
  const auto results = poolproof::reports::ReadResultsFiles(files, performance, &error);
  if (!results) {
    fmt::print(stderr, "{}\n", poolproof::EscapeForTerminal(error));
    return kUsage;
  }
  for (const Output& output : outputs) {
    if (output.path.empty()) continue;
    if (!output.write(*results, output.path, &error)) {
      fmt::print(stderr, "{}\n", poolproof::EscapeForTerminal(error));
      return kUsage;
    }
    fmt::print("{}\n", poolproof::EscapeForTerminal(output.path));
  }
  return 0;
}

}  // namespace

// NOLINTNEXTLINE(bugprone-exception-escape): outside of the try only memory for the names of options can be lacking
int main(int argc, char** argv) {
  namespace reports = poolproof::reports;
  CLI::App app("Makes reports from results files; several files are compared.");
  std::vector<std::string> files;
  std::string performance;
  std::vector<Output> outputs = {{"--html", "page for people", reports::WriteHtml, ""},
                                 {"--junit", "JUnit XML", reports::WriteJunit, ""},
                                 {"--json", "summary as JSON", reports::WriteJsonSummary, ""},
                                 {"--markdown", "summary as Markdown", reports::WriteMarkdown, ""},
                                 {"--badge", "badge as SVG", reports::WriteBadge, ""}};
  app.add_option("results", files, "results.jsonl or results.jsonl.zst, one or several")->required();
  app.add_option("--performance", performance, "what the benchmark measured, JSON");
  for (Output& output : outputs) app.add_option(output.flag, output.path, output.what);
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& e) {
    return app.exit(e) == 0 ? 0 : kUsage;
  }
  return Run(files, performance, outputs);
}
