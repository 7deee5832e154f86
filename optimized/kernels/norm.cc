// p-norms: powers of all elements, their sums as means have them, roots of the sums; once more, and scaled, what is
// then not finite.
#include <algorithm>
#include <cmath>
#include <type_traits>

#include "optimized/kernels/kernels.h"
#include "optimized/kernels/types.h"

// clang-format off
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "optimized/kernels/norm.cc"
#include "hwy/foreach_target.h"
#include "hwy/highway.h"
// clang-format on

HWY_BEFORE_NAMESPACE();
namespace poolproof::optimized {
namespace HWY_NAMESPACE {
namespace {

namespace hn = hwy::HWY_NAMESPACE;

// Powers by squaring; the order of products is the same in every lane and on every target.
template <class V>
HWY_INLINE V PowerOf(V x, int64_t power) {
  V result = x;
  bool begun = false;
  for (int64_t left = power; left > 0; left >>= 1) {
    if (left & 1) {
      result = begun ? hn::Mul(result, x) : x;
      begun = true;
    }
    if (left > 1) x = hn::Mul(x, x);
  }
  return result;
}

template <bool kSigned, class D, typename L>
HWY_INLINE void RaiseAt(D d, L* values, int64_t power) {
  const auto x = hn::LoadU(d, values);
  hn::StoreU(PowerOf(kSigned ? x : hn::Abs(x), power), d, values);
}

template <bool kSigned, typename L>
void RaiseAll(L* values, int64_t count, int64_t power) {
  const hn::ScalableTag<L> d;
  const auto n = static_cast<int64_t>(hn::Lanes(d));
  int64_t i = 0;
  for (; i + n <= count; i += n) RaiseAt<kSigned>(d, values + i, power);
  const hn::CappedTag<L, 1> one;
  for (; i < count; ++i) RaiseAt<kSigned>(one, values + i, power);
}

void Raise32(float* values, int64_t count, int64_t power, bool is_signed) {
  is_signed ? RaiseAll<true>(values, count, power) : RaiseAll<false>(values, count, power);
}
void Raise64(double* values, int64_t count, int64_t power, bool is_signed) {
  is_signed ? RaiseAll<true>(values, count, power) : RaiseAll<false>(values, count, power);
}

template <typename L>
void SquareRoots(L* values, int64_t count) {
  const hn::ScalableTag<L> d;
  const auto n = static_cast<int64_t>(hn::Lanes(d));
  int64_t i = 0;
  for (; i + n <= count; i += n) hn::StoreU(hn::Sqrt(hn::LoadU(d, values + i)), d, values + i);
  for (; i < count; ++i) values[i] = std::sqrt(values[i]);
}

void SquareRoots32(float* values, int64_t count) { SquareRoots(values, count); }
void SquareRoots64(double* values, int64_t count) { SquareRoots(values, count); }

}  // namespace
}  // namespace HWY_NAMESPACE
}  // namespace poolproof::optimized
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace poolproof::optimized {
namespace {

HWY_EXPORT(Raise32);
HWY_EXPORT(Raise64);
HWY_EXPORT(SquareRoots32);
HWY_EXPORT(SquareRoots64);

constexpr int kPowerSlot = 28, kRootSlot = 29;
// Planes are taken together up to this many bytes of powers, which then are still in the cache where they are summed.
constexpr int64_t kBytesAtOnce = int64_t{1} << 20;

template <typename T>
using LaneOf = std::conditional_t<std::is_same_v<T, double>, double, float>;

void Raise(float* values, int64_t count, int64_t power, bool is_signed) {
  HWY_DYNAMIC_DISPATCH(Raise32)(values, count, power, is_signed);
}
void Raise(double* values, int64_t count, int64_t power, bool is_signed) {
  HWY_DYNAMIC_DISPATCH(Raise64)(values, count, power, is_signed);
}

// Below 0 that of the magnitude, below 0: no sum is there but of powers that keep their signs.
double RootOf(double sum, double exponent) { return sum < 0 ? -std::pow(-sum, exponent) : std::pow(sum, exponent); }

void TakeRoots(float* sums, int64_t count, int64_t power) {
  if (power == 2) return HWY_DYNAMIC_DISPATCH(SquareRoots32)(sums, count);
  const double exponent = 1 / static_cast<double>(power);
  for (int64_t i = 0; i < count && power > 1; ++i) {
    sums[i] = static_cast<float>(RootOf(static_cast<double>(sums[i]), exponent));
  }
}

void TakeRoots(double* sums, int64_t count, int64_t power) {
  if (power == 2) return HWY_DYNAMIC_DISPATCH(SquareRoots64)(sums, count);
  const double exponent = 1 / static_cast<double>(power);
  for (int64_t i = 0; i < count && power > 1; ++i) sums[i] = RootOf(sums[i], exponent);
}

bool KeepsSigns(const Plan& plan) { return plan.keeps_signs && plan.power % 2 == 1; }

template <typename T, typename L>
void Widen(const T* from, int64_t count, L* to) {
  if constexpr (std::is_class_v<T>) {
    for (int64_t i = 0; i < count; ++i) to[i] = ToFloat(from[i]);
  } else {
    std::copy_n(from, count, to);
  }
}

template <typename T, typename L>
void Narrow(const L* from, int64_t count, T* to) {
  for (int64_t i = 0; i < count; ++i) to[i] = FromDouble<T>(static_cast<double>(from[i]));
}

// The norm of one window of a plane, in numbers of which the largest tap is 1: powers and sums may leave the range of
// their lanes though the norm does not.
template <typename T>
double ScaledNorm(const Plan& plan, const T* plane, int64_t window) {
  const Axis* const axis = plan.axis;
  const Span d = axis[0].SpanAt(window / axis[2].out / axis[1].out),
             h = axis[1].SpanAt(window / axis[2].out % axis[1].out), w = axis[2].SpanAt(window % axis[2].out);
  const auto for_taps = [&](const auto& visit) {
    for (int64_t i = 0; i < d.taps * h.taps * w.taps; ++i) {
      const int64_t z = d.first + i / w.taps / h.taps * axis[0].dilation,
                    y = h.first + i / w.taps % h.taps * axis[1].dilation, x = w.first + i % w.taps * axis[2].dilation;
      visit(ToDouble(plane[(z * axis[1].in + y) * axis[2].in + x]));
    }
  };
  const bool is_signed = KeepsSigns(plan);
  double largest = 0, sum = 0;
  for_taps([&](double x) {
    largest = std::fabs(x) > largest || std::isnan(x) ? std::fabs(x) : largest;
    sum += std::isinf(x) && is_signed ? x : 0;
  });
  if (!std::isfinite(largest)) return is_signed && sum != 0 && !std::isnan(largest) ? sum : largest;
  for_taps([&](double x) {
    const double power = std::pow(std::fabs(x) / largest, static_cast<double>(plan.power));
    sum += is_signed ? std::copysign(power, x) : power;
  });
  return largest * RootOf(sum, 1 / static_cast<double>(plan.power));
}

// The norms of the planes of `plan`, which is one that is small enough.
template <typename T>
void PoolPlanes(const Plan& plan, const T* in, T* out, Executor& executor) {
  using L = LaneOf<T>;
  const int64_t elements = plan.InElements(), windows = plan.OutElements();
  L* const powers = executor.scratch().Get<L>(kPowerSlot, elements);
  L* const sums = executor.scratch().Get<L>(kRootSlot, windows);
  const auto bytes = static_cast<int64_t>(sizeof(L));
  executor.For(elements, 2 * elements * bytes, [&](int64_t begin, int64_t end, Scratch&) {
    Widen(in + begin, end - begin, powers + begin);
    Raise(powers + begin, end - begin, plan.power, KeepsSigns(plan));
  });
  AveragePool(plan, {powers, sums, nullptr}, executor);
  executor.For(windows, 2 * windows * bytes, [&](int64_t begin, int64_t end, Scratch&) {
    TakeRoots(sums + begin, end - begin, plan.power);
    Narrow(sums + begin, end - begin, out + begin);
    for (int64_t i = begin; i < end; ++i) {
      if (std::isfinite(sums[i])) continue;
      const int64_t plane = i / plan.OutPlane();
      out[i] = FromDouble<T>(ScaledNorm(plan, in + plane * plan.InPlane(), i % plan.OutPlane()));
    }
  });
}

template <typename T>
void Pool(const Plan& plan, const Buffers& buffers, Executor& executor) {
  Plan part = plan;
  part.type = std::is_same_v<T, double> ? POOLPROOF_F64 : POOLPROOF_F32;
  part.divisor = Divisor::kOne;
  const int64_t plane_bytes = plan.InPlane() * plan.inner * static_cast<int64_t>(sizeof(LaneOf<T>));
  const int64_t planes = std::max<int64_t>(1, kBytesAtOnce * executor.threads() / std::max<int64_t>(plane_bytes, 1));
  for (int64_t plane = 0; plane < plan.outer; plane += planes) {
    part.outer = std::min(planes, plan.outer - plane);
    const T* const in = static_cast<const T*>(buffers.in) + plane * plan.InPlane() * plan.inner;
    PoolPlanes(part, in, static_cast<T*>(buffers.out) + plane * plan.OutPlane() * plan.inner, executor);
  }
}

}  // namespace

void NormPool(const Plan& plan, const Buffers& buffers, Executor& executor) {
  ForType(plan.type, [&](auto element) {
    using T = decltype(element);
    if constexpr (!std::is_integral_v<T>) Pool<T>(plan, buffers, executor);
  });
}

}  // namespace poolproof::optimized
#endif
