// The feature map as a reading of `subnormals` has it, and results as it has them written.
#pragma once

#include <cmath>
#include <cstdint>

#include "conformance/backend.h"
#include "reference/element.h"
#include "reference/readings.h"

namespace poolproof::reference {

// The smallest positive value of a float type that is not subnormal.
template <typename E>
inline constexpr typename E::Value kSmallestNormal = [] {
  typename E::Value value = 1;
  for (int exponent = E::kMinExponent - 1; exponent < 0; ++exponent) value /= 2;
  return value;
}();

template <typename E>
bool IsSubnormal(typename E::Stored stored) {
  if constexpr (!E::kIsFloat) {
    return false;
  } else if constexpr (sizeof(stored) == 2) {
    const unsigned magnitude = stored & 0x7FFFu;
    return magnitude != 0 && magnitude < 1u << (E::kDigits - 1);
  } else {
    const auto value = E::Load(stored);
    return value != 0 && std::fabs(value) < kSmallestNormal<E>;
  }
}

inline bool FlushesInput(const Readings& readings) {
  return readings.Is(Entry::kSubnormals, Subnormals::kFlushed) ||
         readings.Is(Entry::kSubnormals, Subnormals::kFlushedInput);
}

inline bool FlushesOutput(const Readings& readings) {
  return readings.Is(Entry::kSubnormals, Subnormals::kFlushed) ||
         readings.Is(Entry::kSubnormals, Subnormals::kFlushedOutput);
}

// `stored`, or the zero of its sign.
template <typename E>
typename E::Stored Flushed(typename E::Stored stored, bool flushes) {
  if constexpr (E::kIsFloat) {
    if (flushes && IsSubnormal<E>(stored)) return E::Round(std::copysign(0.0L, E::Load(stored)));
  }
  return stored;
}

template <typename E>
class Input {
 public:
  using Stored = typename E::Stored;

  Input(const poolproof_call& call, const Readings& readings)
      : data_(static_cast<const Stored*>(call.inputs[0]->data)), flushes_(FlushesInput(readings)) {}

  Stored operator[](int64_t offset) const { return Flushed<E>(data_[offset], flushes_); }
  // As it was given.
  bool IsSubnormalAt(int64_t offset) const { return IsSubnormal<E>(data_[offset]); }

 private:
  const Stored* data_;
  bool flushes_;
};

}  // namespace poolproof::reference
