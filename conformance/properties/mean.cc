// Laws of means.
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

constexpr Number kConstant = 7;

void DrawConstant(const Specs& specs, uint64_t seed, std::vector<Problem>* problems) {
  const auto problem = DrawProblem(specs, seed, IsMean, [](Problem* drawn) {
    SetExcludesPadding(drawn, true);
    LeaveOutDivisor(drawn);
    return true;
  });
  if (!problem) return;
  const auto elements = static_cast<size_t>(problem->Elements());
  problems->push_back(WithData(*problem, std::vector<Number>(elements, kConstant)));
}

// Lowest and highest that the mean of a window may be, taps in padding counted as zero if they
// count.
struct Range {
  Number lowest, highest;
};

std::string CheckRange(const Round& round) {
  const Problem& problem = round.problems[0];
  const std::vector<Number> input = InputValues(problem);
  const poolproof_tensor& means = round.answers[0].outputs[0];
  const Windows windows(problem, means);
  if (!windows.ShapeError().empty()) return windows.ShapeError();
  const bool zeros_count = !ExcludesPadding(problem);
  const Number tolerance = MeanTolerance(problem, means);
  for (int64_t i = 0; i < windows.Count(); ++i) {
    const std::vector<int64_t> taps = windows.Taps(i);
    if (taps.empty()) continue;
    const auto value = [&](int64_t tap) { return input[static_cast<size_t>(tap)]; };
    Range range{value(taps[0]), value(taps[0])};
    for (int64_t tap : taps) {
      range = {std::min(range.lowest, value(tap)), std::max(range.highest, value(tap))};
    }
    if (zeros_count) {
      range = {std::min<Number>(range.lowest, 0), std::max<Number>(range.highest, 0)};
    }
    const Number mean = ElementOf(means, i);
    if (mean >= range.lowest - tolerance && mean <= range.highest + tolerance) continue;
    return "output element " + std::to_string(i) + " is " + Text(means, i) + ", outside the range of its taps";
  }
  return "";
}

void DrawMean(const Specs& specs, uint64_t seed, std::vector<Problem>* problems) {
  const auto problem = DrawProblem(specs, seed, IsMean, [](Problem* drawn) {
    LeaveOutDivisor(drawn);
    return true;
  });
  if (problem) problems->push_back(*problem);
}

}  // namespace

void AddMeanProperties(std::vector<Property>* properties) {
  properties->push_back(
      {"mean-of-constant", "The mean of a constant is the constant", DrawConstant, nullptr, CheckRange});
  properties->push_back(
      {"mean-in-range", "A mean lies between the smallest and the largest tap", DrawMean, nullptr, CheckRange});
}

}  // namespace poolproof
