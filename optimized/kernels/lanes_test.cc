// Helpers of lanes, on every target, against loops over single lanes.
#include <gtest/gtest.h>

#include "optimized/kernels/testing.h"

// clang-format off
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "optimized/kernels/lanes_test.cc"
#include "hwy/foreach_target.h"
#include "hwy/highway.h"
#include "optimized/kernels/lanes-inl.h"
// clang-format on

HWY_BEFORE_NAMESPACE();
namespace poolproof::optimized {
namespace HWY_NAMESPACE {
namespace {

template <class V>
std::vector<hn::TFromV<V>> LanesOf(V v) {
  const hn::DFromV<V> d;
  std::vector<hn::TFromV<V>> lanes(hn::Lanes(d));
  hn::StoreU(v, d, lanes.data());
  return lanes;
}

// Halves are ordered by their keys as by their values, and come back from them.
void OrderHalves() {
  const hn::ScalableTag<int16_t> d;
  for (const poolproof_element_type type : {POOLPROOF_F16, POOLPROOF_BF16}) {
    std::vector<std::pair<double, int16_t>> keys;
    for (int bits = 0; bits < 65536; ++bits) {
      const int16_t half = static_cast<int16_t>(bits);
      const auto key = FlipHalf(hn::Set(d, half));
      ASSERT_EQ(LanesOf(FlipHalf(key)).back(), half);
      const double value = Element(type, &half, 0);
      if (!std::isnan(value)) keys.emplace_back(value, LanesOf(key).back());
    }
    std::sort(keys.begin(), keys.end());
    for (size_t i = 1; i < keys.size(); ++i) ASSERT_LT(keys[i - 1].second, keys[i].second) << keys[i].first;
  }
}

// Keeps the first of equal values, as the two zeros are.
void TakeTheFirst() {
  const hn::ScalableTag<float> d;
  for (const auto& [a, b] : {std::pair{0.0F, -0.0F}, {-0.0F, 0.0F}, {1.0F, 2.0F}, {2.0F, 1.0F}, {-1.0F, -1.0F}}) {
    const float larger = LanesOf(MaxOf(hn::Set(d, a), hn::Set(d, b))).back(), expected = b > a ? b : a;
    ASSERT_EQ(std::signbit(larger), std::signbit(expected)) << a << " " << b;
    ASSERT_EQ(larger, expected);
  }
}

template <typename L>
void SplitPlaces() {
  const hn::ScalableTag<L> d;
  const size_t n = hn::Lanes(d);
  std::vector<L> row(2 * n);
  for (size_t i = 0; i < row.size(); ++i) row[i] = static_cast<L>(i);
  auto even = hn::Zero(d), odd = even;
  Split(d, hn::LoadU(d, row.data()), hn::LoadU(d, row.data() + n), even, odd);
  for (size_t i = 0; i < n; ++i) {
    ASSERT_EQ(LanesOf(even)[i], row[2 * i]);
    ASSERT_EQ(LanesOf(odd)[i], row[2 * i + 1]);
  }
}
void SplitAll() { SplitPlaces<int8_t>(), SplitPlaces<int16_t>(), SplitPlaces<float>(), SplitPlaces<double>(); }

// Every stride and width: element i of phase q is that of the row at i * stride + q.
void GatherPhases() {
  using L = float;
  const int64_t n = static_cast<int64_t>(hn::Lanes(hn::ScalableTag<L>()));
  for (int64_t stride = 3; stride <= 6; ++stride) {
    for (int64_t out = 2; out <= 2 * n + 1; ++out) {
      Plan plan;
      plan.axis[2] = {.in = (out - 1) * stride + 4, .out = out, .kernel = 4, .stride = stride};
      const RowShape shape(plan, 64 / sizeof(L));
      ASSERT_EQ(shape.horizontal, Horizontal::kPhases);
      std::vector<L> row(static_cast<size_t>(shape.length)), phases(static_cast<size_t>(shape.phase_length * stride));
      for (size_t i = 0; i < row.size(); ++i) row[i] = static_cast<L>(i);
      SplitPhases(row.data() + shape.origin, shape, phases.data());
      for (int64_t i = 0; i < out * shape.taps; ++i) {
        const int64_t at = i / shape.taps * stride + i % shape.taps;
        ASSERT_EQ(phases[static_cast<size_t>(shape.InPhases(at))], static_cast<L>(shape.origin + at)) << stride;
      }
    }
  }
}

// Lanes beyond the count are not looked at.
void FindNotFinite() {
  const hn::ScalableTag<float> d;
  const int64_t n = static_cast<int64_t>(hn::Lanes(d));
  for (const float x : {std::numeric_limits<float>::infinity(), std::numeric_limits<float>::quiet_NaN(), 3e38F}) {
    for (int64_t at = 0; at < n; ++at) {
      std::vector<float> lanes(static_cast<size_t>(n));
      lanes[static_cast<size_t>(at)] = x;
      for (int64_t count = 1; count <= n + 1; ++count) {
        const auto found = NotFinite(d, hn::LoadU(d, lanes.data()), count);
        ASSERT_EQ(!hn::AllFalse(d, hn::IsNaN(found)), at < count && !std::isfinite(x)) << x << " " << at;
      }
    }
  }
}

}  // namespace
}  // namespace HWY_NAMESPACE
}  // namespace poolproof::optimized
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace poolproof::optimized {

POOLPROOF_TEST_ON_TARGETS(Lanes, HaveHalvesInOrder, OrderHalves);
POOLPROOF_TEST_ON_TARGETS(Lanes, KeepTheFirstOfEqualValues, TakeTheFirst);
POOLPROOF_TEST_ON_TARGETS(Lanes, AreSplitByPlace, SplitAll);
POOLPROOF_TEST_ON_TARGETS(Lanes, AreSplitByPhase, GatherPhases);
POOLPROOF_TEST_ON_TARGETS(Lanes, TellWhatIsNotFinite, FindNotFinite);

}  // namespace poolproof::optimized
#endif
