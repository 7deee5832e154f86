// The mutants by themselves: that the computation they bend is right, and that each bends it.
#include "conformance/causes/mutant.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>
#include <sstream>
#include <string>

#include "conformance/cases/boundaries.h"
#include "conformance/cases/generate.h"
#include "conformance/causes/cases.h"
#include "conformance/causes/test_problem.h"

namespace poolproof::mutants {
namespace {

constexpr int kRandomProblems = 20000;

// The hooks change single steps of PlainPool, so a mutant is wrong in one way only if PlainPool
// itself is right.
TEST(PlainPool, AgreesWithTheReference) {
  for (uint64_t i = 0; i < kRandomProblems; ++i) {
    const Problem problem = RandomProblem(BuiltInSpecs(), 1, i);
    EXPECT_LE(TestProblem(problem).Compare(nullptr), Difference::kTolerated) << PrintLine(problem);
    if (HasFailure()) break;
  }
}

TEST(Mutants, HaveAllThatATableShows) {
  std::set<std::string_view> ids;
  for (const Mutant& mutant : Mutants()) {
    EXPECT_TRUE(ids.insert(mutant.id).second) << mutant.id << " is there twice";
    EXPECT_EQ(FindMutant(mutant.id), &mutant);
    EXPECT_EQ(mutant.id.find_first_not_of("abcdefghijklmnopqrstuvwxyz0123456789-"), std::string_view::npos)
        << mutant.id;
    EXPECT_FALSE(mutant.title.empty()) << mutant.id;
    EXPECT_FALSE(mutant.effect.empty() || mutant.effect.ends_with('.')) << mutant.id;
    EXPECT_NE(mutant.operators, 0u) << mutant.id;
  }
  EXPECT_EQ(FindMutant("no-such-mutant"), nullptr);
}

TEST(Mutants, ExpectVerdictsThatExist) {
  const std::set<std::string> verdicts = {"deviates",       "fail",         "wrongly-accepted", "wrongly-rejected",
                                          "unsupported",    "crash",        "timeout",          "out-of-bounds",
                                          "input-modified", "written-late", "unwritten",        "nondeterministic",
                                          "inconsistent",   "missing",      "process-fault"};
  std::set<std::string> seen;
  for (const Mutant& mutant : Mutants()) {
    std::istringstream words{std::string(mutant.verdicts)};
    for (std::string word; words >> word;) {
      EXPECT_TRUE(verdicts.count(word)) << mutant.id << ": " << word;
      seen.insert(word);
    }
  }
  EXPECT_EQ(seen, verdicts);
}

// Each public report of a pooling defect that the suite has to catch.
TEST(Mutants, CoverThePublishedReports) {
  for (const char* id : {"openvino-18731",    "openvino-35935",    "openvino-start-value",
                         "onednn-1094",       "onednn-1205",       "onednn-1387",
                         "cudnn-f16-lowest",  "cudnn-s8-lowest",   "onnxruntime-15446",
                         "onnxruntime-29637", "onnxruntime-27375", "onnxruntime-24681",
                         "onnxruntime-29629", "pytorch-57178",     "pytorch-1465",
                         "tvm-18641",         "tt-metal-11044",    "onnx2tf-207",
                         "tensorflow-125965", "embarc-mli-krnpad", "embarc-mli-hwc-capacity"}) {
    const Mutant* mutant = FindMutant(id);
    ASSERT_NE(mutant, nullptr) << id;
    EXPECT_TRUE(mutant->link.starts_with("https://github.com/")) << id;
  }
}

// cases.txt names one problem per pure mutant on which its answer is another one than the
// reference's: wrong, or another reading of a silence where mixing readings is the defect.
TEST(Mutants, DifferFromTheReference) {
  std::set<std::string_view> shown;
  for (const Case& c : Cases()) {
    const Mutant* mutant = FindMutant(c.mutant);
    ASSERT_NE(mutant, nullptr) << c.mutant;
    Error error;
    const auto problem = ParseLine(BuiltInSpecs(), c.line, &error);
    ASSERT_TRUE(problem.has_value()) << c.line << ": " << error.message;
    const bool mixes = mutant->verdicts.find("inconsistent") != std::string_view::npos;
    EXPECT_GE(TestProblem(*problem).Compare(mutant), mixes ? Difference::kSilence : Difference::kWrong)
        << c.mutant << ": " << c.line;
    shown.insert(c.mutant);
  }
  for (const Mutant& mutant : Mutants()) {
    EXPECT_EQ(shown.count(mutant.id), mutant.IsPure() ? 1u : 0u) << mutant.id;
  }
}

TEST(Mutants, LeaveOtherOperatorsAlone) {
  for (uint64_t i = 0; i < 200; ++i) {
    const Problem problem = RandomProblem(BuiltInSpecs(), 2, i);
    TestProblem test(problem);
    for (const Mutant& mutant : Mutants()) {
      if (!mutant.IsPure() || mutant.AppliesTo(problem.function->name)) continue;
      EXPECT_EQ(test.Compare(&mutant), Difference::kNone) << mutant.id << PrintLine(problem);
    }
  }
}

}  // namespace
}  // namespace poolproof::mutants
