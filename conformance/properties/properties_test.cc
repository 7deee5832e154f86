// Every property holds for the oracle and for the fast implementation, on some hundred rounds each,
// through the same C ABI that any backend has.
#include <gtest/gtest.h>

#include <cstdlib>
#include <deque>
#include <set>

#include "conformance/cases/valid.h"
#include "conformance/properties/run.h"

namespace poolproof {
namespace {

constexpr uint64_t kRounds = 400;

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
      const RoundResult result = RunRound(property, BuiltInSpecs(), seed, backend.get());
      with_problems += !result.problems.empty() && result.verdict.holding == Holding::kHolds;
      ASSERT_NE(result.verdict.holding, Holding::kFails)
          << property.id << ", round " << seed << ": " << result.verdict.reason << "\n"
          << PrintLine(result.problems.front()) << "\n"
          << PrintLine(result.problems.back());
    }
    EXPECT_GT(with_problems, 20) << property.id;
  }
}

TEST(PropertiesTest, HoldForTheReference) { ExpectAllHold(POOLPROOF_REFERENCE_PATH); }

TEST(PropertiesTest, HoldForTheOptimizedImplementation) { ExpectAllHold(POOLPROOF_OPTIMIZED_PATH); }

// Whether the property notices that one element of one output of one answer is another value.
bool NoticesChange(const Property& property, uint64_t seed, InProcessBackend* backend) {
  std::vector<Problem> problems;
  property.make(BuiltInSpecs(), seed, &problems);
  std::deque<TensorMemory> memory;
  std::vector<Answer> answers;
  for (const Problem& problem : problems) {
    answers.push_back(backend->Run(problem, &memory.emplace_back()));
    if (answers.back().status != POOLPROOF_OK) return false;
  }
  if (problems.empty()) return false;
  if (property.make_more != nullptr) {
    std::vector<Problem> more;
    property.make_more({problems, answers}, &more);
    problems.insert(problems.end(), more.begin(), more.end());
    while (answers.size() < problems.size()) {
      answers.push_back(backend->Run(problems[answers.size()], &memory.emplace_back()));
    }
  }
  for (size_t output = 0; output < problems.back().OutputCount(); ++output) {
    poolproof_tensor& changed = answers.back().outputs[output];
    auto* bytes = static_cast<std::byte*>(changed.data);
    const size_t size = ElementSize(changed.element_type);
    if (changed.size_bytes == 0) continue;
    // The highest byte of the first element: no tolerance hides it. A shape changes as well.
    bytes[size - 1] ^= std::byte{0x41};
    --changed.dims[changed.rank - 1];
    const bool shape = JudgeRound(property, {problems, answers}).holding == Holding::kFails;
    ++changed.dims[changed.rank - 1];
    const bool value = JudgeRound(property, {problems, answers}).holding == Holding::kFails;
    bytes[size - 1] ^= std::byte{0x41};
    if (shape || value) return true;
  }
  return false;
}

TEST(PropertiesTest, NoticeOneChangedElementOfOneAnswer) {
  const auto backend = Open(POOLPROOF_REFERENCE_PATH);
  for (const Property& property : Properties()) {
    bool noticed = false;
    for (uint64_t seed = 0; seed < 30 && !noticed; ++seed) {
      noticed = NoticesChange(property, seed, backend.get());
    }
    EXPECT_TRUE(noticed) << property.id;
  }
}

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
      property.make(BuiltInSpecs(), seed, &first);
      property.make(BuiltInSpecs(), seed, &second);
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
