// Windows that share taps have each of theirs once, in order, for every number of taps and every distance.
#include <gtest/gtest.h>

#include <numeric>
#include <vector>

#include "optimized/kernels/testing.h"

// clang-format off
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "optimized/kernels/shared_test.cc"
#include "hwy/foreach_target.h"
#include "hwy/highway.h"
#include "optimized/kernels/shared-inl.h"
// clang-format on

HWY_BEFORE_NAMESPACE();
namespace poolproof::optimized {
namespace HWY_NAMESPACE {
namespace {

// The taps that were joined, in order.
struct Taps {
  std::vector<int64_t> all;
  void Join(const Taps& other) { all.insert(all.end(), other.all.begin(), other.all.end()); }
};

template <class F>
void ExpectWindows(int64_t windows, int64_t taps, int64_t shift, const F& join) {
  int64_t at = 0, stored = 0;
  const auto next = [&] { return Taps{{at++}}; };
  const auto store = [&](int64_t j, const Taps& joined) {
    std::vector<int64_t> window(static_cast<size_t>(taps));
    std::iota(window.begin(), window.end(), j * shift);
    EXPECT_EQ(joined.all, window) << "window " << j << " of " << taps << " taps, each " << shift << " further on";
    ++stored;
  };
  join(next, store);
  EXPECT_EQ(stored, windows);
  EXPECT_EQ(at, taps + (windows - 1) * shift) << taps << " taps, " << shift;
}

void JoinAll() {
  for (int64_t taps = 2; taps <= 14; ++taps) {
    for (int64_t shift = 1; shift < taps; ++shift) {
      ExpectWindows(2, taps, shift,
                    [&](const auto& next, const auto& store) { JoinTwo<Taps>(taps, shift, next, store); });
      if (taps <= 3 * shift) continue;
      ExpectWindows(4, taps, shift,
                    [&](const auto& next, const auto& store) { JoinFour<Taps, 0>(taps, shift, next, store); });
      if (shift > 1) continue;
      ExpectWindows(4, taps, 1, [&](const auto& next, const auto& store) { JoinFour<Taps, 1>(taps, 1, next, store); });
    }
  }
}

}  // namespace
}  // namespace HWY_NAMESPACE
}  // namespace poolproof::optimized
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace poolproof::optimized {

POOLPROOF_TEST_ON_TARGETS(Shared, WindowsHaveTheirTapsInOrder, JoinAll);

}  // namespace poolproof::optimized
#endif
