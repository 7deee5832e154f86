// Laws of an index output and its window.
#include <algorithm>
#include <cmath>

#include "conformance/cases/fill.h"
#include "conformance/cases/geometry.h"
#include "conformance/properties/compare.h"
#include "conformance/properties/draw.h"
#include "conformance/properties/list.h"
#include "conformance/properties/windows.h"

namespace poolproof {
namespace {

void DrawIndexed(const Specs& specs, uint64_t seed, std::vector<Problem>* problems) {
  const auto suits = [](const OperatorSpec& spec) { return IndexOutput(spec).has_value(); };
  // Positions that count in another order are the oracle's to judge.
  const auto in_order = [](Problem* problem) {
    problem->outputs = 0;
    SetMeaning(problem, Meaning::kRowMajor);
    return true;
  };
  if (auto problem = DrawProblem(specs, seed, suits, in_order)) problems->push_back(*problem);
}

// Indices count positions modulo this: all dimensions from `axis` on, or the spatial ones where the
// operator has no such attribute.
int64_t Bound(const Problem& problem) {
  const int64_t rank = problem.shape.size;
  int64_t axis = CountsWholeTensor(*problem.spec) ? 0 : LayoutOf(*problem.function).spatial;
  if (HasRole(*problem.spec, Role::kAxis)) axis = AxisValue(problem, Role::kAxis, -1, 0);
  int64_t bound = 1;
  for (int64_t d = axis < 0 ? axis + rank : axis; d < rank; ++d) {
    bound *= problem.shape[static_cast<size_t>(d)];
  }
  return bound;
}

// Calls check(element, index, taps) for the elements of the index output until it gives a reason.
template <typename Check>
std::string ForEachIndex(const Round& round, const Check& check) {
  const Problem& problem = round.problems[0];
  const poolproof_tensor& indices = round.answers[0].outputs[*IndexOutput(*problem.spec)];
  const Windows windows(problem, indices);
  if (!windows.ShapeError().empty()) return windows.ShapeError();
  if (!SameShape(indices, round.answers[0].outputs[0])) return "the two outputs differ in shape";
  for (int64_t i = 0; i < windows.Count(); ++i) {
    const Number index = ElementOf(indices, i);
    std::string reason = check(i, index, windows.Taps(i));
    if (!reason.empty()) return reason;
  }
  return "";
}

std::string CheckInside(const Round& round) {
  const int64_t bound = Bound(round.problems[0]);
  return ForEachIndex(round, [&](int64_t i, Number index, const std::vector<int64_t>& taps) {
    const std::string what =
        "index " + std::to_string(static_cast<long long>(index)) + " of output element " + std::to_string(i);
    if (index < 0 || index >= static_cast<Number>(bound)) {
      return what + " lies outside [0, " + std::to_string(bound) + ")";
    }
    const bool inside =
        std::any_of(taps.begin(), taps.end(), [&](int64_t tap) { return static_cast<Number>(tap % bound) == index; });
    return inside || taps.empty() ? std::string() : what + " is no tap of its window";
  });
}

std::string CheckValueAtIndex(const Round& round) {
  const int64_t bound = Bound(round.problems[0]);
  const std::vector<Number> input = InputValues(round.problems[0]);
  const poolproof_tensor& values = round.answers[0].outputs[0];
  return ForEachIndex(round, [&](int64_t i, Number index, const std::vector<int64_t>& taps) {
    const Number value = ElementOf(values, i);
    const bool found = std::any_of(taps.begin(), taps.end(), [&](int64_t tap) {
      return static_cast<Number>(tap % bound) == index && SameValue(input[static_cast<size_t>(tap)], value);
    });
    if (found || taps.empty()) return std::string();
    return "output element " + std::to_string(i) + " is " + Text(values, i) + ", but the input at its index " +
           std::to_string(static_cast<long long>(index)) + " is not";
  });
}

// The same call with each index type that the operator has.
void DrawIndexTypes(const Specs& specs, uint64_t seed, std::vector<Problem>* problems) {
  const auto suits = [](const OperatorSpec& spec) { return IndexOutput(spec) && HasRole(spec, Role::kIndexType); };
  const auto first = DrawProblem(specs, seed, suits, Unchanged);
  if (!first) return;
  std::vector<Problem> made;
  const size_t attribute = *AttributeIndex(*first->spec, Role::kIndexType);
  for (const std::string& word : first->spec->attributes[attribute].words) {
    made.push_back(*first);
    made.back().attributes[attribute].present = true;
    made.back().attributes[attribute].word = word;
  }
  AppendIfValid(std::move(made), problems);
}

std::string CheckAllEqual(const Round& round) {
  for (size_t i = 1; i < round.problems.size(); ++i) {
    const std::string difference = Difference(round, 0, i);
    if (!difference.empty()) return difference;
  }
  return "";
}

}  // namespace

void AddIndexProperties(std::vector<Property>* properties) {
  properties->push_back({"index-inside-window", "An index is a tap of its window and below its bound", DrawIndexed,
                         nullptr, CheckInside});
  properties->push_back({"value-at-index", "The input at an index holds the value that was put out", DrawIndexed,
                         nullptr, CheckValueAtIndex});
  properties->push_back(
      {"index-types-agree", "Indices are the same in every index type", DrawIndexTypes, nullptr, CheckAllEqual});
}

}  // namespace poolproof
