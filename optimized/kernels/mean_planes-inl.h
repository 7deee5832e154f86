// Means of small planes, for one target: a group of planes is brought into [d][h][w][plane], so that every
// lane is of use whatever the width, the windows and the strides, and is pooled like a channels-last map.
#if defined(POOLPROOF_OPTIMIZED_KERNELS_MEAN_PLANES_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef POOLPROOF_OPTIMIZED_KERNELS_MEAN_PLANES_INL_H_
#undef POOLPROOF_OPTIMIZED_KERNELS_MEAN_PLANES_INL_H_
#else
#define POOLPROOF_OPTIMIZED_KERNELS_MEAN_PLANES_INL_H_
#endif

#include <algorithm>
#include <cmath>

#include "optimized/kernels/mean_rows-inl.h"
#include "optimized/kernels/squares-inl.h"

HWY_BEFORE_NAMESPACE();
namespace poolproof::optimized {
namespace HWY_NAMESPACE {
namespace {

template <class C>
class MeanPlanes {
 public:
  using T = typename C::Stored;
  using Out = typename C::Out;
  using L = typename C::Lane;
  static constexpr int64_t kGroup = 64 / sizeof(L);
  static constexpr int64_t kWide = kWideSide<L>, kNarrow = kNarrowSide<L>;

  MeanPlanes(const Plan& plan, const Buffers& buffers, int64_t begin, int64_t end, Scratch& scratch)
      : plan_(plan), buffers_(buffers), begin_(begin), end_(end), group_plan_(GroupPlan(plan)),
        in_(scratch.Get<L>(kGroupSlot, plan.InPlane() * kGroup + kMaxLanes)),
        out_(scratch.Get<L>(kGroupOutSlot, plan.OutPlane() * kGroup + kMaxLanes)),
        rows_(group_plan_, {in_, out_, nullptr}, 0, 1, scratch) {
    if (end - begin < kGroup) std::fill_n(in_, plan.InPlane() * kGroup, L{0});
  }

  HWY_ATTR void Run() {
    for (int64_t plane = begin_; plane < end_; plane += kGroup) {
      const int64_t planes = std::min(kGroup, end_ - plane);
      Gather(static_cast<const T*>(buffers_.in) + plane * plan_.InPlane(), planes);
      const bool finite = rows_.Run();
      Scatter(static_cast<Out*>(buffers_.out) + plane * plan_.OutPlane(), planes);
      if constexpr (C::kFloat) {
        if (!finite) Redo(plane, planes);
      }
    }
  }

 private:
  static Plan GroupPlan(const Plan& plan) {
    Plan group = plan;
    group.outer = 1;
    group.inner = kGroup;
    return group;
  }

  // Calls squares(i, side) for squares that cover the elements [0, n): wide ones, or narrow ones, or lanes.
  template <class F>
  static HWY_INLINE void ForSquares(int64_t n, const F& squares) {
    constexpr std::integral_constant<int64_t, kWide> wide;
    constexpr std::integral_constant<int64_t, kNarrow> narrow;
    if (n >= kWide) {
      for (int64_t i = 0; i + kWide <= n; i += kWide) squares(i, wide);
      // The last one overlaps the one before.
      if (n % kWide != 0) squares(n - kWide, wide);
    } else if (n >= kNarrow) {
      for (int64_t i = 0; i + kNarrow <= n; i += kNarrow) squares(i, narrow);
      if (n % kNarrow != 0) squares(n - kNarrow, narrow);
    } else {
      for (int64_t i = 0; i < n; ++i) squares(i, std::integral_constant<int64_t, 1>());
    }
  }

  HWY_NOINLINE void Gather(const T* from, int64_t planes) {
    ForSquares(plan_.InPlane(), [&](int64_t i, auto side) HWY_ATTR {
      if (planes == kGroup) return GatherAt<side()>(from, i, kGroup);
      GatherAt<side()>(from, i, planes);
    });
  }
  // Elements [i, i + kSide) of all planes; a missing plane is read as the last one.
  template <int64_t kSide>
  HWY_INLINE void GatherAt(const T* from, int64_t i, int64_t planes) {
    const hn::CappedTag<L, kSide> d;
    const int64_t n = plan_.InPlane();
    for (int64_t p = 0; p < planes; p += kSide) {
      hn::Vec<decltype(d)> v[kSide];
      for (int64_t q = 0; q < kSide; ++q) v[q] = C::Load(d, from + std::min(p + q, planes - 1) * n + i);
      if constexpr (kSide > 1) TransposeSquare<kSide>(d, v);
      for (int64_t q = 0; q < kSide; ++q) hn::StoreU(v[q], d, in_ + (i + q) * kGroup + p);
    }
  }

  HWY_NOINLINE void Scatter(Out* to, int64_t planes) {
    if (plan_.OutPlane() == 1 && planes == kGroup) {  // nothing to transpose
      const hn::CappedTag<L, kNarrow> d;
      for (int64_t p = 0; p < kGroup; p += kNarrow) C::Store(hn::LoadU(d, out_ + p), d, to + p);
      return;
    }
    ForSquares(plan_.OutPlane(), [&](int64_t i, auto side) HWY_ATTR {
      if (planes == kGroup) return ScatterAt<side()>(to, i, kGroup);
      ScatterAt<side()>(to, i, planes);
    });
  }
  template <int64_t kSide>
  HWY_INLINE void ScatterAt(Out* to, int64_t i, int64_t planes) {
    const hn::CappedTag<L, kSide> d;
    const int64_t n = plan_.OutPlane();
    for (int64_t p = 0; p < planes; p += kSide) {
      hn::Vec<decltype(d)> v[kSide];
      for (int64_t q = 0; q < kSide; ++q) v[q] = hn::LoadU(d, out_ + (i + q) * kGroup + p);
      if constexpr (kSide > 1) TransposeSquare<kSide>(d, v);
      if (p + kSide <= planes) {
        for (int64_t q = 0; q < kSide; ++q) C::Store(v[q], d, to + (p + q) * n + i);
      } else {
        for (int64_t q = 0; q < planes - p; ++q) C::Store(v[q], d, to + (p + q) * n + i);
      }
    }
  }

  // Rows with means that are not finite, once more with more range.
  void Redo(int64_t first, int64_t planes) {
    const int64_t width = plan_.axis[2].out;
    for (int64_t p = 0; p < planes; ++p) {
      const L* row = out_ + p;
      for (int64_t d = 0; d < plan_.axis[0].out; ++d) {
        for (int64_t h = 0; h < plan_.axis[1].out; ++h, row += width * kGroup) {
          bool finite = true;
          for (int64_t w = 0; w < width; ++w) finite &= std::isfinite(row[w * kGroup]);
          if (!finite) PlainAverageRow(plan_, buffers_, first + p, d, h);
        }
      }
    }
  }

  const Plan& plan_;
  const Buffers& buffers_;
  const int64_t begin_, end_;
  const Plan group_plan_;
  L* const in_;   // [d][h][w][kGroup]
  L* const out_;  // the same
  MeanRows<LanesOf<C>, true> rows_;
};

// Planes [begin, end) in the way that suits the plan.
template <class C>
void PoolMeans(const Plan& plan, const Buffers& buffers, int64_t begin, int64_t end, Scratch& scratch) {
  if (PlanesAsLanes(plan)) {
    MeanPlanes<C>(plan, buffers, begin, end, scratch).Run();
  } else {
    MeanRows<C, false>(plan, buffers, begin, end, scratch).Run();
  }
}

}  // namespace
}  // namespace HWY_NAMESPACE
}  // namespace poolproof::optimized
HWY_AFTER_NAMESPACE();

#endif  // per-target guard
