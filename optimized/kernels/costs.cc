#include "optimized/kernels/kernels.h"

#include <algorithm>

#include "optimized/kernels/interleaved_shape.h"
#include "optimized/kernels/rows.h"

namespace poolproof::optimized {
namespace {

// Nanoseconds, fitted to the 2,000 layers without index of `bench --random=700 --seed=44` to 47, each pooled with
// --kernel=rows, interleaved and folded, on a processor with AVX-512; those of interleaved and folded are the geometric
// mean of that and what another one, of another maker, takes. What is chosen so takes 1.033 times as long as always to
// choose the quickest of the three. A vector has 64 bytes.
struct Costs {
  // rows: output rows of the same taps that follow each other in a plane; an output row; a vector of an input row, for
  // every output row that has it; a vector that is loaded where windows are pooled in registers; along a row, a vector
  // of elements that are split into those of even and odd columns as they come, a vector of taps, a vector of elements
  // that are 3 or 4 apart, an element of those that are further, and a tap of an adaptive window.
  double band, row, down, direct, split, tap_along, apart, scattered, adaptive;
  // interleaved, for a vector with a lane per plane: an element, a tap, a result.
  double element, tap, result;
  // folded: the same, and a vector of an input row for every output row that has it.
  double folded_element, folded_tap, folded_result, fold;
};
constexpr Costs kMaxOf4Bytes = {21, 0.61, 0.78, 0.72, 0.21, 0.66, 0.98, 4.8, 2.1, 1.3, 0.46, 2.3, 2.4, 0.3, 1.7, 0.51};
constexpr Costs kMaxOf8Bytes = {18, 0.12, 0.75, 0.86, 0.43, 0.65, 1.1, 5.4, 2.4, 1.1, 0.48, 1.9, 2, 0.16, 2.3, 0.61};
constexpr Costs kMaxOfHalves = {24, 0.56, 0.95, 1, 0.05, 0.71, 1.5, 4.8, 2.1, 2.2, 0.47, 2.6, 3.8, 0.4, 1.1, 0.61};
constexpr Costs kMaxOfBytes = {22, 0.71, 0.77, 0.45, 0.17, 0.77, 1.6, 6.1, 2.7, 2.1, 0.43, 3.3, 3.6, 0.49, 1.7, 0.31};
constexpr Costs kMeanOfFloats = {24,   0.22, 0.88, 0.92, 0.21, 0.81, 0.78, 2.4,
                                 0.71, 1.2,  0.44, 2.9,  2.3,  0.13, 2.8,  0.58};
constexpr Costs kMeanOfHalves = {17, 4.1, 0.67, 0, 0.63, 0.98, 0.73, 5.1, 0.73, 1.5, 1.1, 6.5, 4.2, 0.66, 6.3, 0.51};
constexpr Costs kMeanOfIntegers = {12, 4.5, 0.61, 0, 0.53, 0.75, 1.6, 5.2, 0.75, 2.2, 0.85, 12, 5.8, 0.28, 13, 0.29};
constexpr double kInterleavedStart = 1500, kRowsStart = 800;

bool IsFloat(const Plan& plan) { return plan.type == POOLPROOF_F32 || plan.type == POOLPROOF_F64; }
bool IsHalf(const Plan& plan) { return plan.type == POOLPROOF_F16 || plan.type == POOLPROOF_BF16; }

const Costs& CostsOfMax(const Plan& plan) {
  if (IsHalf(plan)) return kMaxOfHalves;
  const size_t bytes = BytesOf(plan.type);
  return bytes == 4 ? kMaxOf4Bytes : bytes == 8 ? kMaxOf8Bytes : kMaxOfBytes;
}

const Costs& CostsOfMean(const Plan& plan) {
  if (IsFloat(plan)) return kMeanOfFloats;
  return IsHalf(plan) ? kMeanOfHalves : kMeanOfIntegers;
}

// Taps of a window along an axis, on average.
double Taps(const Axis& axis) {
  if (!axis.adaptive) return static_cast<double>(std::min(axis.kernel, axis.in));
  return static_cast<double>(axis.in) / static_cast<double>(axis.out) + (axis.in % axis.out == 0 ? 0 : 0.75);
}

// Vectors of `lane` bytes for this number of lanes.
double Vectors(int64_t lanes, size_t lane) {
  const int64_t n = 64 / static_cast<int64_t>(lane), vectors = (lanes + n - 1) / n;
  return static_cast<double>(vectors);
}

double Product(int64_t a, int64_t b, int64_t c) {
  return static_cast<double>(a) * static_cast<double>(b) * static_cast<double>(c);
}

double InterleavedTime(const Plan& plan, const Costs& costs) {
  const Axis &d = plan.axis[0], &h = plan.axis[1], &w = plan.axis[2];
  const double across = Product(d.in, h.in, w.out);
  const double down = h.kernel > 1 ? Product(d.in, h.out, w.out) : 0;
  const double deep = d.kernel > 1 ? Product(d.out, h.out, w.out) : 0;
  const double taps = across * Taps(w) + down * Taps(h) + deep * Taps(d);
  const double group =
      costs.element * Product(d.in, h.in, w.in) + costs.tap * taps + costs.result * Product(d.out, h.out, w.out);
  return kInterleavedStart + Vectors(plan.outer, BytesOf(plan.type)) * group;
}

// lane: bytes of what elements are folded into.
double FoldedTime(const Plan& plan, size_t lane, const Costs& costs) {
  const Axis &d = plan.axis[0], &h = plan.axis[1], &w = plan.axis[2];
  const size_t bytes = BytesOf(plan.type);
  if (IsOneWindow(plan)) {  // planes are folded as they lie
    constexpr double kInOrder = 0.5;
    const int64_t lanes = 64 / static_cast<int64_t>(bytes);
    const double group = (costs.folded_element + costs.folded_tap) * static_cast<double>(lanes) + costs.folded_result;
    return kInterleavedStart + Vectors(plan.outer, bytes) * group +
           static_cast<double>(plan.outer) * costs.fold * kInOrder * (1 + Vectors(plan.InPlane(), lane));
  }
  const double row = costs.folded_element * static_cast<double>(w.in) +
                     (costs.folded_tap * Taps(w) + costs.folded_result) * static_cast<double>(w.out);
  return kInterleavedStart + Vectors(plan.outer, bytes) * static_cast<double>(d.out * h.out) * row +
         costs.fold * Taps(d) * Taps(h) * Vectors(w.in, lane) * Product(plan.outer, d.out, h.out);
}

// The windows along an output row.
double AcrossTime(const Plan& plan, size_t lane, const Costs& costs) {
  const Axis& w = plan.axis[2];
  if (w.adaptive) return costs.adaptive * static_cast<double>(w.out) * Taps(w);
  const double taps = costs.tap_along * Vectors(w.out, lane) * static_cast<double>(w.kernel);
  if (w.stride == 1 || w.out == 1) return taps;
  if (w.stride == 2) return costs.split * Vectors(w.in, lane) + taps;
  return taps + (w.stride <= 4 ? costs.apart * Vectors(w.in, lane) : costs.scattered * static_cast<double>(w.in));
}

// Vectors that are loaded for an output row where windows are pooled in registers (direct-inl.h); 0 where they are not.
double DirectLoads(const Plan& plan, size_t lane, bool mean) {
  const Axis &d = plan.axis[0], &h = plan.axis[1], &w = plan.axis[2];
  if (w.adaptive || d.adaptive || h.adaptive || (mean && !IsFloat(plan))) return 0;
  if (w.kernel == 2 && w.stride == 2 && w.dilation == 1 && w.pad == 0) {
    return static_cast<double>(MostWindowRows(plan)) * Vectors(w.in, lane);
  }
  return HasNearWindows(plan) ? static_cast<double>(w.kernel) * Vectors(w.out, lane) : 0;
}

// Cost of a plan whose planes are merged.
double RowsTime(const Plan& plan, size_t lane, bool mean, const Costs& costs) {
  const Axis &d = plan.axis[0], &h = plan.axis[1], &w = plan.axis[2];
  const double rows = Product(plan.outer, d.out, h.out);
  const double loads = DirectLoads(plan, lane, mean);
  // Windows that are alike, one below the other, are folded at once; neighbours a plane at a time, whatever is clipped.
  const int64_t alike = h.adaptive ? h.out : std::min<int64_t>(h.out, h.pad > 0 ? 3 : 1);
  const int64_t bands = loads > 0 && w.stride == 1 ? 1 : alike;
  const double start = kRowsStart + costs.band * Product(plan.outer, d.out, bands);
  if (loads > 0) return start + rows * (costs.row + costs.direct * loads);
  const double down = costs.down * Taps(d) * Taps(h) * Vectors(w.in, lane);
  return start + rows * (costs.row + down + AcrossTime(plan, lane, costs));
}

// Bytes of a sum.
size_t LaneOfMean(const Plan& plan) {
  if (HasShortSums(plan)) return 2;
  const bool exact = plan.quotient != Quotient::kNearest;
  return BytesOf(plan.type) == 8 || (exact && SumBits(plan) > 24) ? 8 : 4;
}

}  // namespace

Times TimesOf(Pooling pooling, const Plan& plan) {
  const bool mean = pooling == Pooling::kMean;
  const size_t lane = mean ? LaneOfMean(plan) : BytesOf(plan.type);
  const Costs& costs = mean ? CostsOfMean(plan) : CostsOfMax(plan);
  return {RowsTime(MergePlanes(plan), lane, mean, costs), InterleavedTime(plan, costs), FoldedTime(plan, lane, costs)};
}

}  // namespace poolproof::optimized
