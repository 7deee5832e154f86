// Maximum for windows 2, 3 or 5 elements wide, the frequent ones, for one target.
//
// One vector of windows walks down the rows of a band, straight from the input where its elements are lanes:
// what a row gives is kept in registers for the next windows, and nothing is written but the result. Taps in
// the padding are masked.
// Where windows have a depth, each slice of the input is pooled like a plane, once, and what a few of them gave is
// combined into a slice of the output.
// The last vector of a row overlaps the one before, so that rows may be written in any order; they are at
// least one vector long.
#if defined(POOLPROOF_OPTIMIZED_KERNELS_WINDOW_STRIPS_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef POOLPROOF_OPTIMIZED_KERNELS_WINDOW_STRIPS_INL_H_
#undef POOLPROOF_OPTIMIZED_KERNELS_WINDOW_STRIPS_INL_H_
#else
#define POOLPROOF_OPTIMIZED_KERNELS_WINDOW_STRIPS_INL_H_
#endif

#include <algorithm>

#include "optimized/kernels/kernels.h"
#include "optimized/kernels/plain.h"
#include "optimized/kernels/window_strip-inl.h"

HWY_BEFORE_NAMESPACE();
namespace poolproof::optimized {
namespace HWY_NAMESPACE {
namespace {

// B: a vector of maxima (index_best-inl.h). S: what elements are (window_strip-inl.h).
template <class B, class S>
class WindowStrips {
 public:
  using T = typename S::T;
  using L = typename B::L;
  using I = typename B::I;
  using D = typename B::D;
  using DI = typename B::DI;
  using VI = hn::Vec<DI>;
  using Field = typename B::Field;

  WindowStrips(const Plan& plan, const Buffers& buffers, Scratch& scratch)
      : plan_(plan),
        buffers_(buffers),
        wide_(plan.axis[2]),
        scratch_(scratch),
        begin_(scratch.Get<I>(kTableSlot, 2 * (wide_.out + kMaxLanes))),
        inside_(begin_ + wide_.out + kMaxLanes),
        elements_(plan.InElements()),
        band_(
            std::max<int64_t>(4, (plan.IsFlat() ? kBandLanes : kBandLanesOfSlice) / (wide_.in * plan.axis[1].stride))) {
    std::fill_n(begin_, 2 * (wide_.out + kMaxLanes), I{0});
    for (int64_t j = 0; j < wide_.out; ++j) {
      const int64_t first = wide_.Begin(j);
      begin_[j] = static_cast<I>(first);
      if (first < 0) inside_[j] = static_cast<I>(wide_.SpanAt(j).first - first);
    }
    if (plan.IsFlat()) return;
    kept_ = std::min(plan.axis[0].in, plan.axis[0].Reach() + 1);
    const int64_t lanes = kept_ * plan.axis[1].out * wide_.out;
    held_ = scratch.Get<Held>(kFlagSlot, kept_);
    combined_ = scratch.Get<Field>(kPointerSlot, kept_);
    slices_ = B::MakeField(scratch.Get(kWorkSlot, static_cast<size_t>(lanes * B::kFieldBytes)), lanes);
  }

  // Output rows [begin, end) of a plane, all of them if it is deep.
  HWY_ATTR void Run(int64_t plane, int64_t begin, int64_t end) {
    if constexpr (kMayBeDeep) {
      if (!plan_.IsFlat()) return Deep(plane);
    }
    for (int64_t h = begin; h < end; h += band_) Band(plane, h, std::min(h + band_, end));
  }

 private:
  static constexpr bool kMayBeDeep = sizeof(I) >= sizeof(int32_t);  // as indices, positions of a slice are kept
  // A part of a first-level cache. Slices, which are read again, are better not cut.
  static constexpr int64_t kBandLanes = std::max<int64_t>(2048, int64_t{8192} / static_cast<int64_t>(sizeof(L)));
  static constexpr int64_t kBandLanesOfSlice = 2 * kBandLanes;
  static constexpr int64_t kLongRow = 16;  // in vectors

  struct Held {
    int64_t slice;
    bool nan;  // whether the slice holds one
  };

  HWY_INLINE void Band(int64_t plane, int64_t h, int64_t end) {
    const int64_t out = plane * plan_.OutPlane() + h * wide_.out;
    const T* from;
    const bool nan =
        Pool(plane, h, end, plane * plan_.InPlane() % plan_.index_bound, ValuesAt(out), IndexAt(out), from);
    if (nan) ReplaceRows(plane, h, end, from);
  }

  // All output slices of a plane.
  HWY_NOINLINE void Deep(int64_t plane) {
    const Axis &deep = plan_.axis[0], &high = plan_.axis[1];
    std::fill_n(held_, kept_, Held{-1, false});
    const int64_t slice = high.in * wide_.in, lanes = high.out * wide_.out;
    for (int64_t d = 0; d < deep.out; ++d) {
      const Span span = deep.SpanAt(d);
      bool nan = false;
      for (int64_t t = 0; t < span.taps; ++t) {
        const int64_t z = span.first + t * deep.dilation;
        Hold(plane, z);
        nan |= held_[z % kept_].nan;
      }
      const int64_t out = plane * plan_.OutPlane() + d * lanes;
      Combine(span, plane * plan_.InPlane() % plan_.index_bound + span.first * slice, ValuesAt(out), IndexAt(out));
      for (int64_t h = 0; nan && h < high.out; ++h) PlainMaxRow(plan_, buffers_, plane, d, h);
    }
  }

  // Sees to it that slice `z` of the input has been pooled.
  HWY_INLINE void Hold(int64_t plane, int64_t z) {
    Held& held = held_[z % kept_];
    if (held.slice == z) return;
    held = {z, false};
    const int64_t rows = plan_.axis[1].out, slice = plane * plan_.axis[0].in + z;
    const T* from;
    for (int64_t h = 0; h < rows; h += band_) {
      const Field to = Slice(z).From(h * wide_.out);
      held.nan |= Pool(slice, h, std::min(h + band_, rows), 0, to.value, IndexArray{to.at, sizeof(I) == 8}, from);
    }
  }
  // The windows of slice `z`, with positions in the slice.
  Field Slice(int64_t z) const { return slices_.From(z % kept_ * plan_.axis[1].out * wide_.out); }

  // Combines the windows of slices into those of an output slice. base: index of the begin of the first one.
  HWY_NOINLINE void Combine(Span deep, int64_t base, T* to, IndexArray index) const {
    const DI di;
    const int64_t n = static_cast<int64_t>(hn::Lanes(di)), lanes = plan_.axis[1].out * wide_.out;
    const int64_t dilation = plan_.axis[0].dilation;
    for (int64_t t = 0; t < deep.taps; ++t) combined_[t] = Slice(deep.first + t * dilation);
    const Field *const first = combined_, *const last = first + deep.taps;
    const VI step = hn::Set(di, static_cast<I>(dilation * plan_.axis[1].in * wide_.in));
    for (int64_t j = 0; j < lanes; j += n) {
      const int64_t i = std::min(j, lanes - n);  // the last vector overlaps the one before
      B best = B::Load(*first, i);
      VI distance = step;
      for (const Field* from = first; ++from < last; distance = hn::Add(distance, step)) {
        best.JoinBest(B::Load(*from, i), distance);
      }
      S::Store(best.value, to + i);
      PrefetchOutput(to, index, i + kVectorsAhead * n, n);
      StoreIndex(di, best.at, base, index.From(i), n);
    }
  }

  T* ValuesAt(int64_t out) const { return static_cast<T*>(buffers_.out) + out; }
  IndexArray IndexAt(int64_t out) const {
    return IndexArray{buffers_.index, plan_.index_type == POOLPROOF_I64}.From(out);
  }

  // Rows [h, end) of the windows of a slice of the input, counted through all planes. base: index of its first
  // element. Returns whether an element that was read is NaN. from: row 0 of the slice.
  HWY_INLINE bool Pool(int64_t slice, int64_t h, int64_t end, int64_t base, T* to, IndexArray index, const T*& from) {
    const Axis& high = plan_.axis[1];
    const int64_t first = std::max<int64_t>(0, high.Begin(h));
    const int64_t rows = std::min(high.in, high.Begin(end - 1) + high.Reach() + 1) - first;
    from = Read((slice * high.in + first) * wide_.in, rows * wide_.in);
    const bool nan = S::HoldsNan(from, rows * wide_.in);
    from -= first * wide_.in;
    const int64_t phases = high.kernel > 1 && high.stride == 1 ? high.dilation : 1;
    for (int64_t q = 0; q < phases && h + q < end; ++q) {
      Strips(h + q, (end - h - q + phases - 1) / phases, phases, base, from, first + rows, to + q * wide_.out,
             index.From(q * wide_.out));
    }
    return nan;
  }

  // `count` elements from element `at` on. Whole vectors around them may be read.
  HWY_NOINLINE const T* Read(int64_t at, int64_t count) {
    const int64_t before = plan_.axis[2].pad, after = wide_.kernel * wide_.dilation + 2 * kMaxLanes;
    const T* stored = static_cast<const T*>(buffers_.in) + at;
    if (at >= before && at + count + after <= elements_) return stored;
    T* lanes = scratch_.Get<T>(kRowSlot, before + count + after);
    std::fill_n(lanes, before, T{});
    std::fill_n(lanes + before + count, after, T{});
    lanes += before;
    std::copy_n(stored, count, lanes);
    return lanes;
  }

  // All strips of `count` output rows from h on, every phases-th. from: row 0 of the slice, of which those before
  // `rows` may be read.
  HWY_INLINE void Strips(int64_t h, int64_t count, int64_t phases, int64_t base, const T* from, int64_t rows, T* to,
                         IndexArray index) const {
    const Axis& high = plan_.axis[1];
    const int64_t n = static_cast<int64_t>(hn::Lanes(D()));
    WindowStrip<B, S> strip;
    strip.row = high.Begin(h);
    strip.row_advance = high.stride * phases;
    strip.row_step = high.dilation;
    strip.rows = rows;
    strip.in = wide_.in;
    strip.ahead = count * phases * high.stride * wide_.in;
    strip.step = wide_.dilation;
    strip.base = base;
    strip.out_advance = wide_.out * phases;
    strip.count = count;
    strip.rows_ahead = count;
    if (high.kernel == 1 && wide_.out >= kLongRow * n && std::max(wide_.pad, wide_.Reach()) <= n) {
      for (int64_t r = 0; r < count; ++r) Long(strip, h + r, from, to + r * wide_.out, index.From(r * wide_.out));
      return;
    }
    for (int64_t j = 0; j < wide_.out; j += n) {
      const int64_t i = std::min(j, wide_.out - n);
      RunAt(strip, i, from + wide_.Begin(i), to + i, index.From(i));
    }
  }

  // The strip whose first window is i.
  HWY_INLINE void RunAt(WindowStrip<B, S>& strip, int64_t i, const T* from, T* to, IndexArray index) const {
    switch (Place(strip, i, from, to, index)) {
      case Edge::kNone: return Choose<Edge::kNone>(strip);
      case Edge::kBegin: return Choose<Edge::kBegin>(strip);
      case Edge::kEnd: return Choose<Edge::kEnd>(strip);
      default: return Choose<Edge::kAny>(strip);
    }
  }
  // Puts it there; returns where windows reach into the padding.
  HWY_INLINE Edge Place(WindowStrip<B, S>& strip, int64_t i, const T* from, T* to, IndexArray index) const {
    const int64_t n = static_cast<int64_t>(hn::Lanes(D()));
    strip.from = from;
    strip.begin = begin_ + i;
    strip.inside = inside_ + i;
    strip.to = to;
    strip.index = index;
    const int64_t first = wide_.Begin(i), last = wide_.Begin(i + n - 1) + wide_.Reach();
    const int64_t half = wide_.kernel / 2 * wide_.dilation;
    const bool begins = first < 0, ends = last >= wide_.in;
    if ((begins && ends) || first + half < 0 || last - half >= wide_.in) return Edge::kAny;
    return begins ? Edge::kBegin : ends ? Edge::kEnd : Edge::kNone;
  }

  // A long row of windows that are one row high: what lies inside is a single strip that walks along it,
  // as if each vector of windows were a row.
  void Long(WindowStrip<B, S> strip, int64_t h, const T* from, T* to, IndexArray index) const {
    const int64_t n = static_cast<int64_t>(hn::Lanes(D()));
    const int64_t y = plan_.axis[1].Begin(h), stride = wide_.stride;
    const T* row = from + y * wide_.in;
    strip.row = 0;
    strip.rows = 1;
    strip.count = 1;
    strip.base += y * wide_.in;
    const int64_t first = RoundUp((wide_.pad + stride - 1) / stride, n);
    const int64_t whole = ((wide_.in - 1 - wide_.Reach() + wide_.pad) / stride + 1 - first) / n;
    for (int64_t i = 0; i < first; i += n) RunAt(strip, i, row + wide_.Begin(i), to + i, index.From(i));
    for (int64_t j = first + whole * n; j < wide_.out; j += n) {
      const int64_t i = std::min(j, wide_.out - n);
      RunAt(strip, i, row + wide_.Begin(i), to + i, index.From(i));
    }
    strip.in = n * stride;
    strip.rows = strip.count = whole;
    strip.rows_ahead = kVectorsAhead;
    strip.ahead = kVectorsAhead * n * stride;
    strip.row_advance = 1;
    strip.out_advance = n;
    RunAt(strip, first, row + wide_.Begin(first), to + first, index.From(first));
  }

  template <Edge kEdge>
  HWY_INLINE void Choose(const WindowStrip<B, S>& strip) const {
    const bool flat = plan_.axis[1].kernel == 1;
    // For few taps, half of the masks cost no less than all of them.
    constexpr Edge kAny = kEdge == Edge::kNone ? Edge::kNone : Edge::kAny;
    if (wide_.kernel == 5) return strip.template RunFive<kEdge>();
    if (wide_.kernel == 3) {
      if (wide_.stride == 2) {
        return flat ? strip.template Run<2, 3, 1, kAny>() : strip.template Run<2, 3, 3, kAny>();
      }
      return flat ? strip.template Run<1, 3, 1, kAny>() : strip.template Run<1, 3, 3, kAny>();
    }
    if (wide_.stride == 2) {
      return flat ? strip.template Run<2, 2, 1, kAny>() : strip.template Run<2, 2, 2, kAny>();
    }
    return flat ? strip.template Run<1, 2, 1, kAny>() : strip.template Run<1, 2, 2, kAny>();
  }

  // Output rows [h, end) that look at NaN, once more. from: row 0 of the plane.
  void ReplaceRows(int64_t plane, int64_t h, int64_t end, const T* from) const {
    const Axis& high = plan_.axis[1];
    for (; h < end; ++h) {
      const Span span = high.SpanAt(h);
      bool nan = false;
      for (int64_t t = 0; t < span.taps; ++t) {
        nan |= S::HoldsNan(from + (span.first + t * high.dilation) * wide_.in, wide_.in);
      }
      if (nan) PlainMaxRow(plan_, buffers_, plane, 0, h);
    }
  }

  const Plan& plan_;
  const Buffers& buffers_;
  const Axis& wide_;
  Scratch& scratch_;
  // First column of each window, which may be negative, and from there to its first tap inside.
  I *const begin_, *const inside_;
  const int64_t elements_;
  const int64_t band_;  // output rows at a time
  // Windows of the last slices of a plane, slice z at z % kept_.
  int64_t kept_ = 0;
  Held* held_ = nullptr;
  Field slices_{};
  Field* combined_ = nullptr;
};

}  // namespace
}  // namespace HWY_NAMESPACE
}  // namespace poolproof::optimized
HWY_AFTER_NAMESPACE();

#endif  // per-target guard
