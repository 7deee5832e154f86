// Squares of lanes in memory, transposed while they are loaded, for one target.
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

}  // namespace
}  // namespace HWY_NAMESPACE
}  // namespace poolproof::optimized
HWY_AFTER_NAMESPACE();

#endif  // per-target guard
