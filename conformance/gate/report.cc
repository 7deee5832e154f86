// `conformance report`: pages and summaries from results files; and the end of every run.

#include <fmt/format.h>

#include <filesystem>
#include <memory>

#include "conformance/format/text.h"
#include "conformance/gate/command.h"
#include "conformance/gate/progress.h"
#include "conformance/gate/summary.h"
#include "conformance/results/results_plan.h"
#include "reports/reports.h"

namespace poolproof {
namespace {

struct ReportOptions {
  std::vector<std::string> files;
  std::string performance, out = "poolproof-results";
};

void WriteAll(const reports::Results& results, const std::string& folder, Program& program) {
  Error error;
  for (const auto& [name, make] : reports::kReports) {
    if (!reports::Write(make(results), folder + "/" + name, &error)) return program.Fail(kRunnerFailed, error.message);
  }
  fmt::print("report: {} (beside it junit.xml, summary.json, summary.md, badge.svg)\n",
             Painted(Paint::kPath, EscapeForTerminal(folder + "/report.html")));
}

// Removes what an earlier run left in the folder, which says nothing of this one.
void RemoveAll(const std::string& folder) {
  std::error_code ignored;
  for (const auto& [name, make] : reports::kReports) std::filesystem::remove(folder + "/" + name, ignored);
}

// Whether the file counts what the run counted, which alone decides.
bool SameCounts(const RunResult& result, const VerdictCounts& counts, Error* error) {
  for (size_t v = 0; v < kVerdictCount; ++v) {
    const std::string_view name = VerdictName(static_cast<Verdict>(v));
    const auto verdict = FindVerdict(name);
    const uint64_t counted = verdict ? counts[*verdict] : 0;
    if (counted == result.tally.counts()[v]) continue;
    return Fail(fmt::format("{}: counts {} cases as {}, the run had {}.", result.results_path, counted, name,
                            result.tally.counts()[v]),
                error);
  }
  return true;
}

// The counts of a file alone, which takes less than reading it for reports.
bool ReadCounts(const std::string& path, VerdictCounts* counts, Error* error) {
  using Item = ResultsReader::Item;
  ResultsReader reader;
  if (!reader.Open(path, error)) return false;
  Item item;
  do {
    item = reader.Next(error);
  } while (item != Item::kEnd && item != Item::kRefused);
  *counts = reader.grammar().counts();
  return item == Item::kEnd;
}

// Reports say what to type as it is called here.
std::optional<reports::Results> ReadAs(const Program& program, const Specs& specs,
                                       const std::vector<std::string>& files, const std::string& performance,
                                       Error* error) {
  auto results = reports::ReadResultsFiles(files, performance, EachCaseWith(specs), error);
  if (!results) return results;
  for (reports::Run& run : results->runs) run.program = program.Name();
  return results;
}

void Report(const ReportOptions& options, Program& program) {
  const std::optional<Specs> specs = program.Load();
  if (!specs) return;
  Error error;
  // Several files are compared, for which each is read with its plan.
  if (options.files.size() == 1 && !CheckResults(*specs, options.files[0], &error)) {
    return program.Fail(kUsage, error.message);
  }
  const auto results = ReadAs(program, *specs, options.files, options.performance, &error);
  if (!results) return program.Fail(kUsage, error.message);
  bool busy = false;
  const auto lock = FolderLock::Take(options.out, &busy, &error);
  if (lock == nullptr) return program.Fail(busy ? kUsage : kRunnerFailed, error.message);
  WriteAll(*results, options.out, program);
}

}  // namespace

void EndRun(const Specs& specs, const SessionOptions& session, const RunResult& result, const EndOptions& options,
            Program& program) {
  Error error;
  std::optional<reports::Results> results;
  VerdictCounts counts;
  bool read = false;
  RemoveAll(session.out);
  if (options.reports) {
    results = ReadAs(program, specs, {result.results_path}, options.performance, &error);
    read = results.has_value();
    if (read) {
      counts = results->runs[0].counts;
      results->runs[0].reproduce = {options.reproduce, options.backend.Again()};
    }
  } else {
    read = ReadCounts(result.results_path, &counts, &error);
  }
  const bool same = read && SameCounts(result, counts, &error);
  if (options.before_summary) options.before_summary();
  if (!same) {
    return program.Fail(kRunnerFailed, error.message);
  }
  program.exit_code = result.Exit();
  PrintSummary(specs, session, result, options, program);
  if (results) WriteAll(*results, session.out, program);
}

void AddReportCommand(Command app, Program& program) {
  auto options = std::make_shared<ReportOptions>();
  Command report = app.AddCommand("report", "Make HTML, JUnit, JSON, Markdown and badge; compare several");
  report.First();
  report.AddOption("files", options->files, "One results.jsonl, or several to compare").Required();
  report.AddOption("--out", options->out, "Folder for the reports").ShowDefault();
  report.AddOption("--performance", options->performance, "JSON of the benchmark, to show in the report");
  report.Do([&program, options] { Report(*options, program); });
}

}  // namespace poolproof
