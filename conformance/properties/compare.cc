#include "conformance/properties/compare.h"

#include <algorithm>
#include <cmath>

#include "conformance/cases/fill.h"
#include "conformance/properties/draw.h"
#include "conformance/properties/windows.h"

namespace poolproof {
namespace {

// Unit round-off, and half the smallest step near zero; 0 for integers.
struct Precision {
  Number unit, step;
};
Precision PrecisionOf(poolproof_element_type type) {
  switch (type) {
    case POOLPROOF_F64: return {0x1p-53L, 0x1p-1075L};
    case POOLPROOF_F32: return {0x1p-24L, 0x1p-150L};
    case POOLPROOF_F16: return {0x1p-11L, 0x1p-25L};
    case POOLPROOF_BF16: return {0x1p-8L, 0x1p-134L};
    default: return {0, 0};
  }
}

}  // namespace

int64_t Elements(const poolproof_tensor& tensor) {
  int64_t elements = 1;
  for (int32_t d = 0; d < tensor.rank; ++d) elements *= tensor.dims[d];
  return elements;
}

Number ElementOf(const poolproof_tensor& tensor, int64_t i) {
  return ElementAsNumber(tensor.element_type, tensor.data, i);
}

bool SameShape(const poolproof_tensor& a, const poolproof_tensor& b) {
  return a.rank == b.rank && std::equal(a.dims, a.dims + a.rank, b.dims);
}

bool SameValue(Number a, Number b) { return a == b || (std::isnan(a) && std::isnan(b)); }

Number MeanTolerance(poolproof_element_type type, int64_t taps, Number largest) {
  if (type == POOLPROOF_FX16) return 2 * (1 + largest / 0x1p14L);
  const Precision precision = PrecisionOf(type);
  return 2 * (static_cast<Number>(taps + 2) * precision.unit * largest + precision.step);
}

Number MeanTolerance(const Problem& problem, const poolproof_tensor& output) {
  Number largest = 0;
  for (Number value : InputValues(problem)) largest = std::max(largest, std::fabs(value));
  return MeanTolerance(problem.type, Windows(problem, output).FullTaps(), largest);
}

std::string Text(const poolproof_tensor& tensor, int64_t i) {
  return ElementAsText(tensor.element_type, tensor.data, i);
}

std::string Difference(const Round& round, size_t a, size_t b, const std::function<int64_t(int64_t)>& other) {
  const OperatorSpec& spec = *round.problems[a].spec;
  const size_t outputs = std::min(round.problems[a].OutputCount(), round.problems[b].OutputCount());
  for (size_t output = 0; output < outputs; ++output) {
    const poolproof_tensor& x = round.answers[a].outputs[output];
    const poolproof_tensor& y = round.answers[b].outputs[output];
    if (Elements(x) != Elements(y)) {
      return "output " + std::to_string(output) + " has " + std::to_string(Elements(x)) +
             " elements in one problem and " + std::to_string(Elements(y)) + " in the other";
    }
    const Compare compare = spec.outputs[output].compare;
    const bool rounds = compare == Compare::kMean || compare == Compare::kNorm;
    const Number tolerance = rounds ? MeanTolerance(round.problems[a], x) : 0;
    for (int64_t i = 0; i < Elements(x); ++i) {
      const int64_t j = other(i);
      const Number p = ElementOf(x, i), q = ElementOf(y, j);
      if (SameValue(p, q) || std::fabs(p - q) <= tolerance) continue;
      return "element " + std::to_string(i) + " of output " + std::to_string(output) + " is " + Text(x, i) +
             " in one problem and " + Text(y, j) + " in the other";
    }
  }
  return "";
}

std::string Difference(const Round& round, size_t a, size_t b) {
  return Difference(round, a, b, [](int64_t i) { return i; });
}

}  // namespace poolproof
