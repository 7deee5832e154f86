// Maximum over windows two elements wide, two apart, without padding: both steps in registers. For one target.
#if defined(POOLPROOF_OPTIMIZED_KERNELS_MAX_PAIRS_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef POOLPROOF_OPTIMIZED_KERNELS_MAX_PAIRS_INL_H_
#undef POOLPROOF_OPTIMIZED_KERNELS_MAX_PAIRS_INL_H_
#else
#define POOLPROOF_OPTIMIZED_KERNELS_MAX_PAIRS_INL_H_
#endif

#include "optimized/kernels/max_codecs-inl.h"
#include "optimized/kernels/unrolled.h"

HWY_BEFORE_NAMESPACE();
namespace poolproof::optimized {
namespace HWY_NAMESPACE {
namespace {

// Output rows [0, rows), which follow each other at `to`; input row t of output row r begins at
// taps[t] + r * step. 1 <= count <= kUnrolled.
template <class C>
class Pairs {
 public:
  using L = typename C::Lane;
  using D = hn::ScalableTag<L>;
  using V = hn::Vec<D>;

  // Returns whether there may be NaN.
  HWY_INLINE bool Band(const L* const* taps, int64_t count, int64_t step, int64_t rows, int64_t lanes, L* to) const {
    bool suspicious = false;
    Unrolled(count, [&](auto n) HWY_ATTR { suspicious = BandOf<n.value>(taps, step, rows, lanes, to); });
    return suspicious;
  }

 private:
  // Whether two neighbours are a lane of a type there is, so that a shift brings them together.
  static constexpr bool kNarrow = POOLPROOF_HAS_VECTORS && sizeof(L) <= 2;
  using Wide = std::conditional_t<sizeof(L) == 1, uint16_t, uint32_t>;

  template <int kCount>
  HWY_NOINLINE bool BandOf(const L* const* taps, int64_t step, int64_t rows, int64_t lanes, L* to) const {
    const D d;
    const int64_t n = static_cast<int64_t>(hn::Lanes(d));
    const L* p[kCount];
    for (int t = 0; t < kCount; ++t) p[t] = taps[t];
    typename C::Watch watch;
    for (int64_t r = 0; r < rows; ++r, to += lanes) {
      int64_t i = 0;
      for (; lanes - i > (kNarrow ? n / 2 : 0); i += n) {
        auto low = C::Load(d, p[0] + 2 * i), high = C::Load(d, p[0] + 2 * i + n);
        auto seen = C::Watch::Join(low, high);
        for (int t = 1; t < kCount; ++t) {
          const auto a = C::Load(d, p[t] + 2 * i), b = C::Load(d, p[t] + 2 * i + n);
          seen = C::Watch::Join(seen, C::Watch::Join(a, b));
          low = MaxOf(low, a);
          high = MaxOf(high, b);
        }
        const auto best = JoinNeighbours(low, high);
        watch.Elements(seen);
        watch.Maximum(best);
        C::Store(best, d, to + i);
      }
      if (i < lanes) {
        if constexpr (kNarrow) HalfVector<kCount>(p, i, watch, to);
      }
      for (int t = 0; t < kCount; ++t) p[t] += step;
    }
    return watch.Suspicious();
  }

  static HWY_INLINE V JoinNeighbours(V low, V high) {
    V even, odd;
    if constexpr (kNarrow) {
      Split(D(), JoinEach(low), JoinEach(high), even, odd);
      return even;
    } else {
      Split(D(), low, high, even, odd);
      return MaxOf(even, odd);
    }
  }
  // The maximum of each two neighbours in the place of the first.
  static HWY_INLINE V JoinEach(V v) {
    const hn::Repartition<Wide, D> wide;
    return MaxOf(v, hn::BitCast(D(), hn::ShiftRight<8 * sizeof(L)>(hn::BitCast(wide, v))));
  }
  // The same of a row that ends within the first half of a vector, from its lane i on.
  template <int kCount>
  static HWY_INLINE void HalfVector(const L* const* p, int64_t i, typename C::Watch& watch, L* to) {
    const D d;
    const hn::Half<D> half;
    V best = C::Load(d, p[0] + 2 * i), seen = best;
    for (int t = 1; t < kCount; ++t) {
      const V tap = C::Load(d, p[t] + 2 * i);
      seen = C::Watch::Join(seen, tap);
      best = MaxOf(best, tap);
    }
    best = JoinEach(best);
    watch.Elements(seen);
    watch.Maximum(best);
    const hn::Repartition<Wide, D> wide;
    const hn::Rebind<hwy::MakeUnsigned<L>, decltype(wide)> narrow;
    C::Store(hn::BitCast(half, hn::TruncateTo(narrow, hn::BitCast(wide, best))), half, to + i);
  }
};

}  // namespace
}  // namespace HWY_NAMESPACE
}  // namespace poolproof::optimized
HWY_AFTER_NAMESPACE();

#endif  // per-target guard
