// Section "sizes": means of halves by each number of taps, of data that tell a divisor that is off by one.
#include <algorithm>

#include "conformance/cases/boundaries.h"
#include "conformance/cases/fill.h"
#include "conformance/cases/geometry.h"
#include "conformance/cases/plain.h"
#include "conformance/cases/pool_axis.h"
#include "conformance/cases/valid.h"

namespace poolproof {
namespace {

// One window for each channel, as square as its number of taps lets it be.
Problem OneWindow(const OperatorSpec& spec, const Function& function, poolproof_element_type type, int64_t taps) {
  const auto row = static_cast<size_t>(taps);
  Problem problem = PlainProblem(spec, function, type, RankInTurn(spec, function, row));
  VaryRest(&problem, row);
  const int last = problem.SpatialRank() - 1;
  int64_t height = 1;
  for (int64_t side = 2; last > 0 && side * side <= taps; ++side) {
    if (taps % side == 0) height = side;
  }
  for (int axis = 0; axis <= last; ++axis) {
    const int64_t size = axis == last ? taps / height : axis == last - 1 ? height : 1;
    SetPoolAxis(&problem, axis, {size, 1, 0, 0, 1});
    SetSpatialSize(&problem, axis, size);
    if (problem.HasSizes()) problem.sizes[static_cast<size_t>(axis)] = 1;
  }
  problem.fill = kQuotients;
  problem.seed = row;
  return problem;
}

}  // namespace

Problems DivisorProblems(const OperatorSpec& spec) {
  // From as many taps on as the significand counts nothing tells.
  constexpr std::pair<poolproof_element_type, int64_t> kMostTaps[] = {{POOLPROOF_BF16, 1 << 8},
                                                                      {POOLPROOF_F16, 1 << 11}};
  Problems problems;
  if (!IsMean(spec)) return problems;
  for (const Function& function : spec.functions) {
    for (const auto& [type, most] : kMostTaps) {
      if (!IsUnrestricted(function) || std::ranges::find(function.types, type) == function.types.end()) continue;
      for (int64_t taps = 2; taps < most; ++taps) {
        Problem problem = OneWindow(spec, function, type, taps);
        if (IsValid(problem)) problems.push_back(std::move(problem));
      }
    }
  }
  return problems;
}

}  // namespace poolproof
