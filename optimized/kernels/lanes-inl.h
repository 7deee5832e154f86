// Vector helpers for one target. Included once per target by the kernel files.
#if defined(POOLPROOF_OPTIMIZED_KERNELS_LANES_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef POOLPROOF_OPTIMIZED_KERNELS_LANES_INL_H_
#undef POOLPROOF_OPTIMIZED_KERNELS_LANES_INL_H_
#else
#define POOLPROOF_OPTIMIZED_KERNELS_LANES_INL_H_
#endif

#include <algorithm>
#include <cstdint>
#include <limits>
#include <type_traits>

#include "hwy/cache_control.h"
#include "hwy/highway.h"
#include "optimized/kernels/rows.h"

// Not where a vector is a single lane or a loop.
#undef POOLPROOF_HAS_VECTORS
#if HWY_TARGET == HWY_SCALAR || HWY_TARGET == HWY_EMU128
#define POOLPROOF_HAS_VECTORS 0
#else
#define POOLPROOF_HAS_VECTORS 1
#endif

HWY_BEFORE_NAMESPACE();
namespace poolproof::optimized {
namespace HWY_NAMESPACE {
namespace {

namespace hn = hwy::HWY_NAMESPACE;

// Memory is read before it is written. What is written in order is asked for this many vectors ahead.
inline constexpr int64_t kVectorsAhead = 16;

template <typename L>
constexpr L IdentityOfMax() {
  if constexpr (std::numeric_limits<L>::has_infinity) {
    return -std::numeric_limits<L>::infinity();
  } else {
    return std::numeric_limits<L>::lowest();
  }
}

// f16 or bf16 to integers of the same order and back: the bits below the sign are flipped where it is set.
template <class V>
HWY_INLINE V FlipHalf(V v) {
  return hn::Xor(v, hn::And(hn::ShiftRight<15>(v), hn::Set(hn::DFromV<V>(), int16_t{0x7FFF})));
}

// The larger one, `first` where they are equal; neither is NaN.
template <class V>
HWY_INLINE V MaxOf(V first, V second) {
  // MAXPS and its kin return their second operand for equal values; the loops of other targets choose otherwise.
  constexpr bool kSecond = HWY_ARCH_X86 && POOLPROOF_HAS_VECTORS;
  if constexpr (hwy::IsFloat<hn::TFromV<V>>() && !kSecond) {
    return hn::IfThenElse(hn::Gt(second, first), second, first);
  } else {
    return hn::Max(second, first);
  }
}

// A vector of memory that is read once: otherwise g++ reads it again for each use, which takes longer where it is not
// aligned.
template <class D, typename L>
HWY_INLINE hn::VFromD<D> LoadOnce(D d, const L* p) {
  auto v = hn::LoadU(d, p);
#if HWY_ARCH_X86 && POOLPROOF_HAS_VECTORS
  asm("" : "+v"(v.raw));
#endif
  return v;
}

// Elements at even and at odd positions of two vectors that follow each other.
template <class D, class V>
HWY_INLINE void Split([[maybe_unused]] D d, V low, V high, V& even, V& odd) {
  even = low;
  odd = high;
#if HWY_TARGET != HWY_SCALAR
  if constexpr (hn::MaxLanes(D()) > 1) {
    even = hn::ConcatEven(d, high, low);
    odd = hn::ConcatOdd(d, high, low);
  }
#endif
}

// Brings together what the taps of neighbouring windows read: phases[q * phase_length + i] =
// row[i * stride + q] for the phases q that are used and as many i as are read.
template <typename L>
HWY_INLINE void SplitPhases(const L* row, const RowShape& shape, L* phases) {
  const hn::ScalableTag<L> d;
  const int64_t n = static_cast<int64_t>(hn::Lanes(d));
  const int64_t count = RoundUp(RoundUp(shape.out_lanes, n) + (shape.taps - 1) * shape.step / shape.stride + 1, n);
  if (shape.stride == 3 || shape.stride == 4) {
    for (int64_t i = 0; i < count; i += n) {
      hn::Vec<decltype(d)> v[4];
      if (shape.stride == 3) {
        hn::LoadInterleaved3(d, row + 3 * i, v[0], v[1], v[2]);
      } else {
        hn::LoadInterleaved4(d, row + 4 * i, v[0], v[1], v[2], v[3]);
        hn::StoreU(v[3], d, phases + 3 * shape.phase_length + i);
      }
      for (int64_t q = 0; q < 3; ++q) hn::StoreU(v[q], d, phases + q * shape.phase_length + i);
    }
    return;
  }
  const int64_t used = shape.step == 1 ? std::min(shape.stride, shape.taps) : shape.stride;
  for (int64_t q = 0; q < used; ++q) {
    L* phase = phases + q * shape.phase_length;
    for (int64_t i = 0; i < count; ++i) phase[i] = row[i * shape.stride + q];
  }
}

// Calls f(taps) with the number as a constant where it is 1, 2, 3 or 5, otherwise with 0.
template <class F>
HWY_INLINE auto WithTaps(int64_t taps, const F& f) {
  switch (taps) {
    case 1: return f(std::integral_constant<int, 1>());
    case 2: return f(std::integral_constant<int, 2>());
    case 3: return f(std::integral_constant<int, 3>());
    case 5: return f(std::integral_constant<int, 5>());
    default: return f(std::integral_constant<int, 0>());
  }
}

// NaN where one of the first `count` lanes is not finite.
template <class D, class V>
HWY_INLINE V NotFinite(D d, V v, int64_t count) {
  const V difference = hn::Sub(v, v);
  if (count >= static_cast<int64_t>(hn::Lanes(d))) return difference;
  return hn::IfThenElseZero(hn::FirstN(d, static_cast<size_t>(count)), difference);
}

}  // namespace
}  // namespace HWY_NAMESPACE
}  // namespace poolproof::optimized
HWY_AFTER_NAMESPACE();

#endif  // per-target guard
