// Conversion of the two 16-bit float formats, bit by bit. The reference has its own so that a wrong
// conversion in a library that computes with them cannot hide behind the same one here.
//
//   f16   IEEE 754 binary16: 1 sign, 5 exponent and 10 fraction bits
//   bf16  the upper half of an f32: 1 sign, 8 exponent and 7 fraction bits
#pragma once

#include <bit>
#include <cstdint>

namespace poolproof::reference {

// The value of an f16, exactly. A NaN keeps its sign and payload, in the upper bits.
inline float HalfToFloat(uint16_t half) {
  const uint32_t sign = (half & 0x8000u) << 16;
  const uint32_t exponent = (half >> 10) & 0x1Fu;
  const uint32_t fraction = half & 0x3FFu;
  if (exponent == 0x1F) return std::bit_cast<float>(sign | 0x7F800000u | (fraction << 13));
  if (exponent != 0) {
    // 127 - 15: the difference of the exponent biases.
    return std::bit_cast<float>(sign | ((exponent + 112) << 23) | (fraction << 13));
  }
  // Subnormal: fraction counts units of 2^-24, which f32 holds exactly.
  const float magnitude = static_cast<float>(fraction) * 0x1p-24f;
  return std::bit_cast<float>(std::bit_cast<uint32_t>(magnitude) | sign);
}

// The value of a bf16, exactly.
inline float Bfloat16ToFloat(uint16_t bits) { return std::bit_cast<float>(static_cast<uint32_t>(bits) << 16); }

// `value` to the nearest f16 or bf16, ties to even, in one rounding. Too large a magnitude gives
// infinity, NaN gives a quiet NaN, zero keeps its sign.
uint16_t RoundToHalf(long double value);
uint16_t RoundToBfloat16(long double value);

}  // namespace poolproof::reference
