// Every property holds for the oracle and for the fast implementation, on some hundred rounds each,
// through the same C ABI that any backend has.
#include <gtest/gtest.h>

#include <cstdlib>
#include <set>

#include "conformance/problem/generate.h"
#include "conformance/properties/run.h"

namespace poolproof {
namespace {

constexpr uint64_t kRounds = 400;

const Specs& AllSpecs() {
  static const Specs specs = [] {
    Error error;
    std::optional<Specs> loaded = LoadSpecs("", &error);
    if (!loaded) throw std::runtime_error(error.message);
    return *loaded;
  }();
  return specs;
}

std::unique_ptr<InProcessBackend> Open(const std::string& path) {
  Error error;
  auto backend = InProcessBackend::Open(path, {}, &error);
  if (backend == nullptr) throw std::runtime_error(error.message);
  return backend;
}

void ExpectAllHold(const std::string& path) {
  const auto backend = Open(path);
  for (const Property& property : Properties()) {
    int with_problems = 0;
    for (uint64_t seed = 0; seed < kRounds; ++seed) {
      const RoundResult result = RunRound(property, AllSpecs(), seed, backend.get());
      with_problems += !result.problems.empty() && result.verdict.holding == Holding::kHolds;
      ASSERT_NE(result.verdict.holding, Holding::kFails)
          << property.id << ", round " << seed << ": " << result.verdict.reason << "\n"
          << PrintLine(result.problems.front()) << "\n" << PrintLine(result.problems.back());
    }
    EXPECT_GT(with_problems, 20) << property.id;
  }
}

TEST(PropertiesTest, HoldForTheReference) { ExpectAllHold(POOLPROOF_REFERENCE_PATH); }

TEST(PropertiesTest, HoldForTheOptimizedImplementation) { ExpectAllHold(POOLPROOF_OPTIMIZED_PATH); }

TEST(PropertiesTest, IdsAndSentencesAreUnique) {
  std::set<std::string_view> ids, sentences;
  for (const Property& property : Properties()) {
    EXPECT_TRUE(ids.insert(property.id).second) << property.id;
    EXPECT_TRUE(sentences.insert(property.sentence).second) << property.sentence;
    EXPECT_NE(property.make, nullptr);
    EXPECT_NE(property.check, nullptr);
  }
}

TEST(PropertiesTest, ProblemsAreValidAndDeterminedBySeed) {
  for (const Property& property : Properties()) {
    for (uint64_t seed = 0; seed < 50; ++seed) {
      std::vector<Problem> first, second;
      property.make(AllSpecs(), seed, &first);
      property.make(AllSpecs(), seed, &second);
      ASSERT_EQ(first.size(), second.size());
      for (size_t i = 0; i < first.size(); ++i) {
        EXPECT_EQ(PrintLine(first[i]), PrintLine(second[i]));
        EXPECT_TRUE(IsValid(first[i])) << PrintLine(first[i]);
      }
    }
  }
}

}  // namespace
}  // namespace poolproof
