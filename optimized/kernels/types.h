// From the element type of a call to a C++ type, and from its values to doubles.
#pragma once

#include <cstdint>
#include <type_traits>

#include "conformance/backend.h"
#include "optimized/kernels/half.h"

namespace poolproof::optimized {

// Calls f(T{}) with the C++ type of the elements. `type` has been checked.
template <typename F>
void ForType(poolproof_element_type type, const F& f) {
  switch (type) {
    case POOLPROOF_F64: return f(double{});
    case POOLPROOF_F32: return f(float{});
    case POOLPROOF_F16: return f(F16{});
    case POOLPROOF_BF16: return f(BF16{});
    case POOLPROOF_I8: return f(int8_t{});
    case POOLPROOF_U8: return f(uint8_t{});
    case POOLPROOF_I16: return f(int16_t{});
    case POOLPROOF_U16: return f(uint16_t{});
    case POOLPROOF_I32: return f(int32_t{});
    case POOLPROOF_U32: return f(uint32_t{});
    case POOLPROOF_I64: return f(int64_t{});
    case POOLPROOF_U64: return f(uint64_t{});
    default: return;
  }
}

// Any element as a double, and the nearest element to a double; of integers the fraction is cut off.
template <typename T>
double ToDouble(T x) {
  if constexpr (std::is_class_v<T>) {
    return static_cast<double>(ToFloat(x));
  } else {
    return static_cast<double>(x);
  }
}

template <typename T>
T FromDouble(double x) {
  if constexpr (std::is_same_v<T, F16>) {
    return ToF16(static_cast<float>(x));
  } else if constexpr (std::is_same_v<T, BF16>) {
    return ToBF16(static_cast<float>(x));
  } else {
    return static_cast<T>(x);
  }
}

}  // namespace poolproof::optimized
