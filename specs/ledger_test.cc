// The ledger says the same as the reference computes.
#include <gtest/gtest.h>

#include <algorithm>
#include <sstream>
#include <string>

#include "conformance/cases/spec.h"
#include "reference/readings.h"

namespace poolproof {
namespace {

using reference::Entry;

// Of "openvino AdaptiveMaxPool-8", "openvino f16" or "openvino MaxPool-8 f16"; what it does not name is empty or 0.
struct Key {
  std::string profile, op;
  poolproof_element_type type = 0;
};

Key KeyOf(const std::string& text) {
  Key key;
  std::istringstream words(text);
  words >> key.profile;
  for (std::string word; words >> word;) {
    const poolproof_element_type type = backend::ParseElementType(word);
    EXPECT_TRUE(type == 0 || key.type == 0) << text;
    EXPECT_TRUE(type != 0 || (key.op.empty() && key.type == 0)) << text;
    if (type == 0) {
      key.op = word;
    } else {
      key.type = type;
    }
  }
  return key;
}

// The enums are made of the file that the suite reads.
TEST(Ledger, IsWhatTheReferenceComputes) {
  size_t computed = 0;
  for (const LedgerEntry& entry : BuiltInSpecs().ledger) {
    EXPECT_TRUE(entry.computed || entry.profiles.empty()) << entry.id;
    if (!entry.computed) continue;
    const std::optional<Entry> found = reference::FindEntry(entry.id);
    ASSERT_TRUE(found) << entry.id;
    EXPECT_EQ(static_cast<size_t>(*found), computed++) << entry.id;
    EXPECT_EQ(entry.kind == "silence", reference::IsSilence(*found)) << entry.id;
    ASSERT_EQ(entry.readings.size(), reference::ReadingNames(*found).size()) << entry.id;
    for (uint8_t r = 0; r < entry.readings.size(); ++r) {
      EXPECT_EQ(entry.readings[r].rare, reference::IsRare(*found, r)) << entry.id;
      EXPECT_FALSE(entry.readings[r].rare && (r == 0 || entry.kind != "silence")) << entry.id;
    }
    for (std::string_view name : reference::ProfileNames()) {
      const reference::Selection profile = *reference::FindProfile(name);
      const auto chosen = entry.profiles.find(std::string(name));
      EXPECT_EQ(chosen != entry.profiles.end(), profile.demanded.Has(*found)) << entry.id;
      EXPECT_EQ(chosen == entry.profiles.end() ? entry.readings[0].name : chosen->second,
                entry.readings[profile.readings[*found]].name);
    }
    for (const auto& [key, reading] : entry.profiles) {
      const Key who = KeyOf(key);
      EXPECT_TRUE(who.op.empty() || BuiltInSpecs().FindOperator(who.op) != nullptr) << key;
      const auto readings = reference::FindProfile(who.profile)->For(who.op, who.type);
      EXPECT_EQ(reading, entry.readings[readings[*found]].name) << key;
    }
  }
  EXPECT_EQ(computed, reference::kEntryCount);
}

TEST(Ledger, NamesReadingsAsTheReferenceDoes) {
  using reference::Scope;
  EXPECT_EQ(reference::EntryId(Entry::kEmptyWindowValue), "empty-window-value");
  EXPECT_EQ(reference::ReadingNames(Entry::kNan)[static_cast<size_t>(reference::Nan::kIgnoreAll)], "ignore-all");
  EXPECT_EQ(reference::ScopeOf(Entry::kTies), Scope::kRun);
  EXPECT_EQ(reference::ScopeOf(Entry::kMeanOverflow), Scope::kType);
  EXPECT_EQ(reference::ScopeOf(Entry::kSignedZero), Scope::kNone);
  EXPECT_TRUE(reference::IsRounding(Entry::kMliAverageRounding));
}

TEST(Ledger, HoldsThePointsThatAreAboutTextOnly) {
  for (const char* id :
       {"example-1-value", "example-pads-omitted", "example-8-output-omitted", "example-commas", "strides-zero",
        "axis-wrap", "index-source", "adaptive-index-attribute", "pads-value", "divisible-note", "adaptive-layer",
        "mli-borders", "spatial-names", "mli-avepool-cfg", "mli-padding-prose", "mli-filled-fields",
        "mli-general-delegates", "mli-kernel-over-dimension", "mli-specialization-count"}) {
    const LedgerEntry* entry = BuiltInSpecs().FindLedger(id);
    ASSERT_NE(entry, nullptr) << id;
    EXPECT_FALSE(entry->computed) << id;
  }
}

}  // namespace
}  // namespace poolproof
