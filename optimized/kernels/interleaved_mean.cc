// Means of every type with a lane per plane.
#include "optimized/kernels/interleaved.h"

// clang-format off
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "optimized/kernels/interleaved_mean.cc"
#include "hwy/foreach_target.h"
#include "hwy/highway.h"
#include "optimized/kernels/interleaved-inl.h"
#include "optimized/kernels/mean_elements-inl.h"
// clang-format on

HWY_BEFORE_NAMESPACE();
namespace poolproof::optimized {
namespace HWY_NAMESPACE {
namespace {

template <class C>
PlaneForm<typename C::Lane> FormOf() {
  using L = typename C::Lane;
  constexpr L kMost = std::numeric_limits<L>::max();
  if constexpr (std::is_same_v<C, FloatMean<L>>) {
    return {sizeof(L), nullptr, nullptr, hwy::IsFloat<L>() ? nullptr : DivideRows<C>, kMost};
  } else if constexpr (std::is_same_v<C, F16Mean> || std::is_same_v<C, BF16Mean>) {
    return {sizeof(typename C::Stored), WidenRow<ByLanes<C>>, NarrowRow<ByLanes<C>>, nullptr, kMost};
  } else {
    return {sizeof(typename C::Stored), WidenRow<ByLanes<C>>, nullptr, DivideRows<C>, 0};
  }
}

void Dispatched(const Plan& plan, const Buffers& buffers, int64_t begin, int64_t end, Scratch& scratch) {
  const auto pool = [&](const auto& form) {
    using L = std::decay_t<decltype(form.most)>;
    Interleaved<MeanOutputs<L>>(plan, buffers, form, scratch).Run(begin, end);
  };
  const bool wide = SumBits(plan) > 24;  // than sums that lanes of f32 hold
  switch (plan.type) {
    case POOLPROOF_F64: return pool(FormOf<FloatMean<double>>());
    case POOLPROOF_F32: return pool(FormOf<FloatMean<float>>());
    case POOLPROOF_F16: return pool(FormOf<F16Mean>());
    case POOLPROOF_BF16: return pool(FormOf<BF16Mean>());
    case POOLPROOF_I8: return wide ? pool(FormOf<WideMean<int8_t>>()) : pool(FormOf<SmallMean<int8_t>>());
    case POOLPROOF_U8: return wide ? pool(FormOf<WideMean<uint8_t>>()) : pool(FormOf<SmallMean<uint8_t>>());
    case POOLPROOF_I16: return wide ? pool(FormOf<WideMean<int16_t>>()) : pool(FormOf<SmallMean<int16_t>>());
    case POOLPROOF_U16: return wide ? pool(FormOf<WideMean<uint16_t>>()) : pool(FormOf<SmallMean<uint16_t>>());
    case POOLPROOF_I32: return pool(FormOf<WideMean<int32_t>>());
    case POOLPROOF_U32: return pool(FormOf<WideMean<uint32_t>>());
    case POOLPROOF_I64: return pool(FormOf<FloatMean<int64_t>>());
    case POOLPROOF_U64: return pool(FormOf<FloatMean<uint64_t>>());
  }
}

}  // namespace
}  // namespace HWY_NAMESPACE
}  // namespace poolproof::optimized
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace poolproof::optimized {

HWY_EXPORT(Dispatched);

void InterleavedMean(const Plan& plan, const Buffers& buffers, int64_t begin, int64_t end, Scratch& scratch) {
  HWY_DYNAMIC_DISPATCH(Dispatched)(plan, buffers, begin, end, scratch);
}

}  // namespace poolproof::optimized
#endif
