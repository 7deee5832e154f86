// Means in rows, of floats and integers of up to 32 bits.
#include "optimized/kernels/kernels.h"

#include <algorithm>
#include <bit>

// clang-format off
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "optimized/kernels/mean_rows.cc"
#include "hwy/foreach_target.h"
#include "hwy/highway.h"
#include "optimized/kernels/mean_rows-inl.h"
// clang-format on

HWY_BEFORE_NAMESPACE();
namespace poolproof::optimized {
namespace HWY_NAMESPACE {
namespace {

// Lanes L, of which kMeans says whether they are multiplied or divided.
template <typename L, bool kMeans>
struct InLanes {
  const Plan& plan;
  const Buffers& buffers;
  int64_t begin, end;
  Scratch& scratch;
  void operator()(const Elements<L>& elements) const {
    MeanRows<L, kMeans>(plan, elements, buffers, begin, end, scratch).Run();
  }
};

void Dispatched(const Plan& plan, const Buffers& buffers, int64_t begin, int64_t end, Scratch& scratch) {
  const InLanes<int16_t, false> bytes = {plan, buffers, begin, end, scratch};
  const InLanes<float, false> small = {plan, buffers, begin, end, scratch};
  const InLanes<double, false> wide = {plan, buffers, begin, end, scratch};
  const InLanes<float, true> floats = {plan, buffers, begin, end, scratch};
  const bool is_short = HasShortSums(plan), is_small = SumBits(plan) <= 24;
  switch (plan.type) {
    case POOLPROOF_F64: return InLanes<double, true>{plan, buffers, begin, end, scratch}(FloatLanes<double>());
    case POOLPROOF_F32: return floats(FloatLanes<float>());
    case POOLPROOF_F16: return floats(FloatsOf<F16Mean>());
    case POOLPROOF_BF16: return floats(FloatsOf<BF16Mean>());
    case POOLPROOF_I8:
      if (is_short) return bytes(IntegersOf<ByteMean<int8_t>>());
      return is_small ? small(IntegersOf<SmallMean<int8_t>>()) : wide(IntegersOf<WideMean<int8_t>>());
    case POOLPROOF_U8:
      if (is_short) return bytes(IntegersOf<ByteMean<uint8_t>>());
      return is_small ? small(IntegersOf<SmallMean<uint8_t>>()) : wide(IntegersOf<WideMean<uint8_t>>());
    case POOLPROOF_I16:
      return is_small ? small(IntegersOf<SmallMean<int16_t>>()) : wide(IntegersOf<WideMean<int16_t>>());
    case POOLPROOF_U16:
      return is_small ? small(IntegersOf<SmallMean<uint16_t>>()) : wide(IntegersOf<WideMean<uint16_t>>());
    case POOLPROOF_I32: return wide(IntegersOf<WideMean<int32_t>>());
    case POOLPROOF_U32: return wide(IntegersOf<WideMean<uint32_t>>());
    default: return;  // others are refused before
  }
}

}  // namespace
}  // namespace HWY_NAMESPACE
}  // namespace poolproof::optimized
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace poolproof::optimized {

bool HasPairs(const Plan& plan) {
  const Axis& width = plan.axis[2];
  return (plan.type == POOLPROOF_F32 || plan.type == POOLPROOF_F64) && plan.inner == 1 && !width.adaptive &&
         width.kernel == 2 && width.stride == 2 && width.dilation == 1 && width.pad == 0 && width.out > 4 &&
         2 * width.out <= width.in;
}

int SumBits(const Plan& plan) {
  int64_t taps = 1;
  for (const Axis& axis : plan.axis) taps *= std::min(axis.kernel, axis.in);
  return static_cast<int>(8 * BytesOf(plan.type)) + (plan.quotient == Quotient::kConvergent ? 1 : 0) +
         static_cast<int>(std::bit_width(static_cast<uint64_t>(taps - 1)));
}

bool HasShortSums(const Plan& plan) {
  if (BytesOf(plan.type) != 1) return false;
  // The largest quotient; MLI's are of doubled sums.
  const int64_t most = plan.type == POOLPROOF_U8 ? 255 : plan.quotient == Quotient::kConvergent ? 256 : 128;
  const int64_t taps = plan.KernelTaps();
  return taps <= 16 && most * taps * taps + taps <= 65536;
}

HWY_EXPORT(Dispatched);

void MeanInRows(const Plan& plan, const Buffers& buffers, int64_t begin, int64_t end, Scratch& scratch) {
  HWY_DYNAMIC_DISPATCH(Dispatched)(plan, buffers, begin, end, scratch);
}

}  // namespace poolproof::optimized
#endif
