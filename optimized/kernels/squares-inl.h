// Squares of lanes, transposed in registers, for one target.
#if defined(POOLPROOF_OPTIMIZED_KERNELS_SQUARES_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef POOLPROOF_OPTIMIZED_KERNELS_SQUARES_INL_H_
#undef POOLPROOF_OPTIMIZED_KERNELS_SQUARES_INL_H_
#else
#define POOLPROOF_OPTIMIZED_KERNELS_SQUARES_INL_H_
#endif

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

// Squares of 128-bit blocks within each vector: v[a] lane b and v[b] lane a change places.
template <class D, class V>
HWY_INLINE void TransposeBlocks(D d, V* v) {
  const V a = v[0], b = v[1];
  if constexpr (sizeof(hn::TFromD<D>) == 8) {
    v[0] = hn::InterleaveLower(d, a, b);
    v[1] = hn::InterleaveUpper(d, a, b);
  } else {
    const V c = v[2], e = v[3];
    const V low_even = hn::InterleaveLower(d, a, c), low_odd = hn::InterleaveLower(d, b, e);
    const V high_even = hn::InterleaveUpper(d, a, c), high_odd = hn::InterleaveUpper(d, b, e);
    v[0] = hn::InterleaveLower(d, low_even, low_odd);
    v[1] = hn::InterleaveUpper(d, low_even, low_odd);
    v[2] = hn::InterleaveLower(d, high_even, high_odd);
    v[3] = hn::InterleaveUpper(d, high_even, high_odd);
  }
}

// The same among whole blocks: block b of u[a * apart] and block a of u[b * apart], for 2 or 4 blocks.
template <int kBlocks, class D, class V>
HWY_INLINE void ExchangeBlocks(D d, V* u, int64_t apart) {
  V &a = u[0], &b = u[apart];
  if constexpr (kBlocks == 2) {
    const V low = hn::ConcatLowerLower(d, b, a);
    b = hn::ConcatUpperUpper(d, b, a);
    a = low;
  } else {
    V &c = u[2 * apart], &e = u[3 * apart];
    const V ab_even = hn::OddEvenBlocks(hn::SwapAdjacentBlocks(b), a);
    const V ab_odd = hn::OddEvenBlocks(b, hn::SwapAdjacentBlocks(a));
    const V ce_even = hn::OddEvenBlocks(hn::SwapAdjacentBlocks(e), c);
    const V ce_odd = hn::OddEvenBlocks(e, hn::SwapAdjacentBlocks(c));
    a = hn::ConcatLowerLower(d, ce_even, ab_even);
    b = hn::ConcatLowerLower(d, ce_odd, ab_odd);
    c = hn::ConcatUpperUpper(d, ce_even, ab_even);
    e = hn::ConcatUpperUpper(d, ce_odd, ab_odd);
  }
}

#endif  // POOLPROOF_SQUARE_BYTES

// v has kSide vectors of kSide lanes.
template <int64_t kSide, class D, class V>
HWY_INLINE void TransposeSquare(D d, V* v) {
#if POOLPROOF_SQUARE_BYTES != 0
  constexpr int64_t kQuad = kNarrowSide<hn::TFromD<D>>;
  constexpr int kBlocks = kSide / kQuad;
  for (int64_t q = 0; q < kBlocks; ++q) TransposeBlocks(d, v + q * kQuad);
  if constexpr (kBlocks > 1) {
    for (int64_t k = 0; k < kQuad; ++k) ExchangeBlocks<kBlocks>(d, v + k, kQuad);
  }
#else
  (void)d;
  (void)v;
#endif
}

}  // namespace
}  // namespace HWY_NAMESPACE
}  // namespace poolproof::optimized
HWY_AFTER_NAMESPACE();

#endif  // per-target guard
