#include "optimized/bench/verify.h"

#include <cmath>

#include "optimized/core/plan.h"
#include "optimized/kernels/types.h"

namespace poolproof::optimized {
namespace {

uint64_t Mix(uint64_t z) {
  z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9u;
  z = (z ^ (z >> 27)) * 0x94D049BB133111EBu;
  return z ^ (z >> 31);
}

poolproof_element_type Stored(poolproof_element_type type) {
  if (type == POOLPROOF_FX8) return POOLPROOF_I8;
  return type == POOLPROOF_FX16 ? POOLPROOF_I16 : type;
}

template <typename T>
T Random(uint64_t bits) {
  const double unit = static_cast<double>(bits >> 11) * 0x1p-53 - 0.5;
  if constexpr (std::is_same_v<T, F16>) {
    return ToF16(static_cast<float>(unit));
  } else if constexpr (std::is_same_v<T, BF16>) {
    return ToBF16(static_cast<float>(unit));
  } else if constexpr (std::is_floating_point_v<T>) {
    return static_cast<T>(unit);
  } else if constexpr (sizeof(T) == 8) {
    return static_cast<T>(bits >> 8);  // sums that overflow are not what is measured
  } else {
    return static_cast<T>(bits);
  }
}

// Largest difference of means that rounding explains; integer means may round either way.
template <typename T>
double Tolerance() {
  if constexpr (std::is_same_v<T, F16>) return 2e-3;
  if constexpr (std::is_same_v<T, BF16>) return 2e-2;
  if constexpr (std::is_floating_point_v<T>) return 1e-5;
  return 1;
}

}  // namespace

int64_t Bytes(const Workload& w) {
  const int64_t size = static_cast<int64_t>(BytesOf(w.type));
  return w.InElements() * size + w.OutElements() * (size + (w.index ? 8 : 0));
}

Memory<char> MakeInput(const Workload& w) {
  Memory<char> input(static_cast<size_t>(w.InElements()) * BytesOf(w.type));
  ForType(Stored(w.type), [&](auto t) {
    using T = decltype(t);
    T* to = reinterpret_cast<T*>(input.data());
    for (int64_t i = 0; i < w.InElements(); ++i) {
      to[i] = Random<T>(Mix(static_cast<uint64_t>(i) * 0x9E3779B97F4A7C15u + 1));
    }
  });
  return input;
}

std::string Verify(const Workload& w, Contestant& ours, Contestant& other) {
  const bool mean = IsMean(w.pool);
  std::string difference;
  const void* values = other.Values();
  if (values != nullptr) {
    ForType(Stored(w.type), [&](auto t) {
      using T = decltype(t);
      const T* a = static_cast<const T*>(ours.Values());
      const T* b = static_cast<const T*>(values);
      for (int64_t i = 0; i < w.OutElements() && difference.empty(); ++i) {
        const double error = std::abs(ToDouble(a[i]) - ToDouble(b[i]));
        if (error <= (mean ? Tolerance<T>() : 0)) continue;
        difference = "value " + std::to_string(i) + " is " + std::to_string(ToDouble(b[i])) + ", ours is " +
                     std::to_string(ToDouble(a[i]));
      }
    });
  }
  const int64_t* index = other.Indices();
  for (int64_t i = 0; index != nullptr && i < w.OutElements() && difference.empty(); ++i) {
    if (index[i] == ours.Indices()[i]) continue;
    difference = "index " + std::to_string(i) + " is " + std::to_string(index[i]) + ", ours is " +
                 std::to_string(ours.Indices()[i]);
  }
  return difference;
}

}  // namespace poolproof::optimized
