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

// The windows of a run in all rows of a band, two at a time since a tap waits for the one before: two rows, or two
// windows of the only row. kTaps: 0 for any number. position: of the element at `from`.
template <class B, int kTaps>
HWY_NOINLINE void PoolRunOf(const WindowRun& run, const RowBand& band, const typename B::Raw* from, int64_t dilation,
                            int64_t position, typename B::Field to) {
  using DI = typename B::DI;
  constexpr int64_t kGroup = B::kGroup;  // planes, which are the lanes of a cell
  const typename B::D d;
  const DI di;
  const auto at = [di](int64_t p) HWY_ATTR { return hn::Set(di, static_cast<hn::TFromD<DI>>(p)); };
  const int64_t taps = kTaps > 0 ? kTaps : run.taps, step = dilation * kGroup;
  const bool rows = band.count > 1;
  const int64_t outer = rows ? run.count : 1, inner = rows ? band.count : run.count;
  const int64_t stride = rows ? band.elements : run.stride, to_stride = rows ? band.windows : 1;
  const auto apart = at(dilation);
  for (int64_t o = 0; o < outer; ++o) {
    int64_t in = run.first + o * run.stride, cell = o;
    for (int64_t k = 0; k < inner; k += 2, in += 2 * stride, cell += 2 * to_stride) {
      const int64_t more = k + 1 < inner ? 1 : 0;
      const int64_t next = in + more * stride, next_cell = cell + more * to_stride;
      for (int64_t i = 0; i < kGroup; i += static_cast<int64_t>(hn::Lanes(d))) {
        const typename B::Raw *p = from + in * kGroup + i, *q = from + next * kGroup + i;
        auto p_at = at(position + in), q_at = at(position + next);
        B first = B::At(B::LoadRaw(p), p_at), second = B::At(B::LoadRaw(q), q_at);
        for (int64_t t = 1; t < taps; ++t) {
          p += step;
          q += step;
          p_at = hn::Add(p_at, apart);
          q_at = hn::Add(q_at, apart);
          first.Join(B::LoadRaw(p), p_at);
          second.Join(B::LoadRaw(q), q_at);
        }
        first.Store(to, cell * kGroup + i);
        second.Store(to, next_cell * kGroup + i);
      }
    }
  }
}

template <class B>
HWY_INLINE void PoolRun(const WindowRun& run, const RowBand& band, const typename B::Raw* from, int64_t dilation,
                        int64_t position, typename B::Field to) {
  constexpr int64_t kGroup = B::kGroup;
  switch (run.taps) {
    case 0:
      for (int64_t r = 0; r < band.count; ++r) ClearCells<B>(run.count * kGroup, to.From(r * band.windows * kGroup));
      return;
    case 2: return PoolRunOf<B, 2>(run, band, from, dilation, position, to);
    case 3: return PoolRunOf<B, 3>(run, band, from, dilation, position, to);
    case 5: return PoolRunOf<B, 5>(run, band, from, dilation, position, to);
    default: return PoolRunOf<B, 0>(run, band, from, dilation, position, to);
  }
}

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

// The windows of a run that are made of `count` rows, two at a time since a tap waits for the one before. kTaps: of a
// row.
template <class B, int kTaps>
HWY_NOINLINE void PoolWindowsOf(const WindowRun& run, const TapRow<B>* rows, int64_t count, int64_t dilation,
                                typename B::Field to) {
  int64_t k = 0, cell = run.first;
  for (; k + 2 <= run.count; k += 2, cell += 2 * run.stride) {
    PoolWindow<B, kTaps, 2>(rows, count, run.taps, dilation, cell, run.stride, to, k);
  }
  if (k < run.count) PoolWindow<B, kTaps, 1>(rows, count, run.taps, dilation, cell, run.stride, to, k);
}

template <class B>
HWY_INLINE void PoolWindows(const WindowRun& run, const TapRow<B>* rows, int64_t count, int64_t dilation,
                            typename B::Field to) {
  if (count == 0 || run.taps == 0) return ClearCells<B>(run.count * B::kGroup, to);
  switch (run.taps) {
    case 2: return PoolWindowsOf<B, 2>(run, rows, count, dilation, to);
    case 3: return PoolWindowsOf<B, 3>(run, rows, count, dilation, to);
    default: return PoolWindowsOf<B, 0>(run, rows, count, dilation, to);
  }
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
HWY_INLINE void JoinCells(const typename B::Field* taps, int64_t count, int64_t lanes, typename B::Field to) {
  switch (count) {
    case 0: return ClearCells<B>(lanes, to);
    case 2: return JoinCellsOf<B, 2>(taps, count, lanes, to);
    case 3: return JoinCellsOf<B, 3>(taps, count, lanes, to);
    default: return JoinCellsOf<B, 0>(taps, count, lanes, to);
  }
}

}  // namespace
}  // namespace HWY_NAMESPACE
}  // namespace poolproof::optimized
HWY_AFTER_NAMESPACE();

#endif  // per-target guard
