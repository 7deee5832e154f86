// Maxima with positions as lanes, on every target, against loops over single lanes.
#include <gtest/gtest.h>

#include "optimized/kernels/testing.h"

// clang-format off
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "optimized/kernels/index_best_test.cc"
#include "hwy/foreach_target.h"
#include "hwy/highway.h"
#include "optimized/kernels/fold-inl.h"
// clang-format on

HWY_BEFORE_NAMESPACE();
namespace poolproof::optimized {
namespace HWY_NAMESPACE {
namespace {

#if POOLPROOF_HAS_VECTORS

// Joins a few taps in each lane: the first of the largest values and its place. Zeros are equal whatever their sign.
template <class F>
void JoinTaps(const F& fold, poolproof_element_type type) {
  using B = typename F::B;
  using S = typename F::Stored;
  constexpr int64_t kTaps = 7;
  const typename B::D d;
  const int64_t n = static_cast<int64_t>(hn::Lanes(d));
  Random random(type);
  std::vector<S> in(static_cast<size_t>(kTaps * n));
  FillExact(random, type, in.data(), kTaps * n);
  for (int64_t i = 0; IsFloat(type) && i < kTaps * n; ++i) {
    if (Element(type, in.data(), i) == 0) SetElement(type, in.data(), i, In(random, 0, 1) == 0 ? -0.0 : 0.0);
  }
  B best = B::First(fold.Load(d, in.data()));
  for (int64_t t = 1; t < kTaps; ++t) best.JoinTap(fold.Load(d, in.data() + t * n), 3 * t);
  std::vector<S> values(static_cast<size_t>(n));
  std::vector<typename B::I> places(static_cast<size_t>(n));
  fold.Store(d, best.value, values.data());
  hn::StoreU(best.at, typename B::DI(), places.data());
  for (int64_t i = 0; i < n; ++i) {
    int64_t first = 0;
    for (int64_t t = 1; t < kTaps; ++t) {
      if (Element(type, in.data(), t * n + i) > Element(type, in.data(), first * n + i)) first = t;
    }
    ASSERT_EQ(Element(type, values.data(), i), Element(type, in.data(), first * n + i)) << type;
    ASSERT_EQ(places[static_cast<size_t>(i)], static_cast<typename B::I>(3 * first)) << type;
  }
}

void JoinAll() {
  for (const poolproof_element_type type : kTypes) {
    WithMaxFold<int16_t>(type, [&](const auto& fold) { JoinTaps(fold, type); });
    WithMaxFold<int32_t>(type, [&](const auto& fold) { JoinTaps(fold, type); });
  }
}

// All lanes that count become indices, of either width, and no memory behind whole vectors is written.
template <typename L>
void StoreAs(bool is_wide, const Guarded& memory) {
  const hn::ScalableTag<L> d;
  const int64_t n = static_cast<int64_t>(hn::Lanes(d)), base = is_wide ? int64_t{1} << 40 : int64_t{1} << 20;
  for (int64_t count = 1; count <= n; ++count) {
    char* const to = memory.Last<char>(n * (is_wide ? 8 : 4));
    StoreIndex(d, hn::Iota(d, 5), base, {to, is_wide}, count);
    for (int64_t i = 0; i < count; ++i) {
      const int64_t stored = is_wide ? reinterpret_cast<int64_t*>(to)[i] : reinterpret_cast<int32_t*>(to)[i];
      ASSERT_EQ(stored, base + 5 + i) << sizeof(L) << " " << is_wide;
    }
  }
}

void StoreAll() {
  const Guarded memory;
  for (const bool is_wide : {false, true}) {
    StoreAs<int16_t>(is_wide, memory);
    StoreAs<int32_t>(is_wide, memory);
    StoreAs<int64_t>(is_wide, memory);
  }
}

#else  // there are no positions in lanes

void JoinAll() {}
void StoreAll() {}

#endif

}  // namespace
}  // namespace HWY_NAMESPACE
}  // namespace poolproof::optimized
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace poolproof::optimized {

POOLPROOF_TEST_ON_TARGETS(IndexBest, IsTheFirstOfTheLargest, JoinAll);
POOLPROOF_TEST_ON_TARGETS(IndexBest, IsStoredInEitherWidth, StoreAll);

}  // namespace poolproof::optimized
#endif
