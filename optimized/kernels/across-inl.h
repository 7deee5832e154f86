// From scratch rows, in which the rows of windows have become one, to rows of the output, for one target.
#if defined(POOLPROOF_OPTIMIZED_KERNELS_ACROSS_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef POOLPROOF_OPTIMIZED_KERNELS_ACROSS_INL_H_
#undef POOLPROOF_OPTIMIZED_KERNELS_ACROSS_INL_H_
#else
#define POOLPROOF_OPTIMIZED_KERNELS_ACROSS_INL_H_
#endif

#include <algorithm>

#include "optimized/kernels/lanes-inl.h"
#include "optimized/kernels/rows.h"

HWY_BEFORE_NAMESPACE();
namespace poolproof::optimized {
namespace HWY_NAMESPACE {
namespace {

// Scratch rows and where their windows go. At most 32 rows.
template <typename L>
struct Lines {
  int64_t count;
  const L* row;  // the next one is `pitch` lanes on
  int64_t pitch;
  const L* const* factors;  // of each row, for means
  L* to;                    // rows are dense
  int64_t lanes;            // elements of an output row
};

// R: what joins lanes and what becomes of the result (RowReducer). All functions return a bit for every
// row with a result that R finds bad. They take several rows at once and are kept apart: their loops are short, and
// need all registers.
template <class R>
class Across {
 public:
  using L = typename R::L;
  using D = hn::ScalableTag<L>;
  using V = hn::Vec<D>;

  // `taps` taps, at those places of a row.
  static HWY_INLINE uint32_t Taps(const R& r, const Lines<L>& lines, const int64_t* places, int64_t taps) {
    return WithTaps(taps, [&](auto known) { return TapsOf<known()>(r, lines, places, taps); });
  }

  // Three taps next to each other, three apart, at the begin of a row.
  static HWY_NOINLINE uint32_t Thirds(const R& r, const Lines<L>& lines) {
    return ForVectors<3>(r, lines, [](const L* from) HWY_ATTR {
      V a, b, c;
      hn::LoadInterleaved3(D(), from, a, b, c);
      return R::Fold::Join(R::Fold::Join(a, b), c);
    });
  }

  // Cell by cell, vectors over the lanes of a cell; `step` lanes between taps.
  static HWY_NOINLINE uint32_t Cells(const R& r, const Lines<L>& lines, const Span* spans, int64_t inner,
                                     int64_t step) {
    const D d;
    const int64_t n = static_cast<int64_t>(hn::Lanes(d)), cells = lines.lanes / inner;
    uint32_t bad_rows = 0;
    for (int64_t k = 0; k < lines.count; ++k) {
      const L* row = lines.row + k * lines.pitch;
      L* to = lines.to + k * lines.lanes;
      V bad = hn::Zero(d);
      for (int64_t j = 0; j < cells; ++j, to += inner) {
        const L* from = row + spans[j].first * inner;
        const V factor = R::kFactors ? hn::Set(d, lines.factors[k][j * inner]) : hn::Zero(d);
        const int64_t end = spans[j].taps * step;
        for (int64_t c = 0; c < inner; c += n) {
          V all = hn::Set(d, r.fold.Identity());
          for (int64_t t = 0; t < end; t += step) all = R::Fold::Join(all, hn::LoadU(d, from + t + c));
          Finish(r, all, factor, inner - c, to + c, bad);
        }
      }
      bad_rows |= BadRow(bad, k);
    }
    return bad_rows;
  }

 private:
  template <int kTaps>
  static HWY_INLINE V TapsAt(D d, const L* from, const int64_t* places, int64_t taps) {
    if constexpr (kTaps > 0) {
      V all = hn::LoadU(d, from + places[0]);
      for (int t = 1; t < kTaps; ++t) all = R::Fold::Join(all, hn::LoadU(d, from + places[t]));
      return all;
    } else {
      // Two at a time, since each waits for what it was before.
      V even = hn::LoadU(d, from + places[0]), odd = hn::LoadU(d, from + places[1]);
      for (int64_t t = 2; t + 1 < taps; t += 2) {
        even = R::Fold::Join(even, hn::LoadU(d, from + places[t]));
        odd = R::Fold::Join(odd, hn::LoadU(d, from + places[t + 1]));
      }
      if (taps % 2 != 0) even = R::Fold::Join(even, hn::LoadU(d, from + places[taps - 1]));
      return R::Fold::Join(even, odd);
    }
  }

  template <int kTaps>
  static HWY_NOINLINE uint32_t TapsOf(const R& r, const Lines<L>& lines, const int64_t* all_places, int64_t taps) {
    int64_t known[std::max(kTaps, 1)];
    for (int t = 0; t < kTaps; ++t) known[t] = all_places[t];
    const int64_t* const places = kTaps > 0 ? known : all_places;
    return ForVectors<1>(r, lines, [=](const L* from) HWY_ATTR { return TapsAt<kTaps>(D(), from, places, taps); });
  }

  // join(from): of the outputs whose first taps are at from, from + kStride, ...
  template <int kStride, class F>
  static HWY_INLINE uint32_t ForVectors(const R& reducer, const Lines<L>& lines, const F& join) {
    const D d;
    const R r = reducer;
    const int64_t n = static_cast<int64_t>(hn::Lanes(d)), lanes = lines.lanes, pitch = lines.pitch;
    const int64_t whole = lanes / n * n, count = lines.count;
    const L* row = lines.row;
    L* to = lines.to;
    uint32_t bad_rows = 0;
    for (int64_t k = 0; k < count; ++k, row += pitch, to += lanes) {
      const L* factors = R::kFactors ? lines.factors[k] : row;
      V bad = hn::Zero(d);
      int64_t i = 0;
      for (; i < whole; i += n) {
        hwy::Prefetch(to + i + kVectorsAhead * n);
        Finish(r, join(row + kStride * i), hn::LoadU(d, factors + i), n, to + i, bad);
      }
      if (i < lanes) Finish(r, join(row + kStride * i), hn::LoadU(d, factors + i), lanes - i, to + i, bad);
      bad_rows |= BadRow(bad, k);
    }
    return bad_rows;
  }

  // Stores a vector of which `count` lanes count.
  static HWY_INLINE void Finish(const R& r, V joined, V factor, int64_t count, L* to, V& bad) {
    const D d;
    const V result = r.Result(joined, factor);
    hn::StoreU(result, d, to);
    if constexpr (R::kFactors) bad = hn::Or(bad, NotFinite(d, result, count));
  }
  static HWY_INLINE uint32_t BadRow(V bad, int64_t row) {
    if constexpr (R::kFactors) return hn::AllFalse(D(), hn::IsNaN(bad)) ? 0 : uint32_t{1} << row;
    return 0;
  }
};

}  // namespace
}  // namespace HWY_NAMESPACE
}  // namespace poolproof::optimized
HWY_AFTER_NAMESPACE();

#endif  // per-target guard
