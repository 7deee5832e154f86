// What Context::touched promises: an entry that is not in it has no influence on the outcome.
#include <gtest/gtest.h>

#include <array>

#include "reference/random_call.h"

namespace poolproof::reference {
namespace {

struct Tally {
  std::array<int, kEntryCount> touched{};
  std::array<int, kEntryCount> decisive{};  // ... and another reading changed the outcome
};

// Runs `call` under every other reading of one entry at a time; an untouched one must not matter.
void CheckEntries(TestCall& call, const Readings& readings, uint64_t seed, Tally* tally) {
  Context context{readings, {}, {}};
  const Outcome outcome = call.Run(context);
  for (size_t i = 0; i < kEntryCount; ++i) {
    const Entry entry = static_cast<Entry>(i);
    bool decisive = false;
    for (uint8_t r = 0; r < ComputableReadings(entry); ++r) {
      Context other{readings, {}, {}};
      other.readings[entry] = r;
      decisive |= call.Run(other) != outcome;
    }
    const bool touched = context.touched.Has(entry);
    ASSERT_TRUE(touched || !decisive) << EntryId(entry) << " in call " << seed;
    tally->touched[i] += touched ? 1 : 0;
    tally->decisive[i] += decisive ? 1 : 0;
  }
}

TEST(Touched, EntriesThatAreNotTouchedDoNotMatter) {
  Tally tally;
  for (uint64_t seed = 0; seed < 12000; ++seed) {
    RandomCalls random(seed);
    TestCall call = random.Call();
    CheckEntries(call, random.AnyReadings(), seed, &tally);
    if (HasFatalFailure()) return;
  }
  for (size_t i = 0; i < kEntryCount; ++i) {
    const Entry entry = static_cast<Entry>(i);
    // Needs an index bound above 2^31, a tensor too large to be filled here: see IndexOverflow.
    if (entry == Entry::kIndexOverflow) continue;
    RecordProperty(std::string(EntryId(entry)),
                   std::to_string(tally.decisive[i]) + " of " + std::to_string(tally.touched[i]));
    const bool can_matter = ComputableReadings(entry) > 1;
    EXPECT_GT(can_matter ? tally.decisive[i] : tally.touched[i], 0) << EntryId(entry);
  }
}

TEST(Touched, IndexOverflow) {
  TestCall call("MaxPool-8", POOLPROOF_I8, {1, 1, 1}, 2);
  call.List("kernel", {1}).List("strides", {1}).List("pads_begin", {0}).List("pads_end", {0});
  call.Word("index_element_type", "i32");
  for (const auto& [size, overflows] : {std::pair{int64_t{1} << 31, false}, std::pair{(int64_t{1} << 31) + 1, true}}) {
    call.Input(0).dims[2] = size;  // infer_shapes does not look at the data
    Context reject, wrap;
    wrap.readings[Entry::kIndexOverflow] = static_cast<uint8_t>(IndexOverflow::kWrap);
    EXPECT_EQ(InferShapes(call.Get(), reject), overflows ? POOLPROOF_INVALID_ARGUMENT : POOLPROOF_OK);
    EXPECT_EQ(InferShapes(call.Get(), wrap), POOLPROOF_OK);
    EXPECT_EQ(reject.touched.Has(Entry::kIndexOverflow), overflows);
    EXPECT_EQ(wrap.touched.Has(Entry::kIndexOverflow), overflows);
  }
}

}  // namespace
}  // namespace poolproof::reference
