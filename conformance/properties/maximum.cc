// Laws of maxima.
#include <algorithm>
#include <cmath>

#include "conformance/cases/choices.h"
#include "conformance/cases/fill.h"
#include "conformance/cases/geometry.h"
#include "conformance/properties/compare.h"
#include "conformance/properties/draw.h"
#include "conformance/properties/list.h"
#include "conformance/properties/windows.h"

namespace poolproof {
namespace {

void DrawMaximum(const Specs& specs, uint64_t seed, std::vector<Problem>* problems) {
  if (auto problem = DrawProblem(specs, seed, IsMaximum, Unchanged)) problems->push_back(*problem);
}

std::string CheckIsLargestTap(const Round& round) {
  const std::vector<Number> input = InputValues(round.problems[0]);
  const poolproof_tensor& values = round.answers[0].outputs[0];
  const Windows windows(round.problems[0], values);
  if (!windows.ShapeError().empty()) return windows.ShapeError();
  for (int64_t i = 0; i < windows.Count(); ++i) {
    bool equal = false;
    const std::vector<int64_t> taps = windows.Taps(i);
    for (int64_t tap : taps) {
      const Number value = input[static_cast<size_t>(tap)];
      equal |= value == ElementOf(values, i);
      if (ElementOf(values, i) >= value) continue;
      return "output element " + std::to_string(i) + " is " + Text(values, i) +
             ", less than the tap at input position " + std::to_string(tap);
    }
    if (!equal && !taps.empty()) {
      return "output element " + std::to_string(i) + " is " + Text(values, i) + ", which none of its taps is";
    }
  }
  return "";
}

// Values that every type holds and that can be raised by 40: [0, 64), signed types [-32, 32).
std::vector<Number> SmallIntegers(const Problem& problem, uint64_t seed) {
  Choices choices(seed);
  const Number first = problem.type == POOLPROOF_U8 || problem.type == POOLPROOF_U16 || problem.type == POOLPROOF_U32 ||
                               problem.type == POOLPROOF_U64
                           ? 0
                           : -32;
  std::vector<Number> values(static_cast<size_t>(problem.Elements()));
  for (Number& value : values) value = first + static_cast<Number>(choices.Below(64));
  return values;
}

void DrawRaised(const Specs& specs, uint64_t seed, std::vector<Problem>* problems) {
  const auto problem = DrawProblem(specs, seed, IsMaximum, Unchanged);
  if (!problem) return;
  std::vector<Number> values = SmallIntegers(*problem, seed);
  problems->push_back(WithData(*problem, values));
  values[Choices(seed).Below(values.size())] += 40;
  problems->push_back(WithData(*problem, values));
}

std::string CheckNotLowered(const Round& round) {
  const poolproof_tensor& before = round.answers[0].outputs[0];
  const poolproof_tensor& after = round.answers[1].outputs[0];
  if (!SameShape(before, after)) return "the shape of the output depends on the values";
  for (int64_t i = 0; i < Elements(before); ++i) {
    if (ElementOf(after, i) >= ElementOf(before, i)) continue;
    return "raising one input lowers output element " + std::to_string(i) + " from " + Text(before, i) + " to " +
           Text(after, i);
  }
  return "";
}

constexpr Number kShift = 40;

void DrawShifted(const Specs& specs, uint64_t seed, std::vector<Problem>* problems) {
  const auto problem = DrawProblem(specs, seed, IsMaximum, [](Problem* drawn) { return !IsFloat(drawn->type); });
  if (!problem) return;
  std::vector<Number> values = SmallIntegers(*problem, seed);
  problems->push_back(WithData(*problem, values));
  for (Number& value : values) value += kShift;
  problems->push_back(WithData(*problem, values));
}

std::string CheckShifted(const Round& round) {
  const poolproof_tensor& before = round.answers[0].outputs[0];
  const poolproof_tensor& after = round.answers[1].outputs[0];
  if (!SameShape(before, after)) return "the shape of the output depends on the values";
  const Windows windows(round.problems[0], before);
  if (!windows.ShapeError().empty()) return windows.ShapeError();
  for (int64_t i = 0; i < Elements(before); ++i) {
    if (ElementOf(after, i) == ElementOf(before, i) + kShift || windows.Taps(i).empty()) continue;
    return "adding 40 to the input changes output element " + std::to_string(i) + " from " + Text(before, i) + " to " +
           Text(after, i);
  }
  return "";
}

void SetGeometry(Problem* problem, Role role, int64_t value) {
  for (int axis = 0; axis < problem->SpatialRank(); ++axis) {
    SetAxisValue(problem, role, axis, value);
  }
}

// problems: 0 is the inner pool of kernel k2, 1 the pool of k1 + k2 - 1; then the outer one of k1.
void DrawComposed(const Specs& specs, uint64_t seed, std::vector<Problem>* problems) {
  Choices choices(~seed);
  const auto suits = [](const OperatorSpec& spec) { return IsMaximum(spec) && HasRole(spec, Role::kKernel); };
  std::vector<Problem> made(2);
  const auto inner = DrawProblem(specs, seed, suits, [&](Problem* problem) {
    SetGeometry(problem, Role::kStride, 1);
    SetGeometry(problem, Role::kDilation, 1);
    SetGeometry(problem, Role::kPadBegin, 0);
    SetGeometry(problem, Role::kPadEnd, 0);
    if (const auto i = AttributeIndex(*problem->spec, Role::kAutoPad)) problem->attributes[*i] = {};
    made[1] = *problem;
    for (int axis = 0; axis < problem->SpatialRank(); ++axis) {
      const int64_t k1 = choices.Between(1, 3), k2 = choices.Between(1, 3);
      for (Problem* p : {problem, &made[1]}) {
        SetSpatialSize(p, axis, k1 + k2 - 1 + (axis == 0 ? 2 : 1));
      }
      SetAxisValue(problem, Role::kKernel, axis, k2);
      SetAxisValue(&made[1], Role::kKernel, axis, k1 + k2 - 1);
    }
    return true;
  });
  if (!inner) return;
  made[1].fill = inner->fill;
  made[0] = *inner;
  AppendIfValid(std::move(made), problems);
}

void MakeOuter(const Round& first, std::vector<Problem>* problems) {
  const poolproof_tensor& values = first.answers[0].outputs[0];
  Problem outer = first.problems[0];
  if (values.rank != outer.shape.size) return;
  for (int axis = 0; axis < outer.SpatialRank(); ++axis) {
    const int64_t whole = AxisValue(first.problems[1], Role::kKernel, axis, 1);
    const int64_t k1 = whole - AxisValue(outer, Role::kKernel, axis, 1) + 1;
    SetAxisValue(&outer, Role::kKernel, axis, k1);
  }
  std::vector<Number> data;
  for (int64_t i = 0; i < Elements(values); ++i) data.push_back(ElementOf(values, i));
  for (int d = 0; d < values.rank; ++d) outer.shape[static_cast<size_t>(d)] = values.dims[d];
  AppendIfValid({WithData(outer, std::move(data))}, problems);
}

std::string CheckComposed(const Round& round) {
  if (round.problems.size() < 3) return "the inner pool has an output of the wrong shape";
  const poolproof_tensor& whole = round.answers[1].outputs[0];
  const poolproof_tensor& composed = round.answers[2].outputs[0];
  if (!SameShape(whole, composed)) return "the shapes of the outputs differ";
  for (int64_t i = 0; i < Elements(whole); ++i) {
    if (SameValue(ElementOf(whole, i), ElementOf(composed, i))) continue;
    return "output element " + std::to_string(i) + " is " + Text(whole, i) + " by one pool and " + Text(composed, i) +
           " by two";
  }
  return "";
}

}  // namespace

void AddMaximumProperties(std::vector<Property>* properties) {
  properties->push_back(
      {"largest-tap", "An output is one of its taps and no tap is larger", DrawMaximum, nullptr, CheckIsLargestTap});
  properties->push_back({"monotone", "Raising an input lowers no output", DrawRaised, nullptr, CheckNotLowered});
  properties->push_back(
      {"shift", "Adding a constant to integers adds it to the outputs", DrawShifted, nullptr, CheckShifted});
  properties->push_back(
      {"composition", "A pool of k1 after one of k2 is a pool of k1 + k2 - 1", DrawComposed, MakeOuter, CheckComposed});
}

}  // namespace poolproof
