// Element types: how each is stored, what value it has, and one dispatch from the run-time type.
#pragma once

#include <bit>
#include <cassert>
#include <cstdint>
#include <initializer_list>
#include <limits>
#include <type_traits>

#include "conformance/backend.h"
#include "reference/half.h"

namespace poolproof::reference {

// Every element type E has
//   Stored          what lies in a tensor
//   Value           a type that holds every value exactly and orders them
//   Load            Stored to Value
//   kLowest         the lowest finite value as stored
//   kZero           zero as stored
// and a float type also
//   kMinusInfinity  as stored
//   kDigits         significand bits; the unit round-off is 2^-kDigits
//   kMinExponent    the smallest positive value is 2^(kMinExponent - kDigits)
//   kMaxExponent    finite values are below 2^kMaxExponent
//   Round           a long double to the nearest Stored, ties to even
template <typename T>
struct Integer {
  using Stored = T;
  using Value = T;
  static constexpr bool kIsFloat = false;
  static constexpr T kLowest = std::numeric_limits<T>::lowest();
  static constexpr T kZero = 0;
  static constexpr T Load(T stored) { return stored; }
};

template <typename T>
struct Ieee {
  using Stored = T;
  using Value = T;
  static constexpr bool kIsFloat = true;
  static constexpr T kLowest = std::numeric_limits<T>::lowest();
  static constexpr T kZero = 0;
  static constexpr T kMinusInfinity = -std::numeric_limits<T>::infinity();
  static constexpr int kDigits = std::numeric_limits<T>::digits;
  static constexpr int kMinExponent = std::numeric_limits<T>::min_exponent;
  static constexpr int kMaxExponent = std::numeric_limits<T>::max_exponent;
  static constexpr T Load(T stored) { return stored; }
  static T Round(long double value) { return static_cast<T>(value); }
};

struct Half {
  using Stored = uint16_t;
  using Value = float;
  static constexpr bool kIsFloat = true;
  static constexpr uint16_t kLowest = 0xFBFF;
  static constexpr uint16_t kZero = 0;
  static constexpr uint16_t kMinusInfinity = 0xFC00;
  static constexpr int kDigits = 11;
  static constexpr int kMinExponent = -13;
  static constexpr int kMaxExponent = 16;
  static float Load(uint16_t stored) { return HalfToFloat(stored); }
  static uint16_t Round(long double value) { return RoundToHalf(value); }
};

struct Bfloat16 {
  using Stored = uint16_t;
  using Value = float;
  static constexpr bool kIsFloat = true;
  static constexpr uint16_t kLowest = 0xFF7F;
  static constexpr uint16_t kZero = 0;
  static constexpr uint16_t kMinusInfinity = 0xFF80;
  static constexpr int kDigits = 8;
  static constexpr int kMinExponent = -125;
  static constexpr int kMaxExponent = 128;
  static float Load(uint16_t stored) { return Bfloat16ToFloat(stored); }
  static uint16_t Round(long double value) { return RoundToBfloat16(value); }
};

// Calls visit(E{}) with the element type of `type`, which must be one. visit returns the same type
// for all.
template <typename Visit>
auto VisitElementType(poolproof_element_type type, Visit visit) {
  switch (type) {
    case POOLPROOF_F64: return visit(Ieee<double>{});
    case POOLPROOF_F32: return visit(Ieee<float>{});
    case POOLPROOF_F16: return visit(Half{});
    case POOLPROOF_BF16: return visit(Bfloat16{});
    case POOLPROOF_FX8:
    case POOLPROOF_I8: return visit(Integer<int8_t>{});
    case POOLPROOF_U8: return visit(Integer<uint8_t>{});
    case POOLPROOF_FX16:
    case POOLPROOF_I16: return visit(Integer<int16_t>{});
    case POOLPROOF_U16: return visit(Integer<uint16_t>{});
    case POOLPROOF_I32: return visit(Integer<int32_t>{});
    case POOLPROOF_U32: return visit(Integer<uint32_t>{});
    case POOLPROOF_I64: return visit(Integer<int64_t>{});
    default: assert(type == POOLPROOF_U64); return visit(Integer<uint64_t>{});
  }
}

// A set of element types, as the documents of the operators name them.
class ElementTypes {
 public:
  constexpr ElementTypes(std::initializer_list<poolproof_element_type> types) {
    for (const poolproof_element_type type : types) bits_ |= 1u << type;
  }
  constexpr bool Has(poolproof_element_type type) const {
    return type >= 0 && type < 32 && ((bits_ >> type) & 1u) != 0;
  }

 private:
  uint32_t bits_ = 0;
};
inline constexpr ElementTypes kFloats = {POOLPROOF_F64, POOLPROOF_F32, POOLPROOF_F16, POOLPROOF_BF16};
inline constexpr ElementTypes kFloatsAndIntegers = {POOLPROOF_F64, POOLPROOF_F32, POOLPROOF_F16, POOLPROOF_BF16,
                                                    POOLPROOF_I8,  POOLPROOF_U8,  POOLPROOF_I16, POOLPROOF_U16,
                                                    POOLPROOF_I32, POOLPROOF_U32, POOLPROOF_I64, POOLPROOF_U64};
inline constexpr ElementTypes kAllTypes = {POOLPROOF_F64, POOLPROOF_F32, POOLPROOF_F16, POOLPROOF_BF16, POOLPROOF_I8,
                                           POOLPROOF_U8,  POOLPROOF_I16, POOLPROOF_U16, POOLPROOF_I32,  POOLPROOF_U32,
                                           POOLPROOF_I64, POOLPROOF_U64, POOLPROOF_FX8, POOLPROOF_FX16};
inline constexpr ElementTypes kIndexTypes = {POOLPROOF_I32, POOLPROOF_I64};

// "f32", "fx8"; "?" for a value that is no element type.
const char* ElementTypeName(poolproof_element_type type);

}  // namespace poolproof::reference
