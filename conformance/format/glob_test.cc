// One pattern language for everything that has wildcards.
#include <gtest/gtest.h>

#include <string>

#include "conformance/format/glob.h"

namespace poolproof {
namespace {

TEST(GlobTest, StarStandsForAnyText) {
  EXPECT_TRUE(GlobMatches("*", ""));
  EXPECT_TRUE(GlobMatches("MaxPool-8 *", "MaxPool-8 f32 in=1"));
  EXPECT_TRUE(GlobMatches("*rounding=ceil*", "A rounding=ceil_torch"));
  EXPECT_TRUE(GlobMatches("a*b*c", "aXbYbZc"));
  EXPECT_TRUE(GlobMatches("a**", "a"));
  EXPECT_FALSE(GlobMatches("a*b*c", "aXbYbZ"));
  EXPECT_FALSE(GlobMatches("MaxPool-1", "MaxPool-14"));
  EXPECT_FALSE(GlobMatches("", "x"));
}

TEST(GlobTest, QuestionMarkStandsForOneByte) {
  EXPECT_TRUE(GlobMatches("f?6", "f16"));
  EXPECT_TRUE(GlobMatches("*?", "x"));
  EXPECT_FALSE(GlobMatches("f?6", "f6"));
  EXPECT_FALSE(GlobMatches("?", ""));
}

TEST(GlobTest, NothingElseIsSpecial) {
  EXPECT_TRUE(GlobMatches("[1,2]*", "[1,2] f32"));
  EXPECT_FALSE(GlobMatches("[12]", "1"));
  EXPECT_FALSE(GlobMatches("\\*", "*"));
}

TEST(GlobTest, ManyStarsTakeNoTime) {
  std::string pattern;
  for (int i = 0; i < 40; ++i) pattern += "a*";
  EXPECT_FALSE(GlobMatches(pattern + "b", std::string(5000, 'a')));
}

}  // namespace
}  // namespace poolproof
