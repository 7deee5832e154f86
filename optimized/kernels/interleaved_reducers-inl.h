// How the cells of windows become one, for one target. A cell has a lane of every plane of a group.
#if defined(POOLPROOF_OPTIMIZED_KERNELS_INTERLEAVED_REDUCERS_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef POOLPROOF_OPTIMIZED_KERNELS_INTERLEAVED_REDUCERS_INL_H_
#undef POOLPROOF_OPTIMIZED_KERNELS_INTERLEAVED_REDUCERS_INL_H_
#else
#define POOLPROOF_OPTIMIZED_KERNELS_INTERLEAVED_REDUCERS_INL_H_
#endif

#include "optimized/kernels/index_best-inl.h"
#include "optimized/kernels/interleaved_shape.h"
#include "optimized/kernels/plane_squares-inl.h"

HWY_BEFORE_NAMESPACE();
namespace poolproof::optimized {
namespace HWY_NAMESPACE {
namespace {

template <class B>
HWY_NOINLINE void ClearCells(int64_t lanes, typename B::Field to) {
  const int64_t n = static_cast<int64_t>(hn::Lanes(typename B::D()));
  for (int64_t i = 0; i < lanes; i += n) B::None().Store(to, i);
}

// Rows that are next to each other: their elements and their windows, in cells, and how many there are.
struct RowBand {
  int64_t count;
  int64_t elements, windows;  // of each
};

// A row of a window: where it is, in cells, and the position of its first element.
template <class B>
struct TapRow {
  const typename B::Raw* from;
  int64_t position;
};

// kWindows windows of `count` rows, `stride` apart, all taps in their order: lanes from `cell` of those rows on, to
// lanes from `to_cell` on.
template <class B, int kTaps, int kWindows>
HWY_INLINE void PoolWindow(const TapRow<B>* rows, int64_t count, int64_t row_taps, int64_t dilation, int64_t cell,
                           int64_t stride, typename B::Field to, int64_t to_cell) {
  using DI = typename B::DI;
  constexpr int64_t kGroup = B::kGroup;
  const typename B::D d;
  const DI di;
  const auto at = [di](int64_t p) HWY_ATTR { return hn::Set(di, static_cast<hn::TFromD<DI>>(p)); };
  const int64_t taps = kTaps > 0 ? kTaps : row_taps, step = dilation * kGroup, next = stride * kGroup;
  const auto apart = at(dilation), between = at(stride);
  for (int64_t i = 0; i < kGroup; i += static_cast<int64_t>(hn::Lanes(d))) {
    const typename B::Raw* p = rows[0].from + cell * kGroup + i;
    auto p_at = at(rows[0].position + cell);
    B first = B::At(B::LoadRaw(p), p_at), second = first;
    if (kWindows == 2) second = B::At(B::LoadRaw(p + next), hn::Add(p_at, between));
    for (int64_t t = 0; t < count; ++t) {
      if (t > 0) {
        p = rows[t].from + cell * kGroup + i;
        p_at = at(rows[t].position + cell);
      }
      for (int64_t tap = 0; tap < taps; ++tap, p += step, p_at = hn::Add(p_at, apart)) {
        if (tap == 0 && t == 0) continue;
        first.Join(B::LoadRaw(p), p_at);
        if (kWindows == 2) second.Join(B::LoadRaw(p + next), hn::Add(p_at, between));
      }
    }
    first.Store(to, to_cell * kGroup + i);
    if (kWindows == 2) second.Store(to, (to_cell + 1) * kGroup + i);
  }
}

// The windows of a run in all rows of a band, two at a time since a tap waits for the one before. Each is made of
// `count` rows, of which the first band has its own at `rows`. kTaps: of a row.
template <class B, int kTaps, int kRows>
HWY_NOINLINE void PoolWindowsOf(const WindowRun& run, const RowBand& band, const TapRow<B>* rows, int64_t count,
                                int64_t dilation, typename B::Field to) {
  if (kRows > 0) count = kRows;
  for (int64_t r = 0; r < band.count; ++r) {
    int64_t k = r * band.windows, cell = run.first + r * band.elements;
    const int64_t end = k + run.count;
    for (; k + 2 <= end; k += 2, cell += 2 * run.stride) {
      PoolWindow<B, kTaps, 2>(rows, count, run.taps, dilation, cell, run.stride, to, k);
    }
    if (k < end) PoolWindow<B, kTaps, 1>(rows, count, run.taps, dilation, cell, run.stride, to, k);
  }
}

template <class B>
HWY_INLINE void PoolWindows(const WindowRun& run, const RowBand& band, const TapRow<B>* rows, int64_t count,
                            int64_t dilation, typename B::Field to) {
  constexpr int64_t kGroup = B::kGroup;
  if (count == 0 || run.taps == 0) {
    for (int64_t r = 0; r < band.count; ++r) ClearCells<B>(run.count * kGroup, to.From(r * band.windows * kGroup));
    return;
  }
  WithTaps(run.taps, [&](auto taps) {
    if (count == 1) return PoolWindowsOf<B, taps(), 1>(run, band, rows, count, dilation, to);
    PoolWindowsOf<B, taps(), 0>(run, band, rows, count, dilation, to);
  });
}

// to[i] = the join of taps[t][i] for i < lanes, the first one first.
template <class B, int kTaps>
HWY_NOINLINE void JoinCellsOf(const typename B::Field* taps, int64_t count, int64_t lanes, typename B::Field to) {
  const int64_t n = static_cast<int64_t>(hn::Lanes(typename B::D()));
  if (kTaps > 0) count = kTaps;
  for (int64_t i = 0; i < lanes; i += n) {
    B best = B::Load(taps[0], i);
    for (int64_t t = 1; t < count; ++t) best.Join(B::Load(taps[t], i));
    best.Store(to, i);
  }
}

template <class B>
HWY_INLINE void JoinCells(const typename B::Field* tap_rows, int64_t count, int64_t lanes, typename B::Field to) {
  if (count == 0) return ClearCells<B>(lanes, to);
  WithTaps(count, [&](auto taps) { JoinCellsOf<B, taps()>(tap_rows, count, lanes, to); });
}

}  // namespace
}  // namespace HWY_NAMESPACE
}  // namespace poolproof::optimized
HWY_AFTER_NAMESPACE();

#endif  // per-target guard
