// Maximum with index in strips. Elements of 8 and 16 bits are lanes of 16, twice as many as of 32 bits.
#include "optimized/kernels/kernels.h"

#include <algorithm>
#include <limits>

#include "optimized/kernels/rows.h"

// clang-format off
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "optimized/kernels/max_strips.cc"
#include "hwy/foreach_target.h"
#include "hwy/highway.h"
#include "optimized/kernels/window_strips-inl.h"
// clang-format on

HWY_BEFORE_NAMESPACE();
namespace poolproof::optimized {
namespace HWY_NAMESPACE {
namespace {

#if POOLPROOF_HAS_VECTORS
// Planes of one row each as the rows of one plane.
HWY_INLINE bool RowsOfOnePlane(const Plan& plan, Plan& merged) {
  const auto single = [](const Axis& a) { return a.in == 1 && a.out == 1 && a.kernel == 1; };
  if (!single(plan.axis[0]) || !single(plan.axis[1]) || plan.index_bound < plan.InElements()) return false;
  merged = plan;
  merged.axis[1].in = merged.axis[1].out = plan.outer;
  merged.axis[1].stride = 1;
  merged.outer = 1;
  return true;
}
#endif

// Pools planes [begin, end) of a plan that StripsTake, of elements S (window_strip-inl.h). B: a value with its
// position.
template <class S, class B = Pair<hn::TFromD<typename S::D>>>
void RunStrips(const Plan& plan, const Buffers& buffers, int64_t begin, int64_t end,
               [[maybe_unused]] Scratch& scratch) {
#if POOLPROOF_HAS_VECTORS
  Plan merged;
  const bool one = RowsOfOnePlane(plan, merged);
  WindowStrips<B, S> strips(one ? merged : plan, buffers, scratch);
  if (one) return strips.Run(0, begin, end);
  for (int64_t plane = begin; plane < end; ++plane) strips.Run(plane, 0, plan.axis[1].out);
#else
  PlainMax(plan, buffers, begin, end);
#endif
}

void Dispatched(const Plan& plan, const Buffers& buffers, int64_t begin, int64_t end, Scratch& scratch) {
  switch (plan.type) {
    case POOLPROOF_F32: return RunStrips<LaneSource<float>>(plan, buffers, begin, end, scratch);
    case POOLPROOF_F64: return RunStrips<LaneSource<double>>(plan, buffers, begin, end, scratch);
    case POOLPROOF_I32: return RunStrips<LaneSource<int32_t>>(plan, buffers, begin, end, scratch);
    case POOLPROOF_U32: return RunStrips<LaneSource<uint32_t>>(plan, buffers, begin, end, scratch);
    case POOLPROOF_I64: return RunStrips<LaneSource<int64_t>>(plan, buffers, begin, end, scratch);
    case POOLPROOF_U64: return RunStrips<LaneSource<uint64_t>>(plan, buffers, begin, end, scratch);
    case POOLPROOF_I8: return RunStrips<ByteSource<int8_t>>(plan, buffers, begin, end, scratch);
    case POOLPROOF_U8: return RunStrips<ByteSource<uint8_t>>(plan, buffers, begin, end, scratch);
    case POOLPROOF_I16: return RunStrips<LaneSource<int16_t>>(plan, buffers, begin, end, scratch);
    case POOLPROOF_U16: return RunStrips<U16Source>(plan, buffers, begin, end, scratch);
    case POOLPROOF_F16: return RunStrips<HalfSource<0x7C00>, HalfPair>(plan, buffers, begin, end, scratch);
    case POOLPROOF_BF16: return RunStrips<HalfSource<0x7F80>, HalfPair>(plan, buffers, begin, end, scratch);
    default: return;  // others are refused before
  }
}

}  // namespace
}  // namespace HWY_NAMESPACE
}  // namespace poolproof::optimized
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace poolproof::optimized {
namespace {

// Whether there are loops for such windows.
bool HasLoops(const Axis& high, const Axis& wide) {
  const bool near = wide.stride == 1 || (wide.stride == 2 && wide.dilation == 1);
  const bool few = (wide.kernel == 2 || wide.kernel == 3) && near;
  const bool same =
      high.kernel == wide.kernel && high.stride == wide.stride && (high.stride == 1 || high.dilation == 1);
  const bool five = wide.kernel == 5 && wide.stride == 1 && same;
  return (few && (same || high.kernel == 1)) || five;
}

}  // namespace

bool StripsTake(const Plan& plan) {
  constexpr int64_t kVector = 64;  // bytes of the longest, so that the targets do not differ
  const Axis &d = plan.axis[0], &h = plan.axis[1], &w = plan.axis[2];
  if (plan.index_type == 0 || plan.inner != 1 || plan.index_bound < plan.InPlane()) return false;
  if (d.adaptive || h.adaptive || w.adaptive || !HasLoops(h, w)) return false;
  const int64_t lane = std::max<int64_t>(2, static_cast<int64_t>(BytesOf(plan.type)));
  if (std::min(w.in, w.out) < kVector / lane || plan.InPlane() > std::numeric_limits<int32_t>::max()) return false;
  // Positions in lanes of 16 bits count from the begin of a window.
  const int64_t farthest = (h.Reach() + 2) * w.in + w.Reach();
  if (lane == 2 && (!plan.IsFlat() || farthest > std::numeric_limits<int16_t>::max())) return false;
  return NoneEmpty(d) && NoneEmpty(h) && NoneEmpty(w);
}

HWY_EXPORT(Dispatched);

void MaxStrips(const Plan& plan, const Buffers& buffers, int64_t begin, int64_t end, Scratch& scratch) {
  HWY_DYNAMIC_DISPATCH(Dispatched)(plan, buffers, begin, end, scratch);
}

}  // namespace poolproof::optimized
#endif
