// Indices that their type does not hold: shapes alone, of a tensor too large to be filled.
#include <gtest/gtest.h>

#include "reference/test_call.h"

namespace poolproof::reference {
namespace {

TEST(Index, OverflowIsTouchedWhereItOccurs) {
  TestCall call("MaxPool-8", POOLPROOF_I8, {1, 1, 1}, 2);
  call.List("kernel", {1}).List("strides", {1}).List("pads_begin", {0}).List("pads_end", {0});
  call.Word("index_element_type", "i32");
  for (const auto& [size, overflows] : {std::pair{int64_t{1} << 31, false}, std::pair{(int64_t{1} << 31) + 1, true}}) {
    call.Input(0).dims[2] = size;  // infer_shapes does not look at the data
    Context reject, wrap;
    wrap.readings[Entry::kIndexOverflow] = static_cast<uint8_t>(IndexOverflow::kWrap);
    EXPECT_EQ(InferShapes(call.Get(), reject), overflows ? POOLPROOF_INVALID_ARGUMENT : POOLPROOF_OK);
    EXPECT_EQ(InferShapes(call.Get(), wrap), POOLPROOF_OK);
    EXPECT_EQ(reject.touched.Has(Entry::kIndexOverflow), overflows);
    EXPECT_EQ(wrap.touched.Has(Entry::kIndexOverflow), overflows);
  }
}

}  // namespace
}  // namespace poolproof::reference
