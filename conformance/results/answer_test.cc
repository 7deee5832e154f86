// Answers and words that are the same in every run.

#include <gtest/gtest.h>

#include <cmath>

#include "conformance/cases/problem.h"
#include "conformance/results/answer.h"

namespace poolproof {
namespace {

TEST(StableWords, LoseWhatDiffersFromRunToRun) {
  EXPECT_EQ(StableWords("received signal SIGSEGV at address 0x7f3a in run"),
            "received signal SIGSEGV at address # in run");
  EXPECT_EQ(StableWords("at 0xdead_beef"), StableWords("at 0xbeef_dead"));
  EXPECT_EQ(StableWords("pointer deadbeefcafe"), "pointer #");
  EXPECT_EQ(StableWords("wrote 4 bytes past"), "wrote # bytes past");
  EXPECT_EQ(StableWords("a bad face"), "a bad face");
  EXPECT_EQ(StableWords(""), "");
}

TEST(EventCause, LosesWhatTheBackendPrinted) {
  const auto cause = [](const std::string& text) {
    CaseResult result;
    result.event_text = text;
    return EventCause(result);
  };
  const std::string stable = "printed a line that is no JSON object in run";
  EXPECT_EQ(cause(R"(printed a line that is no JSON object: "kernel 5" in run)"), stable);
  EXPECT_EQ(cause(R"(printed a line that is no JSON object: "\"a\" \\" in run)"), stable);
  EXPECT_EQ(cause(R"(sent a "shape" that is no integer: "1" in run)"), R"(sent a "shape" that is no integer in run)");
  EXPECT_EQ(cause(R"(sent no "id" in run)"), R"(sent no "id" in run)");
  EXPECT_EQ(cause(R"(cut off: "abc)"), "cut off");
}

// One answer of one f32 output.
struct Answered {
  poolproof_tensor output{};
  poolproof_tensor* outputs[1] = {&output};
  Call call;
  CaseResult result;
  std::array<float, 4> values{1, 2, 3, 4};

  Answered() {
    call.call.outputs = outputs;
    call.call.output_count = 1;
    result.ran = true;
    poolproof_tensor& tensor = result.outputs[0];
    tensor.element_type = POOLPROOF_F32;
    tensor.rank = 1;
    tensor.dims[0] = 4;
    tensor.size_bytes = sizeof values;
  }
  std::string Digest(Verdict verdict = Verdict::kFail) {
    result.data[0][0] = reinterpret_cast<const std::byte*>(values.data());
    return AnswerDigest(call, 0, result, verdict);
  }
};

TEST(AnswerDigest, TellsValuesStatusesAndDescriptions) {
  Answered a;
  const std::string digest = a.Digest();
  EXPECT_EQ(digest.size(), 16u);
  EXPECT_EQ(Answered().Digest(), digest);
  Answered value, rank, status;
  value.values[3] = 5;
  rank.result.outputs[0].rank = 2;
  status.result.run_status[0] = POOLPROOF_INTERNAL_ERROR;
  for (Answered* other : {&value, &rank, &status}) EXPECT_NE(other->Digest(), digest);
}

TEST(AnswerDigest, AnyNanIsAnyOtherAndZerosHaveSigns) {
  Answered quiet, negative, zero, minus;
  quiet.values[1] = std::nanf("");
  negative.values[1] = -std::nanf("7");
  EXPECT_EQ(quiet.Digest(), negative.Digest());
  zero.values[1] = 0.0f;
  minus.values[1] = -0.0f;
  EXPECT_NE(zero.Digest(), minus.Digest());
}

TEST(AnswerDigest, OfAnEventLeavesOutAddresses) {
  Answered a, b, c;
  a.result.event = b.result.event = c.result.event = Event::kCrash;
  a.result.event_text = "received signal SIGSEGV at address 0x1a2b in run";
  b.result.event_text = "received signal SIGSEGV at address 0xcafe0 in run";
  c.result.event_text = "received signal SIGABRT in run";
  EXPECT_EQ(a.Digest(Verdict::kCrash), b.Digest(Verdict::kCrash));
  EXPECT_NE(a.Digest(Verdict::kCrash), c.Digest(Verdict::kCrash));
}

TEST(AnswerDigest, SurvivesAnyDescription) {
  for (const int32_t rank : {-1, 0, 9, 1000}) {
    Answered a;
    a.result.outputs[0].rank = rank;
    a.result.ran = false;
    EXPECT_EQ(a.Digest().size(), 16u);
  }
}

}  // namespace
}  // namespace poolproof
