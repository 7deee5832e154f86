#include "conformance/cases/boundaries.h"
#include "conformance/cases/fill.h"
#include "conformance/cases/geometry.h"
#include "conformance/cases/plain.h"
#include "conformance/cases/pool_axis.h"
#include "conformance/cases/valid.h"

namespace poolproof {
namespace {

constexpr int64_t kWidest = 16;

// Windows of `width` along one axis, one apart, with and without padding.
Problem RunningSum(const OperatorSpec& spec, const Function& function, poolproof_element_type type, size_t row,
                   int64_t width) {
  Problem problem = PlainProblem(spec, function, type, RankInTurn(spec, function, row));
  VaryRest(&problem, row);
  const int axes = problem.SpatialRank();
  const int along = axes - 1 - static_cast<int>(row / 2) % std::min(axes, 2);
  for (int axis = 0; axis < axes; ++axis) {
    const int64_t kernel = axis == along ? width : 1 + static_cast<int64_t>(row) % 2;
    const int64_t size = axis == along ? 3 * width + 2 : 4;
    const int64_t pad = row % 2 == 0 ? 0 : kernel / 2;
    SetPoolAxis(&problem, axis, {kernel, 1, pad, pad, 1});
    SetSpatialSize(&problem, axis, size);
    // More cells than half the elements: neighbours overlap.
    if (problem.HasSizes()) problem.sizes[static_cast<size_t>(axis)] = axis == along ? size / width + 1 : 3;
  }
  problem.fill = kOutliers;
  problem.seed = row;
  return problem;
}

}  // namespace

Problems RunningSumProblems(const OperatorSpec& spec) {
  Problems problems;
  if (!IsMean(spec)) return problems;
  size_t row = 0;
  for (const Function& function : spec.functions) {
    if (!IsUnrestricted(function)) continue;
    for (const poolproof_element_type type : function.types) {
      if (!IsFloat(type)) continue;
      for (int64_t width = 2; width <= kWidest; ++width) {
        for (int turn = 0; turn < 4; ++turn) {
          Problem problem = RunningSum(spec, function, type, ++row, width);
          if (IsValid(problem)) problems.push_back(std::move(problem));
        }
      }
      row += 5;
    }
  }
  return problems;
}

}  // namespace poolproof
