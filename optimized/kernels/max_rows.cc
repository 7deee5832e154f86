// Maximum in rows, with an index that of neighbours only.
#include "optimized/kernels/kernels.h"

// clang-format off
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "optimized/kernels/max_rows.cc"
#include "hwy/foreach_target.h"
#include "hwy/highway.h"
#include "optimized/kernels/quotient-inl.h"
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

void Dispatched(const Plan& plan, const Buffers& buffers, int64_t begin, int64_t end, Scratch& scratch) {
  WithMaxFold<Values>(plan.type, [&](const auto& fold) {
    Rows<RowMax<std::decay_t<decltype(fold)>>>(plan, {fold}, buffers, begin, end, scratch).Run();
  });
}

void DispatchedIndex(const Plan& plan, const Buffers& buffers, int64_t begin, int64_t end, Scratch& scratch) {
#if POOLPROOF_HAS_VECTORS
  WithMaxFold<WithPositions<int16_t>>(plan.type, [&](const auto& fold) {
    Rows<RowMax<std::decay_t<decltype(fold)>>>(plan, {fold}, buffers, begin, end, scratch).Run();
  });
#else
  (void)scratch;
  PlainMax(plan, buffers, begin, end);
#endif
}

}  // namespace
}  // namespace HWY_NAMESPACE
}  // namespace poolproof::optimized
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace poolproof::optimized {

HWY_EXPORT(Dispatched);
HWY_EXPORT(DispatchedIndex);

void MaxRows(const Plan& plan, const Buffers& buffers, int64_t begin, int64_t end, Scratch& scratch) {
  if (plan.index_type != 0) return HWY_DYNAMIC_DISPATCH(DispatchedIndex)(plan, buffers, begin, end, scratch);
  HWY_DYNAMIC_DISPATCH(Dispatched)(plan, buffers, begin, end, scratch);
}

}  // namespace poolproof::optimized
#endif
