// Maximum without index in rows.
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

// BB: lanes as wide as elements.
template <class BB>
struct RowMax {
  using B = BB;
  using L = typename B::L;
  using Fold = MaxFold<B>;
  static constexpr bool kFactors = false;
  static constexpr int64_t kMostRows = 32;

  struct Factors {
    Factors(const Plan&, const Span*, Scratch&) {}
    const L* Of(int64_t, int64_t) { return nullptr; }
    Rounding rounding() const { return {}; }
  };

  Fold fold;
  int64_t bytes = sizeof(L);
  static bool WritesTensor() { return true; }

  bool FoldDown(const FoldJob<L>& rows) const {
    return (rows.odd != nullptr ? FoldRows<FoldTo::kSplit>(fold, rows) : FoldRows<FoldTo::kPadded>(fold, rows)) != 0;
  }
  template <class V>
  HWY_INLINE V Result(V best, V) const {
    return B::Code::Leave(best, fold.code);
  }
  static void Store(const Quotients<L>&) {}
  static void Repair(const Plan& plan, const Buffers& buffers, int64_t plane, int64_t d, int64_t h) {
    PlainMaxRow(plan, buffers, plane, d, h);
  }
};

void Dispatched(const Plan& plan, const Buffers& buffers, int64_t begin, int64_t end, Scratch& scratch) {
  const auto pool = [&](auto lane) {
    using B = Single<decltype(lane), NoCode>;
    Rows<RowMax<B>>(plan, {{0, 0}}, buffers, begin, end, scratch).Run();
  };
  const auto pool_halves = [&](int16_t infinity) {
    const int16_t lowest = static_cast<int16_t>(~infinity);  // the key of -infinity
    Rows<RowMax<HalfSingle>>(plan, {{lowest, infinity}}, buffers, begin, end, scratch).Run();
  };
  switch (plan.type) {
    case POOLPROOF_F16: return pool_halves(0x7C00);
    case POOLPROOF_BF16: return pool_halves(0x7F80);
    case POOLPROOF_F32: return pool(float{});
    case POOLPROOF_F64: return pool(double{});
    case POOLPROOF_I8: return pool(int8_t{});
    case POOLPROOF_U8: return pool(uint8_t{});
    case POOLPROOF_I16: return pool(int16_t{});
    case POOLPROOF_U16: return pool(uint16_t{});
    case POOLPROOF_I32: return pool(int32_t{});
    case POOLPROOF_U32: return pool(uint32_t{});
    case POOLPROOF_I64: return pool(int64_t{});
    case POOLPROOF_U64: return pool(uint64_t{});
    default: return;  // others are refused before
  }
}

}  // namespace
}  // namespace HWY_NAMESPACE
}  // namespace poolproof::optimized
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace poolproof::optimized {

HWY_EXPORT(Dispatched);

void MaxRows(const Plan& plan, const Buffers& buffers, int64_t begin, int64_t end, Scratch& scratch) {
  HWY_DYNAMIC_DISPATCH(Dispatched)(plan, buffers, begin, end, scratch);
}

}  // namespace poolproof::optimized
#endif
