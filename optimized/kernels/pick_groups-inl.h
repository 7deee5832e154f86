// What row_picks-inl.h and column_picks-inl.h share, for one target: lanes of two vectors, and planes in groups.
#if defined(POOLPROOF_OPTIMIZED_KERNELS_PICK_GROUPS_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef POOLPROOF_OPTIMIZED_KERNELS_PICK_GROUPS_INL_H_
#undef POOLPROOF_OPTIMIZED_KERNELS_PICK_GROUPS_INL_H_
#else
#define POOLPROOF_OPTIMIZED_KERNELS_PICK_GROUPS_INL_H_
#endif

#include <algorithm>
#include <type_traits>

#include "optimized/kernels/index_best-inl.h"
#include "optimized/kernels/plain.h"
#include "optimized/kernels/row_taps.h"

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
template <typename T>
HWY_INLINE hn::Vec512<T> PickLanes(hn::Vec512<T> first, hn::Vec512<T> second, hn::Vec512<int32_t> lanes) {
  return hn::Vec512<T>{_mm512_permutex2var_epi32(first.raw, lanes.raw, second.raw)};
}

// Of plans with fewer or larger planes, to prepare takes longer, or the rows of a plane do not stay in the cache.
inline constexpr int64_t kLeastPickedPlanes = 4, kMostPickedElements = 2048;

// Calls run(planes) for as many planes as the taps are of. Returns whether there are any.
template <class F>
HWY_INLINE bool WithPlanesOf(const RowTaps& taps, const F& run) {
  if (taps.planes == 2) run(std::integral_constant<int, 2>());
  if (taps.planes == 1) run(std::integral_constant<int, 1>());
  return taps.planes > 0;
}

// A few planes at a time, which stay in the first-level cache. kPastRows: whether vectors are loaded past the end of a
// row, so that there have to be elements behind the last one.
template <typename L, int kPlanes, bool kPastRows>
struct PickGroups {
  static constexpr int64_t kElements = 2048;
  static constexpr int64_t kSlack = RowTap::kLanes;

  const Plan& plan;
  const Buffers& buffers;
  const LaneForm<L>& form;
  Scratch& scratch;

  // Calls pool(plane, planes, from, to) for groups of the planes [begin, end): `from` are their elements as lanes, `to`
  // is where lanes of the output belong. Then calls amend with the same, when the output is in the tensor.
  template <class Pool, class Amend>
  HWY_INLINE void Run(int64_t begin, int64_t end, const Pool& pool, const Amend& amend) const {
    const int64_t in_plane = plan.InPlane(), out_plane = plan.OutPlane();
    const int64_t group = std::max<int64_t>(kPlanes, kElements / in_plane / kPlanes * kPlanes);
    const bool stored = form.IsStored();
    // Planes before it are followed by as many elements as a vector may reach past a row.
    const int64_t followed = kPastRows && stored ? plan.outer - (kSlack + in_plane - 1) / in_plane : plan.outer;
    L* const unnarrowed = stored ? nullptr : scratch.Get<L>(kStagingSlot, group * out_plane);
    for (int64_t plane = begin, planes; plane < end; plane += planes) {
      planes = std::min(group, end - plane);
      if (planes > followed - plane && followed - plane >= kPlanes) planes = (followed - plane) / kPlanes * kPlanes;
      void* to = form.At(buffers.out, plane * out_plane);
      const L* lanes = Lanes(plane, planes, planes > followed - plane);
      L* pooled = stored ? static_cast<L*>(to) : unnarrowed;
      pool(plane, planes, lanes, pooled);
      if (!stored) form.narrow(pooled, planes * out_plane, to);
      amend(plane, planes, lanes, pooled);
    }
  }

 private:
  // Of planes. `copied`, or of elements that are not stored as lanes: in memory of ours, with room behind them.
  HWY_INLINE const L* Lanes(int64_t plane, int64_t planes, bool copied) const {
    const int64_t in_plane = plan.InPlane(), count = planes * in_plane;
    const void* from = form.At(buffers.in, plane * in_plane);
    if (form.IsStored() && !copied) return static_cast<const L*>(from);
    L* const lanes = scratch.Get<L>(kRowSlot, count + kSlack);
    if (form.IsStored()) {
      std::copy_n(static_cast<const L*>(from), count, lanes);
    } else {
      form.widen(from, count, lanes);
    }
    if (kPastRows) std::fill_n(lanes + count, kSlack, L{0});
    return lanes;
  }
};

// Maxima of planes in groups: pool(plane, planes, from, to) as in PickGroups. Planes with NaN are left to PlainMax.
template <class Groups, class Pool>
HWY_INLINE void PoolMaxGroups(const Groups& groups, int64_t begin, int64_t end, const Pool& pool) {
  const int64_t in_plane = groups.plan.InPlane();
  const auto most = groups.form.most;
  bool nan = false;
  const auto pool_group = [&](int64_t plane, int64_t planes, const auto* from, auto* to) HWY_ATTR {
    nan = HoldsNan(from, planes * in_plane, most);
    pool(plane, planes, from, to);
  };
  const auto amend = [&](int64_t plane, int64_t planes, const auto* from, const auto*) {
    for (int64_t p = 0; nan && p < planes; ++p, from += in_plane) {
      if (HoldsNan(from, in_plane, most)) PlainMax(groups.plan, groups.buffers, plane + p, plane + p + 1);
    }
  };
  groups.Run(begin, end, pool_group, amend);
}

// The windows of a row in a vector: those of the first plane, and those of the second one, if there is one, in the
// upper half. No other lane is written, since beside them is what was written before. Masked vectors are stored whole,
// since an instruction that stores the upper half touches the memory of masked lanes as well.
template <class D, int kPlanes>
struct PickParts {
  static constexpr int64_t kHalf = RowTap::kLanes / 2;
  static constexpr int64_t kAhead = 256;  // windows

  PickParts(int64_t windows, bool alone, int64_t out_plane)
      : first(hn::FirstN(D(), static_cast<size_t>(windows))),
        second(hn::AndNot(hn::FirstN(D(), kHalf), hn::FirstN(D(), static_cast<size_t>(kHalf + windows)))),
        two(kPlanes == 2 && !alone),
        apart(out_plane - kHalf) {}

  // T: of as many bits as the lanes of D.
  template <class V, typename T>
  HWY_INLINE void Store(V of_first, V of_second, T* to) const {
    const hn::Rebind<T, D> d;
    hn::BlendedStore(of_first, hn::RebindMask(d, first), d, to);
    hwy::Prefetch(to + kAhead);
    if (!two) return;
    hn::BlendedStore(of_second, hn::RebindMask(d, second), d, to + apart);
    hwy::Prefetch(to + apart + kAhead);
  }

  hn::Mask<D> first, second;
  bool two;
  int64_t apart;  // from where lane 0 of the first plane goes to where that of the second one does
};

// The vectors that taps are in. They may reach past the end of a row.
template <class D, int kPlanes>
struct PickVectors {
  explicit PickVectors(int64_t width) : two(kPlanes == 2 || width > RowTap::kLanes) {}

  // Of the row at `row`, those that begin at element `begin`.
  template <typename L, class V>
  HWY_INLINE void Load(const L* row, const L* row_second, int64_t begin, V& a, V& b) const {
    a = LoadOnce(D(), row + begin);
    b = two ? LoadOnce(D(), row_second + begin) : a;
  }
  // Where the second vector of a row is.
  template <typename L>
  static const L* SecondOf(const L* row, int64_t in_plane, bool alone) {
    return kPlanes == 1 ? row + RowTap::kLanes : alone ? row : row + in_plane;
  }

  bool two;
};

}  // namespace
}  // namespace HWY_NAMESPACE
}  // namespace poolproof::optimized
HWY_AFTER_NAMESPACE();

#endif  // POOLPROOF_HAS_PICKS

#endif  // per-target guard
