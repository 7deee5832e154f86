// PyTorch's operators for inputs without a batch.
#include "reference/torch.h"

#include <gtest/gtest.h>

#include "reference/test_call.h"

namespace poolproof::reference {
namespace {

using Shape = std::vector<int64_t>;
using Values = std::vector<long double>;

TEST(Torch, NamesAreThoseOfTheOperatorAlone) {
  EXPECT_TRUE(IsTorch("torch.MaxPool", "torch.MaxPool"));
  EXPECT_TRUE(IsTorch("torch.MaxPool.unbatched", "torch.MaxPool"));
  for (const char* other : {"torch.MaxPool2d", "torch.MaxPool.unbatched2", "torch.Max", "torch.AvgPool.unbatched"}) {
    EXPECT_FALSE(IsTorch(other, "torch.MaxPool")) << other;
  }
}

TEST(TorchUnbatched, ChannelsArePooledEachByItself) {
  Context tensor;
  tensor.readings[Entry::kTorchIndexOrigin] = static_cast<uint8_t>(TorchIndexOrigin::kTensor);
  TestCall call("torch.MaxPool.unbatched", POOLPROOF_F32, {2, 2, 3}, 2);
  call.List("kernel_size", {2, 2}).List("stride", {1, 1}).Data({1, 2, 3, 6, 5, 4, 7, 8, 9, 12, 11, 10});
  const Outcome outcome = call.Run();
  EXPECT_EQ(outcome.shapes, (std::vector<Shape>{{2, 1, 2}, {2, 1, 2}}));
  EXPECT_EQ(outcome.Values(0), (Values{6, 5, 12, 11}));
  EXPECT_EQ(outcome.Values(1), (Values{3, 4, 3, 4}));
  EXPECT_EQ(call.Run(tensor).Values(1), (Values{3, 4, 9, 10}));
}

TEST(TorchUnbatched, CellsAndNormsHaveOneDimensionLess) {
  TestCall cells("torch.AdaptiveAvgPool.unbatched", POOLPROOF_F32, {2, 2, 2}, 1);
  cells.Sizes(POOLPROOF_I64, {1, 2}).Data({1, 2, 3, 4, 5, 6, 7, 8});
  EXPECT_EQ(cells.Run().shapes[0], (Shape{2, 1, 2}));
  EXPECT_EQ(cells.Run().Values(0), (Values{2, 3, 6, 7}));
  TestCall norm("torch.LPPool.unbatched", POOLPROOF_F32, {1, 2}, 1);
  norm.List("kernel_size", {2}).Int("norm_type", 1).Data({3, 4});
  EXPECT_EQ(norm.Run().shapes[0], (Shape{1, 1}));
  EXPECT_EQ(norm.Run().Values(0), (Values{7}));
}

// The divisor is of two axes and three alone: which these are follows from the name.
TEST(TorchUnbatched, AxesAreAllDimensionsButTheFirst) {
  const auto status = [](const char* op, const Shape& shape, size_t axes, bool divisor) {
    TestCall call(op, POOLPROOF_F32, shape, 1);
    call.List("kernel_size", Shape(axes, 1));
    if (divisor) call.Int("divisor_override", 2);
    return call.Run().status;
  };
  EXPECT_EQ(status("torch.AvgPool.unbatched", {1, 2}, 1, false), POOLPROOF_OK);
  EXPECT_EQ(status("torch.AvgPool.unbatched", {1, 2}, 1, true), POOLPROOF_INVALID_ARGUMENT);
  EXPECT_EQ(status("torch.AvgPool.unbatched", {1, 2, 2}, 2, true), POOLPROOF_OK);
  EXPECT_EQ(status("torch.AvgPool.unbatched", {1, 2, 2}, 1, false), POOLPROOF_INVALID_ARGUMENT);
  EXPECT_EQ(status("torch.AvgPool", {1, 2, 2}, 1, true), POOLPROOF_INVALID_ARGUMENT);
  EXPECT_EQ(status("torch.AvgPool.unbatched", {2}, 0, false), POOLPROOF_INVALID_ARGUMENT);
  EXPECT_EQ(status("torch.AvgPool.unbatched", {1, 2, 2, 2, 2}, 4, false), POOLPROOF_INVALID_ARGUMENT);
  EXPECT_EQ(status("torch.AvgPool", {2, 2}, 0, false), POOLPROOF_INVALID_ARGUMENT);
}

TEST(TorchAvgPool, SaysWhichRanksHaveADivisor) {
  Context context;
  TestCall call("torch.AvgPool", POOLPROOF_F32, {1, 1, 4}, 1);
  call.List("kernel_size", {2}).Int("divisor_override", 2);
  EXPECT_EQ(call.Run(context).status, POOLPROOF_INVALID_ARGUMENT);
  EXPECT_EQ(context.error, "AvgPool1d has no attribute divisor_override, which AvgPool2d and AvgPool3d have");
}

// No batch is empty where there is none.
TEST(TorchUnbatched, TakesNoEmptyBatch) {
  Context context;
  context.readings[Entry::kZeroSize] = static_cast<uint8_t>(ZeroSize::kEmptyBatch);
  TestCall call("torch.AvgPool.unbatched", POOLPROOF_F32, {0, 4}, 1);
  EXPECT_EQ(call.List("kernel_size", {2}).Run(context).status, POOLPROOF_INVALID_ARGUMENT);
}

}  // namespace
}  // namespace poolproof::reference
