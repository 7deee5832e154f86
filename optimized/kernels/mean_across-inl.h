// From scratch rows to rows of means, for one target. The functions take several rows at once and are kept
// apart: their loops are short, and need all registers.
#if defined(POOLPROOF_OPTIMIZED_KERNELS_MEAN_ACROSS_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef POOLPROOF_OPTIMIZED_KERNELS_MEAN_ACROSS_INL_H_
#undef POOLPROOF_OPTIMIZED_KERNELS_MEAN_ACROSS_INL_H_
#else
#define POOLPROOF_OPTIMIZED_KERNELS_MEAN_ACROSS_INL_H_
#endif

#include <algorithm>

#include "optimized/kernels/block_sums-inl.h"
#include "optimized/kernels/means-inl.h"
#include "optimized/kernels/quotient-inl.h"
#include "optimized/kernels/rows.h"

HWY_BEFORE_NAMESPACE();
namespace poolproof::optimized {
namespace HWY_NAMESPACE {
namespace {

// Scratch rows and where their means go. At most 32 rows.
template <class C>
struct Lines {
  int64_t count;
  const typename C::Lane* row;   // of sums down the rows; the next one is `pitch` lanes on
  int64_t pitch;
  const typename C::Lane* const* factors;  // per row
  typename C::Out* to;           // rows are dense
  int64_t lanes;                 // elements of an output row
  Rounding rounding;
};

// All functions return a bit for every row with a mean that is not finite.
template <class C>
struct MeanAcross {
  using L = typename C::Lane;
  using Out = typename C::Out;
  using D = hn::ScalableTag<L>;
  using V = hn::Vec<D>;

  // Taps next to each other, or `step` lanes apart; stride 1.
  template <int kTaps>
  static HWY_NOINLINE uint32_t Shift(const Lines<C>& lines, int64_t step) {
    return ForVectors(lines, [step](D d, const L* from) HWY_ATTR {
      V sum = hn::LoadU(d, from);
      for (int t = 1; t < kTaps; ++t) sum = hn::Add(sum, hn::LoadU(d, from + t * step));
      return sum;
    });
  }

  // Two or three taps next to each other, stride 2.
  template <int kTaps>
  static HWY_NOINLINE uint32_t Stride2(const Lines<C>& lines) {
    return ForVectors<2>(lines, [](D d, const L* from) HWY_ATTR {
      V even, odd;
      Deinterleave(d, from, even, odd);
      V sum = hn::Add(even, odd);
      if (kTaps == 3) sum = hn::Add(sum, LoadEven(d, from + 2));
      return sum;
    });
  }

  // Any taps: that at distance o is element o / stride of phase o % stride. `quads`, if any, has sums of
  // four taps, as far from the first row as the row they are of.
  static HWY_NOINLINE uint32_t Slide(const Lines<C>& lines, const L* quads, const RowShape& shape) {
    const int64_t grouped = quads != nullptr ? shape.taps / 4 * 4 : 0, step = shape.step, taps = shape.taps;
    const int64_t ahead = quads != nullptr ? quads - lines.row : 0;
    const bool phases = shape.horizontal == Horizontal::kPhases;
    const auto place = [&](int64_t at) { return phases ? shape.PhaseOffset(at) : at; };
    return ForVectors(lines, [&](D d, const L* from) HWY_ATTR {
      V sum = hn::Zero(d);
      for (int64_t t = 0; t < grouped; t += 4) {
        sum = hn::Add(sum, hn::LoadU(d, from + ahead + place(t * step)));
      }
      for (int64_t t = grouped; t < taps; ++t) sum = hn::Add(sum, hn::LoadU(d, from + place(t * step)));
      return sum;
    });
  }

  // Cell by cell, vectors over the lanes of a cell; `step` lanes between taps.
  static HWY_NOINLINE uint32_t Cells(const Lines<C>& lines, const Span* spans, int64_t inner, int64_t step) {
    const D d;
    const int64_t n = static_cast<int64_t>(hn::Lanes(d)), cells = lines.lanes / inner;
    uint32_t bad_rows = 0;
    for (int64_t r = 0; r < lines.count; ++r) {
      const L* row = lines.row + r * lines.pitch;
      const L* factors = lines.factors[r];
      Out* to = lines.to + r * lines.lanes;
      V bad = hn::Zero(d);
      for (int64_t j = 0; j < cells; ++j, to += inner) {
        const L* from = row + spans[j].first * inner;
        const V factor = hn::Set(d, factors[j]);
        const int64_t end = spans[j].taps * step;
        for (int64_t c = 0; c < inner; c += n) {
          V sum = hn::Zero(d);
          for (int64_t t = 0; t < end; t += step) sum = hn::Add(sum, hn::LoadU(d, from + t + c));
          Finish(d, MeanOf<C>(d, sum, factor, lines.rounding), inner - c, to + c, bad);
        }
      }
      bad_rows |= BadRow(d, bad, r);
    }
    return bad_rows;
  }

  // The same by blocks. A cell has to be whole vectors, since one vector of all cells comes after the other.
  static HWY_NOINLINE uint32_t CellBlocks(const Lines<C>& lines, const Axis& axis, const Span* spans,
                                          int64_t inner, L* suffix) {
    const D d;
    const int64_t n = static_cast<int64_t>(hn::Lanes(d));
    uint32_t bad_rows = 0;
    for (int64_t r = 0; r < lines.count; ++r) {
      const L* factors = lines.factors[r];
      Out* to = lines.to + r * lines.lanes;
      CellBlocksOf<L> sums(axis, inner, lines.row + r * lines.pitch, suffix);
      V bad = hn::Zero(d);
      for (int64_t c = 0; c < inner; c += n) {
        V prefix = hn::Zero(d);
        sums.Start(c);
        for (int64_t j = 0; j < axis.out; ++j) {
          const V sum = sums.Sum(spans[j], prefix);
          Finish(d, MeanOf<C>(d, sum, hn::Set(d, factors[j]), lines.rounding), n, to + j * inner + c, bad);
        }
      }
      bad_rows |= BadRow(d, bad, r);
    }
    return bad_rows;
  }

 private:
  // sum_at(d, p): sums of the outputs whose first taps are at p, p + kStride, ...
  template <int kStride = 1, class F>
  static HWY_INLINE uint32_t ForVectors(const Lines<C>& lines, const F& sum_at) {
    const D d;
    const int64_t n = static_cast<int64_t>(hn::Lanes(d)), lanes = lines.lanes, pitch = lines.pitch;
    const int64_t whole = lanes / n * n, count = lines.count;
    const Rounding rounding = lines.rounding;
    const L* const* factors = lines.factors;
    const L* row = lines.row;
    Out* to = lines.to;
    uint32_t bad_rows = 0;
    for (int64_t r = 0; r < count; ++r, row += pitch, to += lanes) {
      const L* factor = factors[r];
      V bad = hn::Zero(d);
      int64_t i = 0;
      for (; i < whole; i += n) {
        const V mean = MeanOf<C>(d, sum_at(d, row + kStride * i), hn::LoadU(d, factor + i), rounding);
        Finish(d, mean, n, to + i, bad);
      }
      if (i < lanes) {
        const V mean = MeanOf<C>(d, sum_at(d, row + kStride * i), hn::LoadU(d, factor + i), rounding);
        Finish(d, mean, lanes - i, to + i, bad);
      }
      bad_rows |= BadRow(d, bad, r);
    }
    return bad_rows;
  }

  // Stores a vector of which `count` lanes count; `bad` becomes NaN where one is not finite.
  static HWY_INLINE void Finish(D d, V mean, int64_t count, Out* to, V& bad) {
    C::Store(mean, d, to);
    if constexpr (C::kFloat) {
      V difference = hn::Sub(mean, mean);
      if (count < static_cast<int64_t>(hn::Lanes(d))) {
        difference = hn::IfThenElseZero(hn::FirstN(d, static_cast<size_t>(count)), difference);
      }
      bad = hn::Or(bad, difference);
    }
  }
  static HWY_INLINE uint32_t BadRow(D d, V bad, int64_t row) {
    if constexpr (C::kFloat) return hn::AllFalse(d, hn::IsNaN(bad)) ? 0 : uint32_t{1} << row;
    return 0;
  }
};

}  // namespace
}  // namespace HWY_NAMESPACE
}  // namespace poolproof::optimized
HWY_AFTER_NAMESPACE();

#endif  // per-target guard
