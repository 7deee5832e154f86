// f16 and bf16 as bits, one element at a time.
#pragma once

#include <bit>
#include <cstdint>

namespace poolproof::optimized {

struct F16 {
  uint16_t bits;
};
struct BF16 {
  uint16_t bits;
};

inline float ToFloat(BF16 x) { return std::bit_cast<float>(uint32_t{x.bits} << 16); }

// Exact for every value; NaN stays NaN.
inline float ToFloat(F16 x) {
  const uint32_t magnitude = x.bits & 0x7FFFu;
  const uint32_t sign = (x.bits & 0x8000u) << 16;
  uint32_t bits;
  if (magnitude >= 0x7C00u) {
    bits = 0x7F800000u | (magnitude << 13);
  } else if (magnitude >= 0x0400u) {
    bits = (magnitude << 13) + (112u << 23);
  } else {
    bits = std::bit_cast<uint32_t>(static_cast<float>(magnitude) * 0x1p-24f);
  }
  return std::bit_cast<float>(bits | sign);
}

// Both round to nearest, ties to even; overflow gives infinity.
inline BF16 ToBF16(float x) {
  const uint32_t bits = std::bit_cast<uint32_t>(x);
  if ((bits & 0x7FFFFFFFu) > 0x7F800000u) return {static_cast<uint16_t>((bits >> 16) | 0x40u)};
  return {static_cast<uint16_t>((bits + 0x7FFFu + ((bits >> 16) & 1u)) >> 16)};
}

inline F16 ToF16(float x) {
  const uint32_t bits = std::bit_cast<uint32_t>(x);
  const uint32_t sign = (bits >> 16) & 0x8000u;
  const uint32_t magnitude = bits & 0x7FFFFFFFu;
  uint32_t half;
  if (magnitude > 0x7F800000u) {
    half = 0x7E00u;
  } else if (magnitude >= 0x477FF000u) {  // 65520 and above
    half = 0x7C00u;
  } else if (magnitude >= 0x38800000u) {  // normal in f16
    half = (magnitude - (112u << 23) + 0xFFFu + ((magnitude >> 13) & 1u)) >> 13;
  } else {
    // Adding 0.5 leaves the subnormal as the last bits of the sum, rounded by the addition.
    const float shifted = std::bit_cast<float>(magnitude) + 0.5f;
    half = std::bit_cast<uint32_t>(shifted) - 0x3F000000u;
  }
  return {static_cast<uint16_t>(sign | half)};
}

}  // namespace poolproof::optimized
