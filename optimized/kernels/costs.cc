#include "optimized/kernels/costs.h"

#include <algorithm>

#include "optimized/kernels/interleaved_shape.h"
#include "optimized/kernels/mean_kernels.h"
#include "optimized/kernels/rows.h"

namespace poolproof::optimized {
namespace {

// What both kernels take is estimated, and the quicker one pays. Nanoseconds, fitted to the layers of
// `bench --random=900 --seed=51` with --kernel=interleaved and with --kernel=rows on a processor with AVX-512: to
// choose so takes 1.02 times as long as always to choose the quicker of the two.
struct Costs {
  // interleaved, for a vector of a lane per plane: an element brought into it, a tap, what taps are joined to on the
  // way, a result brought back.
  double element, tap, cell, result;
  // rows: a vector of an input row, for every output row that has it; output rows of the same taps that follow each
  // other in a plane, an output row, and one that is pooled by itself; and for the windows along a row, a tap of an
  // adaptive one, a vector of taps 3 or 4 apart, an element where they are further apart, other vectors.
  double down = 0, band = 0, row = 0, single = 0, adaptive = 0, phase = 0, scattered = 0, shift = 0;
  int64_t longest_split = 0;  // windows 2 apart for which there is more than for others
  double direct = 0;          // 2x2 and 3x3 in registers, a vector of taps; 0 where there is no such short cut
};
constexpr Costs kMaxCosts = {1.88, 0.41, 1.15, 1.25, 0.86, 19.5, 0, 15, 2, 1.55, 0.41, 0.7, 5, 0};
constexpr Costs kMeanCosts = {1.3, 0.44, 0.78, 1.96, 0.59, 10, 2.8, 16, 3, 1.6, 0.41, 1.72, 3, 1.3};
// interleaved, of f16 and bf16, and of integers, whose sums are two vectors; means of bytes are made of four. That of
// bytes from the means of i8 of `bench --random=4000 --seed=51`.
constexpr Costs kHalfMeanCosts = {.element = 1.76, .tap = 1.1, .cell = 1.06, .result = 5.8};
constexpr Costs kByteMeanCosts = {.element = 1.84, .tap = 0.9, .cell = 0, .result = 11.5};
// folded, for a vector of a lane per plane: a folded element brought into it, a tap, a result; and a vector of an input
// row, for every output row that has it, and an output row of a plane. From the same layers with --kernel=folded.
struct FoldCosts {
  double element, tap, result, fold, row;
  double flat;  // a vector of a plane that is one window; 0 where such planes are as others
};
constexpr FoldCosts kMaxFoldCosts = {2.89, 0.4, 1.9, 0.57, 0.4, 0};
constexpr FoldCosts kMeanFoldCosts = {1.95, 0.35, 2.7, 0.67, 0.4, 0.4};
constexpr double kFewIntegers = 0.72;
constexpr double kInterleavedStart = 1500, kRowsStart = 800;

bool IsFloat(const Plan& plan) { return plan.type == POOLPROOF_F32 || plan.type == POOLPROOF_F64; }

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

double InterleavedTime(const Plan& plan, size_t lane, const Costs& costs) {
  const Axis &d = plan.axis[0], &h = plan.axis[1], &w = plan.axis[2];
  const double across = Product(d.in, h.in, w.out);
  const double down = h.kernel > 1 ? Product(d.in, h.out, w.out) : 0;
  const double deep = d.kernel > 1 ? Product(d.out, h.out, w.out) : 0;
  const double taps = across * Taps(w) + down * Taps(h) + deep * Taps(d);
  const double group = costs.element * Product(d.in, h.in, w.in) + costs.tap * taps +
                       costs.cell * (across + down + deep) + costs.result * Product(d.out, h.out, w.out);
  return kInterleavedStart + Vectors(plan.outer, lane) * group;
}

double FoldedTime(const Plan& plan, size_t lane, const FoldCosts& costs) {
  const Axis &d = plan.axis[0], &h = plan.axis[1], &w = plan.axis[2];
  if (IsOneWindow(plan) && costs.flat > 0) {
    const double group = (costs.element + costs.tap) * 64 / static_cast<double>(lane) + costs.result;
    return kInterleavedStart + Vectors(plan.outer, lane) * group +
           static_cast<double>(plan.outer) * costs.flat * (3 + Vectors(plan.InPlane(), lane));
  }
  const int64_t rows = FoldedLaneRows(plan, 64 / static_cast<int64_t>(lane)), parts = (d.out * h.out + rows - 1) / rows;
  const double row = costs.element * static_cast<double>(w.in) +
                     (costs.tap * Taps(w) + costs.result) * static_cast<double>(w.out);
  const double fold = costs.row + costs.fold * Taps(d) * Taps(h) * Vectors(w.in, lane);
  return kInterleavedStart + Vectors(plan.outer * parts, lane) * static_cast<double>(rows) * row +
         fold * Product(plan.outer, d.out, h.out);
}

// The windows along an output row.
double AcrossTime(const Axis& w, size_t lane, const Costs& costs) {
  const double vectors = Vectors(w.out, lane), kernel = static_cast<double>(w.kernel);
  if (w.adaptive) return costs.adaptive * static_cast<double>(w.out) * Taps(w);
  // Large kernels take few loads for each result.
  const double shifts = costs.shift * vectors * std::min(kernel, 4 + kernel / 4);
  if (w.stride == 1 || (w.stride == 2 && w.dilation == 1 && w.kernel <= costs.longest_split)) return shifts;
  if (w.stride <= 4 && w.dilation == 1) return costs.phase * vectors * (kernel + static_cast<double>(w.stride));
  return costs.scattered * static_cast<double>(w.in) + costs.shift * vectors * kernel;
}

// Whether means are made in registers (mean_direct-inl.h).
bool IsDirect(const Plan& plan) {
  const Axis& w = plan.axis[2];
  const bool near = !w.adaptive && w.dilation == 1 && w.kernel == 3 && w.stride == 1 && w.pad <= 1;
  return IsFloat(plan) && (HasPairs(plan) || near);
}

// Of a plan whose planes are merged.
double RowsTime(const Plan& plan, size_t lane, const Costs& costs) {
  const Axis &d = plan.axis[0], &h = plan.axis[1], &w = plan.axis[2];
  const double rows = Product(plan.outer, d.out, h.out), taps = Taps(d) * Taps(h);
  const double start = kRowsStart + costs.band * Product(plan.outer, d.out, h.pad > 0 ? 3 : 1);
  if (costs.direct > 0 && IsDirect(plan)) return start + costs.direct * rows * (1 + Vectors(w.out, lane) * taps);
  // Others are pooled several at a time.
  const bool single = taps > 9 || taps == 7 || d.adaptive || h.adaptive;
  const double row = costs.row + (single ? costs.single : 0);
  return start + rows * (row + costs.down * Vectors(w.in, lane) * taps + AcrossTime(w, lane, costs));
}

// Of maxima and of means, how long each kernel takes.
double RowsTimeOfMax(const Plan& plan) { return RowsTime(MergePlanes(plan), BytesOf(plan.type), kMaxCosts); }
double InterleavedTimeOfMax(const Plan& plan) { return InterleavedTime(plan, BytesOf(plan.type), kMaxCosts); }

size_t LaneOfMean(const Plan& plan) {
  const bool exact = plan.quotient != Quotient::kNearest;
  return BytesOf(plan.type) == 8 || (exact && SumBits(plan) > 24) ? 8 : 4;
}
double RowsTimeOfMean(const Plan& plan) {
  const Plan rows = HasPairs(plan) ? MergePlanes(plan) : plan;
  const double time = RowsTime(rows, HasShortSums(plan) ? 2 : LaneOfMean(plan), kMeanCosts);
  // The costs are those of floats; rows of integers take less where there are few taps.
  return plan.quotient != Quotient::kNearest && plan.axis[2].kernel <= 3 ? kFewIntegers * time : time;
}
double InterleavedTimeOfMean(const Plan& plan) {
  const size_t bytes = BytesOf(plan.type);
  if (IsFloat(plan) || bytes == 8) return InterleavedTime(plan, bytes, kMeanCosts);
  return InterleavedTime(plan, bytes, bytes == 1 ? kByteMeanCosts : kHalfMeanCosts);
}

}  // namespace

bool InterleavedIsQuickerForMax(const Plan& plan) { return InterleavedTimeOfMax(plan) < RowsTimeOfMax(plan); }
bool InterleavedIsQuickerForMean(const Plan& plan) { return InterleavedTimeOfMean(plan) < RowsTimeOfMean(plan); }

bool FoldedIsQuickestForMax(const Plan& plan) {
  const double folded = FoldedTime(plan, BytesOf(plan.type), kMaxFoldCosts);
  return folded < InterleavedTimeOfMax(plan) && folded < RowsTimeOfMax(plan);
}
bool FoldedIsQuickestForMean(const Plan& plan) {
  const double folded = FoldedTime(plan, BytesOf(plan.type), kMeanFoldCosts);
  return folded < InterleavedTimeOfMean(plan) && folded < RowsTimeOfMean(plan);
}

}  // namespace poolproof::optimized
