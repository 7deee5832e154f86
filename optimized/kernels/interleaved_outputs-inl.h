// Stores the results of the interleaved kernel, for one target: they go back to their planes, as maxima, with
// or without index, or divided, as means. Lanes that vectors may have got wrong are found here, and pooled once more
// one element at a time.
#if defined(POOLPROOF_OPTIMIZED_KERNELS_INTERLEAVED_OUTPUTS_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef POOLPROOF_OPTIMIZED_KERNELS_INTERLEAVED_OUTPUTS_INL_H_
#undef POOLPROOF_OPTIMIZED_KERNELS_INTERLEAVED_OUTPUTS_INL_H_
#else
#define POOLPROOF_OPTIMIZED_KERNELS_INTERLEAVED_OUTPUTS_INL_H_
#endif

#include <algorithm>
#include <cmath>
#include <limits>

#include "optimized/kernels/cells-inl.h"
#include "optimized/kernels/factors-inl.h"
#include "optimized/kernels/fold-inl.h"
#include "optimized/kernels/interleaved_shape.h"
#include "optimized/kernels/kernels.h"

HWY_BEFORE_NAMESPACE();
namespace poolproof::optimized {
namespace HWY_NAMESPACE {
namespace {

// Signed integers in the order of magnitudes: bits of floats below the sign, with NaN on top; of signed integers, and
// of keys of halves, those that are flipped where the sign is set, flipped back; of unsigned ones, all but the last.
template <class V>
HWY_INLINE auto OrderOfMagnitude(V v) {
  using L = hn::TFromV<V>;
  const hn::RebindToSigned<hn::DFromV<V>> di;
  if constexpr (hwy::IsFloat<L>()) {
    return hn::And(hn::BitCast(di, v), hn::Set(di, std::numeric_limits<hn::TFromD<decltype(di)>>::max()));
  } else if constexpr (std::is_signed_v<L>) {
    return hn::Xor(v, hn::BroadcastSignBit(v));
  } else {
    return hn::BitCast(di, hn::ShiftRight<1>(v));
  }
}

// The planes of which one of `count` cells has a lane that is NaN, or of larger magnitude than `most`; none where that
// is 0.
template <int64_t kGroup, typename L>
HWY_NOINLINE uint32_t SuspiciousPlanes(const L* cells, int64_t count, L most) {
  uint32_t planes = 0;
  // Not lanes that hold integers alone, and have them all.
  if constexpr (hwy::IsFloat<L>() || sizeof(L) == 2 || sizeof(L) == 8) {
    if (most == 0) return 0;
    const hn::ScalableTag<L> d;
    const hn::RebindToSigned<decltype(d)> di;
    const int64_t n = static_cast<int64_t>(hn::Lanes(d));
    const auto limit = OrderOfMagnitude(hn::Set(d, most));
    for (int64_t i = 0; i < kGroup; i += n) {
      auto largest = hn::Zero(di), second = hn::Zero(di);
      const L *cell = cells + i, *const end = cells + count * kGroup;
      for (; cell + kGroup < end; cell += 2 * kGroup) {
        largest = hn::Max(largest, OrderOfMagnitude(hn::LoadU(d, cell)));
        second = hn::Max(second, OrderOfMagnitude(hn::LoadU(d, cell + kGroup)));
      }
      if (cell < end) largest = hn::Max(largest, OrderOfMagnitude(hn::LoadU(d, cell)));
      largest = hn::Max(largest, second);
      if (hn::AllFalse(di, hn::Gt(largest, limit))) continue;
      hwy::MakeSigned<L> lanes[kGroup];
      hn::StoreU(largest, di, lanes);
      for (int64_t k = 0; k < n; ++k) planes |= static_cast<uint32_t>(lanes[k] > hn::GetLane(limit)) << (i + k);
    }
  }
  return planes;
}

// Outputs of maxima and of means; F: MaxFold or SumFold.
template <class F>
class Outputs {
 public:
  using Fold = F;
  using B = typename F::B;
  using L = typename B::L;
  using Raw = typename B::Raw;
  static constexpr int64_t kGroup = B::kGroup;

  // most: elements of larger magnitude are suspicious, and NaN; 0 for none.
  Outputs(const Lanes& lanes, const Buffers& buffers, Raw most)
      : lanes_(lanes), plan_(lanes_.plan), buffers_(buffers), most_(most) {}

  // A group of lanes.
  void Begin(int64_t first, int64_t count, const int64_t*) { lanes_.FillOut(first, count, begins_); }
  // Elements of lanes, `cells` of each.
  HWY_INLINE void Watch(const Raw* in, int64_t cells) { suspects_ |= SuspiciousPlanes<kGroup>(in, cells, most_); }
  void Suspect(uint32_t lanes) { suspects_ |= lanes; }

  // Pools suspicious lanes once more, of `count` from `first` on, as a whole.
  void Repair(int64_t first, int64_t count) {
    constexpr auto kPlain = F::kSums ? PlainAverageRow : PlainMaxRow;
    const Plan& planes = lanes_.planes;
    const int64_t height = planes.axis[1].out, width = planes.axis[2].out;
    for (int64_t lane = first; suspects_ != 0 && lane < first + count; ++lane, suspects_ >>= 1) {
      const int64_t plane = lanes_.PlaneOf(lane), begin = (lanes_.OutOf(lane) - plane * planes.OutPlane()) / width;
      const int64_t end = (suspects_ & 1) != 0 ? begin + lanes_.Rows() : begin;
      for (int64_t row = begin; row < end; ++row) kPlain(planes, buffers_, plane, row / height, row % height);
    }
    suspects_ = 0;
  }

 protected:
  // The first of the results of `row` in a segment, in each lane.
  int64_t At(int64_t row, const RowSegment& segment) const { return row * plan_.axis[2].out + segment.begin; }
  // Calls store(d, v, p, i) for `count` results of each lane, with where vector i goes, from result `at` on.
  template <typename From, class S>
  HWY_INLINE void Scatter(const From* from, int64_t count, int64_t lanes, int64_t at, const S& store) const {
    const auto to = [=, begins = &begins_[0], out = static_cast<Raw*>(buffers_.out) + at](auto d, auto v, int64_t k,
                                                                                          int64_t i) HWY_ATTR {
      Raw* const p = out + begins[k] + i;
      store(d, v, p, i);
      hwy::Prefetch(p + hn::Lanes(d));
    };
    ScatterPlanes<kGroup>(from, count, lanes, to);
  }

  const Lanes lanes_;
  const Plan& plan_;  // of a lane
  const Buffers& buffers_;
  const Raw most_;
  uint32_t suspects_ = 0;   // a bit for each lane
  int64_t begins_[kGroup];  // of the results of each lane
};

// F: a MaxFold.
template <class F>
class MaxOutputs : public Outputs<F> {
 public:
  using typename Outputs<F>::B;
  using typename Outputs<F>::Raw;
  using Outputs<F>::kGroup;
  using Row = B;  // of rows that are windows' already (folded-inl.h)

  MaxOutputs(const Lanes& lanes, const Buffers& buffers, const F& fold, const InterleavedShape&, Scratch&)
      : Outputs<F>(lanes, buffers, fold.infinity), fold_(fold) {}

  // in: where each begins in the input, where there are positions.
  void Begin(int64_t first, int64_t count, const int64_t* in) {
    Outputs<F>::Begin(first, count, in);
    for (int64_t k = 0; B::kHasPosition && k < count; ++k) base_[k] = in[k] % plan_.index_bound;
  }

  // `rows` output rows from `row` of the lanes on.
  HWY_NOINLINE void Store(int64_t lanes, int64_t row, int64_t rows, const RowSegment& segment,
                          typename B::Field from) const {
    const int64_t count = rows * segment.Windows(), at = this->At(row, segment);
    const auto store = [fold = fold_](auto d, auto v, Raw* p, int64_t) HWY_ATTR { fold.Store(d, v, p); };
    this->Scatter(from.value, count, lanes, at, store);
    if constexpr (B::kHasPosition) StorePositions(from, lanes, count, at);
  }

 private:
  using Outputs<F>::plan_;
  using Outputs<F>::buffers_;
  using Outputs<F>::begins_;

#if POOLPROOF_HAS_VECTORS
  HWY_INLINE void StorePositions(typename B::Field from, int64_t lanes, int64_t count, int64_t at) const {
    const IndexArray index = IndexArray{buffers_.index, plan_.index_type == POOLPROOF_I64}.From(at);
    const auto store = [index, begin = &begins_[0], base = &base_[0]](auto d, auto v, int64_t k, int64_t i) HWY_ATTR {
      const int64_t to = begin[k] + i, n = static_cast<int64_t>(hn::Lanes(d));
      StoreIndex(d, v, base[k], index.From(to), n);
      hwy::Prefetch(static_cast<const char*>(index.From(to + n).data));
    };
    ScatterPlanes<kGroup>(from.at, count, lanes, store);
  }
#endif

  const F& fold_;
  int64_t base_[B::kHasPosition ? kGroup : 1];  // index of the first element of each lane
};

// A vector of sums of C becomes means, as they are stored: of bytes, whose sums have 16 bits, in lanes of f32.
template <class C>
struct Divided {
  using Lane = typename C::Lane;
  template <bool kDivide, bool kConvergent, class D, class V>
  static HWY_INLINE void Store(D d, V sums, const Lane* factors, typename C::Stored* p) {
    C::Store(MeanOf<C, kDivide, kConvergent>(d, sums, hn::LoadU(d, factors)), d, p);
  }
};
template <typename T>
struct Divided<ByteMean<T>> {
  using Lane = float;
  template <bool kDivide, bool kConvergent, class D, class V>
  static HWY_INLINE void Store(D d, V sums, const float* factors, T* p) {
    using Sum = std::conditional_t<std::is_signed_v<T>, int16_t, uint16_t>;
    const hn::CappedTag<float, hn::MaxLanes(D())> df;
    const hn::Rebind<Sum, decltype(df)> ds;
    Sum all[hn::MaxLanes(D())];
    hn::StoreU(hn::BitCast(hn::Rebind<Sum, D>(), sums), hn::Rebind<Sum, D>(), all);
    for (size_t i = 0; i < hn::Lanes(d); i += hn::Lanes(df)) {
      const auto sum = hn::ConvertTo(df, hn::PromoteTo(hn::Rebind<int32_t, decltype(df)>(), hn::LoadU(ds, all + i)));
      SmallMean<T>::Store(MeanOf<SmallMean<T>, kDivide, kConvergent>(df, sum, hn::LoadU(df, factors + i)), df, p + i);
    }
  }
};

// Means: sums of floats are multiplied by the reciprocal of the number of taps, those of integers divided.
// C has the type of the elements and that of their sums (means-inl.h).
template <class C>
class MeanOutputs : public Outputs<SumFold<C>> {
 public:
  using Base = Outputs<SumFold<C>>;
  using Base::kGroup;
  using typename Base::B;
  using typename Base::L;
  using typename Base::Raw;
  using Row = Single<SumFold<FloatMean<L>>, sizeof(Raw)>;  // of rows that are sums already (folded-inl.h)
  using Factor = typename Divided<C>::Lane;

  MeanOutputs(const Lanes& lanes, const Buffers& buffers, const SumFold<C>&, const InterleavedShape& shape,
              Scratch& scratch)
      : Base(lanes, buffers, Most(lanes.plan)),
        rounding_(RoundingOf<Factor>(plan_)),
        factors_(scratch.Get<Factor>(kSumSlot, plan_.OutPlane())) {
    Factors<Factor> factors(plan_, shape.wide, scratch);
    const int64_t width = plan_.axis[2].out, height = plan_.axis[1].out;
    for (int64_t row = 0; row < plan_.axis[0].out * height; ++row) {
      const int64_t taps = shape.deep[row / height].taps * shape.high[row % height].taps;
      std::copy_n(factors.Of(taps, 0), width, factors_ + row * width);
    }
  }

  // `rows` output rows from `row` of the lanes on.
  HWY_NOINLINE void Store(int64_t lanes, int64_t row, int64_t rows, const RowSegment& segment, typename B::Field from) {
    const int64_t count = rows * segment.Windows(), at = this->At(row, segment);
    if constexpr (kIsFloat<C>) {
      this->Suspect(SuspiciousPlanes<kGroup>(from.value, count, std::numeric_limits<L>::max()));
    }
    WithRounding<C>(rounding_, [&](auto divide, auto convergent) HWY_ATTR {
      const auto store = [factors = factors_ + at](auto d, auto sums, Raw* p, int64_t i) HWY_ATTR {
        Divided<C>::template Store<decltype(divide)::value, decltype(convergent)::value>(d, sums, factors + i, p);
      };
      this->Scatter(from.value, count, lanes, at, store);
    });
  }

 private:
  using Base::plan_;

  // Largest integer of which the sum over all taps of a window does not overflow.
  static Raw Most(const Plan& plan) {
    if constexpr (sizeof(L) == 8 && !hwy::IsFloat<L>()) {
      return static_cast<Raw>(~uint64_t{0} >> (SumBits(plan) - 64 + (std::is_signed_v<L> ? 1 : 0)));
    }
    return 0;
  }

  const Rounding rounding_;
  Factor* const factors_;  // what each sum of a plane is multiplied with or divided by
};

}  // namespace
}  // namespace HWY_NAMESPACE
}  // namespace poolproof::optimized
HWY_AFTER_NAMESPACE();

#endif  // per-target guard
