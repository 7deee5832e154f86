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

#include "optimized/kernels/flat_pairs-inl.h"
#include "optimized/kernels/mean_picks-inl.h"
#include "optimized/kernels/mean_rows-inl.h"
#include "optimized/kernels/plane_blocks-inl.h"
#include "optimized/kernels/plane_squares-inl.h"

HWY_BEFORE_NAMESPACE();
namespace poolproof::optimized {
namespace HWY_NAMESPACE {
namespace {

// A vector of sums (index_best-inl.h has maxima).
template <typename Lane>
struct Sum {
  using L = Lane;
  using D = hn::ScalableTag<L>;
  using DI = hn::RebindToSigned<D>;
  using Field = typename Single<L>::Field;
  static constexpr bool kHasPosition = false;

  hn::Vec<D> value;

  static HWY_INLINE Sum None() { return {hn::Zero(D())}; }
  static HWY_INLINE Sum Load(Field field, int64_t i) { return {hn::LoadU(D(), field.value + i)}; }
  HWY_INLINE void Store(Field field, int64_t i) const { hn::StoreU(value, D(), field.value + i); }
  HWY_INLINE void Join(const Sum& other) { value = hn::Add(value, other.value); }
};

template <typename L, bool kMeans>
class MeanPlanes {
 public:
  static constexpr int64_t kGroup = kGroupOf<L>;

  MeanPlanes(const Plan& plan, const Elements<L>& elements, const Buffers& buffers, int64_t begin, int64_t end,
             Scratch& scratch)
      : plan_(plan),
        elements_(elements),
        buffers_(buffers),
        begin_(begin),
        end_(end),
        blocks_(HasBlocks(plan)),
        folds_(!blocks_ && Folds(plan)),
        group_plan_(GroupPlan(plan, folds_)),
        in_(scratch.Get<L>(kGroupSlot, plan.InPlane() * kGroup + kMaxLanes)),
        out_(scratch.Get<L>(kGroupOutSlot, plan.OutPlane() * kGroup + kMaxLanes)),
        flat_(scratch.Get<L>(kFlatSlot, std::max(plan.InPlane(), plan.OutPlane()) * kGroup + kMaxLanes)),
        folded_(scratch.Get<L>(kFoldSlot, kGroup * kGroup)),
        runs_(scratch.Get<BlockRun>(kListSlot, plan.axis[1].out + plan.axis[2].out)),
        height_(blocks_ ? AxisBlocks(plan.axis[1], runs_) : AxisBlocks()),
        width_(blocks_ ? AxisBlocks(plan.axis[2], runs_ + plan.axis[1].out) : AxisBlocks()),
        largest_(std::numeric_limits<L>::max() / 2 /
                 static_cast<L>(std::max<int64_t>(1, height_.block) * std::max<int64_t>(1, width_.block))),
        rows_(group_plan_, LaneElements(elements.sums), Memory::kOurs, {in_, out_, nullptr}, 0, 1, scratch) {
    if (end - begin < kGroup) std::fill_n(in_, plan.InPlane() * kGroup, L{0});
    if (!blocks_) return;
    across_ = width_.in_place && width_.in == width_.out
                  ? in_
                  : scratch.Get<L>(kWideSlot, plan.axis[1].in * plan.axis[2].out * kGroup);
    suffixes_ = scratch.Get<L>(kTableSlot, std::max(height_.in, width_.in) * BlockLines<Sum<L>, true>::kWays * kGroup);
    cell_factors_ = scratch.Get<L>(kCountSlot, plan.OutPlane());
    FillFactors();
  }

  HWY_ATTR void Run() {
    const int64_t in = plan_.InPlane(), out = plan_.OutPlane();
    for (int64_t plane = begin_; plane < end_; plane += kGroup) {
      const int64_t planes = std::min(kGroup, end_ - plane);
      const uint8_t* from = static_cast<const uint8_t*>(buffers_.in) + plane * in * elements_.bytes;
      const L* lanes = Widened(from, planes * in);
      if (folds_) lanes = Fold(lanes, planes);
      L* to = elements_.narrow == nullptr ? static_cast<L*>(buffers_.out) + plane * out : flat_;
      bool finite;
      if (blocks_) {
        finite = !HoldsNan(lanes, planes * in, largest_);
        Gather(lanes, planes);
        Blocks();
        ScatterMeans(to, planes);
      } else {
        Gather(lanes, planes);
        finite = folds_ ? FoldedMeans() : rows_.Run();
        Scatter(to, planes);
      }
      if (elements_.narrow != nullptr) {
        elements_.narrow(flat_, planes * out, static_cast<uint8_t*>(buffers_.out) + plane * out * elements_.bytes);
      }
      if (kMeans && !finite) Redo(plane, planes);
    }
  }

 private:
  static Elements<L> LaneElements([[maybe_unused]] bool sums) {
    if constexpr (kMeans) {
      return FloatLanes<L>();
    } else {
      return IntegerLanes<L>(sums);
    }
  }
  // Whether windows are large and overlap along both axes.
  static bool HasBlocks(const Plan& plan) {
    const auto large = [](const Axis& a) {
      return !a.adaptive && a.dilation == 1 && a.out > 1 && a.kernel >= AxisBlocks::kLeast && a.kernel > 2 * a.stride;
    };
    return kMeans && plan.IsFlat() && large(plan.axis[1]) && large(plan.axis[2]);
  }
  void FillFactors() {
    for (int64_t h = 0; h < height_.out; ++h) {
      std::copy_n(rows_.CellFactors(h), width_.out, cell_factors_ + h * width_.out);
    }
  }
  // The sums of all windows of a group, in out_.
  HWY_NOINLINE void Blocks() const {
    const int64_t row = width_.out * kGroup;
    BlockLines<Sum<L>, true>{width_, {in_}, width_.in * kGroup, {across_}, row, 0, {suffixes_}}.Run(height_.in);
    BlockLines<Sum<L>, false>{height_, {across_}, row, {out_}, row, 0, {suffixes_}}.Run(width_.out);
  }
  HWY_NOINLINE void ScatterMeans(L* to, int64_t planes) const {
    const auto mean = [to, n = plan_.OutPlane(), factors = cell_factors_](auto d, auto sum, int64_t p,
                                                                          int64_t i) HWY_ATTR {
      // A sum of nothing but negative zeros is zero.
      hn::StoreU(hn::Mul(hn::Add(sum, hn::Zero(d)), hn::LoadU(d, factors + i)), d, to + p * n + i);
      hwy::Prefetch(to + p * n + i + hn::Lanes(d));
    };
    ScatterPlanes(out_, plan_.OutPlane(), planes, mean);
  }

  // Whether the one window is the whole plane: then every kGroup-th element is added up before planes are
  // brought together.
  static bool Folds(const Plan& plan) {
    bool whole = kMeans && plan.OutPlane() == 1 && plan.InPlane() >= 2 * kGroup;
    for (const Axis& axis : plan.axis) whole = whole && axis.SpanAt(0).taps == axis.in;
    return whole;
  }
  static Plan GroupPlan(const Plan& plan, bool folds) {
    Plan group = plan;
    group.outer = 1;
    group.inner = kGroup;
    if (folds) {
      const int64_t taps = plan.divisor == Divisor::kInside ? plan.InPlane() : plan.KernelTaps();
      group.axis[0] = group.axis[1] = Axis();
      group.axis[2] = {.in = kGroup, .out = 1, .kernel = taps, .adaptive = true};
      group.divisor = Divisor::kKernel;
    }
    return group;
  }

  // The same planes with kGroup elements each.
  HWY_NOINLINE const L* Fold(const L* from, int64_t planes) const {
    const hn::CappedTag<L, kGroup> d;
    const int64_t n = static_cast<int64_t>(hn::Lanes(d)), size = plan_.InPlane(), whole = size / kGroup * kGroup;
    L* to = folded_;
    for (int64_t p = 0; p < planes; ++p, from += size, to += kGroup) {
      for (int64_t j = 0; j < kGroup; j += n) {
        auto sum = hn::LoadU(d, from + j);
        for (int64_t i = kGroup; i < whole; i += kGroup) sum = hn::Add(sum, hn::LoadU(d, from + i + j));
        hn::StoreU(sum, d, to + j);
      }
      for (int64_t i = whole; i < size; ++i) to[i - whole] += from[i];
    }
    return folded_;
  }

  // The means of folded planes, in out_. Returns whether they are finite.
  HWY_NOINLINE bool FoldedMeans() const {
    const hn::CappedTag<L, kGroup> d;
    const auto factor = hn::Set(d, 1 / static_cast<L>(group_plan_.axis[2].kernel));
    auto bad = hn::Zero(d);
    for (int64_t j = 0; j < kGroup; j += static_cast<int64_t>(hn::Lanes(d))) {
      const auto sum = SumOf<kGroup>(d, in_ + j);
      // A sum of nothing but negative zeros is zero.
      const auto mean = hn::Mul(hn::Add(sum, hn::Zero(d)), factor);
      bad = hn::Or(bad, hn::Sub(mean, mean));
      hn::StoreU(mean, d, out_ + j);
    }
    return hn::AllFalse(d, hn::IsNaN(bad));
  }
  // Of kCount vectors, kGroup lanes apart: of halves of them, so that few additions wait for others.
  template <int64_t kCount, class D>
  static HWY_INLINE hn::Vec<D> SumOf(D d, const L* from) {
    if constexpr (kCount == 1) {
      return hn::LoadU(d, from);
    } else {
      return hn::Add(SumOf<kCount / 2>(d, from), SumOf<kCount / 2>(d, from + kCount / 2 * kGroup));
    }
  }

  const L* Widened(const void* from, int64_t count) const {
    if (elements_.widen == nullptr) return static_cast<const L*>(from);
    elements_.widen(from, count, flat_);
    return flat_;
  }

  HWY_NOINLINE void Gather(const L* lanes, int64_t planes) const {
    GatherPlanes(lanes, group_plan_.InPlane(), planes, in_);
  }
  HWY_NOINLINE void Scatter(L* to, int64_t planes) {
    const int64_t n = plan_.OutPlane();
    if (n == 1) {  // nothing to transpose
      std::copy_n(out_, planes, to);
      return;
    }
    StorePlanes(out_, n, planes, to);
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
  const Elements<L> elements_;
  const Buffers buffers_;
  const int64_t begin_, end_;
  const bool blocks_;  // whether windows are summed by blocks
  const bool folds_;
  const Plan group_plan_;
  L* const in_;    // [d][h][w][kGroup]
  L* const out_;   // the same
  L* const flat_;  // planes as lanes, one after the other
  L* const folded_;
  BlockRun* const runs_;
  const AxisBlocks height_, width_;
  const L largest_;      // element of which no sum overflows
  L* across_ = nullptr;  // [h][w][kGroup] after the width
  L* suffixes_ = nullptr;
  L* cell_factors_ = nullptr;  // one over the taps of each window
  MeanRows<L, kMeans> rows_;
};

// Planes [begin, end) in the way that suits the plan.
template <typename L, bool kMeans>
void PoolMeans(const Plan& plan, const Elements<L>& elements, const Buffers& buffers, int64_t begin, int64_t end,
               Scratch& scratch) {
  if constexpr (kMeans) {
    constexpr int64_t kShort = 32 / sizeof(L);  // windows of a row; it is slower than MeanRows for more
    if (plan.IsFlat() && HasFlatPairs(plan) && plan.axis[2].out <= kShort) {
      return FlatPairs<MeanOfPairs<L>>(plan, buffers, scratch).Run(begin, end);
    }
  }
#if POOLPROOF_HAS_PICKS
  if constexpr (kMeans && sizeof(L) == 4) {
    if (PlanesAsLanes(plan) && RunMeanPicks(plan, elements, buffers, begin, end, scratch)) return;
  }
#endif
  if (PlanesAsLanes(plan)) {
    MeanPlanes<L, kMeans>(plan, elements, buffers, begin, end, scratch).Run();
  } else {
    MeanRows<L, kMeans>(plan, elements, Memory::kTensors, buffers, begin, end, scratch).Run();
  }
}

}  // namespace
}  // namespace HWY_NAMESPACE
}  // namespace poolproof::optimized
HWY_AFTER_NAMESPACE();

#endif  // per-target guard
