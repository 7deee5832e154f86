// A number known at run time as a constant, for loops over a few rows or taps.
#ifndef POOLPROOF_OPTIMIZED_KERNELS_UNROLLED_H_
#define POOLPROOF_OPTIMIZED_KERNELS_UNROLLED_H_

#include <cstdint>
#include <type_traits>

namespace poolproof::optimized {

// Up to this many have a loop of their own; so have the rows of windows of 2x3, 2x2x2 and 3x3.
inline constexpr int kUnrolled = 5;
inline bool IsUnrolled(int64_t count) {
  return (count > 0 && count <= kUnrolled) || count == 6 || count == 8 || count == 9;
}

// Calls f with `count` as a std::integral_constant, for 1 <= count <= kUnrolled.
template <class F>
inline __attribute__((always_inline)) void Unrolled(int64_t count, const F& f) {
  switch (count) {
    case 1: return f(std::integral_constant<int, 1>());
    case 2: return f(std::integral_constant<int, 2>());
    case 3: return f(std::integral_constant<int, 3>());
    case 4: return f(std::integral_constant<int, 4>());
    default: return f(std::integral_constant<int, 5>());
  }
}

// The same for every count for which IsUnrolled.
template <class F>
inline __attribute__((always_inline)) void UnrolledRows(int64_t count, const F& f) {
  switch (count) {
    case 6: return f(std::integral_constant<int, 6>());
    case 8: return f(std::integral_constant<int, 8>());
    case 9: return f(std::integral_constant<int, 9>());
    default: return Unrolled(count, f);
  }
}

}  // namespace poolproof::optimized

#endif  // POOLPROOF_OPTIMIZED_KERNELS_UNROLLED_H_
