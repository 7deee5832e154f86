#include "reports/reports.h"

#include <fmt/format.h>

#include <cerrno>
#include <cstring>
#include <fstream>

#include "conformance/format/text.h"

namespace poolproof::reports {
namespace {

constexpr size_t kMaxPerformanceBytes = size_t{64} << 20;

std::optional<Json> ReadPerformance(const std::string& path, Error* error) {
  if (path.empty()) return Json();
  std::string text;
  Error reason;
  if (!ReadWholeFile(path, kMaxPerformanceBytes, &text, error)) return std::nullopt;
  std::optional<Json> value = ParseStrictly(text, &reason);
  if (!value) {
    error->message = fmt::format("{}: {}.", path, reason.message);
    return std::nullopt;
  }
  const bool named = value->is_object() && value->contains("workloads");
  if ((named ? (*value)["workloads"] : *value).is_array()) return value;
  error->message = fmt::format("{}: no \"workloads\" as the benchmark writes them: \"{}\".", path,
                               EscapeForTerminal(Shorten(text, 60)));
  return std::nullopt;
}

}  // namespace

bool Write(const std::string& text, const std::string& path, Error* error) {
  errno = 0;
  std::ofstream file(path, std::ios::binary | std::ios::trunc);
  file << text;
  file.close();
  if (file) return true;
  return Fail(fmt::format("{}: cannot be written: {}.", path, std::strerror(errno)), error);
}

std::optional<Results> ReadResultsFiles(const std::vector<std::string>& paths, const std::string& performance,
                                        const EachCase& each_case, Error* error) {
  Results results;
  auto workloads = ReadPerformance(performance, error);
  if (!workloads) return std::nullopt;
  results.performance = std::move(*workloads);
  for (const std::string& path : paths) {
    auto run = ReadRun(path, error);
    if (!run) return std::nullopt;
    results.runs.push_back(std::move(*run));
  }
  if (paths.empty()) {
    error->message = "No results file was given.";
    return std::nullopt;
  }
  if (paths.size() > 1) {
    results.comparison = Compare(results.runs, each_case, error);
    if (!results.comparison) return std::nullopt;
  }
  return results;
}

}  // namespace poolproof::reports
