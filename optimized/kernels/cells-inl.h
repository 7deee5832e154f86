// Groups of planes with a lane per plane, for one target: [plane][element] to [element][plane], which are cells, and
// back, and how the cells of windows become one.
#if defined(POOLPROOF_OPTIMIZED_KERNELS_CELLS_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef POOLPROOF_OPTIMIZED_KERNELS_CELLS_INL_H_
#undef POOLPROOF_OPTIMIZED_KERNELS_CELLS_INL_H_
#else
#define POOLPROOF_OPTIMIZED_KERNELS_CELLS_INL_H_
#endif

#include <algorithm>
#include <type_traits>

#include "optimized/kernels/index_best-inl.h"
#include "optimized/kernels/interleaved_shape.h"
#include "optimized/kernels/shared-inl.h"

// Arrays of vectors are for targets whose vectors have a size that the compiler knows. Elsewhere, a square is
// one lane.
#undef POOLPROOF_SQUARE_BYTES
#if HWY_ARCH_X86 && POOLPROOF_HAS_VECTORS
#define POOLPROOF_SQUARE_BYTES HWY_MAX_BYTES
#else
#define POOLPROOF_SQUARE_BYTES 0
#endif

HWY_BEFORE_NAMESPACE();
namespace poolproof::optimized {
namespace HWY_NAMESPACE {
namespace {

// Sides of the squares of full vectors, and of vectors of 128 bits.
template <typename L>
inline constexpr int64_t kWideSide = POOLPROOF_SQUARE_BYTES == 0 ? 1 : POOLPROOF_SQUARE_BYTES / sizeof(L);
template <typename L>
inline constexpr int64_t kNarrowSide = POOLPROOF_SQUARE_BYTES == 0 ? 1 : 16 / sizeof(L);

#if POOLPROOF_SQUARE_BYTES != 0

// The squares of the 128-bit blocks at the same place in each vector: v[a] lane b and v[b] lane a change places. Each
// step puts what is half of the vectors apart side by side.
template <class D, class V>
HWY_INLINE void TransposeBlocks(D d, V* v) {
  constexpr int64_t kSide = kNarrowSide<hn::TFromD<D>>;
  for (int64_t step = 1; step < kSide; step *= 2) {
    V mixed[kSide];
    for (int64_t k = 0; k < kSide / 2; ++k) {
      mixed[2 * k] = hn::InterleaveLower(d, v[k], v[k + kSide / 2]);
      mixed[2 * k + 1] = hn::InterleaveUpper(d, v[k], v[k + kSide / 2]);
    }
    for (int64_t k = 0; k < kSide; ++k) v[k] = mixed[k];
  }
}

// A vector of 1, 2 or 4 blocks that begin at at(0), at(1), ... in memory, since moves between the blocks of registers
// are dear.
template <int kBlocks, class D, class At>
HWY_INLINE hn::Vec<D> LoadBlocks(D d, const At& at) {
  if constexpr (kBlocks == 1) {
    return hn::LoadU(d, at(0));
  } else {
    const hn::Half<D> half;
    const auto low = LoadBlocks<kBlocks / 2>(half, at);
    const auto high = LoadBlocks<kBlocks / 2>(half, [&](int64_t b) { return at(b + kBlocks / 2); });
    return hn::Combine(d, high, low);
  }
}

#endif  // POOLPROOF_SQUARE_BYTES

// Columns of a square that are loaded together.
template <int64_t kSide, typename L>
inline constexpr int64_t kColumns = kSide == 1 ? 1 : kNarrowSide<L>;

// v[] = the columns [c, c + kColumns<kSide, L>) of a square of kSide rows in memory that begin at row(0), row(1), ...
template <int64_t kSide, class D, class Row>
HWY_INLINE void LoadColumns(D d, const Row& row, int64_t c, hn::Vec<D>* v) {
#if POOLPROOF_SQUARE_BYTES != 0
  if constexpr (kSide > 1) {
    constexpr int64_t kQuad = kColumns<kSide, hn::TFromD<D>>;
    for (int64_t k = 0; k < kQuad; ++k) {
      v[k] = LoadBlocks<kSide / kQuad>(d, [&](int64_t b) { return row(b * kQuad + k) + c; });
    }
    TransposeBlocks(d, v);
    return;
  }
#endif
  v[0] = hn::LoadU(d, row(c));
}

// Calls pool(side) with the side of the squares that cover n elements: wide ones, or narrow ones, or lanes.
template <typename L, class F>
HWY_INLINE void WithSide(int64_t n, const F& pool) {
  constexpr std::integral_constant<int64_t, kWideSide<L>> kWide;
  constexpr std::integral_constant<int64_t, kNarrowSide<L>> kNarrow;
  if (n >= kWide()) return pool(kWide);
  if (n >= kNarrow()) return pool(kNarrow);
  pool(std::integral_constant<int64_t, 1>());
}

// to[i * kGroup + p] = enter(d, run(p)[i]) for i < n and p < kGroup. kWatch: whether an element may have been NaN,
// never no where one was; yes as well where one is infinite, or they are huge.
template <int64_t kGroup, bool kWatch, typename L, class Run, class F>
HWY_INLINE bool GatherRuns(const Run& run, int64_t n, L* to, const F& enter) {
  bool suspicious = false;
  WithSide<L>(n, [=, &suspicious](auto side) HWY_ATTR {
    const hn::CappedTag<L, side()> d;
    auto seen = hn::Zero(d);
    for (int64_t i = 0; i < n; i += side()) {
      const int64_t begin = std::min(i, n - side());  // the last one overlaps the one before
      for (int64_t p = 0; p < kGroup; p += side()) {
        const auto row = [=](int64_t q) { return run(p + q) + begin; };
        L* const cell = to + begin * kGroup + p;
        for (int64_t c = 0; c < side(); c += kColumns<side(), L>) {
          hn::Vec<decltype(d)> v[kColumns<side(), L>];
          LoadColumns<side()>(d, row, c, v);
          for (int64_t k = 0; k < kColumns<side(), L>; ++k) hn::Store(enter(d, v[k]), d, cell + (c + k) * kGroup);
          if constexpr (kWatch) {
            auto sum = v[0];
            for (int64_t k = 1; k < kColumns<side(), L>; ++k) sum = hn::Add(sum, v[k]);
            seen = hn::MulAdd(sum, hn::Zero(d), seen);
          }
        }
      }
    }
    if constexpr (kWatch) suspicious = !hn::AllFalse(d, hn::IsNaN(seen));
  });
  return suspicious;
}

// Calls store(d, v, p, i) with a vector of the elements of plane p from i on, for all i < n and p < planes, where
// element i of the planes begins at from[i * kGroup]; some are stored more than once.
template <int64_t kGroup, typename L, class F>
HWY_INLINE void ScatterPlanes(const L* from, int64_t n, int64_t planes, const F store) {
  WithSide<L>(n, [=](auto side) HWY_ATTR {
    const hn::CappedTag<L, side()> d;
    for (int64_t i = 0; i < n; i += side()) {
      const int64_t begin = std::min(i, n - side());  // the last one overlaps the one before
      const F to = store;                             // a copy that stays in registers
      for (int64_t p = 0; p < planes; p += side()) {
        const auto row = [cell = from + begin * kGroup + p](int64_t q) { return cell + q * kGroup; };
        for (int64_t c = 0; c < side(); c += kColumns<side(), L>) {
          hn::Vec<decltype(d)> v[kColumns<side(), L>];
          LoadColumns<side()>(d, row, c, v);
          for (int64_t k = 0; k < kColumns<side(), L>; ++k) {
            if (p + c + k < planes) to(d, v[k], p + c + k, begin);
          }
        }
      }
    }
  });
}

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

// Windows that share taps, in all rows of a band: kMany, which the run has, at a time. The last of them overlap those
// before.
template <class B, int kMany, int kShift>
HWY_NOINLINE void PoolShared(const WindowRun& run, int64_t shift, const RowBand& band, const typename B::Raw* from,
                             int64_t position, int64_t dilation, typename B::Field to) {
  constexpr int64_t kGroup = B::kGroup;
  const typename B::DI di;
  const auto apart = hn::Set(di, static_cast<typename B::I>(dilation));
  for (int64_t r = 0; r < band.count; ++r) {
    for (int64_t j = 0; j < run.count; j += kMany) {
      const int64_t begin = std::min(j, run.count - kMany), out = r * band.windows + begin;
      const int64_t in = run.first + r * band.elements + begin * run.stride;
      for (int64_t i = 0; i < kGroup; i += static_cast<int64_t>(hn::Lanes(di))) {
        const typename B::Raw* p = from + in * kGroup + i;
        auto at = hn::Set(di, static_cast<typename B::I>(position + in));
        const auto next = [&]() HWY_ATTR {
          const B tap = B::At(B::LoadRaw(p), at);
          p += dilation * kGroup;
          at = hn::Add(at, apart);
          return tap;
        };
        const auto store = [&](int64_t k, const B& best) HWY_ATTR { best.Store(to, (out + k) * kGroup + i); };
        if constexpr (kMany == 4) {
          JoinFour<B, kShift>(run.taps, shift, next, store);
        } else {
          JoinTwo<B>(run.taps, shift, next, store);
        }
      }
    }
  }
}

// Windows that each have the taps of the one before and some behind, or lack some of its first: those that are clipped.
template <class B, bool kGrow>
HWY_NOINLINE void PoolNested(const WindowRun& run, const RowBand& band, const typename B::Raw* from, int64_t position,
                             int64_t dilation, typename B::Field to) {
  constexpr int64_t kGroup = B::kGroup;
  const typename B::DI di;
  const int64_t step = kGrow ? dilation : -dilation;
  const int64_t fewest = kGrow ? run.taps : run.taps - (run.count - 1) * run.more;
  // From the first tap on, or, where windows lose taps, from the last one back.
  const int64_t first = kGrow ? run.first : run.first + (run.taps - 1) * dilation;
  const auto apart = hn::Set(di, static_cast<typename B::I>(step));
  for (int64_t r = 0; r < band.count; ++r) {
    const int64_t in = first + r * band.elements, out = r * band.windows + (kGrow ? 0 : run.count - 1);
    for (int64_t i = 0; i < kGroup; i += static_cast<int64_t>(hn::Lanes(di))) {
      const typename B::Raw* p = from + in * kGroup + i;
      auto at = hn::Set(di, static_cast<typename B::I>(position + in));
      B best = B::At(B::LoadRaw(p), at);
      for (int64_t j = 0; j < run.count; ++j) {
        for (int64_t t = j == 0 ? fewest - 1 : run.more; t > 0; --t) {
          p += step * kGroup;
          at = hn::Add(at, apart);
          B tap = B::At(B::LoadRaw(p), at);
          if constexpr (kGrow) {
            best.Join(tap);
          } else {
            tap.Join(best);
            best = tap;
          }
        }
        best.Store(to, (out + (kGrow ? j : -j)) * kGroup + i);
      }
    }
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
  if (run.nested == Nested::kGrow) return PoolNested<B, true>(run, band, from, position, dilation, to);
  if (run.nested == Nested::kShrink) return PoolNested<B, false>(run, band, from, position, dilation, to);
  const int64_t shift = SharedShift(run.taps, run.stride, dilation);
  if (shift == 1 && run.count >= 4) return PoolShared<B, 4, 1>(run, 1, band, from, position, dilation, to);
  if (shift > 0 && run.taps > 3 * shift && run.count >= 4) {
    return PoolShared<B, 4, 0>(run, shift, band, from, position, dilation, to);
  }
  if (shift > 0 && run.count >= 2) return PoolShared<B, 2, 0>(run, shift, band, from, position, dilation, to);
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

// The windows of a batch that share taps, from to on, one after the other.
template <class B, int kMany, int kShift>
HWY_NOINLINE void JoinSharedCells(const typename B::Field* taps, int64_t count, int64_t shift, int64_t lanes,
                                  typename B::Field to) {
  const int64_t n = static_cast<int64_t>(hn::Lanes(typename B::D()));
  for (int64_t i = 0; i < lanes; i += n) {
    const typename B::Field* tap = taps;
    const auto next = [&]() HWY_ATTR { return B::Load(*tap++, i); };
    const auto store = [&](int64_t k, const B& best) HWY_ATTR { best.Store(to, k * lanes + i); };
    if constexpr (kMany == 4) {
      JoinFour<B, kShift>(count, shift, next, store);
    } else {
      JoinTwo<B>(count, shift, next, store);
    }
  }
}

// Those that are nested; taps: of all of them.
template <class B, bool kGrow>
HWY_NOINLINE void JoinNestedCells(const typename B::Field* taps, int64_t count, const RowBatch& batch, int64_t lanes,
                                  typename B::Field to) {
  const int64_t n = static_cast<int64_t>(hn::Lanes(typename B::D()));
  const int64_t fewest = count - (batch.count - 1) * batch.more, step = kGrow ? 1 : -1;
  for (int64_t i = 0; i < lanes; i += n) {
    const typename B::Field* tap = kGrow ? taps : taps + count - 1;
    B best = B::Load(*tap, i);
    for (int64_t j = 0; j < batch.count; ++j) {
      for (int64_t t = j == 0 ? fewest - 1 : batch.more; t > 0; --t) {
        tap += step;
        B other = B::Load(*tap, i);
        if constexpr (kGrow) {
          best.Join(other);
        } else {
          other.Join(best);
          best = other;
        }
      }
      best.Store(to, (kGrow ? j : batch.count - 1 - j) * lanes + i);
    }
  }
}

template <class B>
HWY_INLINE void JoinCells(const typename B::Field* tap_rows, int64_t count, int64_t lanes, typename B::Field to) {
  if (count == 0) return ClearCells<B>(lanes, to);
  WithTaps(count, [&](auto taps) { JoinCellsOf<B, taps()>(tap_rows, count, lanes, to); });
}

// The windows of a batch, of which the first has `count` taps; taps: of all of them.
template <class B>
HWY_INLINE void JoinBatch(const typename B::Field* taps, int64_t count, const RowBatch& batch, int64_t lanes,
                          typename B::Field to) {
  if (batch.nested == Nested::kGrow) {
    return JoinNestedCells<B, true>(taps, count + (batch.count - 1) * batch.more, batch, lanes, to);
  }
  if (batch.nested == Nested::kShrink) return JoinNestedCells<B, false>(taps, count, batch, lanes, to);
  if (batch.count == 4 && batch.shift == 1) return JoinSharedCells<B, 4, 1>(taps, count, 1, lanes, to);
  if (batch.count == 4) return JoinSharedCells<B, 4, 0>(taps, count, batch.shift, lanes, to);
  if (batch.count == 2) return JoinSharedCells<B, 2, 0>(taps, count, batch.shift, lanes, to);
  JoinCells<B>(taps, count, lanes, to);
}

}  // namespace
}  // namespace HWY_NAMESPACE
}  // namespace poolproof::optimized
HWY_AFTER_NAMESPACE();

#endif  // per-target guard
