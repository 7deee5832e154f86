// Groups of planes with a lane per plane, for one target: [plane][element] to [element][plane] and back.
#if defined(POOLPROOF_OPTIMIZED_KERNELS_PLANE_SQUARES_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef POOLPROOF_OPTIMIZED_KERNELS_PLANE_SQUARES_INL_H_
#undef POOLPROOF_OPTIMIZED_KERNELS_PLANE_SQUARES_INL_H_
#else
#define POOLPROOF_OPTIMIZED_KERNELS_PLANE_SQUARES_INL_H_
#endif

#include <algorithm>
#include <type_traits>

#include "optimized/kernels/lane_forms-inl.h"
#include "optimized/kernels/squares-inl.h"

HWY_BEFORE_NAMESPACE();
namespace poolproof::optimized {
namespace HWY_NAMESPACE {
namespace {

// Planes of a group, on every target.
template <typename L>
inline constexpr int64_t kGroupOf = 64 / sizeof(L);

// Calls squares(i, side) for squares that cover the elements [0, n): wide ones, or narrow ones, or lanes.
template <typename L, class F>
HWY_INLINE void ForSquaresOf(int64_t n, const F& squares) {
  constexpr std::integral_constant<int64_t, kWideSide<L>> wide;
  constexpr std::integral_constant<int64_t, kNarrowSide<L>> narrow;
  if (n >= wide()) {
    for (int64_t i = 0; i + wide() <= n; i += wide()) squares(i, wide);
    // The last one overlaps the one before.
    if (n % wide() != 0) squares(n - wide(), wide);
  } else if (n >= narrow()) {
    for (int64_t i = 0; i + narrow() <= n; i += narrow()) squares(i, narrow);
    if (n % narrow() != 0) squares(n - narrow(), narrow);
  } else {
    for (int64_t i = 0; i < n; ++i) squares(i, std::integral_constant<int64_t, 1>());
  }
}

// Elements [i, i + kSide) of GatherPlanes.
template <int64_t kSide, typename L, class F>
HWY_INLINE void GatherSquares(const L* from, int64_t n, int64_t planes, int64_t i, L* to, const F& see) {
  constexpr int64_t kGroup = kGroupOf<L>;
  const hn::CappedTag<L, kSide> d;
  for (int64_t p = 0; p < kGroup; p += kSide) {
    hn::Vec<decltype(d)> v[kSide];
    for (int64_t q = 0; q < kSide; ++q) v[q] = hn::LoadU(d, from + std::min(p + q, planes - 1) * n + i);
    see(d, v, std::integral_constant<int64_t, kSide>());
    if constexpr (kSide > 1) TransposeSquare<kSide>(d, v);
    for (int64_t q = 0; q < kSide; ++q) hn::Store(v[q], d, to + (i + q) * kGroup + p);
  }
}

// to[i * kGroupOf<L> + p] = from[p * n + i] for i < n and p < planes; other lanes repeat the last plane. Calls
// see(d, v, side) with every `side` vectors v[] that were read.
template <typename L, class F>
HWY_INLINE void GatherPlanes(const L* from, int64_t n, int64_t planes, L* to, const F& see) {
  ForSquaresOf<L>(n, [&](int64_t i, auto side) HWY_ATTR {
    // Of constant number, planes are found quicker.
    if (planes == kGroupOf<L>) return GatherSquares<side()>(from, n, kGroupOf<L>, i, to, see);
    GatherSquares<side()>(from, n, planes, i, to, see);
  });
}

// The same; returns whether a floating lane is of larger magnitude than `most`, or NaN.
template <typename L>
HWY_INLINE bool GatherPlanesBelow(const L* from, int64_t n, int64_t planes, [[maybe_unused]] L most, L* to) {
  bool above = false;
  GatherPlanes(from, n, planes, to, [&above, most](auto d, const auto* v, auto side) HWY_ATTR {
    if constexpr (hwy::IsFloat<L>()) {
      auto largest = MagnitudeBits(v[0]);
      for (int64_t q = 1; q < side(); ++q) largest = hn::Max(largest, MagnitudeBits(v[q]));
      above |= IsNanMagnitude(d, largest, most);
    }
  });
  return above;
}

// Elements [i, i + kSide) of ScatterPlanes.
template <int64_t kSide, typename L, class M, class F>
HWY_INLINE void ScatterSquares(const L* from, int64_t planes, int64_t i, const M make, const F store) {
  constexpr int64_t kGroup = kGroupOf<L>;
  const hn::CappedTag<L, kSide> d;
  for (int64_t p = 0; p < planes; p += kSide) {
    hn::Vec<decltype(d)> v[kSide];
    for (int64_t q = 0; q < kSide; ++q) v[q] = make(d, hn::Load(d, from + (i + q) * kGroup + p), i + q);
    if constexpr (kSide > 1) TransposeSquare<kSide>(d, v);
    // Of constant length, for the vectors to stay in registers.
    for (int64_t q = 0; q < kSide; ++q) {
      if (p + q < planes) store(d, v[q], p + q, i);
    }
  }
}

// Calls store(d, v, p, i) with a vector of the elements of plane p from i on, for all i < n and p < planes, after
// make(d, v, i) made of the vector of element i of planes what is to be stored; some are made more than once.
template <typename L, class M, class F>
HWY_INLINE void ScatterPlanes(const L* from, int64_t n, int64_t planes, const M& make, const F& store) {
  ForSquaresOf<L>(n, [=](int64_t i, auto side) HWY_ATTR {
    // Of constant number, planes are found quicker.
    if (planes == kGroupOf<L>) return ScatterSquares<side()>(from, kGroupOf<L>, i, make, store);
    ScatterSquares<side()>(from, planes, i, make, store);
  });
}
// As they are.
template <typename L, class F>
HWY_INLINE void ScatterPlanes(const L* from, int64_t n, int64_t planes, const F& store) {
  ScatterPlanes(from, n, planes, [](auto, auto v, int64_t) HWY_ATTR { return v; }, store);
}

}  // namespace
}  // namespace HWY_NAMESPACE
}  // namespace poolproof::optimized
HWY_AFTER_NAMESPACE();

#endif  // per-target guard
