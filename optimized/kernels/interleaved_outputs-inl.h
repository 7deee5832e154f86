// What becomes of the results of the interleaved kernel, for one target: they go back to their planes, as maxima, with
// or without index, or divided, as means. Rows that vectors may have got wrong are found here and pooled once more by
// kernels.h.
#if defined(POOLPROOF_OPTIMIZED_KERNELS_INTERLEAVED_OUTPUTS_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef POOLPROOF_OPTIMIZED_KERNELS_INTERLEAVED_OUTPUTS_INL_H_
#undef POOLPROOF_OPTIMIZED_KERNELS_INTERLEAVED_OUTPUTS_INL_H_
#else
#define POOLPROOF_OPTIMIZED_KERNELS_INTERLEAVED_OUTPUTS_INL_H_
#endif

#include <algorithm>
#include <cmath>
#include <limits>

#include "optimized/kernels/fold-inl.h"
#include "optimized/kernels/interleaved_reducers-inl.h"
#include "optimized/kernels/interleaved_shape.h"
#include "optimized/kernels/kernels.h"
#include "optimized/kernels/plane_squares-inl.h"
#include "optimized/kernels/quotient-inl.h"

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

// F: a MaxFold.
template <class F>
class MaxOutputs {
 public:
  using Fold = F;
  using B = typename F::B;
  using Row = B;  // of rows that are windows' already (folded-inl.h)
  using L = typename B::L;
  using Raw = typename B::Raw;
  static constexpr int64_t kGroup = B::kGroup;

  // plan: of a lane.
  MaxOutputs(const Plan& plan, const Lanes& lanes, const Buffers& buffers, const Fold& fold,
             const InterleavedShape& shape, Scratch& scratch)
      : plan_(plan),
        lanes_(lanes),
        buffers_(buffers),
        fold_(fold),
        shape_(shape),
        staged_(scratch.Get<Raw>(kStagingSlot, Fold::kWidens ? shape.out_rows * shape.most_windows * kGroup : 1)),
        seen_(plan.axis[0].in * plan.axis[1].in, kFlagSlot, scratch),
        suspects_(lanes.Rows(), kSuspectSlot, scratch) {}

  // A group of lanes. in: where each begins in the input, where there are positions.
  void Begin(int64_t first, int64_t count, const int64_t* in) {
    FillBegins(lanes_, first, count, begins_);
    for (int64_t k = 0; B::kHasPosition && k < count; ++k) base_[k] = in[k] % plan_.index_bound;
  }

  // Input rows in lanes, `cells` of them, from `row` of the planes on.
  HWY_INLINE void Watch(const Raw* in, int64_t cells, int64_t row, int64_t rows) {
    const uint32_t planes = SuspiciousPlanes<kGroup>(in, cells, fold_.infinity);
    for (int64_t r = 0; planes != 0 && r < rows; ++r) seen_.Add(row + r, planes);
  }

  // An output row of lanes.
  void Suspect(int64_t row, uint32_t lanes) { suspects_.Add(row, lanes); }

  // `rows` output rows from `row` of the lanes on.
  HWY_NOINLINE void Store(int64_t lanes, int64_t row, int64_t rows, const RowSegment& segment,
                          typename B::Field from) const {
    const int64_t count = rows * segment.Windows(), at = row * plan_.axis[2].out + segment.begin;
    const auto store = [begins = &begins_[0], fold = fold_, to = static_cast<Raw*>(buffers_.out) + at](
                           auto d, auto v, int64_t k, int64_t i) HWY_ATTR {
      fold.Store(d, v, to + begins[k] + i);
      hwy::Prefetch(to + begins[k] + i + hn::Lanes(d));
    };
    if constexpr (Fold::kWidens) {
      Narrow(from.value, count);
      ScatterPlanes<kGroup>(staged_, count, lanes, store);
    } else {
      ScatterPlanes<kGroup>(from.value, count, lanes, store);
    }
    if constexpr (B::kHasPosition) StorePositions(from, lanes, count, at);
  }

  void Repair(int64_t first, int64_t lanes) {
    if (seen_.Any()) {
      const int64_t height = plan_.axis[1].out;
      for (int64_t row = 0; row < lanes_.Rows(); ++row) {
        suspects_.Add(row, SeenBy(shape_.deep[row / height], shape_.high[row % height]));
      }
      seen_.Clear();
    }
    suspects_.Repair(lanes_, first, lanes,
                     [&](int64_t plane, int64_t d, int64_t h) { PlainMaxRow(lanes_.planes, buffers_, plane, d, h); });
  }

 private:
  // Cells become as narrow as elements.
  HWY_NOINLINE void Narrow(const L* from, int64_t count) const {
    const hn::ScalableTag<L> d;
    for (int64_t i = 0; i < count * kGroup; i += static_cast<int64_t>(hn::Lanes(d))) {
      hn::StoreU(ToElements<Raw>(hn::LoadU(d, from + i)), hn::Rebind<Raw, decltype(d)>(), staged_ + i);
    }
  }

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

  // Planes with a suspicious element in one of the rows of a window.
  uint32_t SeenBy(Span deep, Span high) const {
    uint32_t planes = 0;
    ForWindowRows(plan_, deep, high, [&](int64_t row) { planes |= seen_.At(row); });
    return planes;
  }

  const Plan& plan_;
  const Lanes lanes_;
  const Buffers& buffers_;
  const Fold& fold_;
  const InterleavedShape& shape_;
  Raw* const staged_;                           // [result][lane] of values that are wider than elements
  Suspects seen_;                               // rows of the input, of planes
  Suspects suspects_;                           // rows of the output
  int64_t begins_[kGroup];                      // of the results of each lane
  int64_t base_[B::kHasPosition ? kGroup : 1];  // index of the first element of each lane
};

// The lanes in which sums of C are divided: of bytes, whose sums have 16 bits, f32.
template <class C>
struct Divided : C {
  template <class D>
  static HWY_INLINE hn::VFromD<D> LoadSum(D d, const typename C::Lane* p) {
    return hn::LoadU(d, p);
  }
};
template <typename T>
struct Divided<ByteMean<T>> : SmallMean<T> {
  template <class D>
  static HWY_INLINE hn::VFromD<D> LoadSum(D d, const int16_t* p) {
    using Sum = std::conditional_t<std::is_signed_v<T>, int16_t, uint16_t>;
    return SumFold<SmallMean<Sum>>::LoadEntered(d, reinterpret_cast<const Sum*>(p));
  }
};

// Means: sums of floats are multiplied by the reciprocal of the number of taps, those of integers divided
// (quotient-inl.h). C has the type of the elements and that of their sums (means-inl.h).
template <class C>
class MeanOutputs {
 public:
  using L = typename C::Lane;
  using Raw = typename C::Stored;
  using Fold = SumFold<C>;
  using B = typename Fold::B;
  static constexpr int64_t kGroup = B::kGroup;
  using Row = Single<SumFold<FloatMean<L>>, sizeof(Raw)>;  // of rows that are sums already (folded-inl.h)
  using Factor = typename Divided<C>::Lane;
  static constexpr bool kLong = sizeof(L) == 8 && !hwy::IsFloat<L>();  // integers whose sums may overflow

  // plan: of a plane.
  MeanOutputs(const Plan& plan, const Lanes& lanes, const Buffers& buffers, const Fold&, const InterleavedShape& shape,
              Scratch& scratch)
      : plan_(plan),
        lanes_(lanes),
        buffers_(buffers),
        rounding_(RoundingOf<Factor>(plan)),
        staged_(scratch.Get<Raw>(kStagingSlot, shape.out_rows * shape.most_windows * kGroup)),
        factors_(scratch.Get<Factor>(kSumSlot, plan.OutPlane())),
        suspects_(lanes.Rows(), kSuspectSlot, scratch),
        most_(kLong ? static_cast<L>(~uint64_t{0} >> (SumBits(plan) - 64 + (std::is_signed_v<L> ? 1 : 0))) : L{0}) {
    FillFactors(shape, scratch);
  }

  // A group of lanes.
  void Begin(int64_t first, int64_t count, const int64_t*) { FillBegins(lanes_, first, count, begins_); }

  // Input rows in lanes, `cells` of them: whether sums of such integers may overflow.
  HWY_INLINE void Watch(const Raw* in, int64_t cells, int64_t, int64_t) {
    if constexpr (kLong) {
      const uint32_t planes = SuspiciousPlanes<kGroup>(in, cells, most_);
      for (int64_t row = 0; planes != 0 && row < plan_.axis[0].out * plan_.axis[1].out; ++row) {
        suspects_.Add(row, planes);
      }
    }
  }

  // `rows` output rows from `row` of the lanes on.
  HWY_NOINLINE void Store(int64_t lanes, int64_t row, int64_t rows, const RowSegment& segment, typename B::Field from) {
    const int64_t count = rows * segment.Windows(), first = row * plan_.axis[2].out + segment.begin;
    const int64_t* const begins = begins_;
    Raw* const to = static_cast<Raw*>(buffers_.out) + first;
    if constexpr (kIsFloat<C>) {
      // Of all rows that are stored together, since they are few.
      const uint32_t overflown = SuspiciousPlanes<kGroup>(from.value, count, std::numeric_limits<L>::max());
      for (int64_t r = 0; overflown != 0 && r < rows; ++r) suspects_.Add(row + r, overflown);
    }
    if constexpr (kIsFloat<C> && sizeof(Raw) == sizeof(L)) {
      const Factor* const factors = factors_ + first;
      ScatterPlanes<kGroup>(from.value, count, lanes, [=](auto d, auto sum, int64_t k, int64_t i) HWY_ATTR {
        Raw* const at = to + begins[k] + i;
        hn::StoreU(MeanOf<C, false, false>(d, sum, hn::LoadU(d, factors + i)), d, at);
        hwy::Prefetch(at + hn::Lanes(d));
      });
    } else {
      WithRounding<C>(rounding_,
                      [&](auto divide, auto convergent) { Narrow<divide(), convergent()>(from.value, count, first); });
      ScatterPlanes<kGroup>(staged_, count, lanes, [=](auto d, auto mean, int64_t k, int64_t i) HWY_ATTR {
        Raw* const at = to + begins[k] + i;
        hn::StoreU(mean, d, at);
        hwy::Prefetch(at + hn::Lanes(d));
      });
    }
  }

  void Repair(int64_t first, int64_t lanes) {
    suspects_.Repair(lanes_, first, lanes,
                     [&](int64_t plane, int64_t d, int64_t h) { PlainAverageRow(plan_, buffers_, plane, d, h); });
  }

 private:
  // Cells of sums to cells of means, as they are stored. first: of those of a lane.
  template <bool kDivide, bool kConvergent>
  HWY_NOINLINE void Narrow(const L* sums, int64_t count, int64_t first) const {
    using Division = Divided<C>;
    const hn::ScalableTag<Factor> d;
    const int64_t n = static_cast<int64_t>(hn::Lanes(d));
    for (int64_t cell = 0; cell < count; ++cell) {
      const Factor* const factors = factors_ + first + cell;
      const auto factor = hn::Set(d, factors[0]);
      for (int64_t k = 0; k < kGroup; k += n) {
        const int64_t i = cell * kGroup + k;
        const auto sum = Division::LoadSum(d, sums + i);
        Division::Store(MeanOf<C, kDivide, kConvergent>(d, sum, factor), d, staged_ + i);
      }
    }
  }

  void FillFactors(const InterleavedShape& shape, Scratch& scratch) {
    Factors<Factor> factors(plan_, shape.wide, scratch);
    const int64_t width = plan_.axis[2].out, height = plan_.axis[1].out;
    for (int64_t row = 0; row < plan_.axis[0].out * height; ++row) {
      const int64_t taps = shape.deep[row / height].taps * shape.high[row % height].taps;
      std::copy_n(factors.Of(taps, 0), width, factors_ + row * width);
    }
  }

  const Plan& plan_;
  const Lanes lanes_;
  const Buffers& buffers_;
  const Rounding rounding_;
  Raw* const staged_;       // [result][plane]
  Factor* const factors_;   // what each sum of a plane is multiplied with or divided by
  Suspects suspects_;       // rows of the output
  const L most_;            // the largest integer of which as many as a window has do not overflow
  int64_t begins_[kGroup];  // of the results of each plane
};

}  // namespace
}  // namespace HWY_NAMESPACE
}  // namespace poolproof::optimized
HWY_AFTER_NAMESPACE();

#endif  // per-target guard
