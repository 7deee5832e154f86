// The ledger says the same as the reference computes.
#include <gtest/gtest.h>

#include <algorithm>

#include "conformance/cases/spec.h"
#include "reference/readings.h"

namespace poolproof {
namespace {

using reference::Entry;

TEST(Ledger, HasEveryEntryThatTheReferenceComputes) {
  std::vector<std::string> computed;
  for (const LedgerEntry& entry : BuiltInSpecs().ledger) {
    if (entry.computed) computed.push_back(entry.id);
  }
  std::vector<std::string> expected;
  for (size_t i = 0; i < reference::kEntryCount; ++i) {
    expected.emplace_back(reference::EntryId(static_cast<Entry>(i)));
  }
  std::sort(computed.begin(), computed.end());
  std::sort(expected.begin(), expected.end());
  EXPECT_EQ(computed, expected);
}

TEST(Ledger, HasTheReadingsOfTheReferenceInItsOrder) {
  for (size_t i = 0; i < reference::kEntryCount; ++i) {
    const Entry e = static_cast<Entry>(i);
    const LedgerEntry* entry = BuiltInSpecs().FindLedger(reference::EntryId(e));
    ASSERT_NE(entry, nullptr) << reference::EntryId(e);
    std::vector<std::string_view> names;
    for (const LedgerReading& reading : entry->readings) names.push_back(reading.name);
    const auto expected = reference::ReadingNames(e);
    EXPECT_EQ(names, std::vector<std::string_view>(expected.begin(), expected.end())) << entry->id;
    EXPECT_EQ(entry->kind == "silence", reference::IsSilence(e)) << entry->id;
  }
}

TEST(Ledger, HasTheProfilesOfTheReference) {
  for (std::string_view profile : reference::ProfileNames()) {
    const reference::Readings readings = *reference::FindProfile(profile);
    for (size_t i = 0; i < reference::kEntryCount; ++i) {
      const Entry e = static_cast<Entry>(i);
      const LedgerEntry& entry = *BuiltInSpecs().FindLedger(reference::EntryId(e));
      const auto found = entry.profiles.find(std::string(profile));
      const std::string selected = found != entry.profiles.end() ? found->second : entry.readings.front().name;
      EXPECT_EQ(selected, reference::ReadingNames(e)[readings[e]]) << entry.id << " " << profile;
    }
  }
}

TEST(Ledger, NamesTheProfilesThatFixAnEntry) {
  for (const LedgerEntry& entry : BuiltInSpecs().ledger) {
    EXPECT_TRUE(entry.computed || entry.profiles.empty()) << entry.id;
    for (const auto& [profile, reading] : entry.profiles) {
      EXPECT_TRUE(reference::FindProfile(profile)) << entry.id << " " << profile;
    }
    if (!entry.computed) continue;
    const Entry e = *reference::FindEntry(entry.id);
    for (std::string_view profile : reference::ProfileNames()) {
      EXPECT_EQ(entry.profiles.contains(std::string(profile)), reference::FixedBy(profile).Has(e))
          << entry.id << " " << profile;
    }
  }
}

TEST(Ledger, HoldsThePointsThatAreAboutTextOnly) {
  for (const char* id : {"example-1-value", "example-pads-omitted", "example-8-output-omitted", "example-commas",
                         "strides-zero", "axis-wrap", "index-source", "adaptive-index-attribute", "pads-value",
                         "spatial-names", "mli-avepool-cfg", "mli-padding-prose", "mli-filled-fields",
                         "mli-general-delegates", "mli-kernel-over-dimension", "mli-specialization-count"}) {
    const LedgerEntry* entry = BuiltInSpecs().FindLedger(id);
    ASSERT_NE(entry, nullptr) << id;
    EXPECT_FALSE(entry->computed) << id;
  }
}

}  // namespace
}  // namespace poolproof
