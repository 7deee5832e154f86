// Reports from results files: everything that is written is made from them and nothing else.
#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "reports/compare.h"
#include "reports/run.h"

namespace poolproof::reports {

// One run, or several to compare. JUnit, summaries and the badge speak of the last one, which is the
// newest.
struct Results {
  std::vector<Run> runs;
  std::optional<Comparison> comparison;  // where there are several
  Json performance;                      // what the benchmark measured; null where it did not
};

// Reads results files and, unless `performance` is empty, the benchmark's JSON (FORMAT.md). Several files are compared
// by `each_case`. On failure nothing, and one sentence that names file, line and value.
std::optional<Results> ReadResultsFiles(const std::vector<std::string>& paths, const std::string& performance,
                                        const EachCase& each_case, Error* error);

// One self-contained page that needs neither network nor scripts.
std::string Html(const Results& results);
// testsuites / testsuite per operator / testcase. Documented examples and invalid calls are test cases
// of their own; of the other cases all of one section and element type are one, so that names stay the
// same from run to run and their number small.
std::string Junit(const Results& results);
// Verdict, counts, groups and changes, for programs.
std::string JsonSummary(const Results& results);
// For the description of a pull request: verdict, counts, the worst groups.
std::string Markdown(const Results& results);
// "poolproof | conforms" as SVG.
std::string Badge(const Results& results);

// On failure false, and one sentence that names the file.
bool Write(const std::string& text, const std::string& path, Error* error);

// All of them by the names of their files.
inline constexpr std::pair<const char*, std::string (*)(const Results&)> kReports[] = {{"junit.xml", Junit},
                                                                                       {"summary.json", JsonSummary},
                                                                                       {"summary.md", Markdown},
                                                                                       {"badge.svg", Badge},
                                                                                       {"report.html", Html}};

inline constexpr const char* kConformsColour = "#14692f";
inline constexpr const char* kExcusedColour = "#805000";
inline constexpr const char* kFailsColour = "#b01622";
// A badge that says `text`.
std::string BadgeOf(const std::string& text, const std::string& colour);

}  // namespace poolproof::reports
