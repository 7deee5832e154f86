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

// kWindows windows of a row, `stride` cells apart, from cell `in` on, to lanes from cell `out` on. position: of the
// cell at `from`.
template <class B, int kTaps, int kWindows>
HWY_INLINE void PoolWindow(const typename B::Raw* from, int64_t position, int64_t all_taps, int64_t dilation,
                           int64_t in, int64_t stride, typename B::Field to, int64_t out) {
  constexpr int64_t kGroup = B::kGroup;
  const typename B::DI di;
  const auto at = [di](int64_t p) HWY_ATTR { return hn::Set(di, static_cast<typename B::I>(p)); };
  const int64_t taps = kTaps > 0 ? kTaps : all_taps, step = dilation * kGroup, next = stride * kGroup;
  const auto apart = at(dilation), between = at(stride);
  for (int64_t i = 0; i < kGroup; i += static_cast<int64_t>(hn::Lanes(di))) {
    const typename B::Raw* p = from + in * kGroup + i;
    auto p_at = at(position + in);
    B first = B::At(B::LoadRaw(p), p_at), second = first;
    if (kWindows == 2) second = B::At(B::LoadRaw(p + next), hn::Add(p_at, between));
    for (int64_t t = 1; t < taps; ++t) {
      p += step;
      p_at = hn::Add(p_at, apart);
      first.Join(B::LoadRaw(p), p_at);
      if (kWindows == 2) second.Join(B::LoadRaw(p + next), hn::Add(p_at, between));
    }
    first.Store(to, out * kGroup + i);
    if (kWindows == 2) second.Store(to, (out + 1) * kGroup + i);
  }
}

// The windows of a run in all rows of a band, two at a time since a tap waits for the one before.
template <class B, int kTaps>
HWY_NOINLINE void PoolRunOf(const WindowRun& run, const RowBand& band, const typename B::Raw* from, int64_t position,
                            int64_t dilation, typename B::Field to) {
  for (int64_t r = 0; r < band.count; ++r) {
    int64_t out = r * band.windows, in = run.first + r * band.elements;
    const int64_t end = out + run.count;
    for (; out + 2 <= end; out += 2, in += 2 * run.stride) {
      PoolWindow<B, kTaps, 2>(from, position, run.taps, dilation, in, run.stride, to, out);
    }
    if (out < end) PoolWindow<B, kTaps, 1>(from, position, run.taps, dilation, in, run.stride, to, out);
  }
}

template <class B>
HWY_INLINE void PoolRun(const WindowRun& run, const RowBand& band, const typename B::Raw* from, int64_t position,
                        int64_t dilation, typename B::Field to) {
  constexpr int64_t kGroup = B::kGroup;
  if (run.taps == 0) {
    for (int64_t r = 0; r < band.count; ++r) ClearCells<B>(run.count * kGroup, to.From(r * band.windows * kGroup));
    return;
  }
  WithTaps(run.taps, [&](auto taps) { PoolRunOf<B, taps()>(run, band, from, position, dilation, to); });
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
