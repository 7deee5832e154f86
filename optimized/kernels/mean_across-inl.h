// From scratch rows to rows of means, for one target. The functions take several rows at once and are kept
// apart: their loops are short, and need all registers.
#if defined(POOLPROOF_OPTIMIZED_KERNELS_MEAN_ACROSS_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef POOLPROOF_OPTIMIZED_KERNELS_MEAN_ACROSS_INL_H_
#undef POOLPROOF_OPTIMIZED_KERNELS_MEAN_ACROSS_INL_H_
#else
#define POOLPROOF_OPTIMIZED_KERNELS_MEAN_ACROSS_INL_H_
#endif

#include <algorithm>

#include "optimized/kernels/means-inl.h"
#include "optimized/kernels/quotient-inl.h"
#include "optimized/kernels/rows.h"

HWY_BEFORE_NAMESPACE();
namespace poolproof::optimized {
namespace HWY_NAMESPACE {
namespace {

// Scratch rows and where their means, or sums of windows, go. At most 32 rows.
template <typename L>
struct Lines {
  int64_t count;
  const L* row;  // of sums down the rows; the next one is `pitch` lanes on
  int64_t pitch;
  const L* const* factors;  // per row, for means
  L* to;                    // rows are dense
  int64_t lanes;            // elements of an output row
};

// kMeans: sums are multiplied by the factors, and all functions return a bit for every row with a mean that
// is not finite; otherwise, 0.
template <typename L, bool kMeans>
struct MeanAcross {
  using D = hn::ScalableTag<L>;
  using V = hn::Vec<D>;

  // Taps next to each other, or `step` lanes apart; stride 1.
  template <int kTaps>
  static HWY_NOINLINE uint32_t Shift(const Lines<L>& lines, int64_t step) {
    return ForVectors(lines, [step](D d, const L* from) HWY_ATTR {
      V sum = hn::LoadU(d, from);
      for (int t = 1; t < kTaps; ++t) sum = hn::Add(sum, hn::LoadU(d, from + t * step));
      return sum;
    });
  }

  // Two or three taps next to each other, stride 2.
  template <int kTaps>
  static HWY_NOINLINE uint32_t Stride2(const Lines<L>& lines) {
    return ForVectors<2>(lines, [](D d, const L* from) HWY_ATTR {
      V even, odd;
      Deinterleave(d, from, even, odd);
      V sum = hn::Add(even, odd);
      if (kTaps == 3) sum = hn::Add(sum, LoadEven(d, from + 2));
      return sum;
    });
  }

  // Three taps next to each other, stride 3.
  static HWY_NOINLINE uint32_t Stride3(const Lines<L>& lines) {
    return ForVectors<3>(lines, [](D d, const L* from) HWY_ATTR {
      V a, b, c;
      hn::LoadInterleaved3(d, from, a, b, c);
      return hn::Add(hn::Add(a, b), c);
    });
  }

  // Any number of taps, which begin at those places of a row.
  static HWY_NOINLINE uint32_t Slide(const Lines<L>& lines, const int64_t* places, int64_t taps) {
    return ForVectors(lines, [=](D d, const L* from) HWY_ATTR {
      // Two sums, since each waits for what it was before.
      V even = hn::Zero(d), odd = even;
      for (int64_t t = 0; t + 1 < taps; t += 2) {
        even = hn::Add(even, hn::LoadU(d, from + places[t]));
        odd = hn::Add(odd, hn::LoadU(d, from + places[t + 1]));
      }
      if (taps % 2 != 0) even = hn::Add(even, hn::LoadU(d, from + places[taps - 1]));
      return hn::Add(even, odd);
    });
  }

  // Cell by cell, vectors over the lanes of a cell; `step` lanes between taps.
  static HWY_NOINLINE uint32_t Cells(const Lines<L>& lines, const Span* spans, int64_t inner, int64_t step) {
    const D d;
    const int64_t n = static_cast<int64_t>(hn::Lanes(d)), cells = lines.lanes / inner;
    uint32_t bad_rows = 0;
    for (int64_t r = 0; r < lines.count; ++r) {
      const L* row = lines.row + r * lines.pitch;
      L* to = lines.to + r * lines.lanes;
      V bad = hn::Zero(d);
      for (int64_t j = 0; j < cells; ++j, to += inner) {
        const L* from = row + spans[j].first * inner;
        const V factor = kMeans ? hn::Set(d, lines.factors[r][j]) : hn::Zero(d);
        const int64_t end = spans[j].taps * step;
        for (int64_t c = 0; c < inner; c += n) {
          V sum = hn::Zero(d);
          for (int64_t t = 0; t < end; t += step) sum = hn::Add(sum, hn::LoadU(d, from + t + c));
          Finish(d, sum, factor, inner - c, to + c, bad);
        }
      }
      bad_rows |= BadRow(d, bad, r);
    }
    return bad_rows;
  }

 private:
  // sum_at(d, p): sums of the outputs whose first taps are at p, p + kStride, ...
  template <int kStride = 1, class F>
  static HWY_INLINE uint32_t ForVectors(const Lines<L>& lines, const F& sum_at) {
    const D d;
    const int64_t n = static_cast<int64_t>(hn::Lanes(d)), lanes = lines.lanes, pitch = lines.pitch;
    const int64_t whole = lanes / n * n, count = lines.count;
    const L* row = lines.row;
    L* to = lines.to;
    uint32_t bad_rows = 0;
    for (int64_t r = 0; r < count; ++r, row += pitch, to += lanes) {
      const L* factors = kMeans ? lines.factors[r] : row;
      V bad = hn::Zero(d);
      int64_t i = 0;
      for (; i < whole; i += n) {
        Finish(d, sum_at(d, row + kStride * i), hn::LoadU(d, factors + i), n, to + i, bad);
      }
      if (i < lanes) {
        Finish(d, sum_at(d, row + kStride * i), hn::LoadU(d, factors + i), lanes - i, to + i, bad);
      }
      bad_rows |= BadRow(d, bad, r);
    }
    return bad_rows;
  }

  // Stores a vector of which `count` lanes count; `bad` becomes NaN where one is not finite.
  static HWY_INLINE void Finish(D d, V sum, V factor, int64_t count, L* to, V& bad) {
    if constexpr (!kMeans) {
      hn::StoreU(sum, d, to);
    } else {
      const V mean = hn::Mul(sum, factor);
      hn::StoreU(mean, d, to);
      V difference = hn::Sub(mean, mean);
      if (count < static_cast<int64_t>(hn::Lanes(d))) {
        difference = hn::IfThenElseZero(hn::FirstN(d, static_cast<size_t>(count)), difference);
      }
      bad = hn::Or(bad, difference);
    }
  }
  static HWY_INLINE uint32_t BadRow(D d, V bad, int64_t row) {
    if constexpr (kMeans) return hn::AllFalse(d, hn::IsNaN(bad)) ? 0 : uint32_t{1} << row;
    return 0;
  }
};

}  // namespace
}  // namespace HWY_NAMESPACE
}  // namespace poolproof::optimized
HWY_AFTER_NAMESPACE();

#endif  // per-target guard
