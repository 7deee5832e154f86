// Pooling of windows of several rows with a lane per plane, for one target: without index, the rows of a window become
// one where they are, in order, and only that one is brought into [column][plane]. So an element is read once for each
// window that has it, by whole vectors of a row, and few are transposed.
#if defined(POOLPROOF_OPTIMIZED_KERNELS_FOLDED_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef POOLPROOF_OPTIMIZED_KERNELS_FOLDED_INL_H_
#undef POOLPROOF_OPTIMIZED_KERNELS_FOLDED_INL_H_
#else
#define POOLPROOF_OPTIMIZED_KERNELS_FOLDED_INL_H_
#endif

#include <algorithm>

#include "optimized/kernels/cells-inl.h"
#include "optimized/kernels/fold-inl.h"
#include "optimized/kernels/interleaved_outputs-inl.h"
#include "optimized/kernels/interleaved_shape.h"
#include "optimized/kernels/rows.h"

HWY_BEFORE_NAMESPACE();
namespace poolproof::optimized {
namespace HWY_NAMESPACE {
namespace {

// Planes that are one window, each folded as it lies in memory: to[p * pitch + k] is the join of elements k, k +
// kGroup,
// ... of the plane at from + p * count, for p < planes and k < kGroup, which are joined by turns, whatever the vector.
// A plane has `count` elements, at least one; whole vectors are read. A bit for each plane that may have a NaN, if F
// watches.
template <int64_t kGroup, class F>
HWY_NOINLINE uint32_t FoldFlat(const F f, const typename F::Stored* from, int64_t planes, int64_t count,
                               typename F::Lane* to, int64_t pitch) {
  const hn::ScalableTag<typename F::Lane> d;
  const typename F::template PartTag<decltype(d)> parts;
  const int64_t n = static_cast<int64_t>(hn::Lanes(d));
  const auto identity = hn::Set(parts, static_cast<hn::TFromD<decltype(parts)>>(F::None()));
  uint32_t suspicious = 0;
  for (int64_t p = 0; p < planes; ++p, from += count, to += pitch) {
    Watch<F, decltype(d)> watch(f);
    for (int64_t k = 0; k < kGroup; k += n) {
      const auto* at = from + k;
      const int64_t whole = count - k < n ? 0 : (count - k - n) / kGroup + 1, left = count - k - whole * kGroup;
      auto even = identity, odd = identity;
      int64_t t = 0;
      for (; t + 2 <= whole; t += 2, at += 2 * kGroup) {
        const auto first = f.Load(parts, at), second = f.Load(parts, at + kGroup);
        even = F::Join(even, first);
        odd = F::Join(odd, second);
        watch.See(watch.Join(watch.Of(first), second), F::Join(first, second));
      }
      if (t < whole) {
        const auto last = f.Load(parts, at);
        even = F::Join(even, last);
        watch.See(watch.Of(last), last);
        at += kGroup;
      }
      if (left > 0) {
        const auto mask = hn::FirstN(parts, static_cast<size_t>(left));
        const auto last = hn::IfThenElse(mask, f.Load(parts, at), identity);
        if (whole % 2 == 0) {
          even = F::Join(even, last);
        } else {
          odd = F::Join(odd, last);
        }
        watch.See(watch.Of(hn::IfThenElseZero(mask, last)), last);
      }
      hn::StoreU(F::Done(d, F::Join(even, odd)), d, to + k);
    }
    if (F::kWatches && watch.Suspicious()) suspicious |= uint32_t{1} << p;
  }
  return suspicious;
}

// O: what becomes of the results (interleaved_outputs-inl.h).
template <class O>
class Folded {
 public:
  using B = typename O::B;
  using T = typename B::Raw;
  using L = typename B::L;
  using Field = typename B::Field;
  using Fold = typename O::Fold;
  static constexpr int64_t kGroup = B::kGroup;

  // lanes: planes.
  Folded(const Lanes& lanes, const Buffers& buffers, const Fold& fold, Scratch& scratch)
      : plan_(lanes.planes),
        buffers_(buffers),
        fold_(fold),
        shape_(FoldedShape(plan_, scratch)),
        flat_(IsOneWindow(plan_)),
        outputs_(lanes, buffers, fold, shape_, scratch),
        in_(buffers.in, plan_.InElements(), plan_.InPlane(), scratch),
        windows_(scratch.Get<HeightWindow>(kWindowSlot, plan_.axis[1].out)),
        pitch_(RoundUp(shape_.out_rows * shape_.most_elements, kMaxLanes) + kMaxLanes + kApart),
        folded_(scratch.Get<L>(kRowSlot, kGroup * pitch_)),
        cells_(scratch.Get<L>(kGroupSlot, std::max(2 * kGroup, shape_.out_rows * shape_.most_elements) * kGroup)),
        out_(B::MakeField(scratch.Get<char>(kGroupOutSlot, Cells() * B::kFieldBytes), Cells())),
        taps_(scratch.Get<const void*>(kPointerSlot, MostWindowRows(plan_) + 1)) {
    FillHeightWindows(plan_.axis[1], windows_);
  }

  HWY_ATTR void Run(int64_t begin, int64_t end) {
    const int64_t rows = plan_.axis[0].out * plan_.axis[1].out;
    for (first_ = begin; first_ < end; first_ += kGroup) {
      count_ = std::min(kGroup, end - first_);
      outputs_.Begin(first_, count_, nullptr);
      if (flat_) {
        FlatBlock();
      } else {
        for (int64_t s = 0; s < shape_.segment_count; ++s) {
          for (int64_t row = 0; row < rows; row += shape_.out_rows) {
            Block(shape_.segments[s], row, std::min(rows - row, shape_.out_rows));
          }
        }
      }
      outputs_.Repair(first_, count_);
    }
  }

 private:
  using Row = typename O::Row;

  // Planes are not whole pages apart, where the processor takes them for each other.
  static constexpr int64_t kApart = 64 / sizeof(L);
  int64_t Cells() const { return shape_.out_rows * shape_.most_windows * kGroup; }

  // Planes that are one window.
  HWY_INLINE void FlatBlock() {
    const int64_t count = plan_.InPlane(), columns = std::min(count, kGroup);
    uint32_t suspicious = 0;
    for (int64_t p = 0, some; p < count_; p += some) {
      const int64_t at = (first_ + p) * count;
      some = in_.Together(at, at, count, count_ - p);
      const uint32_t bad = FoldFlat<kGroup>(fold_, in_.At(at), some, count, folded_ + p * pitch_, pitch_);
      if constexpr (O::Fold::kWatches) suspicious |= bad << p;
    }
    outputs_.Suspect(suspicious);
    Gather(columns);
    PoolRun<Row>({1, 0, 0, columns}, {1, 0, 0}, cells_, 0, 1, out_);
    outputs_.Store(count_, 0, 1, shape_.segments[0], out_);
  }

  // `count` output rows of a group, from `row` on.
  HWY_INLINE void Block(const RowSegment& segment, int64_t row, int64_t count) {
    const int64_t elements = segment.Elements();
    FoldBlock(segment, row, count);
    Gather(count * elements);
    Field to = out_;
    const RowBand band = {count, elements, segment.Windows()};
    for (int64_t k = 0; k < segment.run_count; ++k) {
      PoolRun<Row>(segment.runs[k], band, cells_, 0, plan_.axis[2].dilation, to);
      to = to.From(segment.runs[k].count * kGroup);
    }
    outputs_.Store(count_, row, count, segment, out_);
  }

  HWY_NOINLINE void Gather(int64_t count) const {
    const auto keep = [](auto, auto v) HWY_ATTR { return v; };
    // Lanes that no plane has become what is there.
    const auto run = [from = folded_, pitch = pitch_](int64_t k) { return from + k * pitch; };
    GatherRuns<kGroup, false>(run, count, cells_, keep);
  }

  // Folds output rows [row, row + count) of the group's planes.
  HWY_NOINLINE void FoldBlock(const RowSegment& segment, int64_t row, int64_t count) {
    const int64_t plane = plan_.InPlane(), end = first_ + count_;
    for (int64_t p = first_, some; p < end; p += some) {
      some = in_.Together(p * plane, p * plane, plane, end - p);
      FoldPlanes(segment, p, some, row, row + count);
    }
  }

  // Output rows [begin, end) of some planes that follow each other where whole vectors may be read.
  HWY_INLINE void FoldPlanes(const RowSegment& segment, int64_t first, int64_t planes, int64_t begin, int64_t end) {
    const T* const from = in_.At(first * plan_.InPlane());
    const Axis& height = plan_.axis[1];
    const int64_t width = plan_.axis[2].in;
    L* const to = folded_ + (first - first_) * pitch_;
    FoldJob<L> fold = {taps_, 0, 0, height.stride * width, segment.Elements(), to, segment.Elements()};
    fold.planes = planes;
    fold.plane = plan_.InPlane();
    fold.plane_pitch = pitch_;
    for (int64_t row = begin; row < end; row += fold.rows, fold.to += fold.rows * fold.lanes) {
      const HeightWindow& high = windows_[row % height.out];
      fold.rows = std::min(end - row, high.run);
      fold.count = 0;
      ForWindowRows(plan_, shape_.deep[row / height.out], high.span,
                    [&](int64_t r) { taps_[fold.count++] = from + r * width + segment.first; });
      const bool one_slice = fold.count == high.span.taps;
      const int64_t shift = one_slice ? SharedShift(fold.count, height.stride, height.dilation) : 0;
      const uint32_t suspicious = FoldRows<FoldTo::kDense>(fold_, fold, shift);
      if constexpr (O::Fold::kWatches) {
        if (suspicious != 0) Suspect(segment, fold, first, row, suspicious);
      }
    }
  }
  const T* Plane(int64_t plane) const { return static_cast<const T*>(buffers_.in) + plane * plan_.InPlane(); }

  // Which windows of those planes, of all that were folded from output row `row` on, have a NaN indeed.
  HWY_NOINLINE void Suspect(const RowSegment& segment, const FoldJob<L>& fold, int64_t plane, int64_t row,
                            uint32_t planes) {
    const int64_t height = plan_.axis[1].out;
    for (; planes != 0; planes >>= 1, ++plane) {
      for (int64_t r = row; (planes & 1) != 0 && r < row + fold.rows; ++r) {
        const Span deep = shape_.deep[r / height], high = shape_.high[r % height];
        const bool nan = WindowHasNan(fold_, plan_, deep, high, Plane(plane) + segment.first, fold.lanes);
        if (nan) outputs_.Suspect(uint32_t{1} << (plane - first_));
      }
    }
  }

  const Plan& plan_;
  const Buffers& buffers_;
  const Fold fold_;
  const InterleavedShape shape_;
  const bool flat_;
  O outputs_;
  const SafeRows<T> in_;  // planes
  HeightWindow* const windows_;
  const int64_t pitch_;  // of planes that are folded
  L* const folded_;      // [lane][row][column]
  L* const cells_;       // [row][column][lane]
  const Field out_;      // [row][window][lane]
  const void** const taps_;
  int64_t first_ = 0, count_ = 0;  // of the group
};

}  // namespace
}  // namespace HWY_NAMESPACE
}  // namespace poolproof::optimized
HWY_AFTER_NAMESPACE();

#endif  // per-target guard
