// Where tensors lie, and what is seen of the bytes around them.
#include "conformance/worker/shared_layout.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <cstring>
#include <vector>

#include "conformance/worker/output_slack.h"

namespace poolproof::worker {
namespace {

RC_GTEST_PROP(PlaceTensor, StaysInItsPagesAlignedAndFlush, ()) {
  const auto element = uint64_t{1} << *rc::gen::inRange(0, 4);
  const auto bytes = *rc::gen::inRange<uint64_t>(0, 100'000);
  const int placement = *rc::gen::inRange(0, kMaxPlacements);
  const uint64_t begin = 7 * kPage;
  const uint64_t end = begin + PagesFor(bytes);
  const uint64_t at = PlaceTensor(placement, begin, end, bytes, element);
  RC_ASSERT(at >= begin);
  RC_ASSERT(at + bytes <= end);
  RC_ASSERT(at % element == 0u);
  if (placement == 0) RC_ASSERT(end - at - bytes < element);
  if (placement == 1) RC_ASSERT(at == begin);
  if (placement == 2) RC_ASSERT(at % 16 != 0u);
}

// Every region of every slot and placement begins after a guard behind the one before, in the file
// of the side that writes it.
TEST(Layout, RegionsDoNotMeet) {
  std::vector<uint64_t> begins;
  for (int batch = 0; batch < kBatches; ++batch) {
    for (int slot = 0; slot < kSlots; ++slot) {
      for (int p = 0; p < kMaxPlacements; ++p) {
        for (int i = 0; i < kMaxInputs; ++i) begins.push_back(InputOffset(batch, slot, p, i));
      }
    }
    EXPECT_LE(RequestOffset(batch, kSlots) + kGuard, InputOffset(0, 0, 0, 0));
    EXPECT_LE(ResponseOffset(batch, kSlots) + kGuard, OutputOffset(0, 0, 0, 0));
  }
  EXPECT_LE(begins.back() + kSmallRegion + kGuard, InputArenaOffset(0) + kGuard);
  EXPECT_LE(InputArenaOffset(kMaxPlacements) + kGuard, kRunnerFileBytes);
  begins.push_back(kWorkerOffset);
  for (int set = 0; set < kOutputSets; ++set) {
    for (int slot = 0; slot < kSlots; ++slot) {
      for (int p = 0; p < kMaxPlacements; ++p) {
        for (int i = 0; i < kMaxOutputs; ++i) begins.push_back(OutputOffset(set, slot, p, i));
      }
    }
  }
  EXPECT_LE(begins.back() + kSmallRegion + kGuard, OutputArenaOffset(0) + kGuard);
  EXPECT_LE(OutputArenaOffset(kMaxPlacements) + kGuard, kTotalBytes);
  EXPECT_EQ(kRunnerFileBytes % kPage, 0u);
  for (size_t i = 1; i < begins.size(); ++i) {
    if (begins[i - 1] != kWorkerOffset) {
      EXPECT_GE(begins[i], begins[i - 1] + kSmallRegion + kGuard);
    }
    EXPECT_EQ(begins[i] % kPage, 0u);
    EXPECT_EQ(begins[i] < kRunnerFileBytes, i < kInputRegions);
  }
}

TEST(Steps, VisitEveryCaseOncePerPlacementAndGoBackInTheSecond) {
  std::vector<std::vector<int>> slots(3);
  for (int64_t step = 0; step < 12; ++step) {
    slots[static_cast<size_t>(StepAt(step, 4).placement)].push_back(StepAt(step, 4).slot);
  }
  EXPECT_EQ(slots[0], (std::vector<int>{0, 1, 2, 3}));
  EXPECT_EQ(slots[1], (std::vector<int>{3, 2, 1, 0}));
  EXPECT_EQ(slots[2], (std::vector<int>{0, 1, 2, 3}));
}

// Any one byte changed anywhere in the slack is found, on the right side and at the right distance;
// no byte of the tensor itself is.
RC_GTEST_PROP(FindDamage, SeesEveryByteOfTheSlack, ()) {
  alignas(kPage) static std::byte pages[4 * kPage];
  const std::byte value = kPrefill[*rc::gen::inRange(0, kMaxPlacements)];
  const auto begin = *rc::gen::inRange<uint64_t>(0, 3 * kPage);
  const auto bytes = *rc::gen::inRange<uint64_t>(1, 4 * kPage - begin + 1);
  std::byte* data = pages + begin;
  FillPages(data, bytes, value);
  SlackDamage damage = {};
  RC_ASSERT(!FindDamage(data, bytes, value, &damage));
  const uint64_t first = begin / kPage * kPage;
  const uint64_t last = RoundUp(begin + bytes, kPage);
  const auto at = *rc::gen::inRange<uint64_t>(first, last);
  pages[at] = ~value;
  const bool inside = at >= begin && at < begin + bytes;
  RC_ASSERT(FindDamage(data, bytes, value, &damage) == !inside);
  if (inside) return;
  RC_ASSERT(damage.past_end == (at >= begin + bytes));
  RC_ASSERT(damage.bytes == 1u);
  RC_ASSERT(damage.distance == (at < begin ? begin - at : at - begin - bytes + 1));
}

TEST(FindDamage, HasNothingToLookAtAroundAnEmptyTensorOnAPageBoundary) {
  alignas(kPage) static std::byte page[kPage];
  SlackDamage damage = {};
  EXPECT_FALSE(FindDamage(page, 0, std::byte{1}, &damage));
}

}  // namespace
}  // namespace poolproof::worker
