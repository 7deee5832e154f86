#include "reference/readings.h"

#include <gtest/gtest.h>

#include <set>

namespace poolproof::reference {
namespace {

Entry At(size_t i) { return static_cast<Entry>(i); }

TEST(Readings, EveryEntryIsFoundByItsId) {
  std::set<std::string_view> ids;
  for (size_t i = 0; i < kEntryCount; ++i) {
    const std::string_view id = EntryId(At(i));
    EXPECT_TRUE(ids.insert(id).second) << id;
    EXPECT_EQ(FindEntry(id), At(i));
  }
  EXPECT_FALSE(FindEntry("").has_value());
  EXPECT_FALSE(FindEntry("tie").has_value());
}

TEST(Readings, EveryReadingIsFoundByItsName) {
  for (size_t i = 0; i < kEntryCount; ++i) {
    const auto names = ReadingNames(At(i));
    ASSERT_GE(names.size(), 2u) << EntryId(At(i));
    for (size_t r = 0; r < names.size(); ++r) EXPECT_EQ(FindReading(At(i), names[r]), r);
    EXPECT_FALSE(FindReading(At(i), "").has_value());
  }
}

TEST(Readings, OtherIsLastAndOnlyOfSilences) {
  for (size_t i = 0; i < kEntryCount; ++i) {
    const auto names = ReadingNames(At(i));
    for (size_t r = 0; r < names.size(); ++r) {
      EXPECT_EQ(r < ComputableReadings(At(i)), names[r] != "other") << EntryId(At(i));
      EXPECT_TRUE(names[r] != "other" || IsSilence(At(i)));
    }
  }
}

TEST(Readings, NamesStandWhereTheEnumsPutThem) {
  EXPECT_EQ(FindReading(Entry::kTies, "last"), static_cast<uint8_t>(Ties::kLast));
  EXPECT_EQ(FindReading(Entry::kNan, "ignore-all"), static_cast<uint8_t>(Nan::kIgnoreAll));
  EXPECT_EQ(FindReading(Entry::kEmptyWindowValue, "zero"), static_cast<uint8_t>(EmptyWindowValue::kZero));
  EXPECT_EQ(FindReading(Entry::kAvgIntegerRounding, "floor"), static_cast<uint8_t>(AvgIntegerRounding::kFloor));
  EXPECT_EQ(FindReading(Entry::kMliAverageRounding, "reciprocal-up"),
            static_cast<uint8_t>(MliAverageRounding::kReciprocalUp));
}

TEST(Readings, DocumentedIsTheDefault) {
  EXPECT_EQ(FindProfile("documented")->readings, Readings{});
  for (const std::string_view name : ProfileNames()) EXPECT_TRUE(FindProfile(name).has_value());
  EXPECT_FALSE(FindProfile("tensorflow").has_value());
}

TEST(Readings, ProfilesDifferFromTheDocumentsWhereTheLedgerSaysSo) {
  const Readings openvino = FindProfile("openvino")->readings, pytorch = FindProfile("pytorch")->readings;
  const std::set<Entry> of_openvino = {Entry::kSameStride,
                                       Entry::kEmptyWindowValue,
                                       Entry::kMinusInfinityInput,
                                       Entry::kNan,
                                       Entry::kAvgIncludeWithoutPads,
                                       Entry::kLowestInputIndex,
                                       Entry::kWindowBeyondCeil};
  const std::set<Entry> of_pytorch = {Entry::kCeilPastEnd,       Entry::kAvgOverhang,     Entry::kNanIndex,
                                      Entry::kTorchDivisorRange, Entry::kTorchLpNegative, Entry::kTorchLpOverhang};
  for (size_t i = 0; i < kEntryCount; ++i) {
    EXPECT_EQ(openvino[At(i)] != 0, of_openvino.contains(At(i))) << EntryId(At(i));
    EXPECT_EQ(pytorch[At(i)] != 0, of_pytorch.contains(At(i))) << EntryId(At(i));
  }
}

TEST(Readings, AnOperatorMayDifferFromItsProfile) {
  Selection openvino = *FindProfile("openvino");
  EXPECT_TRUE(openvino.For("MaxPool-8", POOLPROOF_F32).Is(Entry::kNan, Nan::kIgnoreAll));
  EXPECT_TRUE(openvino.For("AdaptiveMaxPool-8", POOLPROOF_F32).Is(Entry::kNan, Nan::kFirstTap));
  openvino.Demand(Entry::kNan, static_cast<uint8_t>(Nan::kPropagate));
  EXPECT_TRUE(openvino.For("AdaptiveMaxPool-8", POOLPROOF_F32).Is(Entry::kNan, Nan::kPropagate));
}

TEST(Readings, AnElementTypeMayDifferFromItsProfile) {
  Selection openvino = *FindProfile("openvino");
  const auto value = [&](std::string_view op, poolproof_element_type type) {
    return static_cast<EmptyWindowValue>(openvino.For(op, type)[Entry::kEmptyWindowValue]);
  };
  EXPECT_EQ(value("MaxPool-8", POOLPROOF_F32), EmptyWindowValue::kLowestFinite);
  EXPECT_EQ(value("MaxPool-8", POOLPROOF_F16), EmptyWindowValue::kMinusInfinity);
  EXPECT_EQ(value("MaxPool-1", POOLPROOF_I16), EmptyWindowValue::kZero);
  openvino.Demand(Entry::kEmptyWindowValue, static_cast<uint8_t>(EmptyWindowValue::kLowestFinite));
  EXPECT_EQ(value("MaxPool-8", POOLPROOF_F16), EmptyWindowValue::kLowestFinite);
}

// The most particular word decides, in whatever order they stand.
TEST(Readings, WhatIsSaidOfAnOperatorGoesBeforeWhatIsSaidOfAType) {
  Selection selection;
  const auto say = [&](std::string_view op, poolproof_element_type type, Nan reading) {
    selection.Except({op, type, Entry::kNan, static_cast<uint8_t>(reading)});
  };
  say("MaxPool-8", POOLPROOF_F16, Nan::kLastTap);
  say("MaxPool-8", 0, Nan::kFirstTap);
  say("", POOLPROOF_F16, Nan::kIgnoreAll);
  EXPECT_TRUE(selection.For("MaxPool-8", POOLPROOF_F16).Is(Entry::kNan, Nan::kLastTap));
  EXPECT_TRUE(selection.For("MaxPool-8", POOLPROOF_F32).Is(Entry::kNan, Nan::kFirstTap));
  EXPECT_TRUE(selection.For("MaxPool-1", POOLPROOF_F16).Is(Entry::kNan, Nan::kIgnoreAll));
  EXPECT_TRUE(selection.For("MaxPool-1", POOLPROOF_F32).Is(Entry::kNan, Nan::kPropagate));
}

TEST(EntrySet, HoldsWhatWasAdded) {
  EntrySet set;
  EXPECT_TRUE(set.Empty());
  set.Add(Entry::kMliReleaseChecks);
  EntrySet other;
  other.Add(Entry::kValidCeil);
  set.Add(other);
  for (size_t i = 0; i < kEntryCount; ++i) {
    EXPECT_EQ(set.Has(At(i)), At(i) == Entry::kMliReleaseChecks || At(i) == Entry::kValidCeil);
  }
}

}  // namespace
}  // namespace poolproof::reference
