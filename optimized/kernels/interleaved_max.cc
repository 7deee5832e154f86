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
PlaneForm<L> Planes(const LaneForm<L>& lanes) {
  return {lanes.element_bytes, lanes.widen, lanes.narrow, nullptr, lanes.most, L{}};
}

// Without index, elements are compared in lanes of their own size.
void PoolValues(const Plan& plan, const Buffers& buffers, int64_t begin, int64_t end, Scratch& scratch) {
  const auto pool = [&](const auto& form) {
    using L = std::decay_t<decltype(form.most)>;
    Interleaved<MaxOutputs<Single<L>>>(plan, buffers, Planes(form), scratch).Run(begin, end);
  };
  const auto pool_halves = [&](int16_t infinity) {
    const int16_t least = static_cast<int16_t>(~infinity);  // the key of -infinity
    const PlaneForm<int16_t> form = {sizeof(int16_t), nullptr, nullptr, nullptr, infinity, least};
    Interleaved<MaxOutputs<HalfKeys>>(plan, buffers, form, scratch).Run(begin, end);
  };
  switch (plan.type) {
    case POOLPROOF_F64: return pool(StoredLanes<double>());
    case POOLPROOF_F32: return pool(StoredLanes<float>());
    case POOLPROOF_F16: return pool_halves(0x7C00);
    case POOLPROOF_BF16: return pool_halves(0x7F80);
    case POOLPROOF_I8: return pool(StoredLanes<int8_t>());
    case POOLPROOF_U8: return pool(StoredLanes<uint8_t>());
    case POOLPROOF_I16: return pool(StoredLanes<int16_t>());
    case POOLPROOF_U16: return pool(StoredLanes<uint16_t>());
    case POOLPROOF_I32: return pool(StoredLanes<int32_t>());
    case POOLPROOF_U32: return pool(StoredLanes<uint32_t>());
    case POOLPROOF_I64: return pool(StoredLanes<int64_t>());
    case POOLPROOF_U64: return pool(StoredLanes<uint64_t>());
  }
}

// With an index, in lanes as wide as that of a position.
void PoolIndex(const Plan& plan, const Buffers& buffers, int64_t begin, int64_t end, Scratch& scratch) {
#if POOLPROOF_HAS_VECTORS
  const auto pool = [&](const auto& form) {
    using L = std::decay_t<decltype(form.most)>;
    Interleaved<MaxOutputs<Pair<L>>>(plan, buffers, Planes(form), scratch).Run(begin, end);
  };
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
#else
  (void)scratch;
  PlainMax(plan, buffers, begin, end);
#endif
}

void Dispatched(const Plan& plan, const Buffers& buffers, int64_t begin, int64_t end, Scratch& scratch) {
  (plan.index_type == 0 ? PoolValues : PoolIndex)(plan, buffers, begin, end, scratch);
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
