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

#include "optimized/kernels/fold-inl.h"
#include "optimized/kernels/interleaved_outputs-inl.h"
#include "optimized/kernels/interleaved_reducers-inl.h"
#include "optimized/kernels/interleaved_shape.h"
#include "optimized/kernels/plane_squares-inl.h"
#include "optimized/kernels/rows.h"

HWY_BEFORE_NAMESPACE();
namespace poolproof::optimized {
namespace HWY_NAMESPACE {
namespace {

// The sum of `count` elements in as many lanes as a cell has: to[k] is the sum of those k, k + kGroup, ... Whole
// vectors are read.
template <class B, typename T = typename B::Raw>
HWY_NOINLINE void SumFlat(const T* from, int64_t count, typename B::L* to) {
  constexpr int64_t kGroup = B::kGroup;
  const typename B::D d;
  const int64_t whole = count / kGroup * kGroup, rest = count - whole;
  for (int64_t k = 0; k < kGroup; k += static_cast<int64_t>(hn::Lanes(d))) {
    auto even = hn::Zero(d), odd = even;
    const T *p = from + k, *const end = p + whole;
    for (; p + kGroup < end; p += 2 * kGroup) {
      even = hn::Add(even, B::LoadRaw(p));
      odd = hn::Add(odd, B::LoadRaw(p + kGroup));
    }
    if (p < end) even = hn::Add(even, B::LoadRaw(p));
    auto sum = hn::Add(even, odd);
    if (k < rest) {
      const auto inside = hn::FirstN(d, static_cast<size_t>(rest - k));
      sum = hn::Add(sum, hn::IfThenElseZero(inside, B::LoadRaw(end)));
    }
    hn::StoreU(sum, d, to + k);
  }
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

  Folded(const Plan& plan, const Buffers& buffers, const Fold& fold, Scratch& scratch)
      : plan_(plan),
        buffers_(buffers),
        fold_(fold),
        shape_(FoldedShape(plan, scratch)),
        flat_(O::Fold::kSums && IsOneWindow(plan)),
        outputs_(plan, Lanes(plan), buffers, fold, shape_, scratch),
        safe_(std::max<int64_t>(0, plan.outer - (kMaxLanes + plan.InPlane() - 1) / plan.InPlane())),
        last_(scratch.Get<T>(kTailSlot, (plan.outer - safe_) * plan.InPlane() + kMaxLanes)),
        windows_(scratch.Get<HeightWindow>(kWindowSlot, plan.axis[1].out)),
        pitch_(RoundUp(shape_.out_rows * shape_.most_elements, kMaxLanes) + kMaxLanes + kApart),
        folded_(scratch.Get<L>(kRowSlot, kGroup * pitch_)),
        cells_(scratch.Get<L>(kGroupSlot, std::max(kGroup, shape_.out_rows * shape_.most_elements) * kGroup)),
        out_(B::MakeField(scratch.Get<char>(kGroupOutSlot, Cells() * B::kFieldBytes), Cells())),
        taps_(scratch.Get<const void*>(kPointerSlot, MostWindowRows(plan) + 1)) {
    FillHeightWindows(plan.axis[1], windows_);
    const int64_t rest = (plan.outer - safe_) * plan.InPlane();
    std::copy_n(Plane(safe_), rest, last_);
    std::fill_n(last_ + rest, kMaxLanes, T{});
  }

  HWY_ATTR void Run(int64_t begin, int64_t end) {
    const int64_t rows = plan_.axis[0].out * plan_.axis[1].out;
    for (first_ = begin; first_ < end; first_ += kGroup) {
      count_ = std::min(kGroup, end - first_);
      outputs_.Begin(first_, count_, nullptr);
      if (flat_) {
        if constexpr (O::Fold::kSums) FlatBlock();
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

  // Planes that are one window: elements are folded as they come.
  HWY_INLINE void FlatBlock() {
    const int64_t count = plan_.InPlane();
    for (int64_t p = 0; p < count_; ++p) SumFlat<B>(SafePlane(first_ + p), count, folded_ + p * pitch_);
    Gather(kGroup);
    PoolRun<Row>({1, 0, 0, kGroup}, {1, kGroup, 1}, cells_, 1, 0, out_);
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
      PoolRun<Row>(segment.runs[k], band, cells_, plan_.axis[2].dilation, 0, to);
      to = to.From(segment.runs[k].count * kGroup);
    }
    outputs_.Store(count_, row, count, segment, out_);
  }

  HWY_NOINLINE void Gather(int64_t count) const {
    const auto keep = [](auto, auto v) HWY_ATTR { return v; };
    const L* const from = folded_;
    if (count_ == kGroup) {
      GatherRuns<kGroup>([from, pitch = pitch_](int64_t k) { return from + k * pitch; }, count, cells_, keep);
    } else {
      const auto run = [from, pitch = pitch_, last = count_ - 1](int64_t k) {
        return from + std::min(k, last) * pitch;
      };
      GatherRuns<kGroup>(run, count, cells_, keep);
    }
  }

  // The rows of a window, from element `first` of the first row of a plane on.
  struct WindowRows {
    Span deep, high;
    int64_t first;
  };

  // Folds output rows [row, row + count) of the group's planes.
  HWY_NOINLINE void FoldBlock(const RowSegment& segment, int64_t row, int64_t count) {
    const int64_t together = std::clamp<int64_t>(safe_ - first_, 0, count_);
    if (together > 0) FoldPlanes(segment, Plane(first_), {first_, together, row, row + count});
    for (int64_t p = first_ + together; p < first_ + count_; ++p) {
      FoldPlanes(segment, SafePlane(p), {p, 1, row, row + count});
    }
  }

  // Output rows [begin, end) of some planes.
  struct PlaneRows {
    int64_t first, planes, begin, end;
  };

  // from: the first element of the first plane, where whole vectors may be read.
  HWY_INLINE void FoldPlanes(const RowSegment& segment, const T* from, const PlaneRows& rows) {
    const Axis& height = plan_.axis[1];
    const int64_t width = plan_.axis[2].in;
    L* const to = folded_ + (rows.first - first_) * pitch_;
    FoldJob<L> fold = {taps_, 0, 0, height.stride * width, segment.Elements(), to, segment.Elements()};
    fold.planes = rows.planes;
    fold.plane = plan_.InPlane();
    fold.plane_pitch = pitch_;
    for (int64_t row = rows.begin; row < rows.end; row += fold.rows, fold.to += fold.rows * fold.lanes) {
      const HeightWindow& high = windows_[row % height.out];
      const WindowRows window = {shape_.deep[row / height.out], high.span, segment.first};
      fold.rows = std::min(rows.end - row, high.run);
      fold.count = 0;
      ForRows(window, [&](int64_t r) { taps_[fold.count++] = from + r * width + window.first; });
      const uint32_t suspicious = FoldRows<FoldTo::kDense>(fold_, fold);
      if constexpr (O::Fold::kWatches) {
        if (suspicious != 0) Suspect(fold, window, rows.first, row, suspicious);
      }
    }
  }
  // Where whole vectors may be read.
  const T* SafePlane(int64_t plane) const {
    return plane < safe_ ? Plane(plane) : last_ + (plane - safe_) * plan_.InPlane();
  }
  const T* Plane(int64_t plane) const { return static_cast<const T*>(buffers_.in) + plane * plan_.InPlane(); }

  // Calls f(row) with each input row of a window.
  template <class F>
  HWY_INLINE void ForRows(const WindowRows& window, const F& f) const {
    const Axis &depth = plan_.axis[0], &height = plan_.axis[1];
    for (int64_t d = 0, slice = window.deep.first; d < window.deep.taps; ++d, slice += depth.dilation) {
      int64_t row = slice * height.in + window.high.first;
      for (int64_t h = 0; h < window.high.taps; ++h, row += height.dilation) f(row);
    }
  }

  // Which windows of those planes, of all that were folded, have a NaN indeed. The first one, `window`, is that of
  // output row `row`.
  HWY_NOINLINE void Suspect(const FoldJob<L>& fold, const WindowRows& window, int64_t plane, int64_t row,
                            uint32_t planes) {
    const int64_t step = plan_.axis[1].stride;
    for (int64_t p = 0; p < fold.planes; ++p) {
      if ((planes >> p & 1) == 0) continue;
      const T* const from = Plane(plane + p) + window.first;
      for (int64_t r = 0; r < fold.rows; ++r) {
        bool nan = false;
        ForRows(window, [&](int64_t tap) {
          nan = nan || HasNan(fold_, from + (tap + r * step) * plan_.axis[2].in, fold.lanes);
        });
        if (nan) outputs_.Suspect(row + r, uint32_t{1} << (plane + p - first_));
      }
    }
  }

  const Plan& plan_;
  const Buffers& buffers_;
  const Fold fold_;
  const InterleavedShape shape_;
  const bool flat_;
  O outputs_;
  const int64_t safe_;  // planes before this one may be read in whole vectors
  T* const last_;       // a copy of the others, which may be as well
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
