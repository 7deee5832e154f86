#include "optimized/tools/random_data.h"

#include <limits>
#include <type_traits>

#include "optimized/kernels/types.h"
#include "optimized/tools/random_call.h"

namespace poolproof::optimized {
namespace {

enum class Content { kAny, kTies, kLowest, kExtreme, kSpecials, kSmall, kZeros };

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

template <typename T>
double LargestOf() {
  if constexpr (std::is_same_v<T, F16>) {
    return 65504;
  } else if constexpr (std::is_same_v<T, BF16>) {
    return 0x1.FEp127;
  } else {
    return static_cast<double>(std::numeric_limits<T>::max());
  }
}

template <typename T>
T Integer(Content content, Random& random) {
  using Limits = std::numeric_limits<T>;
  switch (content) {
    case Content::kTies: return static_cast<T>(Limits::lowest() + static_cast<T>(random.In(0, 3)));
    case Content::kLowest: return random.OneIn(20) ? static_cast<T>(random.Next()) : Limits::lowest();
    case Content::kExtreme:
      return static_cast<T>(random.OneIn(2) ? Limits::max() - static_cast<T>(random.In(0, 2))
                                            : Limits::lowest() + static_cast<T>(random.In(0, 2)));
    case Content::kSmall: return static_cast<T>(random.In(0, 20) - (std::is_signed_v<T> ? 10 : 0));
    default: return static_cast<T>(random.Next());
  }
}

template <typename T>
T Special(Random& random) {
  const double infinity = std::numeric_limits<double>::infinity();
  switch (random.In(0, 7)) {
    case 0: return FromDouble<T>(std::numeric_limits<double>::quiet_NaN());
    case 1: return FromDouble<T>(-std::numeric_limits<double>::quiet_NaN());
    case 2: return FromDouble<T>(infinity);
    case 3: return FromDouble<T>(-infinity);
    case 4: return FromDouble<T>(-0.0);
    case 5: return FromDouble<T>(0.0);
    default: return FromDouble<T>(static_cast<double>(random.In(-3, 3)));
  }
}

template <typename T>
T Float(Content content, Random& random) {
  const double unit = static_cast<double>(random.Next() >> 11) * 0x1p-53;
  const double infinity = std::numeric_limits<double>::infinity();
  switch (content) {
    case Content::kTies:
      return FromDouble<T>(random.OneIn(3) ? -0.0 : static_cast<double>(random.In(-2, 1)));
    case Content::kLowest: return FromDouble<T>(random.OneIn(20) ? unit : -infinity);
    case Content::kExtreme: return FromDouble<T>((random.OneIn(4) ? -1 : 1) * LargestOf<T>());
    case Content::kSpecials: return random.OneIn(4) ? Special<T>(random) : FromDouble<T>(unit - 0.5);
    case Content::kSmall: return FromDouble<T>(static_cast<double>(random.In(-10, 10)));
    case Content::kZeros:
      if (random.OneIn(300)) return FromDouble<T>(std::numeric_limits<double>::quiet_NaN());
      return FromDouble<T>(random.OneIn(2) ? -0.0 : static_cast<double>(random.In(-1, 0)));
    default: return FromDouble<T>((unit - 0.5) * (random.OneIn(9) ? 1e-4 : 100));
  }
}

void Fill(poolproof_element_type type, int64_t count, Content content, Random& random, void* data) {
  poolproof_element_type stored = type;
  if (type == POOLPROOF_FX8) stored = POOLPROOF_I8;
  if (type == POOLPROOF_FX16) stored = POOLPROOF_I16;
  ForType(stored, [&](auto t) {
    using T = decltype(t);
    T* to = static_cast<T*>(data);
    for (int64_t i = 0; i < count; ++i) {
      if constexpr (std::is_integral_v<T>) {
        to[i] = Integer<T>(content, random);
      } else {
        to[i] = Float<T>(content, random);
      }
    }
  });
}

}  // namespace

void FillRandomly(poolproof_element_type type, int64_t count, Random& random, void* data) {
  const Content content = random.OneIn(4) ? Content::kAny : static_cast<Content>(random.In(0, 6));
  Fill(type, count, content, random, data);
}

void FillWithZeros(poolproof_element_type type, int64_t count, Random& random, void* data) {
  Fill(type, count, Content::kZeros, random, data);
}

}  // namespace poolproof::optimized
