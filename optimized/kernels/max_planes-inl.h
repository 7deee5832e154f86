// Maxima of small planes, for one target: a group of planes is brought into [d][h][w][plane], so that every lane
// is of use whatever the width, the windows and the strides. Each axis is pooled for itself, first the width.
//
// Among equal values the first in row-major order counts.
#if defined(POOLPROOF_OPTIMIZED_KERNELS_MAX_PLANES_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef POOLPROOF_OPTIMIZED_KERNELS_MAX_PLANES_INL_H_
#undef POOLPROOF_OPTIMIZED_KERNELS_MAX_PLANES_INL_H_
#else
#define POOLPROOF_OPTIMIZED_KERNELS_MAX_PLANES_INL_H_
#endif

#include <algorithm>

#include "optimized/kernels/axis_windows.h"
#include "optimized/kernels/index_best-inl.h"
#include "optimized/kernels/plain.h"
#include "optimized/kernels/plane_blocks-inl.h"
#include "optimized/kernels/plane_squares-inl.h"

HWY_BEFORE_NAMESPACE();
namespace poolproof::optimized {
namespace HWY_NAMESPACE {
namespace {

// B: a vector of maxima (index_best-inl.h).
template <class B>
class MaxPlanes {
 public:
  using L = typename B::L;
  using I = typename B::I;
  using D = typename B::D;
  using Field = typename B::Field;
  static constexpr int64_t kGroup = kGroupOf<L>;

  // `form` says how elements become lanes.
  MaxPlanes(const Plan& plan, const Buffers& buffers, const LaneForm<L>& form, Scratch& scratch)
      : plan_(plan),
        buffers_(buffers),
        form_(form),
        in_plane_(plan.InPlane()),
        out_plane_(plan.OutPlane()),
        windows_(scratch.Get<AxisWindow>(kSpanSlot, plan.axis[0].out + plan.axis[1].out + plan.axis[2].out)),
        axes_{{plan.axis[0], windows_},
              {plan.axis[1], windows_ + plan.axis[0].out},
              {plan.axis[2], windows_ + plan.axis[0].out + plan.axis[1].out}},
        block_runs_(scratch.Get<BlockRun>(kWindowSlot, plan.axis[0].out + plan.axis[1].out + plan.axis[2].out)),
        blocks_{{plan.axis[0], block_runs_},
                {plan.axis[1], block_runs_ + plan.axis[0].out},
                {plan.axis[2], block_runs_ + plan.axis[0].out + plan.axis[1].out}},
        deep_(!plan.IsFlat()),
        in_(Cells(scratch, kGroupSlot, in_plane_)),
        across_(blocks_[2].in_place && axes_[2].in == axes_[2].out
                    ? in_
                    : Cells(scratch, kGroupOutSlot, plan.axis[0].in * plan.axis[1].in * plan.axis[2].out)),
        down_(blocks_[1].in_place
                  ? across_
                  : Cells(scratch, kTransposeSlot, plan.axis[0].in * plan.axis[1].out * plan.axis[2].out)),
        out_(blocks_[1].in_place && (!deep_ || blocks_[0].in_place) ? across_ : Cells(scratch, kBlockSlot, out_plane_)),
        widened_(nullptr),
        unnarrowed_(nullptr) {
    if (!form.IsStored()) {
      widened_ = scratch.Get<L>(kRowSlot, kGroup * in_plane_);
      unnarrowed_ = scratch.Get<L>(kStagingSlot, kGroup * out_plane_);
    }
    if constexpr (B::kHasPosition) {
      const int64_t positions = blocks_[2].block > 0 ? 0 : in_plane_;
      for (int64_t i = 0; i < positions; ++i) std::fill_n(in_.at + i * kGroup, kGroup, static_cast<I>(i));
    }
    int64_t runs = 0;
    for (int a = 0; a < 3; ++a) {
      runs = std::max(runs, (blocks_[a].block > 0 ? int64_t{Down::kWays} : axes_[a].levels) * axes_[a].in);
    }
    runs_ = Cells(scratch, kWorkSlot, runs);
  }

  HWY_ATTR void Run(int64_t begin, int64_t end) {
    for (int64_t plane = begin; plane < end; plane += kGroup) Group(plane, std::min(kGroup, end - plane));
  }

 private:
  using Across = BlockLines<B, true>;
  using Down = BlockLines<B, false>;
  // Room for as many cells. A few more keep values and positions from being whole pages apart, where the processor
  // takes them for each other.
  static Field Cells(Scratch& scratch, int slot, int64_t count) {
    constexpr int64_t kMore = 8;
    const int64_t lanes = (count + kMore) * kGroup;
    return B::MakeField(scratch.Get<char>(slot, lanes * B::kFieldBytes), lanes);
  }

  HWY_INLINE void Group(int64_t plane, int64_t planes) {
    const L* lanes = static_cast<const L*>(buffers_.in) + plane * in_plane_;
    if (!form_.IsStored()) {
      form_.widen(form_.At(buffers_.in, plane * in_plane_), planes * in_plane_, widened_);
      lanes = widened_;
    }
    // First, since memory is read quickest from the begin to the end.
    const bool nan = HoldsNan(lanes, planes * in_plane_, form_.most);
    Gather(lanes, planes);
    const Axis* axis = plan_.axis;
    const int64_t width = axis[2].out * kGroup;
    PoolAcross(axis[0].in * axis[1].in);
    for (int64_t d = 0; d < axis[0].in; ++d) {
      const Field to = (deep_ ? down_ : out_).From(d * axis[1].out * width);
      PoolDown(1, across_.From(d * axis[1].in * width), to, width);
    }
    if (deep_) PoolDown(0, down_, out_, axis[1].out * width);
    ScatterValues(plane, planes);
    if constexpr (B::kHasPosition) ScatterPositions(plane, planes);
    if (nan) Replace(plane, planes, lanes);
  }

  HWY_NOINLINE void Gather(const L* lanes, int64_t planes) const { GatherPlanes(lanes, in_plane_, planes, in_.value); }

  // Pools `count` lines of cells that are neighbours.
  HWY_INLINE void PoolAcross(int64_t count) const {
    const AxisWindows& axis = axes_[2];
    const int64_t pitch = axis.in * kGroup, to_pitch = axis.out * kGroup;
    if (blocks_[2].block > 0) {
      return Across{blocks_[2], in_, pitch, across_, to_pitch, axis.in, runs_}.Run(count);
    }
    for (int64_t l = 0; l < count; ++l) Line(axis, in_.From(l * pitch), kGroup, across_.From(l * to_pitch), kGroup);
  }
  // Pools lines whose cells are `pitch` lanes apart, and that are neighbours.
  HWY_INLINE void PoolDown(int axis, Field from, Field to, int64_t pitch) const {
    if (blocks_[axis].block > 0) {
      return Down{blocks_[axis], from, pitch, to, pitch, 0, runs_}.Run(pitch / kGroup);
    }
    for (int64_t l = 0; l < pitch; l += kGroup) Line(axes_[axis], from.From(l), pitch, to.From(l), pitch);
  }
  // Pools a line of cells `step` lanes apart into one of cells `to_step` lanes apart.
  HWY_INLINE void Line(const AxisWindows& axis, Field from, int64_t step, Field to, int64_t to_step) const {
    axis.levels <= 2 ? Taps(axis, from, step, to, to_step) : Runs(axis, from, step, to, to_step);
  }
  // Tap by tap, which is quicker for up to four.
  HWY_NOINLINE void Taps(const AxisWindows& axis, Field from, int64_t step, Field to, int64_t to_step) const {
    const int64_t n = static_cast<int64_t>(hn::Lanes(D())), apart = axis.dilation * step;
    for (int64_t j = 0; j < axis.out; ++j) {
      const AxisWindow window = axis.windows[j];
      if (window.taps == 0) {
        Clear(to.From(j * to_step));
        continue;
      }
      for (int64_t i = 0; i < kGroup; i += n) {
        int64_t tap = window.first * step + i;
        B best = B::Load(from, tap);
        for (int32_t t = 1; t < window.taps; ++t) best.Join(B::Load(from, tap += apart));
        best.Store(to, j * to_step + i);
      }
    }
  }
  HWY_NOINLINE void Runs(const AxisWindows& axis, Field from, int64_t step, Field to, int64_t to_step) const {
    const int64_t level_lanes = axis.in * kGroup;
    Field half = from;
    int64_t half_step = step;
    for (int64_t level = 1; level <= axis.levels; ++level) {
      const int64_t apart = (axis.dilation << (level - 1)) * half_step;
      const Field run = runs_.From((level - 1) * level_lanes);
      const int64_t count = axis.Runs(level);
      for (int64_t i = 0; i < count; ++i) Join(half, i * half_step, i * half_step + apart, run.From(i * kGroup));
      half = run;
      half_step = kGroup;
    }
    for (int64_t j = 0; j < axis.out; ++j) {
      const AxisWindow window = axis.windows[j];
      const Field cell = to.From(j * to_step);
      if (window.level > 0) {
        const Field run = runs_.From((window.level - 1) * level_lanes);
        Join(run, window.first * kGroup, window.second * kGroup, cell);
      } else if (window.level == 0) {
        Join(from, window.first * step, window.second * step, cell);
      } else {
        Clear(cell);
      }
    }
  }
  // A cell of the maxima of two.
  static HWY_INLINE void Join(Field from, int64_t first, int64_t second, Field to) {
    const int64_t n = static_cast<int64_t>(hn::Lanes(D()));
    for (int64_t i = 0; i < kGroup; i += n) {
      B best = B::Load(from, first + i);
      best.Join(B::Load(from, second + i));
      best.Store(to, i);
    }
  }
  static HWY_INLINE void Clear(Field cell) {
    const int64_t n = static_cast<int64_t>(hn::Lanes(D()));
    for (int64_t i = 0; i < kGroup; i += n) B::None().Store(cell, i);
  }

  HWY_NOINLINE void ScatterValues(int64_t plane, int64_t planes) {
    L* to = static_cast<L*>(buffers_.out) + plane * out_plane_;
    if (!form_.IsStored()) to = unnarrowed_;
    StorePlanes(out_.value, out_plane_, planes, to);
    if (!form_.IsStored()) {
      form_.narrow(to, planes * out_plane_, form_.At(buffers_.out, plane * out_plane_));
    }
  }

  HWY_NOINLINE void ScatterPositions(int64_t plane, int64_t planes) {
    using S = hwy::MakeSigned<L>;
    const IndexArray index = IndexArray{buffers_.index, plan_.index_type == POOLPROOF_I64}.From(plane * out_plane_);
    int64_t base[kGroup];
    for (int64_t p = 0; p < planes; ++p) base[p] = (plane + p) * in_plane_ % plan_.index_bound;
    const auto store = [index, n = out_plane_, base = &base[0]](auto d, auto v, int64_t p, int64_t i) HWY_ATTR {
      StoreIndex(d, v, base[p], index.From(p * n + i), static_cast<int64_t>(hn::Lanes(d)));
      hwy::Prefetch(static_cast<const char*>(index.From(p * n + i + kPositions<S>).data));
    };
    optimized::HWY_NAMESPACE::ScatterPositions<S>(out_.at, out_plane_, planes, index.is_wide, store);
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
  AxisWindow* const windows_;
  const AxisWindows axes_[3];
  BlockRun* const block_runs_;
  const AxisBlocks blocks_[3];
  const bool deep_;  // whether there is a depth to pool along
  // A group before and after each axis: cells [d][h][w]. What takes the place of what it is made of is the same.
  const Field in_, across_, down_, out_;
  Field runs_;  // cells of a line, for each level, or the ends of its blocks
  L* widened_;  // [kGroup][d][h][w] of elements that are not stored as lanes
  L* unnarrowed_;
};

}  // namespace
}  // namespace HWY_NAMESPACE
}  // namespace poolproof::optimized
HWY_AFTER_NAMESPACE();

#endif  // per-target guard
