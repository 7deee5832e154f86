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
      : plan_(plan), buffers_(buffers), form_(form), in_plane_(plan.InPlane()), out_plane_(plan.OutPlane()),
        windows_(scratch.Get<AxisWindow>(kSpanSlot, plan.axis[0].out + plan.axis[1].out + plan.axis[2].out)),
        axes_{{plan.axis[0], windows_},
              {plan.axis[1], windows_ + plan.axis[0].out},
              {plan.axis[2], windows_ + plan.axis[0].out + plan.axis[1].out}},
        block_runs_(scratch.Get<BlockRun>(kWindowSlot, plan.axis[0].out + plan.axis[1].out + plan.axis[2].out)),
        blocks_{{plan.axis[0], block_runs_},
                {plan.axis[1], block_runs_ + plan.axis[0].out},
                {plan.axis[2], block_runs_ + plan.axis[0].out + plan.axis[1].out}},
        is_far_(IsFar(plan)), deep_(!plan.IsFlat()),
        in_(scratch.Get<L>(kGroupSlot, in_plane_ * kCell)),
        across_(blocks_[2].in_place && axes_[2].in == axes_[2].out
                    ? in_
                    : scratch.Get<L>(kGroupOutSlot, plan.axis[0].in * plan.axis[1].in * plan.axis[2].out * kCell)),
        down_(blocks_[1].in_place
                  ? across_
                  : scratch.Get<L>(kTransposeSlot, plan.axis[0].in * plan.axis[1].out * plan.axis[2].out * kCell)),
        out_(blocks_[1].in_place && (!deep_ || blocks_[0].in_place) ? across_
                                                                : scratch.Get<L>(kBlockSlot, out_plane_ * kCell)),
        widened_(nullptr), unnarrowed_(nullptr) {
    if (!form.IsStored()) {
      widened_ = scratch.Get<L>(kRowSlot, kGroup * in_plane_);
      unnarrowed_ = scratch.Get<L>(kStagingSlot, kGroup * out_plane_);
    }
    if constexpr (B::kHasPosition) {
      const int64_t positions = blocks_[2].block > 0 ? 0 : in_plane_;
      for (int64_t i = 0; i < positions; ++i) std::fill_n(Cell(in_ + i * kCell).at, kGroup, static_cast<I>(i));
    }
    int64_t runs = 0;
    for (int a = 0; a < 3; ++a) {
      runs = std::max(runs, (blocks_[a].block > 0 ? int64_t{Down::kWays} : axes_[a].levels) * axes_[a].in);
    }
    runs_ = scratch.Get<L>(kWorkSlot, runs * kCell);
  }

  HWY_ATTR void Run(int64_t begin, int64_t end) {
    for (int64_t plane = begin; plane < end; plane += kGroup) Group(plane, std::min(kGroup, end - plane));
  }

 private:
  using Across = BlockLines<B, true>;
  using Down = BlockLines<B, false>;
  static constexpr int64_t kCell = kCellOf<B>;
  static HWY_INLINE Field Cell(L* cell) { return CellAt<B>(cell); }

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
    const int64_t width = axis[2].out * kCell;
    WriteAhead ahead = Ahead(plane, planes);
    PoolAcross(axis[0].in * axis[1].in, ahead);
    for (int64_t d = 0; d < axis[0].in; ++d) {
      L* const to = (deep_ ? down_ : out_) + d * axis[1].out * width;
      PoolDown(1, across_ + d * axis[1].in * width, to, width, ahead);
    }
    if (deep_) PoolDown(0, down_, out_, axis[1].out * width, ahead);
    ScatterValues(plane, planes);
    if constexpr (B::kHasPosition) ScatterPositions(plane, planes);
    if (nan) Replace(plane, planes, lanes);
  }

  HWY_NOINLINE void Gather(const L* lanes, int64_t planes) const {
    GatherPlanes<kCell>(lanes, in_plane_, planes, in_);
  }

  // What becomes of a group of planes.
  HWY_INLINE WriteAhead Ahead(int64_t plane, int64_t planes) const {
    if (!is_far_) return {};
    int64_t times = 0;
    if (blocks_[2].block > 0) times += Across::Asks(blocks_[2], axes_[0].in * axes_[1].in);
    if (blocks_[1].block > 0) times += axes_[0].in * Down::Asks(blocks_[1], axes_[2].out);
    const int64_t begin = plane * out_plane_, cells = planes * out_plane_;
    const int64_t index_bytes = static_cast<int64_t>(BytesOf(plan_.index_type));
    return {form_.At(buffers_.out, begin), cells * static_cast<int64_t>(form_.element_bytes),
            static_cast<const char*>(buffers_.index) + begin * index_bytes, cells * index_bytes, times};
  }
  // Pools `count` lines of cells that are neighbours.
  HWY_INLINE void PoolAcross(int64_t count, WriteAhead& ahead) const {
    const AxisWindows& axis = axes_[2];
    const int64_t pitch = axis.in * kCell, to_pitch = axis.out * kCell;
    if (blocks_[2].block > 0) {
      return Across{blocks_[2], in_, pitch, across_, to_pitch, axis.in, runs_, ahead}.Run(count);
    }
    for (int64_t l = 0; l < count; ++l) Line(axis, in_ + l * pitch, kCell, across_ + l * to_pitch, kCell);
  }
  // Pools lines whose cells are `pitch` lanes apart, and that are neighbours.
  HWY_INLINE void PoolDown(int axis, L* from, L* to, int64_t pitch, WriteAhead& ahead) const {
    if (blocks_[axis].block > 0) {
      return Down{blocks_[axis], from, pitch, to, pitch, 0, runs_, ahead}.Run(pitch / kCell);
    }
    for (int64_t l = 0; l < pitch; l += kCell) Line(axes_[axis], from + l, pitch, to + l, pitch);
  }
  // Pools a line of cells `step` lanes apart into one of cells `to_step` lanes apart.
  HWY_INLINE void Line(const AxisWindows& axis, L* from, int64_t step, L* to, int64_t to_step) const {
    axis.levels <= 2 ? Taps(axis, from, step, to, to_step) : Runs(axis, from, step, to, to_step);
  }
  // Tap by tap, which is quicker for up to four.
  HWY_NOINLINE void Taps(const AxisWindows& axis, L* from, int64_t step, L* to, int64_t to_step) const {
    const int64_t n = static_cast<int64_t>(hn::Lanes(D())), apart = axis.dilation * step;
    for (int64_t j = 0; j < axis.out; ++j) {
      const AxisWindow window = axis.windows[j];
      if (window.taps == 0) {
        Clear(to + j * to_step);
        continue;
      }
      for (int64_t i = 0; i < kGroup; i += n) {
        L* tap = from + window.first * step + i;
        B best = B::Load(Cell(tap), 0);
        for (int32_t t = 1; t < window.taps; ++t) best.Join(B::Load(Cell(tap += apart), 0));
        best.Store(Cell(to + j * to_step + i), 0);
      }
    }
  }
  HWY_NOINLINE void Runs(const AxisWindows& axis, L* from, int64_t step, L* to, int64_t to_step) const {
    const int64_t level_lanes = axis.in * kCell;
    L* half = from;
    int64_t half_step = step;
    for (int64_t level = 1; level <= axis.levels; ++level) {
      const int64_t apart = (axis.dilation << (level - 1)) * half_step;
      L* const run = runs_ + (level - 1) * level_lanes;
      const int64_t count = axis.Runs(level);
      for (int64_t i = 0; i < count; ++i) Join(half + i * half_step, half + i * half_step + apart, run + i * kCell);
      half = run;
      half_step = kCell;
    }
    for (int64_t j = 0; j < axis.out; ++j) {
      const AxisWindow window = axis.windows[j];
      L* const cell = to + j * to_step;
      if (window.level > 0) {
        L* const run = runs_ + (window.level - 1) * level_lanes;
        Join(run + window.first * kCell, run + window.second * kCell, cell);
      } else if (window.level == 0) {
        Join(from + window.first * step, from + window.second * step, cell);
      } else {
        Clear(cell);
      }
    }
  }
  // A cell of the maxima of two.
  static HWY_INLINE void Join(L* first, L* second, L* to) {
    const int64_t n = static_cast<int64_t>(hn::Lanes(D()));
    for (int64_t i = 0; i < kGroup; i += n) {
      B best = B::Load(Cell(first + i), 0);
      best.Join(B::Load(Cell(second + i), 0));
      best.Store(Cell(to + i), 0);
    }
  }
  static HWY_INLINE void Clear(L* cell) {
    const int64_t n = static_cast<int64_t>(hn::Lanes(D()));
    for (int64_t i = 0; i < kGroup; i += n) B::None().Store(Cell(cell + i), 0);
  }

  HWY_NOINLINE void ScatterValues(int64_t plane, int64_t planes) {
    L* to = static_cast<L*>(buffers_.out) + plane * out_plane_;
    if (!form_.IsStored()) to = unnarrowed_;
    StorePlanes<kCell>(out_, out_plane_, planes, to);
    if (!form_.IsStored()) {
      form_.narrow(to, planes * out_plane_, form_.At(buffers_.out, plane * out_plane_));
    }
  }

  HWY_NOINLINE void ScatterPositions(int64_t plane, int64_t planes) {
    const IndexArray index =
        IndexArray{buffers_.index, plan_.index_type == POOLPROOF_I64}.From(plane * out_plane_);
    int64_t base[kGroup];
    for (int64_t p = 0; p < planes; ++p) base[p] = (plane + p) * in_plane_ % plan_.index_bound;
    const auto store = [index, n = out_plane_, base = &base[0]](auto d, auto v, int64_t p, int64_t i) HWY_ATTR {
      StoreIndex(d, v, base[p], index.From(p * n + i), static_cast<int64_t>(hn::Lanes(d)));
      hwy::Prefetch(static_cast<const char*>(index.From(p * n + i + kPositions<I>).data));
    };
    optimized::HWY_NAMESPACE::ScatterPositions<kCell>(Cell(out_).at, out_plane_, planes, index.is_wide, store);
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
  const bool is_far_;  // whether all that is read and written exceeds a second-level cache
  const bool deep_;    // whether there is a depth to pool along
  // A group before and after each axis: cells [d][h][w]. What takes the place of what it is made of is the same.
  L *const in_, *const across_, *const down_, *const out_;
  L* runs_;        // cells of a line, for each level, or the ends of its blocks
  L* widened_;     // [kGroup][d][h][w] of elements that are not stored as lanes
  L* unnarrowed_;
};

}  // namespace
}  // namespace HWY_NAMESPACE
}  // namespace poolproof::optimized
HWY_AFTER_NAMESPACE();

#endif  // per-target guard
