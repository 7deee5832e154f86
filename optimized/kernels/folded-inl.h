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
#include <limits>

#include "optimized/kernels/interleaved_outputs-inl.h"
#include "optimized/kernels/interleaved_reducers-inl.h"
#include "optimized/kernels/interleaved_shape.h"
#include "optimized/kernels/plane_squares-inl.h"
#include "optimized/kernels/rows.h"

HWY_BEFORE_NAMESPACE();
namespace poolproof::optimized {
namespace HWY_NAMESPACE {
namespace {

// Rows to be folded, of several planes: to[p * pitch + r * lanes + i] is the join over t < count of element
// p * plane + r * step + i of taps[t], for r < rows and i < lanes. Whole vectors are read and written, the rows in
// order.
template <typename L>
struct Fold {
  const L* const* taps;
  int64_t count;
  int64_t planes, plane;
  int64_t rows, step;
  int64_t lanes;
  L* to;
  int64_t pitch;
  L code;      // of B::Code
  L infinity;  // of halves, its bits
};

// What tells whether one of some elements may be NaN: the sum of floats, the largest magnitude of halves.
template <class D, typename L = hn::TFromD<D>, class V = hn::Vec<D>>
struct NanWatch {
  static HWY_INLINE V Of(V v) {
    if constexpr (hwy::IsFloat<L>()) return v;
    return hn::And(v, hn::Set(D(), std::numeric_limits<L>::max()));
  }
  static HWY_INLINE V Join(V seen, V v) {
    if constexpr (hwy::IsFloat<L>()) return hn::Add(seen, v);
    return hn::Max(seen, Of(v));
  }
  static HWY_INLINE hn::Mask<D> IsNan(V seen, L infinity) {
    if constexpr (hwy::IsFloat<L>()) return hn::IsNaN(seen);
    return hn::Gt(seen, hn::Set(D(), infinity));
  }
};

// A vector of folded elements: those at `from` of each tap. `nan` gets those that may have seen a NaN, if O watches.
// kTaps: 0 for any number, which then is `count`.
template <class O, int kTaps, class D, typename L = hn::TFromD<D>>
HWY_INLINE void FoldVector(D d, const L* const* taps, int64_t count, int64_t from, const Fold<L>& fold, L* to,
                           hn::Mask<D>& nan) {
  using Code = typename O::B::Code;
  using Watch = NanWatch<D>;
  using V = hn::Vec<D>;
  const V first = hn::LoadU(d, taps[0] + from);
  V best = Code::Enter(first, fold.code), seen = first;
  if constexpr (O::kWatches) seen = Watch::Of(first);
  for (int64_t t = 1; t < (kTaps > 0 ? kTaps : count); ++t) {
    const V next = hn::LoadU(d, taps[t] + from), entered = Code::Enter(next, fold.code);
    best = O::kSums ? hn::Add(best, entered) : MaxOf(best, entered);
    if constexpr (O::kWatches) seen = Watch::Join(seen, next);
  }
  hn::StoreU(best, d, to);
  if constexpr (O::kWatches) nan = hn::Or(nan, Watch::IsNan(seen, fold.infinity));
}

// A bit for each plane that may have a NaN, if O watches. kTaps: 0 for any number.
template <class O, int kTaps, typename L = typename O::L>
HWY_NOINLINE uint32_t FoldRowsOf(const Fold<L>& all) {
  const hn::ScalableTag<L> d;
  const hn::Half<decltype(d)> half;  // for what is left of a row, where that is enough
  Fold<L> fold = all;
  if (fold.step == fold.lanes) {
    // Rows that follow each other in both places are one.
    fold.lanes *= fold.rows;
    fold.rows = 1;
  }
  const int64_t n = static_cast<int64_t>(hn::Lanes(d)), lanes = fold.lanes, whole = lanes / n * n;
  const bool rest = whole < lanes, few = rest && lanes - whole <= static_cast<int64_t>(hn::Lanes(half));
  // Stores of vectors may change what is in memory, also pointers, as far as the compiler knows.
  const L* known[std::max(kTaps, 1)];
  for (int t = 0; t < kTaps; ++t) known[t] = fold.taps[t];
  const L* const* const taps = kTaps > 0 ? known : fold.taps;
  uint32_t planes = 0;
  for (int64_t p = 0; p < fold.planes; ++p) {
    L* to = fold.to + p * fold.pitch;
    int64_t from = p * fold.plane;
    auto nan = hn::MaskFromVec(hn::Zero(d));
    auto nan_of_few = hn::MaskFromVec(hn::Zero(half));
    for (int64_t r = 0; r < fold.rows; ++r, to += lanes, from += fold.step) {
      for (int64_t i = 0; i < whole; i += n) FoldVector<O, kTaps>(d, taps, fold.count, from + i, fold, to + i, nan);
      if (few) {
        FoldVector<O, kTaps>(half, taps, fold.count, from + whole, fold, to + whole, nan_of_few);
      } else if (rest) {
        FoldVector<O, kTaps>(d, taps, fold.count, from + whole, fold, to + whole, nan);
      }
    }
    const bool seen = !hn::AllFalse(d, nan) || !hn::AllFalse(half, nan_of_few);
    if constexpr (O::kWatches) planes |= static_cast<uint32_t>(seen) << p;
  }
  return planes;
}

template <class B>
HWY_NOINLINE uint32_t FoldNothing(const Fold<typename B::L>& fold) {
  for (int64_t p = 0; p < fold.planes; ++p) {
    std::fill_n(fold.to + p * fold.pitch, fold.rows * fold.lanes, hn::GetLane(B::None().value));
  }
  return 0;
}

template <class O>
HWY_INLINE uint32_t FoldRows(const Fold<typename O::L>& fold) {
  switch (fold.count) {
    case 0: return FoldNothing<typename O::B>(fold);
    case 1: return FoldRowsOf<O, 1>(fold);
    case 2: return FoldRowsOf<O, 2>(fold);
    case 3: return FoldRowsOf<O, 3>(fold);
    case 4: return FoldRowsOf<O, 4>(fold);
    case 5: return FoldRowsOf<O, 5>(fold);
    default: return FoldRowsOf<O, 0>(fold);
  }
}

// The sum of `count` elements in as many lanes as a cell has: to[k] is the sum of those k, k + kGroup, ... safe:
// whether vectors may be read past the last one.
template <class B, typename L = typename B::L>
HWY_NOINLINE void SumFlat(const L* from, int64_t count, bool safe, L* to) {
  constexpr int64_t kGroup = kGroupFor<B>;
  const typename B::D d;
  const int64_t whole = count / kGroup * kGroup, rest = count - whole;
  for (int64_t k = 0; k < kGroup; k += static_cast<int64_t>(hn::Lanes(d))) {
    auto even = hn::Zero(d), odd = even;
    const L *p = from + k, *const end = p + whole;
    for (; p + kGroup < end; p += 2 * kGroup) {
      even = hn::Add(even, hn::LoadU(d, p));
      odd = hn::Add(odd, hn::LoadU(d, p + kGroup));
    }
    if (p < end) even = hn::Add(even, hn::LoadU(d, p));
    auto sum = hn::Add(even, odd);
    if (safe && k < rest) {
      const auto inside = hn::FirstN(d, static_cast<size_t>(rest - k));
      sum = hn::Add(sum, hn::IfThenElseZero(inside, hn::LoadU(d, from + whole + k)));
    }
    hn::StoreU(sum, d, to + k);
  }
  for (int64_t i = 0; !safe && i < rest; ++i) to[i] += from[whole + i];
}

// O: what becomes of the results (interleaved_outputs-inl.h).
template <class O>
class Folded {
 public:
  using B = typename O::B;
  using L = typename B::L;
  using Field = typename B::Field;
  static constexpr int64_t kGroup = kGroupFor<B>;

  Folded(const Plan& plan, const Buffers& buffers, const PlaneForm<L>& form, Scratch& scratch)
      : plan_(plan),
        buffers_(buffers),
        form_(form),
        shape_(FoldedShape(plan, scratch)),
        flat_(O::kSums && IsOneWindow(plan)),
        outputs_(plan, buffers, form, shape_, scratch),
        in_(buffers.in, plan.InElements(), plan.axis[2].in, scratch),
        safe_(plan.outer - (kMaxLanes + plan.InPlane() - 1) / plan.InPlane()),
        windows_(scratch.Get<HeightWindow>(kWindowSlot, plan.axis[1].out)),
        pitch_(RoundUp(shape_.out_rows * shape_.most_elements, kMaxLanes) + kMaxLanes + kApart),
        folded_(scratch.Get<L>(kRowSlot, kGroup * pitch_)),
        cells_(scratch.Get<L>(kGroupSlot, std::max(kGroup, shape_.out_rows * shape_.most_elements) * kGroup)),
        out_(B::MakeField(scratch.Get<char>(kGroupOutSlot, Cells() * B::kFieldBytes), Cells())),
        taps_(scratch.Get<const L*>(kPointerSlot, MostWindowRows(plan) + 1)) {
    FillHeightWindows(plan.axis[1], windows_);
  }

  HWY_ATTR void Run(int64_t begin, int64_t end) {
    const int64_t rows = plan_.axis[0].out * plan_.axis[1].out;
    for (first_ = begin; first_ < end; first_ += kGroup) {
      planes_ = std::min(kGroup, end - first_);
      if (flat_) {
        if constexpr (O::kSums) FlatBlock();
      } else {
        for (int64_t s = 0; s < shape_.segment_count; ++s) {
          for (int64_t row = 0; row < rows; row += shape_.out_rows) {
            Block(shape_.segments[s], row, std::min(rows - row, shape_.out_rows));
          }
        }
      }
      outputs_.Repair(first_, planes_);
    }
  }

 private:
  // Planes are not whole pages apart, where the processor takes them for each other.
  static constexpr int64_t kApart = 64 / sizeof(L);
  int64_t Cells() const { return shape_.out_rows * shape_.most_windows * kGroup; }

  // Planes that are one window: elements are folded as they come.
  HWY_INLINE void FlatBlock() {
    const int64_t count = plan_.InPlane();
    const L* from = static_cast<const L*>(buffers_.in) + first_ * count;
    for (int64_t p = 0; p < planes_; ++p, from += count) {
      SumFlat<B>(from, count, first_ + p < safe_, folded_ + p * pitch_);
    }
    Gather(kGroup);
    PoolRun<B>({1, 0, 0, kGroup}, {1, kGroup, 1}, cells_, 1, 0, out_);
    outputs_.Store(first_, planes_, 0, 1, shape_.segments[0], out_);
  }

  // `count` output rows of a group, from `row` of the planes on.
  HWY_INLINE void Block(const RowSegment& segment, int64_t row, int64_t count) {
    const int64_t elements = segment.Elements();
    FoldBlock(segment, row, count);
    Gather(count * elements);
    Field to = out_;
    const RowBand band = {count, elements, segment.Windows()};
    for (int64_t k = 0; k < segment.run_count; ++k) {
      PoolRun<B>(segment.runs[k], band, cells_, plan_.axis[2].dilation, 0, to);
      to = to.From(segment.runs[k].count * kGroup);
    }
    outputs_.Store(first_, planes_, row, count, segment, out_);
  }

  HWY_NOINLINE void Gather(int64_t count) const {
    GatherRuns(folded_, pitch_, count, planes_, cells_, [](auto, auto v) HWY_ATTR { return v; });
  }

  // The rows of a window, from element `first` of the first row of a plane on.
  struct WindowRows {
    Span deep, high;
    int64_t first;
  };

  HWY_NOINLINE void FoldBlock(const RowSegment& segment, int64_t row, int64_t count) {
    const Axis& height = plan_.axis[1];
    const int64_t width = plan_.axis[2].in, end = row + count, safe = std::min(planes_, safe_ - first_);
    Fold<L> fold = {taps_,   0,      0,          plan_.InPlane(), 0, height.stride * width, segment.Elements(),
                    folded_, pitch_, form_.code, form_.most};
    for (; row < end; row += fold.rows, fold.to += fold.rows * fold.lanes) {
      const HeightWindow& high = windows_[row % height.out];
      const WindowRows window = {shape_.deep[row / height.out], high.span, segment.first};
      fold.rows = std::min(end - row, high.run);
      FoldPlanes(fold, window, 0, safe);
      for (int64_t p = std::max<int64_t>(0, safe); p < planes_; ++p) FoldUnsafe(fold, window, p);
    }
  }

  // Planes [begin, end) of the group.
  HWY_INLINE void FoldPlanes(Fold<L>& fold, const WindowRows& window, int64_t begin, int64_t end) {
    if (begin >= end) return;
    const L* const from = static_cast<const L*>(buffers_.in) + (first_ + begin) * plan_.InPlane() + window.first;
    fold.count = 0;
    ForRows(window, [&](int64_t row) { taps_[fold.count++] = from + row * plan_.axis[2].in; });
    fold.planes = end - begin;
    const uint32_t planes = FoldRows<O>(fold);
    if constexpr (O::kWatches) {
      if (planes != 0) Suspect(fold, window, planes);
    }
  }

  // A plane of which rows may not be read in whole vectors, row by row.
  HWY_NOINLINE void FoldUnsafe(const Fold<L>& all, WindowRows window, int64_t plane) {
    const int64_t width = plan_.axis[2].in, from = (first_ + plane) * plan_.InPlane() + window.first;
    Fold<L> fold = all;
    fold.to += plane * fold.pitch;
    fold.planes = fold.rows = 1;
    for (int64_t r = 0; r < all.rows; ++r, fold.to += fold.lanes, window.high.first += plan_.axis[1].stride) {
      fold.count = 0;
      ForRows(window, [&](int64_t row) { taps_[fold.count++] = in_.At(from + row * width); });
      const uint32_t planes = FoldRows<O>(fold);
      if constexpr (O::kWatches) {
        if (planes != 0) Suspect(fold, window, uint32_t{1} << plane);
      }
    }
  }

  // Calls f(row) with each input row of a window.
  template <class F>
  HWY_INLINE void ForRows(const WindowRows& window, const F& f) const {
    const Axis &depth = plan_.axis[0], &height = plan_.axis[1];
    for (int64_t d = 0, slice = window.deep.first; d < window.deep.taps; ++d, slice += depth.dilation) {
      int64_t row = slice * height.in + window.high.first;
      for (int64_t h = 0; h < window.high.taps; ++h, row += height.dilation) f(row);
    }
  }

  // Which rows of those planes have a NaN indeed, of the windows that were folded, the first of which is `window`.
  HWY_NOINLINE void Suspect(const Fold<L>& fold, const WindowRows& window, uint32_t planes) {
    const int64_t width = plan_.axis[2].in;
    for (int64_t p = 0; p < planes_; ++p) {
      if ((planes >> p & 1) == 0) continue;
      const L* const plane = static_cast<const L*>(buffers_.in) + (first_ + p) * plan_.InPlane() + window.first;
      for (int64_t r = 0; r < fold.rows; ++r) {
        ForRows(window, [&](int64_t row) {
          row += r * plan_.axis[1].stride;
          const L* const begin = plane + row * width;
          const bool nan = std::any_of(begin, begin + fold.lanes, [this](L x) { return outputs_.IsNan(x); });
          if (nan) outputs_.Suspect(row, uint32_t{1} << p);
        });
      }
    }
  }

  const Plan& plan_;
  const Buffers& buffers_;
  const PlaneForm<L> form_;
  const InterleavedShape shape_;
  const bool flat_;
  O outputs_;
  const SafeRows<L> in_;
  const int64_t safe_;  // planes before this one may be read in whole vectors
  HeightWindow* const windows_;
  const int64_t pitch_;  // of planes that are folded
  L* const folded_;      // [plane][row][column]
  L* const cells_;       // [row][column][plane]
  const Field out_;      // [row][window][plane]
  const L** const taps_;
  int64_t first_ = 0, planes_ = 0;  // of the group
};

}  // namespace
}  // namespace HWY_NAMESPACE
}  // namespace poolproof::optimized
HWY_AFTER_NAMESPACE();

#endif  // per-target guard
