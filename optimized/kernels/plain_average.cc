#include <algorithm>
#include <cmath>
#include <limits>
#include <type_traits>

#include "optimized/kernels/kernels.h"
#include "optimized/kernels/types.h"

namespace poolproof::optimized {
namespace {

template <typename T>
constexpr bool kIsInteger = std::is_integral_v<T>;

// Sums of 64-bit integers need more than 64 bits.
template <typename T>
using Sum = std::conditional_t<kIsInteger<T>, __int128, double>;

// f64 sums are kept scaled by 2^-64, so that no window of finite values overflows; the few values
// that this makes subnormal are too small to count beside one that could overflow, and where there
// is none the scale is 1.
constexpr double kScale = 0x1p-64;

// Calls f(x) for each tap x of the window, with its distance in elements from `in`.
template <typename F>
void ForTaps(const Plan& plan, const Span* span, const F& f) {
  const Axis* axis = plan.axis;
  const int64_t step = axis[2].dilation * plan.inner;
  for (int64_t d = 0; d < span[0].taps; ++d) {
    const int64_t z = span[0].first + d * axis[0].dilation;
    for (int64_t h = 0; h < span[1].taps; ++h) {
      const int64_t y = span[1].first + h * axis[1].dilation;
      const int64_t first = ((z * axis[1].in + y) * axis[2].in + span[2].first) * plan.inner;
      for (int64_t w = 0; w < span[2].taps; ++w) f(first + w * step);
    }
  }
}

template <typename T>
T FloatMean(const Plan& plan, const T* in, const Span* span, int64_t divisor) {
  double sum = 0;
  ForTaps(plan, span, [&](int64_t at) { sum += ToDouble(in[at]); });
  if (std::is_same_v<T, double> && !std::isfinite(sum)) {
    double scaled = 0;
    ForTaps(plan, span, [&](int64_t at) { scaled += ToDouble(in[at]) * kScale; });
    return FromDouble<T>(scaled / static_cast<double>(divisor) / kScale);
  }
  return FromDouble<T>(sum / static_cast<double>(divisor));
}

template <typename T>
T IntegerMean(const Plan& plan, const T* in, const Span* span, int64_t divisor) {
  __int128 sum = 0;
  ForTaps(plan, span, [&](int64_t at) { sum += in[at]; });
  if (plan.quotient == Quotient::kTruncate) return static_cast<T>(sum / divisor);
  const __int128 twice =
      std::clamp<__int128>(2 * sum, std::numeric_limits<int32_t>::min(), std::numeric_limits<int32_t>::max());
  const int64_t t = static_cast<int64_t>(twice / divisor);
  const int64_t floor = t >> 1;
  const int64_t rounded = floor + ((t & 1) != 0 ? floor & 1 : 0);
  const __int128 least = std::numeric_limits<T>::min(), most = std::numeric_limits<T>::max();
  return static_cast<T>(std::clamp<__int128>(rounded, least, most));
}

template <typename T>
T Mean(const Plan& plan, const T* in, const Span* span) {
  const int64_t taps = span[0].taps * span[1].taps * span[2].taps;
  if (taps == 0) return T{};
  const int64_t divisor = DivisorOf(plan, taps);
  if constexpr (kIsInteger<T>) {
    return IntegerMean(plan, in, span, divisor);
  } else {
    return FloatMean(plan, in, span, divisor);
  }
}

template <typename T>
void PoolRow(const Plan& plan, const Buffers& buffers, int64_t plane, int64_t d, int64_t h) {
  const Axis* axis = plan.axis;
  const T* in = static_cast<const T*>(buffers.in) + plane * plan.InPlane() * plan.inner;
  const int64_t row = (plane * axis[0].out + d) * axis[1].out + h;
  T* out = static_cast<T*>(buffers.out) + row * axis[2].out * plan.inner;
  Span span[3] = {axis[0].SpanAt(d), axis[1].SpanAt(h), {}};
  for (int64_t w = 0; w < axis[2].out; ++w) {
    span[2] = axis[2].SpanAt(w);
    for (int64_t c = 0; c < plan.inner; ++c) *out++ = Mean(plan, in + c, span);
  }
}

}  // namespace

void PlainAverageRow(const Plan& plan, const Buffers& buffers, int64_t plane, int64_t d, int64_t h) {
  ForType(plan.type, [&](auto type) { PoolRow<decltype(type)>(plan, buffers, plane, d, h); });
}

void PlainAverage(const Plan& plan, const Buffers& buffers, int64_t begin, int64_t end) {
  for (int64_t plane = begin; plane < end; ++plane) {
    for (int64_t d = 0; d < plan.axis[0].out; ++d) {
      for (int64_t h = 0; h < plan.axis[1].out; ++h) PlainAverageRow(plan, buffers, plane, d, h);
    }
  }
}

}  // namespace poolproof::optimized
