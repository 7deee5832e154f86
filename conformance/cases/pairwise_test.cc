#include "conformance/cases/pairwise.h"

#include <gtest/gtest.h>

#include <algorithm>

namespace poolproof {
namespace {

// Pairs of values of two parameters that no row has.
size_t MissingPairs(const std::vector<size_t>& counts, const std::vector<std::vector<size_t>>& rows) {
  size_t missing = 0;
  for (size_t p = 0; p < counts.size(); ++p) {
    for (size_t q = p + 1; q < counts.size(); ++q) {
      std::vector<bool> seen(counts[p] * counts[q], false);
      for (const std::vector<size_t>& row : rows) seen[row[p] * counts[q] + row[q]] = true;
      missing += static_cast<size_t>(std::count(seen.begin(), seen.end(), false));
    }
  }
  return missing;
}

TEST(PairwiseTest, EveryPairOccurs) {
  const std::vector<std::vector<size_t>> cases = {
      {2, 2}, {3, 1, 4}, {12, 3, 5, 5, 4, 4, 5, 3, 4, 3, 6, 9, 4}, {2, 2, 2, 2, 2, 2, 2, 2}};
  for (const std::vector<size_t>& counts : cases) {
    const std::vector<std::vector<size_t>> rows = CoverPairs(counts);
    EXPECT_EQ(MissingPairs(counts, rows), 0u);
    for (const std::vector<size_t>& row : rows) {
      ASSERT_EQ(row.size(), counts.size());
      for (size_t p = 0; p < row.size(); ++p) EXPECT_LT(row[p], counts[p]);
    }
  }
}

TEST(PairwiseTest, RowsAreFew) {
  EXPECT_LE(CoverPairs(std::vector<size_t>(13, 3)).size(), 27u);  // 3 ^ 13 combinations
  EXPECT_LE(CoverPairs(std::vector<size_t>(20, 10)).size(), 250u);
}

TEST(PairwiseTest, OneParameterHasOneRowPerValue) { EXPECT_EQ(CoverPairs(std::vector<size_t>{4}).size(), 4u); }

}  // namespace
}  // namespace poolproof
