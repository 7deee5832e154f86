// Small planes whose rows are short, for one target: the rows of a window are joined below each other, and each tap of
// all windows of a row is picked from two vectors at once.
#if defined(POOLPROOF_OPTIMIZED_KERNELS_COLUMN_PICKS_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef POOLPROOF_OPTIMIZED_KERNELS_COLUMN_PICKS_INL_H_
#undef POOLPROOF_OPTIMIZED_KERNELS_COLUMN_PICKS_INL_H_
#else
#define POOLPROOF_OPTIMIZED_KERNELS_COLUMN_PICKS_INL_H_
#endif

#include "optimized/kernels/pick_groups-inl.h"
#include "optimized/kernels/unrolled.h"

#if POOLPROOF_HAS_PICKS

HWY_BEFORE_NAMESPACE();
namespace poolproof::optimized {
namespace HWY_NAMESPACE {
namespace {

// What two elements become. kSums: of windows that have less taps than others, nothing is added.
template <typename Lane>
struct PickMaxima {
  using L = Lane;
  static constexpr bool kSums = false;
  template <class V>
  static HWY_INLINE V Join(V first, V second) {
    return MaxOf(first, second);
  }
};
template <typename Lane>
struct PickSums {
  using L = Lane;
  static constexpr bool kSums = true;
  template <class V>
  static HWY_INLINE V Join(V first, V second) {
    return hn::Add(first, second);
  }
};

// P: PickMaxima or PickSums, of lanes of 32 bits. kPlanes: those of the taps, which have at most two begins.
template <class P, int kPlanes>
class ColumnPicks {
 public:
  using L = typename P::L;
  using D = hn::ScalableTag<L>;
  using V = hn::Vec<D>;
  using Groups = PickGroups<L, kPlanes, true>;

  ColumnPicks(const Plan& plan, const RowTaps& taps, Scratch& scratch)
      : plan_(plan), taps_(taps), spans_(scratch.Get<Span>(kSpanSlot, plan.axis[1].out)) {
    plan.axis[1].FillSpans(spans_);
  }

  // Of the windows down.
  const Span* spans() const { return spans_; }

  // Pools planes that follow each other; a vector of windows is finish(v, rows) of what they are joined to. False if
  // there are sums, and one of these is not finite.
  template <class Finish>
  HWY_INLINE bool Pool(int64_t planes, const L* from, L* to, const Finish& finish) const {
    bool finite = true;
    Unrolled(taps_.count, [&](auto taps) HWY_ATTR {
      finite = taps_.further < taps() ? Planes<taps(), true>(planes, from, to, finish)
                                      : Planes<taps(), false>(planes, from, to, finish);
    });
    return finite;
  }

 private:
  using DI = hn::RebindToSigned<D>;
  using Parts = PickParts<D, kPlanes>;
  using Vectors = PickVectors<D, kPlanes>;

  // Taps in registers.
  template <int kTaps>
  struct Taps {
    explicit HWY_INLINE Taps(const RowTap* taps) {
      for (int t = 0; t < kTaps; ++t) {
        lanes[t] = hn::Load(DI(), taps[t].lane);
        inside[t] = {taps[t].inside};
      }
    }
    // Of two vectors, and from tap `further` on of two others.
    HWY_INLINE V Join(V a, V b, V a_further, V b_further, int64_t further) const {
      V joined = Pick(a, b, 0);
      // A sum of nothing but negative zeros is zero.
      if (P::kSums) joined = P::Join(hn::Zero(D()), joined);
      for (int t = 1; t < kTaps; ++t) {
        joined = P::Join(joined, t < further ? Pick(a, b, t) : Pick(a_further, b_further, t));
      }
      return joined;
    }
    HWY_INLINE V Pick(V a, V b, int t) const {
      const V v = PickLanes(a, b, lanes[t]);
      return P::kSums ? hn::IfThenElseZero(inside[t], v) : v;
    }

    hn::Vec<DI> lanes[kTaps];
    hn::Mask<D> inside[kTaps];
  };

  // kFurther: whether some taps are in vectors further on.
  template <int kTaps, bool kFurther, class Finish>
  HWY_NOINLINE bool Planes(int64_t planes, const L* from, L* to, const Finish& finish) const {
    const D d;
    const int64_t in_plane = plan_.InPlane(), out_plane = plan_.OutPlane();
    V bad = hn::Zero(d);
    for (int64_t p = 0; p < planes; p += kPlanes) {
      const bool alone = p + kPlanes > planes;  // without a second plane
      const L* const second = Vectors::SecondOf(from, in_plane, alone);
      const Parts parts(plan_.axis[2].out, alone, out_plane);
      bad = hn::Or(bad, Plane<kTaps, kFurther>(from, second, parts, to, finish));
      from += kPlanes * in_plane;
      to += kPlanes * out_plane;
    }
    if constexpr (P::kSums) return hn::AllFalse(d, hn::IsNaN(bad));
    return true;
  }

  template <int kTaps, bool kFurther, class Finish>
  HWY_NOINLINE V Plane(const L* from, const L* from_second, const Parts parts, L* to, const Finish& finish) const {
    const D d;
    const Axis& height = plan_.axis[1];
    const int64_t width = plan_.axis[2].in, windows = plan_.axis[2].out, further = taps_.further;
    const int64_t apart = height.dilation * width;
    const int64_t begins[2] = {taps_.taps[0].begin, taps_.taps[kFurther ? further : 0].begin};
    const Vectors vectors(width);
    const Taps<kTaps> taps(taps_.taps);
    // The last row of a window, which may be the first of the next one: worth to keep where it has four vectors.
    V c = hn::Zero(d), e = c, c_further = c, e_further = c;
    const L* last = nullptr;
    V bad = hn::Zero(d);
    const Span* span = spans_;
    for (const Span* const end = span + height.out; span < end; ++span, to += windows) {
      const L* first = from + span->first * width;
      const L* second = from_second + span->first * width;
      V a = c, b = e, a_further = c_further, b_further = e_further;
      if (!kFurther || first != last) Load<kFurther>(vectors, first, second, begins, a, b, a_further, b_further);
      for (int64_t t = span->taps; --t > 0;) {
        first += apart;
        second += apart;
        Load<kFurther>(vectors, first, second, begins, c, e, c_further, e_further);
        a = P::Join(a, c);
        b = P::Join(b, e);
        if (!kFurther) continue;
        a_further = P::Join(a_further, c_further);
        b_further = P::Join(b_further, e_further);
        last = first;
      }
      const V joined = finish(taps.Join(a, b, a_further, b_further, kFurther ? further : kTaps), span->taps);
      if (P::kSums) bad = hn::Or(bad, hn::Sub(joined, joined));
      parts.Store(joined, joined, to);
    }
    return bad;
  }

  // The vectors of a row, those further on only if there are any; what the next planes will need is asked for.
  template <bool kFurther>
  static HWY_INLINE void Load(const Vectors& vectors, const L* first, const L* second, const int64_t* begins, V& a,
                              V& b, V& a_further, V& b_further) {
    vectors.Load(first, second, begins[0], a, b);
    if (kFurther) vectors.Load(first, second, begins[1], a_further, b_further);
    hwy::Prefetch(first + Groups::kElements);
    hwy::Prefetch(second + Groups::kElements);
  }

  const Plan& plan_;
  const RowTaps& taps_;
  Span* const spans_;
};

}  // namespace
}  // namespace HWY_NAMESPACE
}  // namespace poolproof::optimized
HWY_AFTER_NAMESPACE();

#endif  // POOLPROOF_HAS_PICKS

#endif  // per-target guard
