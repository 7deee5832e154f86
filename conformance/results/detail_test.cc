// One judged case as data: which elements are wrong, and the window of the first.
#include "conformance/results/detail.h"

#include <gtest/gtest.h>

#include <cstring>

#include "conformance/judge/test_call.h"

namespace poolproof {
namespace {

using nlohmann::ordered_json;

// A problem with what the oracle expects of it, and an answer that can be changed.
class AnsweredProblem {
 public:
  explicit AnsweredProblem(const char* line) : call_(Parsed(line)) {
    planned_.problem = call_.problem;
    planned_.line = planned_.id = line;
    call_.Compute({}, &expected_);
    got_ = expected_.result();
    for (size_t i = 0; i < got_.output_count; ++i) {
      const auto* data = static_cast<const std::byte*>(got_.outputs[i].data);
      memory_[i].assign(data, data + got_.outputs[i].size_bytes);
      got_.outputs[i].data = memory_[i].data();
    }
  }
  void SetValue(size_t element, float value) { std::memcpy(&memory_[0][element * sizeof value], &value, sizeof value); }
  Result& got() { return got_; }
  ordered_json Detail(bool answered = true) {
    Judgement judgement;
    judgement.verdict = Verdict::kFail;
    judgement.difference = Difference::kValue;
    judgement.element = 1;
    return MakeDetail(planned_, call_.call, expected_, answered ? &got_ : nullptr, judgement);
  }

 private:
  static Problem Parsed(const char* line) {
    Error error;
    const auto problem = ParseLine(BuiltInSpecs(), line, &error);
    EXPECT_TRUE(problem) << error.message;
    return *problem;
  }

  TestCall call_;
  PlannedCase planned_;
  Expected expected_;
  Result got_;
  std::array<std::vector<std::byte>, kMaxOutputs> memory_;
};

constexpr char kLine[] = "MaxPool-1 f32 in=1x1x4 k=2 s=1 pb=0 pe=0 rounding=floor data=1,2,3,4";

TEST(Detail, NamesTheWrongElementsAndTheWindowOfTheFirst) {
  AnsweredProblem answered(kLine);
  answered.SetValue(1, 9);
  const ordered_json detail = answered.Detail();
  EXPECT_EQ(detail["input"]["values"], (ordered_json{"1", "2", "3", "4"}));
  EXPECT_EQ(detail["expected"][0]["values"], (ordered_json{"2", "3", "4"}));
  EXPECT_EQ(detail["got"][0]["values"], (ordered_json{"2", "9", "4"}));
  EXPECT_EQ(detail["wrong"][0], (ordered_json{1}));
  EXPECT_EQ(detail["first"]["expected"], "3");
  EXPECT_EQ(detail["first"]["got"], "9");
  EXPECT_EQ(detail["window"]["offsets"], (ordered_json{1, 2}));
}

TEST(Detail, WithoutAnAnswerThereIsNothingWrong) {
  const ordered_json detail = AnsweredProblem(kLine).Detail(false);
  EXPECT_TRUE(detail.contains("expected"));
  EXPECT_FALSE(detail.contains("got"));
  EXPECT_FALSE(detail.contains("wrong"));
}

TEST(Detail, AnotherShapeShowsTheFirstWindow) {
  AnsweredProblem answered(kLine);
  answered.got().outputs[0].dims[2] = 2;
  answered.got().outputs[0].size_bytes = 8;
  const ordered_json detail = answered.Detail();
  EXPECT_FALSE(detail.contains("wrong"));
  EXPECT_EQ(detail["window"]["offsets"], (ordered_json{0, 1}));
}

TEST(Detail, LargeTensorsComeWithoutValues) {
  AnsweredProblem answered("MaxPool-1 f32 in=1x1x5000 k=2 s=1 pb=0 pe=0 rounding=floor fill=distinct seed=1");
  const ordered_json detail = answered.Detail();
  EXPECT_EQ(detail["input"]["shape"], (ordered_json{1, 1, 5000}));
  EXPECT_FALSE(detail["input"].contains("values"));
}

TEST(Detail, ACauseWithoutAnIdIsNone) { EXPECT_TRUE(CauseJson(Cause()).is_null()); }

}  // namespace
}  // namespace poolproof
