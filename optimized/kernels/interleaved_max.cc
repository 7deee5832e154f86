// Maxima, with and without index, of every type with a lane per plane.
#include "optimized/kernels/interleaved.h"
#include "optimized/kernels/plain.h"

// clang-format off
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "optimized/kernels/interleaved_max.cc"
#include "hwy/foreach_target.h"
#include "hwy/highway.h"
#include "optimized/kernels/interleaved-inl.h"
// clang-format on

HWY_BEFORE_NAMESPACE();
namespace poolproof::optimized {
namespace HWY_NAMESPACE {
namespace {

template <typename L>
void Pool(const Plan& plan, const Buffers& buffers, const LaneForm<L>& lanes, int64_t begin, int64_t end,
          Scratch& scratch) {
  const PlaneForm<L> form = {lanes.element_bytes, lanes.widen, lanes.narrow, nullptr, lanes.most};
  if (plan.index_type == 0) {
    Interleaved<MaxOutputs<Single<L>>>(plan, buffers, form, scratch).Run(begin, end);
    return;
  }
#if POOLPROOF_HAS_VECTORS
  Interleaved<MaxOutputs<Pair<L>>>(plan, buffers, form, scratch).Run(begin, end);
#else
  PlainMax(plan, buffers, begin, end);
#endif
}

void Dispatched(const Plan& plan, const Buffers& buffers, int64_t begin, int64_t end, Scratch& scratch) {
  const auto pool = [&](const auto& form) { Pool(plan, buffers, form, begin, end, scratch); };
  switch (plan.type) {
    case POOLPROOF_F64: return pool(StoredLanes<double>());
    case POOLPROOF_F32: return pool(StoredLanes<float>());
    case POOLPROOF_F16: return pool(ConvertedLanes<HalfOrder<0x7C00>>());
    case POOLPROOF_BF16: return pool(ConvertedLanes<HalfOrder<0x7F80>>());
    case POOLPROOF_I8: return pool(ConvertedLanes<Promoted<int8_t>>());
    case POOLPROOF_U8: return pool(ConvertedLanes<Promoted<uint8_t>>());
    case POOLPROOF_I16: return pool(ConvertedLanes<Promoted<int16_t>>());
    case POOLPROOF_U16: return pool(ConvertedLanes<Promoted<uint16_t>>());
    case POOLPROOF_I32: return pool(StoredLanes<int32_t>());
    case POOLPROOF_U32: return pool(ConvertedLanes<Unsigned<uint32_t>>());
    case POOLPROOF_I64: return pool(StoredLanes<int64_t>());
    case POOLPROOF_U64: return pool(ConvertedLanes<Unsigned<uint64_t>>());
  }
}

}  // namespace
}  // namespace HWY_NAMESPACE
}  // namespace poolproof::optimized
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace poolproof::optimized {

HWY_EXPORT(Dispatched);

void InterleavedMax(const Plan& plan, const Buffers& buffers, int64_t begin, int64_t end, Scratch& scratch) {
  HWY_DYNAMIC_DISPATCH(Dispatched)(plan, buffers, begin, end, scratch);
}

}  // namespace poolproof::optimized
#endif
