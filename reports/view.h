// The view: what the templates in templates/ show, as data. Each function makes the part of one
// section; none makes markup.
#pragma once

#include <string>
#include <vector>

#include "reports/compare.h"
#include "reports/run.h"

namespace poolproof::reports {

// Every view has this prefix before the ids of its elements, so that two runs fit in one page.
struct ViewOptions {
  std::string prefix;
  Json performance;  // what the benchmark wrote, or its array of workloads; null: not measured
};

Json VerdictView(const Run& run);  // verdict, counts, hints
// One of "process_faults" of the footer.
std::string FaultSentence(const Json& fault);
Json FactsView(const Run& run);       // what ran
Json TypeMatrixView(const Run& run);  // operator x element type
// The operators and element types of a group, with the place of each in that matrix.
Json MatrixLinks(const Run& run, const Json& group);
Json HoleMapView(const Run& run);  // attribute value x operator
Json GroupsView(const Run& run, const ViewOptions& options);
std::string GroupTitle(const Run& run, const Json& group);
Json ReadingsView(const Run& run, const ViewOptions& options);
Json LedgerView(const Run& run, const ViewOptions& options);
Json PerformanceView(const Json& performance);
Json CasesView(const Run& run, const ViewOptions& options);
Json UnsupportedView(const Run& run);
Json BaselineView(const Run& run);
Json ComparisonView(const Comparison& comparison, const std::vector<Run>& runs);

// {"name","meaning","tone","symbol"} of a verdict.
Json VerdictTag(Verdict verdict);
// "2,000 pass, 3 fail".
std::string Breakdown(const VerdictCounts& counts);
// At most `limit` of the words: "a, b and 3 more".
std::string Listed(const std::vector<std::string>& words, size_t limit);

// The drawing of "detail" (FORMAT.md): grids with their cells, arrows and one sentence that says the
// same. Null where there is nothing to draw.
Json DrawingView(const Json& detail);
// One axis as a number line: input, pads, window starts. Null where the data are unusable.
Json NumberLineView(const Json& line);
// The number lines of a problem whose output has the wrong shape.
Json ShapeLinesView(const Json& detail);

}  // namespace poolproof::reports
