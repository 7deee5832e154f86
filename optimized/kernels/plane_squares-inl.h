// Groups of planes with a lane per plane, for one target: [plane][element] to [element][plane] and back.
#if defined(POOLPROOF_OPTIMIZED_KERNELS_PLANE_SQUARES_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef POOLPROOF_OPTIMIZED_KERNELS_PLANE_SQUARES_INL_H_
#undef POOLPROOF_OPTIMIZED_KERNELS_PLANE_SQUARES_INL_H_
#else
#define POOLPROOF_OPTIMIZED_KERNELS_PLANE_SQUARES_INL_H_
#endif

#include <algorithm>
#include <type_traits>

#include "optimized/kernels/lanes-inl.h"

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

// Planes of a group, on every target.
template <typename L>
inline constexpr int64_t kGroupOf = 64 / sizeof(L);

// Calls pool(side) with the side of the squares that cover n elements: wide ones, or narrow ones, or lanes.
template <typename L, class F>
HWY_INLINE void WithSide(int64_t n, const F& pool) {
  constexpr std::integral_constant<int64_t, kWideSide<L>> kWide;
  constexpr std::integral_constant<int64_t, kNarrowSide<L>> kNarrow;
  if (n >= kWide()) return pool(kWide);
  if (n >= kNarrow()) return pool(kNarrow);
  pool(std::integral_constant<int64_t, 1>());
}

// to[i * kGroup + p] = enter(d, run(p)[i]) for i < n and p < kGroup.
template <int64_t kGroup, typename L, class Run, class F>
HWY_INLINE void GatherRuns(const Run& run, int64_t n, L* to, const F& enter) {
  WithSide<L>(n, [=](auto side) HWY_ATTR {
    const hn::CappedTag<L, side()> d;
    for (int64_t i = 0; i < n; i += side()) {
      const int64_t begin = std::min(i, n - side());  // the last one overlaps the one before
      for (int64_t p = 0; p < kGroup; p += side()) {
        const auto row = [=](int64_t q) { return run(p + q) + begin; };
        L* const cell = to + begin * kGroup + p;
        for (int64_t c = 0; c < side(); c += kColumns<side(), L>) {
          hn::Vec<decltype(d)> v[kColumns<side(), L>];
          LoadColumns<side()>(d, row, c, v);
          for (int64_t k = 0; k < kColumns<side(), L>; ++k) hn::Store(enter(d, v[k]), d, cell + (c + k) * kGroup);
        }
      }
    }
  });
}

// Elements [i, i + kSide) of ScatterPlanes.
template <int64_t kGroup, int64_t kSide, typename L, class F>
HWY_INLINE void ScatterSquares(const L* from, int64_t planes, int64_t i, const F store) {
  const hn::CappedTag<L, kSide> d;
  for (int64_t p = 0; p < planes; p += kSide) {
    const auto row = [cell = from + i * kGroup + p](int64_t q) { return cell + q * kGroup; };
    for (int64_t c = 0; c < kSide; c += kColumns<kSide, L>) {
      hn::Vec<decltype(d)> v[kColumns<kSide, L>];
      LoadColumns<kSide>(d, row, c, v);
      for (int64_t k = 0; k < kColumns<kSide, L>; ++k) {
        if (p + c + k < planes) store(d, v[k], p + c + k, i);
      }
    }
  }
}

// Calls store(d, v, p, i) with a vector of the elements of plane p from i on, for all i < n and p < planes, where
// element i of the planes begins at from[i * kGroup]; some are stored more than once.
template <int64_t kGroup, typename L, class F>
HWY_INLINE void ScatterPlanes(const L* from, int64_t n, int64_t planes, const F store) {
  WithSide<L>(n, [=](auto side) HWY_ATTR {
    for (int64_t i = 0; i < n; i += side()) {
      const int64_t begin = std::min(i, n - side());  // the last one overlaps the one before
      ScatterSquares<kGroup, side()>(from, planes, begin, store);
    }
  });
}

}  // namespace
}  // namespace HWY_NAMESPACE
}  // namespace poolproof::optimized
HWY_AFTER_NAMESPACE();

#endif  // per-target guard
