// Calls that break one rule each, and what the sentence says.
#include <gtest/gtest.h>

#include "reference/test_call.h"

namespace poolproof::reference {
namespace {

// A valid call of each sliding operator, to be spoilt.
TestCall Valid(const std::string& op, poolproof_element_type type = POOLPROOF_F32,
               const std::vector<int64_t>& shape = {1, 2, 5, 5}) {
  const bool index = op == "MaxPool-8" || op == "MaxPool-14";
  TestCall call(op, type, shape, index ? 2 : 1);
  if (op.starts_with("AvgPool")) call.Bool("exclude-pad", true);
  return call;
}

TestCall WithGeometry(const std::string& op, std::vector<int64_t> kernel, std::vector<int64_t> strides,
                      std::vector<int64_t> pads_begin, std::vector<int64_t> pads_end,
                      const std::vector<int64_t>& shape) {
  TestCall call = Valid(op, POOLPROOF_F32, shape);
  call.List("kernel", std::move(kernel)).List("strides", std::move(strides));
  call.List("pads_begin", std::move(pads_begin)).List("pads_end", std::move(pads_end));
  return call;
}

TestCall Good(const std::string& op) { return WithGeometry(op, {2, 2}, {1, 1}, {0, 0}, {0, 0}, {1, 2, 5, 5}); }

const std::string kSliding[] = {"MaxPool-1", "MaxPool-8", "MaxPool-14", "AvgPool-1", "AvgPool-14"};

// Takes calls of any value category: most are built on the spot.
template <typename AnyCall>
void ExpectInvalid(AnyCall&& call, const std::string& part) {
  Context context;
  EXPECT_EQ(call.Run(context).status, POOLPROOF_INVALID_ARGUMENT) << part;
  EXPECT_NE(context.error.find(part), std::string::npos) << context.error << " lacks " << part;
}

TEST(Invalid, GeometryOfSlidingOperators) {
  for (const std::string& op : kSliding) {
    const std::vector<int64_t> shape = {1, 2, 5, 5};
    ASSERT_EQ(Good(op).Run().status, POOLPROOF_OK);
    ExpectInvalid(WithGeometry(op, {2, 2}, {1, 0}, {0, 0}, {0, 0}, shape), "strides is 0 for spatial axis 1");
    ExpectInvalid(WithGeometry(op, {0, 2}, {1, 1}, {0, 0}, {0, 0}, shape), "kernel is 0");
    ExpectInvalid(WithGeometry(op, {2, 2}, {1, 1}, {0, -1}, {0, 0}, shape), "pads_begin is -1");
    ExpectInvalid(WithGeometry(op, {2, 2}, {1, 1}, {0, 0}, {-3, 0}, shape), "pads_end is -3");
    ExpectInvalid(WithGeometry(op, {2}, {1, 1}, {0, 0}, {0, 0}, shape), "kernel has 1 values");
    ExpectInvalid(WithGeometry(op, {2, 2}, {1, 1, 1}, {0, 0}, {0, 0}, shape), "strides has 3");
    ExpectInvalid(WithGeometry(op, {2, 2}, {1, 1}, {}, {0, 0}, shape), "pads_begin has 0");
    ExpectInvalid(WithGeometry(op, {2, 7}, {1, 1}, {0, 1}, {0, 0}, shape), "spans 7");
    ExpectInvalid(WithGeometry(op, {2, 2}, {1, 1}, {0, 0}, {0, 0}, {5, 5}), "rank 2");
    ExpectInvalid(WithGeometry(op, {2, 2}, {1, 1}, {0, 0}, {0, 0}, {1, 1, 5, 5, 5, 5}), "rank 6");
    ExpectInvalid(WithGeometry(op, {2, 2}, {1, 1}, {0, 0}, {0, 0}, {1, 0, 5, 5}), "dimension 1");
  }
}

TEST(Invalid, WordsAndKinds) {
  for (const std::string& op : kSliding) {
    ExpectInvalid(Good(op).Word("rounding_type", "round"), "rounding_type is \"round\"");
    ExpectInvalid(Good(op).Word("auto_pad", "same"), "auto_pad is \"same\"");
    ExpectInvalid(Good(op).Word("pads_value", "0"), "no attribute pads_value");
    ExpectInvalid(Good(op).Word("kernel", "2"), "kernel is given twice");
    TestCall call = Valid(op);
    call.Int("kernel", 2);
    ExpectInvalid(call, "kernel is an integer, not a list of integers");
  }
  ExpectInvalid(Good("MaxPool-1").Word("rounding_type", "ceil_torch"), "ceil_torch");
  ExpectInvalid(Good("MaxPool-8").Word("rounding_type", "ceil_torch"), "ceil_torch");
  ExpectInvalid(Good("AvgPool-1").Word("rounding_type", "ceil_torch"), "ceil_torch");
  ExpectInvalid(Good("MaxPool-1").List("dilations", {1, 1}), "no attribute dilations");
  ExpectInvalid(Good("MaxPool-1").Int("axis", 0), "no attribute axis");
  ExpectInvalid(Good("AvgPool-14").List("dilations", {1, 1}), "no attribute dilations");
  ExpectInvalid(Good("MaxPool-8").Bool("exclude-pad", true), "no attribute exclude-pad");
  ExpectInvalid(Good("MaxPool-8").Word("index_element_type", "i16"), "index_element_type is");
  ExpectInvalid(Good("MaxPool-8").List("dilations", {1, -1}), "dilations is -1");
}

TEST(Invalid, AxisOutsideTheRank) {
  for (const int64_t axis : {-5, 4}) ExpectInvalid(Good("MaxPool-14").Int("axis", axis), "axis is");
  for (const int64_t axis : {-4, 3}) {
    EXPECT_EQ(Good("MaxPool-14").Int("axis", axis).Run().status, POOLPROOF_OK);
  }
}

TEST(Invalid, MissingAttributes) {
  for (const std::string& op : kSliding) {
    TestCall without_kernel = Valid(op);
    without_kernel.List("strides", {1, 1}).List("pads_begin", {0, 0}).List("pads_end", {0, 0});
    ExpectInvalid(without_kernel, "required attribute kernel");
    TestCall without_strides = Valid(op);
    without_strides.List("kernel", {1, 1}).List("pads_begin", {0, 0}).List("pads_end", {0, 0});
    ExpectInvalid(without_strides, "required attribute strides");
    TestCall without_pads = Valid(op);
    without_pads.List("kernel", {1, 1}).List("strides", {1, 1}).List("pads_begin", {0, 0});
    ExpectInvalid(without_pads, "required attribute pads_end");
  }
  TestCall without_exclude("AvgPool-1", POOLPROOF_F32, {1, 1, 4}, 1);
  without_exclude.List("kernel", {1}).List("strides", {1}).Word("auto_pad", "valid");
  ExpectInvalid(without_exclude, "required attribute exclude-pad");
}

TEST(Invalid, PadsMayBeAbsentWhereTheyAreIgnored) {
  for (const char* word : {"valid", "same_upper", "same_lower"}) {
    TestCall call = Valid("MaxPool-8");
    call.List("kernel", {2, 2}).List("strides", {1, 1}).Word("auto_pad", word);
    Context optional, required;
    required.readings[Entry::kPadsRequired] = static_cast<uint8_t>(PadsRequired::kRequired);
    EXPECT_EQ(call.Run(optional).status, POOLPROOF_OK);
    EXPECT_EQ(call.Run(required).status, POOLPROOF_INVALID_ARGUMENT);
    EXPECT_TRUE(optional.touched.Has(Entry::kPadsRequired));
    EXPECT_TRUE(required.touched.Has(Entry::kPadsRequired));
  }
}

TEST(Invalid, ElementTypes) {
  for (const std::string& op : kSliding) {
    for (const poolproof_element_type type : {0, 13, 14, 15, -1, 1 << 30}) {
      TestCall call = Good(op);
      call.Input(0).element_type = type;
      ExpectInvalid(call, "element type");
    }
  }
  for (const std::string op : {"AdaptiveMaxPool-8", "AdaptiveAvgPool-8"}) {
    TestCall call(op, POOLPROOF_I32, {1, 1, 4}, op == "AdaptiveMaxPool-8" ? 2 : 1);
    ExpectInvalid(call.Sizes(POOLPROOF_I64, {2}), "element type i32");
  }
  TestCall mli("mli_krn_maxpool_chw_fx16", POOLPROOF_FX8, {1, 4, 4}, 1);
  ExpectInvalid(mli, "element type fx8");
}

TEST(Invalid, AdaptiveSizes) {
  const auto adaptive = [] { return TestCall("AdaptiveMaxPool-8", POOLPROOF_F32, {1, 1, 4, 4}, 2); };
  EXPECT_EQ(adaptive().Sizes(POOLPROOF_I64, {2, 9}).Run().status, POOLPROOF_OK);
  ExpectInvalid(adaptive().Sizes(POOLPROOF_I64, {2, 0}), "output size 0");
  ExpectInvalid(adaptive().Sizes(POOLPROOF_I32, {-1, 2}), "output size -1");
  ExpectInvalid(adaptive().Sizes(POOLPROOF_I64, {2}), "one list of 2");
  ExpectInvalid(adaptive().Sizes(POOLPROOF_F32, {2, 2}), "neither i32 nor i64");
  ExpectInvalid(adaptive(), "takes 2 inputs");
  ExpectInvalid(adaptive().Sizes(POOLPROOF_I64, {2, int64_t{1} << 62}), "64 bits");
  ExpectInvalid(adaptive().Sizes(POOLPROOF_I64, {2, 2}).Word("output_type", "i64"), "no attribute output_type");
}

TEST(Invalid, CountsAndData) {
  TestCall outputs("MaxPool-8", POOLPROOF_F32, {1, 1, 4}, 1);
  outputs.List("kernel", {2}).List("strides", {1}).List("pads_begin", {0}).List("pads_end", {0});
  ExpectInvalid(outputs, "has 2 outputs");

  TestCall call = Good("MaxPool-8");
  std::vector<unsigned char> values(size_t{2} * 16 * 4), indices(size_t{2} * 16 * 8);
  Context context;
  ASSERT_EQ(InferShapes(call.Get(), context), POOLPROOF_OK);
  EXPECT_EQ(call.Output(0).size_bytes, values.size());
  EXPECT_EQ(call.Output(1).size_bytes, indices.size());
  call.Output(0).data = values.data();
  call.Output(1).data = indices.data();
  EXPECT_EQ(reference::Run(call.Get(), context), POOLPROOF_OK);
  call.Output(1).size_bytes -= 1;
  EXPECT_EQ(reference::Run(call.Get(), context), POOLPROOF_INVALID_ARGUMENT);
  call.Output(1).size_bytes += 100;
  EXPECT_EQ(reference::Run(call.Get(), context), POOLPROOF_OK);
  call.Output(1).dims[3] = 3;
  EXPECT_EQ(reference::Run(call.Get(), context), POOLPROOF_INVALID_ARGUMENT);
  call.Output(1).dims[3] = 4;
  call.Output(1).element_type = POOLPROOF_I32;
  EXPECT_EQ(reference::Run(call.Get(), context), POOLPROOF_INVALID_ARGUMENT);
  call.Output(1).element_type = POOLPROOF_I64;
  call.Output(0).data = nullptr;
  EXPECT_EQ(reference::Run(call.Get(), context), POOLPROOF_INVALID_ARGUMENT);
  call.Output(0).data = values.data();
  call.Input(0).size_bytes -= 1;
  EXPECT_EQ(reference::Run(call.Get(), context), POOLPROOF_INVALID_ARGUMENT);
}

TEST(Invalid, UnfilledStructs) {
  Context context;
  poolproof_call empty{};
  EXPECT_EQ(reference::Run(empty, context), POOLPROOF_INVALID_ARGUMENT);
  empty.struct_size = sizeof(empty);
  empty.op = "MaxPool-2";
  EXPECT_EQ(reference::Run(empty, context), POOLPROOF_UNSUPPORTED);
  EXPECT_EQ(context.error, "no operator is named MaxPool-2");
  empty.op = "MaxPool-8";
  EXPECT_EQ(reference::Run(empty, context), POOLPROOF_INVALID_ARGUMENT);
  TestCall call = Good("MaxPool-8");
  call.Input(0).struct_size = 8;
  ExpectInvalid(call, "input 0 is not filled in");
}

TEST(Invalid, ShapesThatNoMemoryHolds) {
  const int64_t huge = int64_t{1} << 40;
  TestCall call = Good("MaxPool-8");
  for (int i = 0; i < 4; ++i) call.Input(0).dims[i] = huge;
  Context context;
  EXPECT_EQ(InferShapes(call.Get(), context), POOLPROOF_INVALID_ARGUMENT);
  TestCall padded = WithGeometry("MaxPool-1", {1, 1}, {1, 1}, {huge, huge}, {0, 0}, {1, 2, 5, 5});
  EXPECT_EQ(InferShapes(padded.Get(), context), POOLPROOF_INVALID_ARGUMENT);
  TestCall kernel = WithGeometry("AvgPool-1", {huge, huge}, {1, 1}, {huge, huge}, {0, 0}, {1, 2, 5, 5});
  EXPECT_EQ(InferShapes(kernel.Get(), context), POOLPROOF_INVALID_ARGUMENT);
}

}  // namespace
}  // namespace poolproof::reference
