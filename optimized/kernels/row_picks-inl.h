// Maxima of small planes whose rows are short, for one target: each tap of all windows of a row is picked from two
// vectors at once, and the rows of maxima are joined below each other.
//
// Among equal values the first in row-major order counts.
#if defined(POOLPROOF_OPTIMIZED_KERNELS_ROW_PICKS_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef POOLPROOF_OPTIMIZED_KERNELS_ROW_PICKS_INL_H_
#undef POOLPROOF_OPTIMIZED_KERNELS_ROW_PICKS_INL_H_
#else
#define POOLPROOF_OPTIMIZED_KERNELS_ROW_PICKS_INL_H_
#endif

#include <algorithm>

#include "optimized/kernels/index_best-inl.h"
#include "optimized/kernels/plain.h"
#include "optimized/kernels/row_taps.h"
#include "optimized/kernels/unrolled.h"

// Where an instruction picks lanes of two vectors.
#undef POOLPROOF_HAS_PICKS
#if HWY_ARCH_X86 && HWY_TARGET <= HWY_AVX3
#define POOLPROOF_HAS_PICKS 1
#else
#define POOLPROOF_HAS_PICKS 0
#endif

#if POOLPROOF_HAS_PICKS

HWY_BEFORE_NAMESPACE();
namespace poolproof::optimized {
namespace HWY_NAMESPACE {
namespace {

HWY_INLINE hn::Vec512<float> PickLanes(hn::Vec512<float> first, hn::Vec512<float> second, hn::Vec512<int32_t> lanes) {
  return hn::Vec512<float>{_mm512_permutex2var_ps(first.raw, lanes.raw, second.raw)};
}
HWY_INLINE hn::Vec512<int32_t> PickLanes(hn::Vec512<int32_t> first, hn::Vec512<int32_t> second,
                                         hn::Vec512<int32_t> lanes) {
  return hn::Vec512<int32_t>{_mm512_permutex2var_epi32(first.raw, lanes.raw, second.raw)};
}

// B: a vector of maxima (index_best-inl.h) of 32-bit lanes. kPlanes: what PlanesOfPicks says.
template <class B, int kPlanes>
class RowPicks {
 public:
  using L = typename B::L;
  using D = typename B::D;
  using DI = typename B::DI;
  using Field = typename B::Field;

  // `form` says how elements become lanes.
  RowPicks(const Plan& plan, const Buffers& buffers, const LaneForm<L>& form, Scratch& scratch)
      : plan_(plan), buffers_(buffers), form_(form), in_plane_(plan.InPlane()), out_plane_(plan.OutPlane()),
        group_(std::max<int64_t>(kPlanes, kElements / in_plane_ / kPlanes * kPlanes)), taps_(plan.axis[2], kPlanes),
        spans_(scratch.Get<Span>(kSpanSlot, plan.axis[1].out)),
        rows_(B::MakeField(scratch.Get<char>(kWorkSlot, plan.axis[1].in * kLanes * B::kFieldBytes),
                           plan.axis[1].in * kLanes)),
        widened_(form.IsStored() ? nullptr : scratch.Get<L>(kRowSlot, group_ * in_plane_)),
        unnarrowed_(form.IsStored() ? nullptr : scratch.Get<L>(kStagingSlot, group_ * out_plane_)) {
    plan.axis[1].FillSpans(spans_);
  }

  HWY_ATTR void Run(int64_t begin, int64_t end) {
    for (int64_t plane = begin; plane < end; plane += group_) Group(plane, std::min(group_, end - plane));
  }

 private:
  static constexpr int64_t kElements = 2048;  // of planes that are pooled together
  static constexpr int64_t kAhead = 256;      // windows
  static constexpr int64_t kLanes = RowTap::kLanes;
  static constexpr int64_t kHalf = kLanes / 2;

  // The windows of a row in a vector: those of the first plane, and those of the second one in the upper half. No other
  // lane is written, since beside them is what was written before. Masked vectors are stored whole, since an
  // instruction that stores the upper half touches the memory of masked lanes as well.
  struct Parts {
    Parts(int64_t windows, bool alone, int64_t out_plane)
        : first(hn::FirstN(D(), static_cast<size_t>(windows))),
          second(hn::AndNot(hn::FirstN(D(), kHalf), hn::FirstN(D(), static_cast<size_t>(kHalf + windows)))),
          two(kPlanes == 2 && !alone), apart(out_plane - kHalf), windows(windows) {}

    // T: L or int32_t.
    template <class V, typename T>
    HWY_INLINE void Store(V of_first, V of_second, T* to) const {
      const hn::ScalableTag<T> d;
      hn::BlendedStore(of_first, MaskFor<decltype(d)>(D(), first), d, to);
      hwy::Prefetch(to + kAhead);
      if (!two) return;
      hn::BlendedStore(of_second, MaskFor<decltype(d)>(D(), second), d, to + apart);
      hwy::Prefetch(to + apart + kAhead);
    }
    // Indices of 64 bits: positions + base of either half.
    HWY_INLINE void StoreWide(hn::Vec<DI> at, const int64_t* base, int64_t* to) const {
      const hn::ScalableTag<int64_t> d;
      const auto lower = hn::PromoteTo(d, hn::LowerHalf(at));
      const auto upper = hn::PromoteTo(d, hn::UpperHalf(hn::Half<DI>(), at));
      const int64_t beside = kPlanes == 1 ? windows - kHalf : two ? windows : 0;
      hn::BlendedStore(hn::Add(lower, hn::Set(d, base[0])), hn::FirstN(d, static_cast<size_t>(windows)), d, to);
      hwy::Prefetch(to + kAhead);
      if (beside <= 0) return;
      to += kPlanes == 1 ? kHalf : apart + kHalf;
      const auto inside = hn::FirstN(d, static_cast<size_t>(beside));
      hn::BlendedStore(hn::Add(upper, hn::Set(d, base[kPlanes - 1])), inside, d, to);
      hwy::Prefetch(to + kAhead);
    }

    hn::Mask<D> first, second;
    bool two;
    int64_t apart;  // from lane 0 of the first plane to that of the second one, in elements
    int64_t windows;
  };

  HWY_INLINE void Group(int64_t plane, int64_t planes) {
    const L* from = static_cast<const L*>(buffers_.in) + plane * in_plane_;
    L* to = static_cast<L*>(buffers_.out) + plane * out_plane_;
    if (!form_.IsStored()) {
      form_.widen(form_.At(buffers_.in, plane * in_plane_), planes * in_plane_, widened_);
      from = widened_;
      to = unnarrowed_;
    }
    const bool nan = HoldsNan(from, planes * in_plane_, form_.most);
    Unrolled(taps_.count, [&](auto taps) HWY_ATTR { Planes<taps()>(plane, planes, from, to); });
    if (!form_.IsStored()) form_.narrow(to, planes * out_plane_, form_.At(buffers_.out, plane * out_plane_));
    if (nan) Replace(plane, planes, from);
  }

  template <int kTaps>
  HWY_NOINLINE void Planes(int64_t plane, int64_t planes, const L* from, L* to) const {
    IndexArray index{buffers_.index, plan_.index_type == POOLPROOF_I64};
    if (B::kHasPosition) index = index.From(plane * out_plane_);
    for (int64_t p = 0; p < planes; p += kPlanes) {
      const bool alone = p + kPlanes > planes;  // without a second plane
      const L* const second = kPlanes == 1 ? from + kLanes : alone ? from : from + in_plane_;
      Across<kTaps>(from, second);
      Down(plane + p, alone, to, index);
      from += kPlanes * in_plane_;
      to += kPlanes * out_plane_;
      if (B::kHasPosition) index = index.From(kPlanes * out_plane_);
    }
  }

  // The windows of each row for itself, where positions are counted from the begin of the row. first, second: where the
  // vectors of the first row are.
  template <int kTaps>
  HWY_NOINLINE void Across(const L* first, const L* second) const {
    const D d;
    const int64_t width = plan_.axis[2].in;
    hn::Vec<DI> lanes[kTaps], positions[kTaps];
    int64_t begin[kTaps];
    bool further[kTaps];  // whether the vectors are not those of the tap before
    for (int t = 0; t < kTaps; ++t) {
      const RowTap& tap = taps_.taps[t];
      lanes[t] = hn::Load(DI(), tap.lane);
      positions[t] = hn::Load(DI(), tap.position);
      begin[t] = tap.begin;
      further[t] = t == 0 || begin[t] != begin[t - 1];
    }
    // Vectors that begin further on end within the row.
    const auto inside = hn::FirstN(d, static_cast<size_t>(width));
    const int64_t in_second = kPlanes == 1 ? std::max<int64_t>(0, width - kLanes) : width;
    const auto inside_second = hn::FirstN(d, static_cast<size_t>(in_second));
    Field to = rows_;
    for (const L* const end = first + plan_.axis[1].in * width; first < end; first += width, second += width) {
      hn::Vec<D> a = hn::Zero(d), b = a;
      const auto pick = [&](int t) HWY_ATTR {
        if (further[t]) {
          a = hn::MaskedLoad(inside, d, first + begin[t]);
          b = hn::MaskedLoad(inside_second, d, second + begin[t]);
        }
        return PickLanes(a, b, lanes[t]);
      };
      B best = B::At(pick(0), positions[0]);
      for (int t = 1; t < kTaps; ++t) best.Join(pick(t), positions[t]);
      best.Store(to, 0);
      to = to.From(kLanes);
      hwy::Prefetch(first + kElements);
      hwy::Prefetch(second + kElements);
    }
  }

  // The windows of the rows' maxima. alone: whether there is no second plane.
  HWY_NOINLINE void Down(int64_t plane, bool alone, L* to, IndexArray index) const {
    const Axis& height = plan_.axis[1];
    const int64_t windows = plan_.axis[2].out, width = plan_.axis[2].in;
    const int64_t dilation = height.adaptive ? 1 : height.dilation, apart = dilation * kLanes;
    const Parts parts(windows, alone, out_plane_);
    int64_t base[2] = {};
    if (B::kHasPosition) {
      for (int p = 0; p < kPlanes; ++p) base[p] = (plane + p) * in_plane_ % plan_.index_bound;
    }
    const auto step = hn::Set(DI(), static_cast<int32_t>(dilation * width));
    const Field rows = rows_;
    const Span* span = spans_;
    for (const Span* const end = span + height.out; span < end; ++span, to += windows) {
      Field row = rows.From(span->first * kLanes);
      B best = B::Load(row, 0);
      auto distance = step;
      for (int64_t t = span->taps; --t > 0; distance = hn::Add(distance, step)) {
        row = row.From(apart);
        best.JoinBest(B::Load(row, 0), distance);
      }
      parts.Store(best.value, best.value, to);
      if constexpr (B::kHasPosition) {
        const int64_t before = span->first * width;
        const int64_t bases[2] = {base[0] + before, base[1] + before};
        StoreIndices(parts, best.at, bases, index);
        index = index.From(windows);
      }
    }
  }

  // base: index of position 0 in either plane.
  static HWY_INLINE void StoreIndices(const Parts& parts, hn::Vec<DI> at, const int64_t* base, IndexArray to) {
    if (to.is_wide) return parts.StoreWide(at, base, static_cast<int64_t*>(to.data));
    const auto plus = [&](int64_t b) HWY_ATTR { return hn::Add(at, hn::Set(DI(), static_cast<int32_t>(b))); };
    parts.Store(plus(base[0]), plus(base[1]), static_cast<int32_t*>(to.data));
  }

  // Planes that hold NaN, once more.
  void Replace(int64_t plane, int64_t planes, const L* lanes) const {
    for (int64_t p = 0; p < planes; ++p) {
      if (!HoldsNan(lanes + p * in_plane_, in_plane_, form_.most)) continue;
      PlainMax(plan_, buffers_, plane + p, plane + p + 1);
    }
  }

  const Plan& plan_;
  const Buffers& buffers_;
  const LaneForm<L> form_;
  const int64_t in_plane_, out_plane_;
  const int64_t group_;  // planes
  const RowTaps taps_;
  Span* const spans_;  // of the windows down
  const Field rows_;   // the maxima of each row of the planes taken together
  // A group of elements that are not stored as lanes.
  L *const widened_, *const unnarrowed_;
};

}  // namespace
}  // namespace HWY_NAMESPACE
}  // namespace poolproof::optimized
HWY_AFTER_NAMESPACE();

#endif  // POOLPROOF_HAS_PICKS

#endif  // per-target guard
