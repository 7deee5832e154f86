#include "conformance/run/broken_process.h"

#include <gtest/gtest.h>

#include <vector>

namespace poolproof {
namespace {

constexpr poolproof_status kOk = POOLPROOF_OK, kError = POOLPROOF_INTERNAL_ERROR;

CaseResult Ran(poolproof_status first, poolproof_status second) {
  CaseResult result;
  result.ran = true;
  result.placements = 2;
  result.run_status = {first, second};
  return result;
}
CaseResult Refused(poolproof_status status) {
  CaseResult result;
  result.placements = 2;
  result.infer_status = status;
  return result;
}

TEST(BrokenProcess, IsFoundFromTheFirstErrorThatNothingElseFollows) {
  const std::vector<CaseResult> results = {Ran(kOk, kError), Refused(POOLPROOF_UNSUPPORTED), Ran(kError, kError),
                                           Ran(kError, kError)};
  const std::optional<Break> found = FindBreak(results);
  ASSERT_TRUE(found);
  EXPECT_EQ(found->first, 2u);
  EXPECT_EQ(found->before, 0u);
  EXPECT_TRUE(AnswersInternalError(results[0]));
  EXPECT_TRUE(WasRun(results[0]));
  EXPECT_FALSE(AnswersInternalError(results[1]));
  EXPECT_FALSE(WasRun(results[1]));
  EXPECT_FALSE(WasRun(results[2]));
}

TEST(BrokenProcess, TheSecondPlacementRunsBackwards) {
  const std::vector<CaseResult> results = {Ran(kOk, kError), Ran(kOk, kError), Ran(kOk, kOk)};
  const std::optional<Break> found = FindBreak(results);
  ASSERT_TRUE(found);
  EXPECT_EQ(found->first, 1u);
  EXPECT_EQ(found->before, 2u);
}

TEST(BrokenProcess, IsNoneWhereAnotherAnswerFollowsOrThereIsNoError) {
  EXPECT_FALSE(FindBreak(std::vector{Ran(kOk, kOk), Ran(kError, kError)}));
  EXPECT_FALSE(FindBreak(std::vector{Ran(kOk, kOk), Refused(POOLPROOF_UNSUPPORTED)}));
  EXPECT_FALSE(FindBreak({}));
  CaseResult crashed = Ran(kError, kError);
  crashed.event = Event::kCrash;
  EXPECT_FALSE(FindBreak(std::vector{crashed}));
}

TEST(BrokenProcess, TheFirstCallOfAllHasNoneBeforeIt) {
  const std::optional<Break> found = FindBreak(std::vector{Refused(kError), Ran(kError, kError)});
  ASSERT_TRUE(found);
  EXPECT_EQ(found->first, 0u);
  EXPECT_FALSE(found->before);
}

}  // namespace
}  // namespace poolproof
