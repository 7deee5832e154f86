// The values that fills are made of, for each element type as a C++ type of its own.
#pragma once

#include <bit>
#include <cmath>
#include <concepts>
#include <cstdint>
#include <limits>
#include <type_traits>

namespace poolproof::fill {

// Spreads a counter over 32 (64) bits: a bijection, so different elements get different words.
constexpr uint32_t Mix(uint32_t x) {
  x ^= x >> 16;
  x *= 0x21f0aaadu;
  x ^= x >> 15;
  x *= 0x735a2d97u;
  return x ^ (x >> 15);
}
constexpr uint64_t Mix64(uint64_t x) {
  x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9u;
  x = (x ^ (x >> 27)) * 0x94d049bb133111ebu;
  return x ^ (x >> 31);
}

// f16 and bf16 as bit patterns.
template <int kExponentBits>
struct HalfBits {
  static constexpr int kFraction = 15 - kExponentBits;
  static constexpr uint16_t kInfinity = ((1u << kExponentBits) - 1u) << kFraction;
  static constexpr int kExactBits = kFraction + 2;  // integers of that many bits, sign included
  uint16_t bits;

  // Exact for |value| <= 2^(kFraction + 1).
  static constexpr HalfBits FromInt(int32_t value) {
    const uint32_t single = std::bit_cast<uint32_t>(static_cast<float>(value));
    const uint32_t bias = (127u - ((1u << (kExponentBits - 1)) - 1u)) << 23;
    const uint32_t magnitude = value == 0 ? 0 : ((single & 0x7fffffffu) - bias);
    return {static_cast<uint16_t>((single >> 31 << 15) | (magnitude >> (23 - kFraction)))};
  }
};
using F16 = HalfBits<5>;
using Bf16 = HalfBits<8>;

template <typename T>
inline constexpr bool kIsHalf = std::is_same_v<T, F16> || std::is_same_v<T, Bf16>;
template <typename T>
inline constexpr bool kIsFloat = kIsHalf<T> || std::floating_point<T>;

template <typename T>
constexpr T FromInt(int32_t value) {
  if constexpr (kIsHalf<T>) {
    return T::FromInt(value);
  } else {
    return static_cast<T>(value);
  }
}

// Highest finite value; with `steps`, that many representable values below it.
template <typename T>
constexpr T Highest(unsigned steps = 0) {
  if constexpr (kIsHalf<T>) {
    return {static_cast<uint16_t>(T::kInfinity - 1u - steps)};
  } else if constexpr (std::is_same_v<T, float>) {
    return std::bit_cast<float>(0x7f7fffffu - steps);
  } else if constexpr (std::is_same_v<T, double>) {
    return std::bit_cast<double>(uint64_t{0x7fefffffffffffff} - steps);
  } else {
    return static_cast<T>(std::numeric_limits<T>::max() - static_cast<T>(steps));
  }
}

template <typename T>
constexpr T Negate(T value) {
  if constexpr (kIsHalf<T>) {
    return {static_cast<uint16_t>(value.bits ^ 0x8000u)};
  } else {
    return static_cast<T>(-value);
  }
}

// Lowest finite value; with `steps`, that many representable values above it.
template <typename T>
constexpr T Lowest(unsigned steps = 0) {
  if constexpr (kIsFloat<T>) {
    return Negate(Highest<T>(steps));
  } else {
    return static_cast<T>(std::numeric_limits<T>::lowest() + static_cast<T>(steps));
  }
}

template <typename T>
constexpr T MinusInfinity() {  // integers: lowest
  if constexpr (kIsHalf<T>) {
    return {static_cast<uint16_t>(0x8000u | T::kInfinity)};
  } else if constexpr (std::floating_point<T>) {
    return -std::numeric_limits<T>::infinity();
  } else {
    return Lowest<T>();
  }
}

template <typename T>
constexpr T QuietNan() {
  if constexpr (kIsHalf<T>) {
    return {static_cast<uint16_t>(T::kInfinity | (1u << (T::kFraction - 1)))};
  } else {
    return std::numeric_limits<T>::quiet_NaN();
  }
}

// Any finite value from random bits: the exponent field of infinity is made smaller.
template <typename T>
constexpr T AnyFinite(uint64_t random) {
  if constexpr (kIsHalf<T>) {
    const auto bits = static_cast<uint16_t>(random);
    const bool finite = (bits & T::kInfinity) != T::kInfinity;
    return {finite ? bits : static_cast<uint16_t>(bits ^ (1u << T::kFraction))};
  } else if constexpr (std::is_same_v<T, float>) {
    const auto bits = static_cast<uint32_t>(random);
    return std::bit_cast<float>((~bits & 0x7f800000u) != 0 ? bits : bits ^ 0x00800000u);
  } else if constexpr (std::is_same_v<T, double>) {
    constexpr uint64_t kInfinity = 0x7ff0000000000000;
    return std::bit_cast<double>((~random & kInfinity) != 0 ? random : random ^ 0x0010000000000000);
  } else {
    return static_cast<T>(random);
  }
}

// A value with a full significand in (-2, 2): means that have to be rounded.
template <typename T>
constexpr T Moderate(uint64_t random) {
  if constexpr (kIsHalf<T>) {
    const uint32_t fraction = random & ((1u << T::kFraction) - 1u);
    const uint32_t one = ((1u << (15 - T::kFraction - 1)) - 1u) << T::kFraction;
    const uint32_t smaller = static_cast<uint32_t>((random >> 20) & 3u) << T::kFraction;
    return {static_cast<uint16_t>(((random >> 32 & 1u) << 15) | (fraction + one - smaller))};
  } else if constexpr (std::floating_point<T>) {
    return static_cast<T>(static_cast<double>(static_cast<int64_t>(random)) * 0x1p-62);
  } else {
    return static_cast<T>(random);
  }
}

}  // namespace poolproof::fill
