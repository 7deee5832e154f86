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
    return F::Code::Leave(best, fold.code);
  }
  static void Store(const Quotients<L>&) {}
  static void Repair(const Plan& plan, const Buffers& buffers, int64_t plane, int64_t d, int64_t h) {
    PlainMaxRow(plan, buffers, plane, d, h);
  }
};

// Elements of 8 bits in lanes of 16, as positions have, for MaxFold. Two neighbours are where one lane is, so to split
// them needs no shuffle.
template <typename T>
struct ByteFold {
  using B = Pair<int16_t>;
  using Code = NoCode;
  using Stored = T;
  using Lane = int16_t;
  template <class D>
  using Watch = NoWatch<D>;

  static constexpr bool kSums = false, kWatches = false;

  Lane code = 0, infinity = 0;

  template <class D>
  static HWY_INLINE hn::VFromD<D> Load(D d, const T* p) {
    return hn::PromoteTo(d, hn::LoadU(hn::Rebind<T, D>(), p));
  }
  template <class D>
  static HWY_INLINE hn::VFromD<D> LoadEven(D d, const T* p) {
    const auto pairs = hn::BitCast(d, hn::LoadU(hn::Repartition<T, D>(), p));
    if constexpr (std::is_signed_v<T>) return hn::ShiftRight<8>(hn::ShiftLeft<8>(pairs));
    return hn::And(pairs, hn::Set(d, 0xFF));
  }
  template <class D, class V>
  static HWY_INLINE void LoadBoth(D d, const T* p, V& even, V& odd) {
    even = LoadEven(d, p);
    const auto pairs = hn::BitCast(d, hn::LoadU(hn::Repartition<T, D>(), p));
    if constexpr (std::is_signed_v<T>) {
      odd = hn::ShiftRight<8>(pairs);
    } else {
      odd = hn::BitCast(d, hn::ShiftRight<8>(hn::BitCast(hn::RebindToUnsigned<D>(), pairs)));
    }
  }
  template <class D, class V>
  static HWY_INLINE void Store(D d, V v, T* p) {
    const hn::Rebind<T, D> narrow;
    hn::StoreU(hn::DemoteTo(narrow, v), narrow, p);
  }
  static Lane Identity() { return IdentityOfMax<Lane>(); }
  static bool IsNan(T) { return false; }
};

// Calls pool(fold) with the MaxFold of elements that are lanes, of f16 and bf16 with keys for lanes. B: a value.
template <template <typename> class B, class H, class F>
void WithFold(poolproof_element_type type, const F& pool) {
  constexpr int16_t kHighest16 = 0x7C00, kHighestB16 = 0x7F80;  // infinity; its complement is the key of -infinity
  switch (type) {
    case POOLPROOF_F16: return pool(MaxFold<H>{static_cast<int16_t>(~kHighest16), kHighest16});
    case POOLPROOF_BF16: return pool(MaxFold<H>{static_cast<int16_t>(~kHighestB16), kHighestB16});
    case POOLPROOF_F32: return pool(MaxFold<B<float>, NoCode>());
    case POOLPROOF_F64: return pool(MaxFold<B<double>, NoCode>());
    case POOLPROOF_I16: return pool(MaxFold<B<int16_t>, NoCode>());
    case POOLPROOF_I32: return pool(MaxFold<B<int32_t>, NoCode>());
    case POOLPROOF_U32: return pool(MaxFold<B<uint32_t>, NoCode>());
    case POOLPROOF_I64: return pool(MaxFold<B<int64_t>, NoCode>());
    case POOLPROOF_U64: return pool(MaxFold<B<uint64_t>, NoCode>());
    default: return;  // others are refused before
  }
}

template <typename L>
using Value = Single<L, NoCode>;
template <typename L>
using ValueAndPosition = Pair<L>;

void Dispatched(const Plan& plan, const Buffers& buffers, int64_t begin, int64_t end, Scratch& scratch) {
  const auto pool = [&](const auto& fold) {
    Rows<RowMax<std::decay_t<decltype(fold)>>>(plan, {fold}, buffers, begin, end, scratch).Run();
  };
  switch (plan.type) {
    case POOLPROOF_I8: return pool(MaxFold<Value<int8_t>>());
    case POOLPROOF_U8: return pool(MaxFold<Value<uint8_t>>());
    case POOLPROOF_U16: return pool(MaxFold<Value<uint16_t>>());
    default: return WithFold<Value, HalfSingle>(plan.type, pool);
  }
}

void DispatchedIndex(const Plan& plan, const Buffers& buffers, int64_t begin, int64_t end, Scratch& scratch) {
#if POOLPROOF_HAS_VECTORS
  const auto pool = [&](const auto& fold) {
    Rows<RowMax<std::decay_t<decltype(fold)>>>(plan, {fold}, buffers, begin, end, scratch).Run();
  };
  switch (plan.type) {
    case POOLPROOF_I8: return pool(ByteFold<int8_t>());
    case POOLPROOF_U8: return pool(ByteFold<uint8_t>());
    case POOLPROOF_U16: return pool(MaxFold<Pair<int16_t>>{std::numeric_limits<int16_t>::lowest(), 0});
    default: return WithFold<ValueAndPosition, HalfPair>(plan.type, pool);
  }
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
