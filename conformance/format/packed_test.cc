// Numbers come out of packed text as they went in, and no text is read in two ways.
#include "conformance/format/packed.h"

#include <gtest/gtest.h>

namespace poolproof {
namespace {

// All numbers; nothing where the text is not as it is written.
std::optional<std::vector<uint64_t>> Unpacked(const std::string& text) {
  PackedNumbers packed(text);
  std::vector<uint64_t> numbers;
  while (const auto number = packed.Next()) numbers.push_back(*number);
  return packed.AtEnd() ? std::optional(numbers) : std::nullopt;
}

TEST(Packed, NumbersComeOutAsTheyWentIn) {
  const std::vector<std::vector<uint64_t>> lists = {
      {}, {0}, {1}, {5, 0, 0, 0, 31, 32, 33}, {0, (uint64_t{1} << 61) - 1}, std::vector<uint64_t>(1000, 7)};
  for (const auto& numbers : lists) EXPECT_EQ(Unpacked(PackNumbers(numbers)), numbers);
}

TEST(Packed, AreShort) {
  EXPECT_LE(PackNumbers(std::vector<uint64_t>(6000, 0)).size(), 1001u);
  EXPECT_LE(PackNumbers(std::vector<uint64_t>(600, 1000)).size(), 1101u);
}

TEST(Packed, PlacesAreTheDistancesBetweenThem) {
  EXPECT_EQ(PackPlaces({3, 4, 9}), PackNumbers({3, 0, 4}));
  EXPECT_EQ(PackPlaces({}), PackNumbers({}));
}

TEST(Packed, ChangedTextIsRefusedOrHoldsOtherNumbers) {
  const std::vector<uint64_t> numbers = {3, 1, 4, 1, 5, 9, 26, 5, 3, 58};
  const std::string text = PackNumbers(numbers);
  for (size_t at = 0; at < text.size(); ++at) {
    for (const char c : {'A', 'B', 'g', 'z', '0', '_', '!', '"', '\0', '\xff'}) {
      std::string changed = text;
      changed[at] = c;
      EXPECT_TRUE(changed == text || Unpacked(changed) != numbers) << at << ' ' << c;
    }
  }
  for (size_t length = 0; length < text.size(); ++length) EXPECT_NE(Unpacked(text.substr(0, length)), numbers);
  EXPECT_NE(Unpacked(text + "A"), numbers);
  EXPECT_EQ(Unpacked(""), std::nullopt);
  EXPECT_EQ(Unpacked("_"), std::nullopt);
  EXPECT_EQ(Unpacked("A" + std::string(100, 'A')), std::nullopt);
}

}  // namespace
}  // namespace poolproof
