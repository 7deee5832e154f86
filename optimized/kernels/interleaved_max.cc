// Maxima, with and without index, of every type with a lane per plane.
#include "optimized/kernels/kernels.h"
#include "optimized/kernels/plain.h"

// clang-format off
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "optimized/kernels/interleaved_max.cc"
#include "hwy/foreach_target.h"
#include "hwy/highway.h"
#include "optimized/kernels/folded-inl.h"
#include "optimized/kernels/interleaved-inl.h"
// clang-format on

HWY_BEFORE_NAMESPACE();
namespace poolproof::optimized {
namespace HWY_NAMESPACE {
namespace {

// Lanes as wide as elements: T, or signed integers for unsigned ones.
template <typename T>
auto Stored() {
  using L = std::conditional_t<hwy::IsFloat<T>(), T, hwy::MakeSigned<T>>;
  PlaneForm<L> form = {sizeof(T), nullptr, nullptr, L{0}};
  if constexpr (hwy::IsFloat<T>()) {
    form.most = std::numeric_limits<T>::infinity();
  } else if constexpr (std::is_unsigned_v<T>) {
    form.code = std::numeric_limits<L>::lowest();
  }
  return form;
}

// Larger lanes.
template <class C>
PlaneForm<typename C::Lane> Widened() {
  return {sizeof(typename C::Stored), WidenRow<C>, NarrowRow<C>, C::kMost};
}

// Lanes are keys of f16 or bf16, of which `infinity` has the bits.
PlaneForm<int16_t> Halves(int16_t infinity) {
  const int16_t lowest = static_cast<int16_t>(~infinity);  // the key of -infinity
  return {sizeof(int16_t), nullptr, nullptr, infinity, lowest};
}

// Without index, elements are compared in lanes of their own size.
template <template <class> class Kernel>
void PoolValues(const Plan& plan, const Buffers& buffers, int64_t begin, int64_t end, Scratch& scratch) {
  const auto pool = [&](const auto& form) {
    using L = std::decay_t<decltype(form.most)>;
    Kernel<MaxOutputs<Single<L>>>(plan, buffers, form, scratch).Run(begin, end);
  };
  const auto pool_halves = [&](int16_t infinity) {
    Kernel<MaxOutputs<HalfSingle>>(plan, buffers, Halves(infinity), scratch).Run(begin, end);
  };
  switch (plan.type) {
    case POOLPROOF_F16: return pool_halves(0x7C00);
    case POOLPROOF_BF16: return pool_halves(0x7F80);
    case POOLPROOF_F64: return pool(Stored<double>());
    case POOLPROOF_F32: return pool(Stored<float>());
    case POOLPROOF_I8: return pool(Stored<int8_t>());
    case POOLPROOF_U8: return pool(Stored<uint8_t>());
    case POOLPROOF_I16: return pool(Stored<int16_t>());
    case POOLPROOF_U16: return pool(Stored<uint16_t>());
    case POOLPROOF_I32: return pool(Stored<int32_t>());
    case POOLPROOF_U32: return pool(Stored<uint32_t>());
    case POOLPROOF_I64: return pool(Stored<int64_t>());
    case POOLPROOF_U64: return pool(Stored<uint64_t>());
    default: return;  // others are refused before
  }
}

#if POOLPROOF_HAS_VECTORS
// With an index, in lanes that hold a position.
void PoolZone(const Zone& zone, const Buffers& buffers, int64_t begin, int64_t end, Scratch& scratch) {
  const Plan& plan = zone.plan;
  const auto pool = [&](const auto& form) {
    using L = std::decay_t<decltype(form.most)>;
    Interleaved<MaxOutputs<Pair<L>>>(zone, buffers, form, scratch).Run(begin, end);
  };
  const auto pool_halves = [&](int16_t infinity) {
    Interleaved<MaxOutputs<HalfPair>>(zone, buffers, Halves(infinity), scratch).Run(begin, end);
  };
  const bool is_short = plan.InPlane() <= std::numeric_limits<int16_t>::max();  // whether positions have 16 bits
  switch (plan.type) {
    case POOLPROOF_F64: return pool(Stored<double>());
    case POOLPROOF_F32: return pool(Stored<float>());
    case POOLPROOF_F16: return is_short ? pool_halves(0x7C00) : pool(Widened<HalfOrder<0x7C00>>());
    case POOLPROOF_BF16: return is_short ? pool_halves(0x7F80) : pool(Widened<HalfOrder<0x7F80>>());
    case POOLPROOF_I8: return is_short ? pool(Widened<Promoted<int8_t, int16_t>>()) : pool(Widened<Promoted<int8_t>>());
    case POOLPROOF_U8:
      return is_short ? pool(Widened<Promoted<uint8_t, int16_t>>()) : pool(Widened<Promoted<uint8_t>>());
    case POOLPROOF_I16: return is_short ? pool(Stored<int16_t>()) : pool(Widened<Promoted<int16_t>>());
    case POOLPROOF_U16: return is_short ? pool(Stored<uint16_t>()) : pool(Widened<Promoted<uint16_t>>());
    case POOLPROOF_I32: return pool(Stored<int32_t>());
    case POOLPROOF_U32: return pool(Stored<uint32_t>());
    case POOLPROOF_I64: return pool(Stored<int64_t>());
    case POOLPROOF_U64: return pool(Stored<uint64_t>());
    default: return;  // others are refused before
  }
}
#endif

void PoolIndex(const Plan& plan, const Buffers& buffers, int64_t begin, int64_t end, Scratch& scratch) {
#if POOLPROOF_HAS_VECTORS
  const size_t position = plan.InPlane() <= std::numeric_limits<int16_t>::max() ? 2 : 4;
  const int64_t lanes = 64 / static_cast<int64_t>(std::max(BytesOf(plan.type), position));
  Zones(plan, lanes).For([&](const Zone& zone) { PoolZone(zone, buffers, begin, end, scratch); });
#else
  (void)scratch;
  PlainMax(plan, buffers, begin, end);
#endif
}

void Dispatched(const Plan& plan, const Buffers& buffers, int64_t begin, int64_t end, Scratch& scratch) {
  (plan.index_type == 0 ? PoolValues<Interleaved> : PoolIndex)(plan, buffers, begin, end, scratch);
}

void DispatchedFolded(const Plan& plan, const Buffers& buffers, int64_t begin, int64_t end, Scratch& scratch) {
  PoolValues<Folded>(plan, buffers, begin, end, scratch);
}

}  // namespace
}  // namespace HWY_NAMESPACE
}  // namespace poolproof::optimized
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace poolproof::optimized {

HWY_EXPORT(Dispatched);
HWY_EXPORT(DispatchedFolded);

void InterleavedMax(const Plan& plan, const Buffers& buffers, int64_t begin, int64_t end, Scratch& scratch) {
  HWY_DYNAMIC_DISPATCH(Dispatched)(plan, buffers, begin, end, scratch);
}

void FoldedMax(const Plan& plan, const Buffers& buffers, int64_t begin, int64_t end, Scratch& scratch) {
  HWY_DYNAMIC_DISPATCH(DispatchedFolded)(plan, buffers, begin, end, scratch);
}

}  // namespace poolproof::optimized
#endif
