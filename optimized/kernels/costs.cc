#include "optimized/kernels/kernels.h"

#include <algorithm>

#include "optimized/kernels/interleaved_lanes.h"
#include "optimized/kernels/interleaved_shape.h"
#include "optimized/kernels/rows.h"

namespace poolproof::optimized {
namespace {

// Nanoseconds, fitted to 3,300 layers without index, of `bench --random=600 --seed=11` to 16 and, of the rarer types,
// of `--random=2000 --seed=31` to 33, each pooled with --kernel=rows, interleaved and folded on a processor with
// AVX-512. What is chosen so takes 1.02 times as long as always to choose the quickest of the three. A vector has 64
// bytes.
struct Costs {
  // rows: output rows of the same taps that follow each other in a plane; an output row, and what it takes more where
  // none are pooled together; a vector of an input row, for every output row that has it, where windows are 1 apart,
  // and where a maximum 2x2 or a mean 2x2 or 3x3 is made in registers; along a row, a vector of elements that are split
  // into those of even and odd columns as they come, a vector of taps 1 apart and one of taps further apart, a vector
  // of elements that are 3 or 4 apart, an element of those that are further, and a tap of an adaptive window.
  double band, row, single, down, slide, direct, split, shift, phase, apart, scattered, adaptive;
  // interleaved, for a vector with a lane per plane: an element, a tap, a result.
  double element, tap, result;
  // folded: the same, a vector of an input row for every output row that has it, and rows folded together.
  double folded_element, folded_tap, folded_result, fold, call;
};
constexpr Costs kMaxOf4Bytes = {15,  1, 10,  0.72, 0.84, 1.1, 0.4,  0.56, 1.6, 2,
                                4.5, 2, 1.2, 0.45, 2.1,  2.5, 0.26, 1.8,  0.5, 10};
constexpr Costs kMaxOf8Bytes = {15,  0.1, 12,  0.58, 1.3, 0.92, 0.58, 0.55, 1.4,  2,
                                4.5, 2,   1.3, 0.44, 1.8, 2.1,  0.14, 2.2,  0.64, 10};
constexpr Costs kMaxOfHalves = {16,  1.4, 9.2, 1.1,  1.3, 1.1, 0.37, 0.48, 1.7,  1.9,
                                4.5, 2,   2.4, 0.44, 2.5, 3.7, 0.41, 1.1,  0.74, 21};
constexpr Costs kMaxOfBytes = {13,  1.2, 11,  0.64, 0.6, 0.64, 0.41, 0.34, 2,   1.3,
                               4.5, 2,   2.2, 0.41, 3,   3.7,  0.49, 1.6,  0.3, 14};
constexpr Costs kMeanOfFloats = {8,   3.3,  10,  0.73, 0,   1.1, 1.3,  0.86, 3,    1.7,
                                 4.5, 0.65, 1.2, 0.4,  2.8, 2.3, 0.11, 2.7,  0.57, 6.3};
constexpr Costs kMeanOfHalves = {12,  3.5,  7.9, 0.6, 0,   0,   1.3,  1,   3.4,  1.3,
                                 4.5, 0.65, 1.6, 1.1, 6.3, 4.3, 0.68, 6.7, 0.49, 36};
constexpr Costs kMeanOfBytes = {11,  4.3,  3.7, 0.49, 0,  0,   1.7,  0.96, 3.7,  1.3,
                                4.5, 0.65, 2.3, 0.94, 11, 5.2, 0.27, 12,   0.36, 29};
constexpr double kInterleavedStart = 1500, kRowsStart = 800;

bool IsFloat(const Plan& plan) { return plan.type == POOLPROOF_F32 || plan.type == POOLPROOF_F64; }

bool IsHalf(const Plan& plan) { return plan.type == POOLPROOF_F16 || plan.type == POOLPROOF_BF16; }

const Costs& CostsOfMax(const Plan& plan) {
  if (IsHalf(plan)) return kMaxOfHalves;
  switch (BytesOf(plan.type)) {
    case 1: return kMaxOfBytes;
    case 8: return kMaxOf8Bytes;
    default: return kMaxOf4Bytes;
  }
}

const Costs& CostsOfMean(const Plan& plan) {
  if (IsFloat(plan)) return kMeanOfFloats;
  return BytesOf(plan.type) == 1 ? kMeanOfBytes : kMeanOfHalves;
}

// Taps of a window along an axis, on average.
double Taps(const Axis& axis) {
  if (!axis.adaptive) return static_cast<double>(std::min(axis.kernel, axis.in));
  return static_cast<double>(axis.in) / static_cast<double>(axis.out) + (axis.in % axis.out == 0 ? 0 : 0.75);
}

// Vectors of `lane` bytes for so many lanes.
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

// lane: bytes of what elements are folded into. mean: whether planes that are one window are summed as they lie.
double FoldedTime(const Plan& plan, size_t lane, bool mean, const Costs& costs) {
  const Axis &d = plan.axis[0], &h = plan.axis[1], &w = plan.axis[2];
  const size_t bytes = BytesOf(plan.type);
  const int64_t lanes = 64 / static_cast<int64_t>(bytes);
  if (mean && IsOneWindow(plan)) {
    const double group = (costs.folded_element + costs.folded_tap) * static_cast<double>(lanes) + costs.folded_result;
    return kInterleavedStart + Vectors(plan.outer, bytes) * group +
           static_cast<double>(plan.outer) * costs.fold * (3 + Vectors(plan.InPlane(), lane));
  }
  const int64_t rows = FoldedLaneRows(plan, lanes), parts = (d.out * h.out + rows - 1) / rows;
  const double row = costs.folded_element * static_cast<double>(w.in) +
                     (costs.folded_tap * Taps(w) + costs.folded_result) * static_cast<double>(w.out);
  const double calls = parts == 1 ? 0 : costs.call * Product(plan.outer, d.out, AlikeRows(h));
  return kInterleavedStart + Vectors(plan.outer * parts, bytes) * static_cast<double>(rows) * row + calls +
         costs.fold * Taps(d) * Taps(h) * Vectors(w.in, lane) * Product(plan.outer, d.out, h.out);
}

// Whether windows are combined along their rows as those are split into even and odd columns, or into three.
bool IsSplit(const Plan& plan, bool mean) {
  const Axis &d = plan.axis[0], &h = plan.axis[1], &w = plan.axis[2];
  if (w.adaptive || w.out == 1) return false;
  if (mean) return w.dilation == 1 && ((w.stride == 2 && w.kernel <= 3) || (w.stride == 3 && w.kernel == 3));
  return w.stride == 2 && w.kernel <= 5 && (Taps(d) * Taps(h) <= 5 || (d.kernel <= 3 && h.kernel <= 3));
}

// The windows along an output row.
double AcrossTime(const Plan& plan, size_t lane, bool mean, const Costs& costs) {
  const Axis& w = plan.axis[2];
  const double vectors = Vectors(w.out, lane), kernel = static_cast<double>(w.kernel);
  if (w.adaptive) return costs.adaptive * static_cast<double>(w.out) * Taps(w);
  // Large kernels take few loads for each result.
  const double taps = vectors * std::min(kernel, 4 + kernel / 4);
  if (IsSplit(plan, mean)) return costs.split * Vectors(w.in, lane) + (mean ? 0 : costs.shift * taps);
  if (w.stride == 1 || w.out == 1) return costs.shift * taps;
  if (w.stride == 2) return costs.phase * taps;
  return costs.phase * taps +
         (w.stride <= 4 ? costs.apart * Vectors(w.in, lane) : costs.scattered * static_cast<double>(w.in));
}

// Whether windows are pooled in registers (direct-inl.h).
bool IsDirect(const Plan& plan, bool mean) {
  const Axis &d = plan.axis[0], &h = plan.axis[1], &w = plan.axis[2];
  if (w.adaptive || w.dilation != 1) return false;
  const bool pairs = w.kernel == 2 && w.stride == 2 && w.pad == 0;
  if (!mean) return pairs && h.pad == 0 && d.pad == 0 && Taps(d) * Taps(h) <= 5;
  const double taps = Taps(d) * Taps(h);
  if (!IsFloat(plan)) return false;
  return pairs ? taps <= 2 || taps == 4 : w.kernel == 3 && w.stride == 1 && w.pad <= 1 && d.kernel == 1 && taps <= 3;
}

// Of a plan whose planes are merged.
double RowsTime(const Plan& plan, size_t lane, bool mean, const Costs& costs) {
  const Axis &d = plan.axis[0], &h = plan.axis[1], &w = plan.axis[2];
  const double rows = Product(plan.outer, d.out, h.out), taps = Taps(d) * Taps(h);
  const double start = kRowsStart + costs.band * Product(plan.outer, d.out, h.pad > 0 ? 3 : 1);
  if (IsDirect(plan, mean)) {
    return start + costs.direct * rows * (1 + taps * Vectors(mean ? w.out : w.in, lane));
  }
  // Others are pooled several at a time.
  const bool single = taps > 9 || taps == 7 || d.adaptive || h.adaptive || (mean && HasPairs(plan));
  const bool slides = !mean && !IsSplit(plan, mean) && h.stride == 1 && h.dilation == 1 && d.kernel == 1 &&
                      h.kernel > 1 && h.kernel <= 5;
  const double down = Vectors(w.in, lane) * (slides ? costs.slide : costs.down * taps);
  return start + rows * (costs.row + (single ? costs.single : 0) + down + AcrossTime(plan, lane, mean, costs));
}

// Bytes of a sum.
size_t LaneOfMean(const Plan& plan) {
  if (HasShortSums(plan)) return 2;
  const bool exact = plan.quotient != Quotient::kNearest;
  return BytesOf(plan.type) == 8 || (exact && SumBits(plan) > 24) ? 8 : 4;
}

// What `interleaved` and `rows` take, and `folded`.
struct Times {
  double interleaved, rows;
};
Times TimesOfMax(const Plan& plan) {
  const Costs& costs = CostsOfMax(plan);
  return {InterleavedTime(plan, costs), RowsTime(MergePlanes(plan), BytesOf(plan.type), false, costs)};
}
Times TimesOfMean(const Plan& plan) {
  const Costs& costs = CostsOfMean(plan);
  return {InterleavedTime(plan, costs),
          RowsTime(HasPairs(plan) ? MergePlanes(plan) : plan, LaneOfMean(plan), true, costs)};
}
bool FoldedIsQuickest(double folded, const Times& others) { return folded < std::min(others.interleaved, others.rows); }
bool InterleavedIsQuicker(const Times& times) { return times.interleaved < times.rows; }

}  // namespace

bool FoldedIsQuickestForMax(const Plan& plan) {
  return FoldedIsQuickest(FoldedTime(plan, BytesOf(plan.type), false, CostsOfMax(plan)), TimesOfMax(plan));
}
bool FoldedIsQuickestForMean(const Plan& plan) {
  return FoldedIsQuickest(FoldedTime(plan, LaneOfMean(plan), true, CostsOfMean(plan)), TimesOfMean(plan));
}
bool InterleavedIsQuickerForMax(const Plan& plan) { return InterleavedIsQuicker(TimesOfMax(plan)); }
bool InterleavedIsQuickerForMean(const Plan& plan) { return InterleavedIsQuicker(TimesOfMean(plan)); }

}  // namespace poolproof::optimized
