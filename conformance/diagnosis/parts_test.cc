// Failures of several causes that are told apart by where they are.
#include "conformance/diagnosis/parts.h"

#include <gtest/gtest.h>

#include <functional>
#include <set>

namespace poolproof {
namespace {

using Fails = std::function<bool(int64_t width, int64_t channels, int64_t batch)>;

int64_t& ValueIn(Features& features, Feature feature) { return features[static_cast<size_t>(feature)]; }

// Cube of all sizes up to 12 by 12 by 12, as they fail or are right.
struct Cube {
  explicit Cube(const Fails& fails) {
    for (int64_t width = 1; width <= 12; ++width) {
      for (int64_t channels = 1; channels <= 12; ++channels) {
        for (int64_t batch = 1; batch <= 12; ++batch) Add(fails(width, channels, batch), width, channels, batch);
      }
    }
  }

  void Add(bool is_failing, int64_t width, int64_t channels, int64_t batch) {
    Features features{};
    ValueIn(features, Feature::kWidth) = width;
    ValueIn(features, Feature::kChannels) = channels;
    ValueIn(features, Feature::kBatch) = batch;
    (is_failing ? failing : right).push_back(features);
  }

  std::vector<Features> failing, right;
};

// Texts of the rules, in the order of words.
std::set<std::string> PartsOf(const Fails& fails) {
  const Cube cube(fails);
  WordNumbers words;
  std::set<std::string> texts;
  for (const Rule& rule : FindParts(cube.failing, cube.right).rules) texts.insert(rule.Text(words));
  return texts;
}

TEST(PartsTest, OnePlaceIsOnePart) {
  EXPECT_TRUE(PartsOf([](int64_t width, int64_t, int64_t) { return width >= 9; }).empty());
  EXPECT_TRUE(PartsOf([](int64_t width, int64_t channels, int64_t) { return width >= 9 && channels == 3; }).empty());
}

TEST(PartsTest, TwoPlacesAreTwoParts) {
  const Fails fails = [](int64_t width, int64_t channels, int64_t) { return width >= 10 || channels <= 2; };
  EXPECT_EQ(PartsOf(fails), (std::set<std::string>{"width >= 10", "channels <= 2"}));
  const Cube cube(fails);
  const Parts parts = FindParts(cube.failing, cube.right);
  EXPECT_EQ(parts.Count(), 2u);
  for (Features problem : cube.failing) {
    EXPECT_EQ(parts.Of(problem), ValueIn(problem, Feature::kWidth) >= 10 ? 0u : 1u);
  }
}

TEST(PartsTest, ThreePlacesAreThreeParts) {
  const auto rules = PartsOf(
      [](int64_t width, int64_t channels, int64_t batch) { return width >= 10 || channels <= 2 || batch == 7; });
  EXPECT_EQ(rules.size(), 3u);
}

TEST(PartsTest, APlaceOfTwoConditionsIsAPart) {
  const auto rules = PartsOf(
      [](int64_t width, int64_t channels, int64_t batch) { return (width >= 8 && channels >= 8) || batch <= 2; });
  EXPECT_EQ(rules.size(), 2u);
}

// Half of the problems in one place show what is wrong, and those in a corner of it always do.
TEST(PartsTest, APlaceInWhichSomeAreRightIsOnePart) {
  EXPECT_TRUE(PartsOf([](int64_t width, int64_t channels, int64_t batch) {
                return width >= 7 && (channels >= 9 || (width + channels * 5 + batch * 3) % 2 == 0);
              }).empty());
}

TEST(PartsTest, FailuresEverywhereAreOnePart) {
  EXPECT_TRUE(PartsOf([](int64_t width, int64_t channels, int64_t batch) {
                return (width * 7 + channels * 5 + batch * 3) % 4 == 0;
              }).empty());
}

// Documents have words of their own for one padding, which is no other place; neither is another value of one thing.
TEST(PartsTest, PlacesThatSpeakOfTheSameAreNoParts) {
  const auto parts_by = [](Feature first, Feature second) {
    Cube cube([](int64_t, int64_t, int64_t) { return false; });
    int64_t value = 0;
    for (Features& features : cube.right) ValueIn(features, first) = ValueIn(features, second) = 2 + value++ % 6;
    cube.failing.assign(cube.right.begin(), cube.right.begin() + 400);
    for (Features& features : cube.failing) {
      const bool even = value++ % 2 == 0;
      ValueIn(features, even ? first : second) = even ? 8 : 9;
    }
    return FindParts(cube.failing, cube.right).Count();
  };
  EXPECT_EQ(parts_by(Feature::kType, Feature::kType), 1u);
  EXPECT_EQ(parts_by(Feature::kAutoPad, Feature::kAutoPad), 1u);
  EXPECT_EQ(parts_by(Feature::kType, Feature::kAutoPad), 2u);
}

// The fault shows at times where the width is large, and always in a corner there.
TEST(PartsTest, APlaceInsideAnotherOneIsNoPart) {
  EXPECT_TRUE(PartsOf([](int64_t width, int64_t channels, int64_t batch) {
                const bool corner = channels >= 9 && batch >= 6;
                return width >= 8 && (corner || (width * 7 + channels * 5 + batch * 3) % 5 == 0);
              }).empty());
}

TEST(PartsTest, TwoValuesOfOneThingAreOnePart) {
  EXPECT_TRUE(PartsOf([](int64_t width, int64_t, int64_t) { return width == 4 || width == 8; }).empty());
}

TEST(PartsTest, FewAreNoPart) {
  EXPECT_TRUE(PartsOf([](int64_t width, int64_t channels, int64_t batch) {
                return width >= 10 || (channels == 1 && batch == 1);
              }).empty());
  EXPECT_EQ(FindParts({}, {}).Count(), 1u);
}

// A few failures anywhere hide no two places.
TEST(PartsTest, WhatLiesNowhereIsOfTheLargestPart) {
  const Cube cube([](int64_t width, int64_t channels, int64_t batch) {
    return width >= 10 || channels == 1 || (width * 7 + channels * 5 + batch * 3) % 40 == 0;
  });
  const Parts parts = FindParts(cube.failing, cube.right);
  ASSERT_EQ(parts.Count(), 2u);
  for (Features problem : cube.failing) {
    const bool narrow = ValueIn(problem, Feature::kWidth) < 10, first = ValueIn(problem, Feature::kChannels) == 1;
    const bool largest = parts.Of(problem) == parts.others;
    EXPECT_TRUE(narrow || first || largest);
    EXPECT_FALSE(narrow && first && largest);
  }
}

}  // namespace
}  // namespace poolproof
