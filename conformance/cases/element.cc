// Single elements of a tensor as exact numbers and as text. f16 and bf16 are converted here by
// arithmetic on their fields, so that the suite does not rely on the conversions it judges.
#include <bit>
#include <charconv>
#include <cmath>
#include <cstring>
#include <limits>
#include <optional>

#include "conformance/cases/decimal.h"
#include "conformance/cases/fill.h"
#include "conformance/cases/number.h"

namespace poolproof {
namespace {

// A binary16-like format: 1 sign bit, `exponent_bits`, the rest fraction.
struct HalfFormat {
  int exponent_bits;
  int fraction_bits;
  int Bias() const { return (1 << (exponent_bits - 1)) - 1; }
  unsigned Infinity() const { return ((1u << exponent_bits) - 1u) << fraction_bits; }
};
constexpr HalfFormat kF16{5, 10};
constexpr HalfFormat kBf16{8, 7};

Number FromHalf(HalfFormat format, uint16_t bits) {
  const bool negative = bits >> 15;
  const unsigned magnitude = bits & 0x7fffu;
  const int exponent = static_cast<int>(magnitude >> format.fraction_bits);
  const unsigned fraction = magnitude & ((1u << format.fraction_bits) - 1u);
  Number value;
  if (magnitude > format.Infinity()) {
    value = std::numeric_limits<Number>::quiet_NaN();
  } else if (magnitude == format.Infinity()) {
    value = std::numeric_limits<Number>::infinity();
  } else if (exponent == 0) {
    value = std::ldexp(static_cast<Number>(fraction), 1 - format.Bias() - format.fraction_bits);
  } else {
    const unsigned significand = fraction | (1u << format.fraction_bits);
    value = std::ldexp(static_cast<Number>(significand), exponent - format.Bias() - format.fraction_bits);
  }
  return std::copysign(value, negative ? -1.0L : 1.0L);
}

// Rounds to nearest, ties to even: the fraction is scaled to an integer and rounded there. A carry
// out of the fraction carries into the exponent, up to infinity.
uint16_t ToHalf(HalfFormat format, Number value) {
  const unsigned sign = std::signbit(value) ? 0x8000u : 0u;
  const Number magnitude = std::fabs(value);
  if (std::isnan(value)) {
    return static_cast<uint16_t>(sign | format.Infinity() | (1u << (format.fraction_bits - 1)));
  }
  if (std::isinf(value)) return static_cast<uint16_t>(sign | format.Infinity());
  if (magnitude == 0) return static_cast<uint16_t>(sign);
  const int lowest_exponent = 1 - format.Bias();
  const int exponent = std::max(std::ilogb(magnitude), lowest_exponent);
  if (exponent > format.Bias()) return static_cast<uint16_t>(sign | format.Infinity());
  const Number scaled = std::nearbyint(std::ldexp(magnitude, format.fraction_bits - exponent));
  const unsigned steps = static_cast<unsigned>(exponent - lowest_exponent) << format.fraction_bits;
  return static_cast<uint16_t>(sign | (steps + static_cast<unsigned>(scaled)));
}

template <typename T>
T Load(const void* data, int64_t i) {
  T value;
  std::memcpy(&value, static_cast<const std::byte*>(data) + i * int64_t{sizeof(T)}, sizeof(T));
  return value;
}

template <typename T>
bool Store(T value, void* data, int64_t i) {
  std::memcpy(static_cast<std::byte*>(data) + i * int64_t{sizeof(T)}, &value, sizeof(T));
  return true;
}

template <typename T>
bool StoreInteger(Number value, void* data, int64_t i) {
  // NaN fails both comparisons. Number holds the limits of every integer type exactly.
  const bool inside = value >= static_cast<Number>(std::numeric_limits<T>::lowest()) &&
                      value <= static_cast<Number>(std::numeric_limits<T>::max());
  if (!inside || std::trunc(value) != value) return false;
  return Store(static_cast<T>(value), data, i);
}

}  // namespace

Number ElementAsNumber(poolproof_element_type type, const void* data, int64_t i) {
  switch (type) {
    case POOLPROOF_F64: return Load<double>(data, i);
    case POOLPROOF_F32: return Load<float>(data, i);
    case POOLPROOF_F16: return FromHalf(kF16, Load<uint16_t>(data, i));
    case POOLPROOF_BF16: return FromHalf(kBf16, Load<uint16_t>(data, i));
    case POOLPROOF_I8:
    case POOLPROOF_FX8: return Load<int8_t>(data, i);
    case POOLPROOF_U8: return Load<uint8_t>(data, i);
    case POOLPROOF_I16:
    case POOLPROOF_FX16: return Load<int16_t>(data, i);
    case POOLPROOF_U16: return Load<uint16_t>(data, i);
    case POOLPROOF_I32: return Load<int32_t>(data, i);
    case POOLPROOF_U32: return Load<uint32_t>(data, i);
    case POOLPROOF_I64: return static_cast<Number>(Load<int64_t>(data, i));
    case POOLPROOF_U64: return static_cast<Number>(Load<uint64_t>(data, i));
    default: return std::numeric_limits<Number>::quiet_NaN();
  }
}

bool StoreElement(poolproof_element_type type, Number value, void* data, int64_t i) {
  switch (type) {
    case POOLPROOF_F64: return Store(static_cast<double>(value), data, i);
    case POOLPROOF_F32: return Store(static_cast<float>(value), data, i);
    case POOLPROOF_F16: return Store(ToHalf(kF16, value), data, i);
    case POOLPROOF_BF16: return Store(ToHalf(kBf16, value), data, i);
    case POOLPROOF_I8:
    case POOLPROOF_FX8: return StoreInteger<int8_t>(value, data, i);
    case POOLPROOF_U8: return StoreInteger<uint8_t>(value, data, i);
    case POOLPROOF_I16:
    case POOLPROOF_FX16: return StoreInteger<int16_t>(value, data, i);
    case POOLPROOF_U16: return StoreInteger<uint16_t>(value, data, i);
    case POOLPROOF_I32: return StoreInteger<int32_t>(value, data, i);
    case POOLPROOF_U32: return StoreInteger<uint32_t>(value, data, i);
    case POOLPROOF_I64: return StoreInteger<int64_t>(value, data, i);
    case POOLPROOF_U64: return StoreInteger<uint64_t>(value, data, i);
    default: return false;
  }
}

std::string ElementAsText(poolproof_element_type type, const void* data, int64_t i) {
  const Number value = ElementAsNumber(type, data, i);
  std::string text;
  // A problem line has whole numbers in full; to be read, 1e+18 is better.
  if (IsFloat(type) && std::isfinite(value) && value != 0) {
    char buffer[32];
    const auto end = type == POOLPROOF_F64 ? std::to_chars(buffer, std::end(buffer), static_cast<double>(value))
                                           : std::to_chars(buffer, std::end(buffer), static_cast<float>(value));
    return std::string(buffer, end.ptr);
  }
  AppendNumber(type, std::isnan(value) ? std::fabs(value) : value, &text);
  return text;
}

void AppendNumber(poolproof_element_type type, Number value, std::string* out) {
  char buffer[64];
  std::to_chars_result end{};
  if (std::isnan(value)) {
    *out += std::signbit(value) ? "-nan" : "nan";
    return;
  }
  if (std::isinf(value)) {
    *out += value < 0 ? "-inf" : "inf";
    return;
  }
  if (value == 0) {
    *out += std::signbit(value) ? "-0.0" : "0";
    return;
  }
  if (std::fabs(value) < 0x1p64L && std::trunc(value) == value) {
    char* digits = buffer;
    if (value < 0) *digits++ = '-';
    end = std::to_chars(digits, std::end(buffer), static_cast<uint64_t>(std::fabs(value)));
  } else if (type == POOLPROOF_F64) {
    end = std::to_chars(buffer, std::end(buffer), static_cast<double>(value));
  } else {
    end = std::to_chars(buffer, std::end(buffer), static_cast<float>(value));
  }
  out->append(buffer, end.ptr);
}

bool ParseNumber(std::string_view text, Number* value) {
  const bool negative = text.starts_with('-');
  const std::string_view digits = text.substr(negative ? 1 : 0);
  if (digits == "nan") {
    *value = std::copysign(std::numeric_limits<Number>::quiet_NaN(), negative ? -1.0L : 1.0L);
    return true;
  }
  if (digits == "inf") {
    *value = negative ? -std::numeric_limits<Number>::infinity() : std::numeric_limits<Number>::infinity();
    return true;
  }
  const std::optional<Number> number = ReadDecimal(text);
  if (number) *value = *number;
  return number.has_value();
}

Number RoundToType(poolproof_element_type type, Number value) {
  alignas(8) std::byte element[8];
  return StoreElement(type, value, element, 0) ? ElementAsNumber(type, element, 0)
                                               : std::numeric_limits<Number>::quiet_NaN();
}

}  // namespace poolproof
