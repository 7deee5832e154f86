// Maxima of every type, in rows and with a lane per plane.
#include "optimized/kernels/kernels.h"
#include "optimized/kernels/plain.h"

// clang-format off
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "optimized/kernels/max.cc"
#include "hwy/foreach_target.h"
#include "hwy/highway.h"
#include "optimized/kernels/folded-inl.h"
#include "optimized/kernels/interleaved-inl.h"
#include "optimized/kernels/rows-inl.h"
// clang-format on

HWY_BEFORE_NAMESPACE();
namespace poolproof::optimized {
namespace HWY_NAMESPACE {
namespace {

// F: how elements become lanes and one (fold-inl.h).
template <class F>
struct RowMax {
  using Fold = F;
  using L = typename F::Lane;
  static constexpr bool kFactors = false, kPositions = F::B::kHasPosition;
  using Best = std::conditional_t<kPositions, typename F::B, Joined<F>>;
  static constexpr int64_t kMostRows = 32;

  struct Factors {
    Factors(const Plan&, const Span*, Scratch&) {}
    const L* Of(int64_t, int64_t) { return nullptr; }
    Rounding rounding() const { return {}; }
  };

  Fold fold;
  int64_t bytes = sizeof(typename F::Stored);
  static bool WritesTensor() { return true; }

  bool FoldDown(const FoldJob<L>& rows) const {
    return (rows.odd != nullptr ? FoldRows<FoldTo::kSplit>(fold, rows) : FoldRows<FoldTo::kPadded>(fold, rows)) != 0;
  }
  template <class V>
  HWY_INLINE V Result(V best, V) const {
    if constexpr (kPositions) return best;  // as Fold stores it
    return F::Code::Leave(best, fold.code);
  }
  static void Store(const Quotients<L>&) {}
  static void Repair(const Plan& plan, const Buffers& buffers, int64_t plane, int64_t d, int64_t h) {
    PlainMaxRow(plan, buffers, plane, d, h);
  }
};

// Of values, or with positions of 16 bits, from where windows begin.
template <class Family>
void PoolRows(const Plan& plan, const Buffers& buffers, int64_t begin, int64_t end, Scratch& scratch) {
  WithMaxFold<Family>(plan.type, [&](const auto& fold) {
    Rows<RowMax<std::decay_t<decltype(fold)>>>(plan, {fold}, buffers, begin, end, scratch).Run();
  });
}

// Of values; Kernel: Interleaved or Folded.
template <template <class> class Kernel>
void PoolPlanes(const Plan& plan, const Buffers& buffers, int64_t begin, int64_t end, Scratch& scratch) {
  WithMaxFold<Values>(plan.type, [&](const auto& fold) {
    using B = typename std::decay_t<decltype(fold)>::B;
    Kernel<MaxOutputs<B>>(plan, buffers, fold, scratch).Run(begin, end);
  });
}

#if POOLPROOF_HAS_VECTORS
void PoolPositions(const Plan& plan, const Buffers& buffers, int64_t begin, int64_t end, Scratch& scratch) {
  const auto pool = [&](const auto& fold) {
    using B = typename std::decay_t<decltype(fold)>::B;
    Zones(plan, B::kGroup).For([&](const Zone& zone) {
      Interleaved<MaxOutputs<B>>(zone, buffers, fold, scratch).Run(begin, end);
    });
  };
  const bool is_short = plan.InPlane() <= std::numeric_limits<int16_t>::max();  // whether positions fit in 16 bits
  if (is_short || BytesOf(plan.type) > 2) return WithMaxFold<WithPositions<int16_t>>(plan.type, pool);
  WithMaxFold<WithPositions<int32_t>>(plan.type, pool);
}
#endif

void DispatchedRows(const Plan& plan, const Buffers& buffers, int64_t begin, int64_t end, Scratch& scratch) {
  if (plan.index_type == 0) return PoolRows<Values>(plan, buffers, begin, end, scratch);
#if POOLPROOF_HAS_VECTORS
  PoolRows<WithPositions<int16_t>>(plan, buffers, begin, end, scratch);
#else
  PlainMax(plan, buffers, begin, end);
#endif
}

void DispatchedInterleaved(const Plan& plan, const Buffers& buffers, int64_t begin, int64_t end, Scratch& scratch) {
  if (plan.index_type == 0) return PoolPlanes<Interleaved>(plan, buffers, begin, end, scratch);
#if POOLPROOF_HAS_VECTORS
  PoolPositions(plan, buffers, begin, end, scratch);
#else
  PlainMax(plan, buffers, begin, end);
#endif
}

void DispatchedFolded(const Plan& plan, const Buffers& buffers, int64_t begin, int64_t end, Scratch& scratch) {
  PoolPlanes<Folded>(plan, buffers, begin, end, scratch);
}

}  // namespace
}  // namespace HWY_NAMESPACE
}  // namespace poolproof::optimized
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace poolproof::optimized {

HWY_EXPORT(DispatchedRows);
HWY_EXPORT(DispatchedInterleaved);
HWY_EXPORT(DispatchedFolded);

void MaxInRows(const Plan& plan, const Buffers& buffers, int64_t begin, int64_t end, Scratch& scratch) {
  HWY_DYNAMIC_DISPATCH(DispatchedRows)(plan, buffers, begin, end, scratch);
}

void InterleavedMax(const Plan& plan, const Buffers& buffers, int64_t begin, int64_t end, Scratch& scratch) {
  HWY_DYNAMIC_DISPATCH(DispatchedInterleaved)(plan, buffers, begin, end, scratch);
}

void FoldedMax(const Plan& plan, const Buffers& buffers, int64_t begin, int64_t end, Scratch& scratch) {
  HWY_DYNAMIC_DISPATCH(DispatchedFolded)(plan, buffers, begin, end, scratch);
}

}  // namespace poolproof::optimized
#endif
