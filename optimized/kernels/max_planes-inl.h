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
        is_far_(IsFar(plan)), deep_(!plan.IsFlat()),
        in_(MakeField(scratch, kGroupSlot, in_plane_)),
        across_(axes_[2].in_place && axes_[2].in == axes_[2].out
                    ? in_
                    : MakeField(scratch, kGroupOutSlot, plan.axis[0].in * plan.axis[1].in * plan.axis[2].out)),
        down_(axes_[1].in_place
                  ? across_
                  : MakeField(scratch, kTransposeSlot, plan.axis[0].in * plan.axis[1].out * plan.axis[2].out)),
        out_(axes_[1].in_place && (!deep_ || axes_[0].in_place) ? across_
                                                                : MakeField(scratch, kBlockSlot, out_plane_)),
        widened_(nullptr), unnarrowed_(nullptr) {
    if (!form.IsStored()) {
      widened_ = scratch.Get<L>(kRowSlot, kGroup * in_plane_);
      unnarrowed_ = scratch.Get<L>(kStagingSlot, kGroup * out_plane_);
    }
    if constexpr (B::kHasPosition) {
      const int64_t positions = IsBlocked(axes_[2]) ? 0 : in_plane_;
      for (int64_t i = 0; i < positions; ++i) std::fill_n(in_.at + i * kGroup, kGroup, static_cast<I>(i));
    }
    int64_t runs = 0;
    for (const AxisWindows& axis : axes_) {
      runs = std::max(runs, (IsBlocked(axis) ? int64_t{BlockLines<B>::kWays} : axis.levels) * axis.in);
    }
    runs_ = MakeField(scratch, kWorkSlot, runs);
  }

  HWY_ATTR void Run(int64_t begin, int64_t end) {
    for (int64_t plane = begin; plane < end; plane += kGroup) Group(plane, std::min(kGroup, end - plane));
  }

 private:
  static Field MakeField(Scratch& scratch, ScratchSlot slot, int64_t elements) {
    const int64_t lanes = elements * kGroup;
    return B::MakeField(scratch.Get(slot, static_cast<size_t>(lanes * B::kFieldBytes)), lanes);
  }

  HWY_INLINE void Group(int64_t plane, int64_t planes) {
    const L* lanes = static_cast<const L*>(buffers_.in) + plane * in_plane_;
    if (!form_.IsStored()) {
      form_.widen(form_.At(buffers_.in, plane * in_plane_), planes * in_plane_, widened_);
      lanes = widened_;
    }
    const bool nan = Gather(lanes, planes);
    const Axis* axis = plan_.axis;
    const int64_t width = axis[2].out * kGroup;
    WriteAhead ahead = Ahead(plane, planes);
    Pool<B::kHasPosition>(axes_[2], {in_, kGroup, axis[2].in * kGroup}, {across_, kGroup, width},
                          axis[0].in * axis[1].in, ahead);
    for (int64_t d = 0; d < axis[0].in; ++d) {
      const Field from = across_.From(d * axis[1].in * width);
      const Field to = (deep_ ? down_ : out_).From(d * axis[1].out * width);
      Pool<false>(axes_[1], {from, width, kGroup}, {to, width, kGroup}, axis[2].out, ahead);
    }
    const int64_t slice = axis[1].out * width;
    if (deep_) Pool<false>(axes_[0], {down_, slice, kGroup}, {out_, slice, kGroup}, slice / kGroup, ahead);
    ScatterValues(plane, planes);
    if constexpr (B::kHasPosition) ScatterPositions(plane, planes);
    if (nan) Replace(plane, planes, lanes);
  }

  // Returns whether one of the elements is NaN.
  HWY_NOINLINE bool Gather(const L* lanes, int64_t planes) const {
    return GatherPlanesBelow(lanes, in_plane_, planes, form_.most, in_.value);
  }

  // What becomes of a group of planes.
  HWY_INLINE WriteAhead Ahead(int64_t plane, int64_t planes) const {
    if (!is_far_) return {};
    int64_t times = 0;
    if (IsBlocked(axes_[2])) times += BlockLines<B>::Asks(axes_[2], axes_[0].in * axes_[1].in, kGroup);
    if (IsBlocked(axes_[1])) times += axes_[0].in * BlockLines<B>::Asks(axes_[1], axes_[2].out, kGroup);
    const int64_t begin = plane * out_plane_, cells = planes * out_plane_;
    const int64_t index_bytes = static_cast<int64_t>(BytesOf(plan_.index_type));
    return {form_.At(buffers_.out, begin), cells * static_cast<int64_t>(form_.element_bytes),
            static_cast<const char*>(buffers_.index) + begin * index_bytes, cells * index_bytes, times};
  }
  // Pools `count` lines of groups. kFresh: whether they have no positions yet where there are blocks.
  template <bool kFresh>
  HWY_INLINE void Pool(const AxisWindows& axis, const PlaneLines<Field>& from, const PlaneLines<Field>& to,
                       int64_t count, WriteAhead& ahead) const {
    if (IsBlocked(axis)) {
      BlockLines<B>{axis, from, to, axis.in, runs_, ahead}.template Run<kFresh>(count, kGroup);
      return;
    }
    for (int64_t l = 0; l < count; ++l) {
      Line(axis, from.field.From(l * from.apart), from.step, to.field.From(l * to.apart), to.step);
    }
  }
  static bool IsBlocked(const AxisWindows& axis) { return axis.block > 0; }
  // Pools a line of groups `step` lanes apart into one of groups `to_step` lanes apart.
  HWY_INLINE void Line(const AxisWindows& axis, const Field from, int64_t step, const Field to,
                       int64_t to_step) const {
    axis.levels <= 2 ? Taps(axis, from, step, to, to_step) : Runs(axis, from, step, to, to_step);
  }
  // Tap by tap, which is quicker for up to four.
  HWY_NOINLINE void Taps(const AxisWindows& axis, const Field from, int64_t step, const Field to,
                         int64_t to_step) const {
    const int64_t n = static_cast<int64_t>(hn::Lanes(D())), apart = axis.dilation * step;
    for (int64_t j = 0; j < axis.out; ++j) {
      const AxisWindow window = axis.windows[j];
      if (window.taps == 0) {
        Clear(to, j * to_step);
        continue;
      }
      for (int64_t i = 0; i < kGroup; i += n) {
        int64_t at = window.first * step + i;
        B best = B::Load(from, at);
        for (int32_t t = 1; t < window.taps; ++t) best.Join(B::Load(from, at += apart));
        best.Store(to, j * to_step + i);
      }
    }
  }
  HWY_NOINLINE void Runs(const AxisWindows& axis, const Field from, int64_t step, const Field to,
                         int64_t to_step) const {
    const int64_t level_lanes = axis.in * kGroup;
    Field half = from;
    int64_t half_step = step;
    for (int64_t level = 1; level <= axis.levels; ++level) {
      const int64_t apart = (axis.dilation << (level - 1)) * half_step;
      const Field run = runs_.From((level - 1) * level_lanes);
      const int64_t count = axis.Runs(level);
      for (int64_t i = 0; i < count; ++i) Join(half, i * half_step, i * half_step + apart, run, i * kGroup);
      half = run;
      half_step = kGroup;
    }
    for (int64_t j = 0; j < axis.out; ++j) {
      const AxisWindow window = axis.windows[j];
      if (window.level > 0) {
        const Field run = runs_.From((window.level - 1) * level_lanes);
        Join(run, window.first * kGroup, window.second * kGroup, to, j * to_step);
      } else if (window.level == 0) {
        Join(from, window.first * step, window.second * step, to, j * to_step);
      } else {
        Clear(to, j * to_step);
      }
    }
  }
  // A group of `to` = maxima of two of `from`.
  static HWY_INLINE void Join(const Field& from, int64_t first, int64_t second, const Field& to, int64_t at) {
    const int64_t n = static_cast<int64_t>(hn::Lanes(D()));
    for (int64_t i = 0; i < kGroup; i += n) {
      B best = B::Load(from, first + i);
      best.Join(B::Load(from, second + i));
      best.Store(to, at + i);
    }
  }
  static HWY_INLINE void Clear(const Field& to, int64_t at) {
    const int64_t n = static_cast<int64_t>(hn::Lanes(D()));
    for (int64_t i = 0; i < kGroup; i += n) B::None().Store(to, at + i);
  }

  HWY_NOINLINE void ScatterValues(int64_t plane, int64_t planes) {
    L* to = static_cast<L*>(buffers_.out) + plane * out_plane_;
    if (!form_.IsStored()) to = unnarrowed_;
    ScatterPlanes(out_.value, out_plane_, planes, [=, n = out_plane_](auto d, auto v, int64_t p, int64_t i) HWY_ATTR {
      hn::StoreU(v, d, to + p * n + i);
    });
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
    };
    ScatterPlanes(out_.at, out_plane_, planes, store);
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
  const bool is_far_;  // whether all that is read and written exceeds a second-level cache
  const bool deep_;    // whether there is a depth to pool along
  // A group before and after each axis: [d][h][w][kGroup]. What takes the place of what it is made of is the same.
  const Field in_, across_, down_, out_;
  Field runs_;     // of a line, for each level, or the ends of its blocks
  L* widened_;     // [kGroup][d][h][w] of elements that are not stored as lanes
  L* unnarrowed_;
};

}  // namespace
}  // namespace HWY_NAMESPACE
}  // namespace poolproof::optimized
HWY_AFTER_NAMESPACE();

#endif  // per-target guard
