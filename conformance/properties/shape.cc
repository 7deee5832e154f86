// Sizes and the pools that change nothing.
#include <algorithm>

#include "conformance/cases/fill.h"
#include "conformance/cases/geometry.h"
#include "conformance/properties/compare.h"
#include "conformance/properties/draw.h"
#include "conformance/properties/list.h"

namespace poolproof {
namespace {

// Where more than a window lies in the padding at the end, rounding down keeps windows there that rounding up does
// not where it drops the last one.
bool PadBelowWindow(Problem* problem) {
  for (int axis = 0; axis < problem->SpatialRank(); ++axis) {
    const int64_t pad = AxisValue(*problem, Role::kPadEnd, axis, 0);
    const int64_t most = EffectiveKernel(*problem, axis) - 1;
    if (pad > most) SetAxisValue(problem, Role::kPadEnd, axis, most);
  }
  return true;
}

void DrawRoundings(const Specs& specs, uint64_t seed, std::vector<Problem>* problems) {
  const auto suits = [](const OperatorSpec& spec) { return HasRole(spec, Role::kRounding); };
  const auto first = DrawProblem(specs, seed, suits, PadBelowWindow);
  if (!first) return;
  std::vector<Problem> made;
  // From the one that gives the fewest outputs.
  for (const Meaning rounding : {Meaning::kRoundDown, Meaning::kRoundUpInside, Meaning::kRoundUp}) {
    Problem problem = *first;
    if (SetMeaning(&problem, rounding)) made.push_back(std::move(problem));
  }
  AppendIfValid(std::move(made), problems);
}

std::string CheckRoundings(const Round& round) {
  const size_t attribute = *AttributeIndex(*round.problems[0].spec, Role::kRounding);
  for (size_t i = 1; i < round.problems.size(); ++i) {
    const poolproof_tensor& fewer = round.answers[i - 1].outputs[0];
    const poolproof_tensor& more = round.answers[i].outputs[0];
    for (int d = 0; d < std::min(fewer.rank, more.rank); ++d) {
      if (fewer.dims[d] <= more.dims[d] && more.dims[d] <= fewer.dims[d] + 1) continue;
      return "dimension " + std::to_string(d) + " of the output is " + std::to_string(fewer.dims[d]) + " with " +
             round.problems[i - 1].attributes[attribute].word + " and " + std::to_string(more.dims[d]) + " with " +
             round.problems[i].attributes[attribute].word;
    }
  }
  return "";
}

bool MakeIdentity(Problem* problem) {
  LeaveOutDivisor(problem);
  for (int axis = 0; axis < problem->SpatialRank(); ++axis) {
    SetAxisValue(problem, Role::kKernel, axis, 1);
    SetAxisValue(problem, Role::kStride, axis, 1);
    SetAxisValue(problem, Role::kPadBegin, axis, 0);
    SetAxisValue(problem, Role::kPadEnd, axis, 0);
    if (problem->HasSizes()) {
      problem->sizes[static_cast<size_t>(axis)] = SpatialSize(*problem, axis);
    }
  }
  return true;
}

void DrawIdentity(const Specs& specs, uint64_t seed, std::vector<Problem>* problems) {
  // A norm of one element is its magnitude.
  const auto suits = [](const OperatorSpec& spec) { return !spec.whole_planes && (IsMaximum(spec) || IsMean(spec)); };
  if (auto problem = DrawProblem(specs, seed, suits, MakeIdentity)) problems->push_back(*problem);
}

std::string CheckIdentity(const Round& round) {
  const std::vector<Number> input = InputValues(round.problems[0]);
  const poolproof_tensor& values = round.answers[0].outputs[0];
  if (Elements(values) != static_cast<int64_t>(input.size())) {
    return "the shape of the output differs";
  }
  const Number tolerance = IsMean(*round.problems[0].spec) ? MeanTolerance(round.problems[0].type, 1, 0) : 0;
  for (int64_t i = 0; i < Elements(values); ++i) {
    const Number a = input[static_cast<size_t>(i)], b = ElementOf(values, i);
    if (SameValue(a, b) || (a - b <= tolerance && b - a <= tolerance)) continue;
    return "element " + std::to_string(i) + " became " + Text(values, i);
  }
  return "";
}

}  // namespace

void AddShapeProperties(std::vector<Property>* properties) {
  properties->push_back({"rounding-order", "Rounding up instead of down never lowers the output size", DrawRoundings,
                         nullptr, CheckRoundings});
  properties->push_back({"identity", "Kernel 1 at stride 1 changes nothing", DrawIdentity, nullptr, CheckIdentity});
}

}  // namespace poolproof
