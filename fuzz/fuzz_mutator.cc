// The mutator of problems changes whatever problem there is, also those that break rules, into one that a line says.
#include "conformance/cases/mutate.h"
#include "fuzz/harness.h"
#include "fuzz/problem_from_bytes.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using namespace poolproof;  // NOLINT: a C function
  constexpr int kSteps = 8;
  const Problem first = fuzz::RecentProblem(data, size);
  Choices choices(fuzz::HashOf(data, size));
  Problem problem = first;
  for (int step = 0; step < kSteps; ++step) {
    // Each rank and length of a list is met with each change, not only where a change of it came before.
    if (choices.Percent(50)) problem.shape.size = static_cast<uint8_t>(choices.Between(0, problem.shape.size));
    problem.data.clear();
    problem = choices.Percent(75) ? MutateProblem(BuiltInSpecs(), problem, choices)
                                  : CrossProblems(BuiltInSpecs(), problem, first, choices);
    Error error;
    const auto read = ParseLine(BuiltInSpecs(), PrintLine(problem), &error);
    if (!read || PrintLine(*read) != PrintLine(problem)) fuzz::Fail(problem, "is read as another: " + error.message);
  }
  return 0;
}
