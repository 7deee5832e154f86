// The example backend in C++ against numbers of the document, and the header from plain C.
#include <gtest/gtest.h>

#include <cmath>

#include "conformance/worker/test_call.h"

namespace poolproof::worker {
namespace {

std::unique_ptr<Lane> StartExample() {
  LaneOptions options;
  options.backend = BackendPath("example_backend");
  return StartOrFail(options);
}

// A MaxPool-8 call on 2-D data with these attributes.
struct Pool {
  std::vector<int64_t> kernel, strides, pads_begin, pads_end;
};
void SetPool(const Pool& pool, TestCall* call) {
  call->Ints("kernel", pool.kernel).Ints("strides", pool.strides);
  call->Ints("pads_begin", pool.pads_begin).Ints("pads_end", pool.pads_end);
}

CaseResult RunOn(Lane* lane, TestCall* call, const std::vector<float>& input) {
  std::copy(input.begin(), input.end(), static_cast<float*>(lane->Add(call->Get(), 0)));
  lane->Submit();
  CaseResult result = lane->Wait()[0];
  EXPECT_EQ(result.event, Event::kNone) << result.event_text;
  return result;
}

// MaxPool-8, example 1. Where the document prints -6 with index 5, its window holds 3 at index 2.
TEST(ExampleBackend, PoolsTheDocumentedExample) {
  const auto lane = StartExample();
  TestCall call("MaxPool-8", POOLPROOF_F32, {1, 1, 3, 3}, 2);
  SetPool({{2, 2}, {1, 1}, {1, 1}, {1, 1}}, &call);
  const CaseResult result = RunOn(lane.get(), &call, {-1, 2, 3, 4, 5, -6, -7, 8, 9});
  ASSERT_EQ(result.infer_status, POOLPROOF_OK) << result.error;
  ASSERT_EQ(result.placements, 2);
  for (int p = 0; p < 2; ++p) {
    EXPECT_EQ(Values<float>(result, p, 0, 16), (std::vector<float>{-1, 2, 3, 3, 4, 5, 5, 3, 4, 8, 9, 9, -7, 8, 9, 9}));
    EXPECT_EQ(Values<int64_t>(result, p, 1, 16),
              (std::vector<int64_t>{0, 1, 2, 2, 3, 4, 4, 2, 3, 7, 8, 8, 6, 7, 8, 8}));
  }
}

TEST(ExampleBackend, LetsNanWinAndTheFirstOfEquals) {
  const auto lane = StartExample();
  TestCall call("MaxPool-8", POOLPROOF_F32, {1, 1, 1, 4}, 2);
  SetPool({{1, 2}, {1, 2}, {0, 0}, {0, 0}}, &call);
  call.Word("index_element_type", "i32");
  const CaseResult result = RunOn(lane.get(), &call, {7, 7, 1, NAN});
  const auto values = Values<float>(result, 0, 0, 2);
  EXPECT_EQ(values[0], 7);
  EXPECT_TRUE(std::isnan(values[1]));
  EXPECT_EQ(Values<int32_t>(result, 0, 1, 2), (std::vector<int32_t>{0, 3}));
}

TEST(ExampleBackend, GivesMinusInfinityWhereAWindowIsAllPadding) {
  const auto lane = StartExample();
  TestCall call("MaxPool-8", POOLPROOF_F32, {1, 1, 1, 1}, 2);
  SetPool({{1, 1}, {1, 1}, {0, 1}, {0, 0}}, &call);
  const CaseResult result = RunOn(lane.get(), &call, {-5});
  EXPECT_EQ(Values<float>(result, 0, 0, 2), (std::vector<float>{-INFINITY, -5}));
}

TEST(ExampleBackend, SaysWhatItDoesNotDo) {
  const auto lane = StartExample();
  const auto answer = [&](const char* op, const Pool& pool, const char* rounding) {
    TestCall call(op, POOLPROOF_F32, {1, 1, 3, 3}, 2);
    SetPool(pool, &call);
    call.Word("rounding_type", rounding);
    const CaseResult result = RunOn(lane.get(), &call, std::vector<float>(9));
    return std::to_string(result.infer_status) + " " + result.error;
  };
  const Pool good = {{2, 2}, {1, 1}, {0, 0}, {0, 0}};
  EXPECT_EQ(answer("AvgPool-1", good, "floor"), "1 no operator AvgPool-1");
  EXPECT_EQ(answer("MaxPool-8", good, "ceil"), "1 floor only");
  EXPECT_EQ(answer("MaxPool-8", good, "up"), "2 rounding_type does not know the word up");
  EXPECT_EQ(answer("MaxPool-8", {{2, 2}, {0, 1}, {0, 0}, {0, 0}}, "floor"),
            "2 kernel, strides and dilations start at 1, pads at 0");
  EXPECT_EQ(answer("MaxPool-8", {{2, 2, 2}, {1, 1}, {0, 0}, {0, 0}}, "floor"), "2 kernel has 3 entries, not 2");
  EXPECT_EQ(answer("MaxPool-8", {{4, 1}, {1, 1}, {0, 0}, {0, 0}}, "floor"),
            "2 the kernel is larger than the padded input");
}

TEST(Abi, ServesABackendInC) {
  LaneOptions options;
  options.backend = BackendPath("c_backend");
  const auto lane = StartOrFail(options);
  EXPECT_EQ(lane->Info().version, "11");
  TestCall call("Copy", POOLPROOF_F32, {4});
  const CaseResult result = RunOn(lane.get(), &call, {1, 2, 3, 4});
  EXPECT_EQ(Values<float>(result, 1, 0, 4), (std::vector<float>{1, 2, 3, 4}));
  TestCall other("Other", POOLPROOF_F32, {1});
  EXPECT_EQ(RunOn(lane.get(), &other, {1}).error, "only Copy");
}

}  // namespace
}  // namespace poolproof::worker
