// Maximum with index for kernels of 2 and 3 elements, the frequent ones, for one target.
//
// One vector of windows walks down the rows of a band, straight from the input where its elements are lanes:
// what a row gives is kept in registers for the next windows, and nothing is written but the result. Taps in
// the padding are masked.
// The last vector of a row overlaps the one before, so that rows may be written in any order; they are at
// least one vector long.
#if defined(POOLPROOF_OPTIMIZED_KERNELS_INDEX_STRIPS_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef POOLPROOF_OPTIMIZED_KERNELS_INDEX_STRIPS_INL_H_
#undef POOLPROOF_OPTIMIZED_KERNELS_INDEX_STRIPS_INL_H_
#else
#define POOLPROOF_OPTIMIZED_KERNELS_INDEX_STRIPS_INL_H_
#endif

#include <algorithm>

#include "optimized/kernels/index_best-inl.h"
#include "optimized/kernels/index_shape.h"
#include "optimized/kernels/plain.h"

HWY_BEFORE_NAMESPACE();
namespace poolproof::optimized {
namespace HWY_NAMESPACE {
namespace {

// A strip: one vector of neighbouring windows, on several output rows.
template <class B>
struct Strip {
  using L = typename B::L;
  using I = typename B::I;
  using D = typename B::D;
  using DI = typename B::DI;
  using V = hn::Vec<D>;
  using VI = hn::Vec<DI>;

  // Begin of the window of the first output row, in rows, and from there to the next windows and taps. `from`
  // is the first column of the strip in row 0.
  const L* from;
  int64_t row, row_advance, row_step, rows;
  int64_t in, step;  // length of a row, columns from tap to tap
  int64_t base;      // index of column 0 of row 0
  const I* begin;    // IndexTables, at the strip
  const I* inside;
  L* to;
  IndexArray index;
  int64_t out_advance, count;  // from output row to output row, and how many

  // kTaps along the width, kHigh along the height. kStride: of the width, and of the height if kHigh > 1.
  template <int kStride, int kTaps, int kHigh, bool kMasked>
  HWY_NOINLINE void Run() const {
    const Strip s = *this;
    const DI di;
    const VI columns = hn::LoadU(di, s.begin), padding = hn::LoadU(di, s.inside);
    const auto tap0 = s.Inside(columns, 0), tap1 = s.Inside(columns, s.step),
               tap2 = s.Inside(columns, 2 * s.step);
    const auto row_at = [&](int64_t y) HWY_ATTR {
      return s.template Row<kStride, kTaps, kMasked>(y, tap0, tap1, tap2);
    };
    const VI next = hn::Set(di, static_cast<I>(s.row_step * s.in));
    const VI last = hn::Set(di, static_cast<I>((kHigh - 1) * s.row_step * s.in));
    int64_t y = s.row;
    B top = row_at(y);
    B middle = kHigh == 3 && kStride == 1 ? row_at(y + s.row_step) : top;
    for (int64_t r = 0; r < s.count; ++r, y += s.row_advance) {
      B best = top;
      if constexpr (kHigh == 1) {
        top = row_at(y + s.row_advance);
      } else {
        if constexpr (kHigh == 3 && kStride == 2) middle = row_at(y + s.row_step);
        if constexpr (kHigh == 3) best.JoinBest(middle, next);
        const B bottom = row_at(y + (kHigh - 1) * s.row_step);
        best.JoinBest(bottom, last);
        if constexpr (kHigh == 2 && kStride == 2) {
          top = row_at(y + s.row_advance);
        } else if constexpr (kHigh == 3 && kStride == 1) {
          top = middle;
          middle = bottom;
        } else {
          top = bottom;
        }
      }
      s.Finish(best, y, r, columns, padding);
    }
  }

 private:
  // Stores output row r, whose windows begin at row y. A window of nothing but the lowest value points to its
  // first tap, which may be padding.
  HWY_INLINE void Finish(const B& best, int64_t y, int64_t r, VI columns, VI padding) const {
    const DI di;
    VI least = padding;
    if (y < 0) {
      const int64_t missing = (-y + row_step - 1) / row_step * row_step;
      least = hn::Add(least, hn::Set(di, static_cast<I>(missing * in)));
    }
    hn::StoreU(best.value, D(), to + r * out_advance);
    StoreIndex(di, hn::Add(hn::Max(best.at, least), columns), base + y * in, index.From(r * out_advance),
               static_cast<int64_t>(hn::Lanes(di)));
  }

  HWY_INLINE hn::Mask<D> Inside(VI columns, int64_t distance) const {
    const DI di;
    const VI column = hn::Add(columns, hn::Set(di, static_cast<I>(distance)));
    const auto both = hn::And(hn::Gt(column, hn::Set(di, I{-1})),
                              hn::Lt(column, hn::Set(di, static_cast<I>(in))));
    return hn::RebindMask(D(), both);
  }

  template <bool kMasked>
  static HWY_INLINE V Mask(hn::Mask<D> taps, V v) {
    return kMasked ? hn::IfThenElse(taps, v, hn::Set(D(), IdentityOfMax<L>())) : v;
  }

  // The taps in row y.
  template <int kStride, int kTaps, bool kMasked, class M>
  HWY_INLINE B Row(int64_t y, M tap0, M tap1, M tap2) const {
    const D d;
    if (static_cast<uint64_t>(y) >= static_cast<uint64_t>(rows)) return B::First(hn::Set(d, IdentityOfMax<L>()));
    const L* p = from + y * in;
    V first, second, third;
    if constexpr (kStride == 1) {
      first = hn::LoadU(d, p);
      second = hn::LoadU(d, p + step);
      third = kTaps == 3 ? hn::LoadU(d, p + 2 * step) : second;
    } else {
      Deinterleave(d, p, first, second);
      third = kTaps == 3 ? LoadEven(d, p + 2) : second;
    }
    B best = B::First(Mask<kMasked>(tap0, first));
    best.JoinTap(Mask<kMasked>(tap1, second), step);
    if constexpr (kTaps == 3) best.JoinTap(Mask<kMasked>(tap2, third), 2 * step);
    return best;
  }
};

// B: a vector of maxima (index_best-inl.h).
template <class B>
class IndexStrips {
 public:
  using L = typename B::L;
  using I = typename B::I;
  using D = typename B::D;

  // `form` says how elements become lanes.
  IndexStrips(const Plan& plan, const Buffers& buffers, const LaneForm<L>& form, const IndexShape& shape,
              Scratch& scratch)
      : plan_(plan), buffers_(buffers), form_(form), shape_(shape), scratch_(scratch),
        tables_(plan, shape, scratch.Get<I>(kTableSlot, IndexTables<I>::Lanes(shape))),
        elements_(plan.InElements()) {}

  // Whether the plan is one for this kernel.
  static bool Fits(const Plan& plan, const IndexShape& shape) {
    const Axis &d = plan.axis[0], &h = plan.axis[1], &w = plan.axis[2];
    const int64_t n = static_cast<int64_t>(hn::Lanes(D()));
    const bool flat = d.in == 1 && d.out == 1 && d.pad == 0 && plan.index_bound >= plan.InPlane();
    const bool whole_vectors = w.in >= n && w.out >= n && shape.stride == w.stride;
    const bool size = (w.kernel == 2 || w.kernel == 3) && !h.adaptive && !w.adaptive &&
                      (h.kernel == 1 || (h.kernel == w.kernel && h.stride == w.stride));
    const bool stride = w.stride == 1 || (w.stride == 2 && w.dilation == 1 && h.dilation == 1);
    return flat && whole_vectors && size && stride && NoneEmpty(h) && NoneEmpty(w);
  }

  // Output rows [begin, end) of a plane.
  HWY_ATTR void Run(int64_t plane, int64_t begin, int64_t end) {
    const int64_t row_bytes = shape_.in * static_cast<int64_t>(sizeof(L));
    const int64_t band = std::max<int64_t>(4, kBandBytes / (row_bytes * plan_.axis[1].stride));
    for (int64_t h = begin; h < end; h += band) Band(plane, h, std::min(h + band, end));
  }

 private:
  static constexpr int64_t kBandBytes = 16 * 1024;  // a part of a first-level cache
  static constexpr int64_t kLongRow = 16;           // in vectors

  // Whether no window lies wholly in the padding.
  static bool NoneEmpty(const Axis& a) {
    return a.pad <= a.Reach() && a.Begin(a.out - 1) < a.in && (a.dilation == 1 || a.in > a.Reach());
  }

  HWY_INLINE void Band(int64_t plane, int64_t h, int64_t end) {
    const Axis& high = plan_.axis[1];
    const int64_t first = std::max<int64_t>(0, high.Begin(h));
    const int64_t rows = std::min(high.in, high.Begin(end - 1) + high.Reach() + 1) - first;
    const L* from = Read(plane * plan_.InPlane() + first * shape_.in, rows * shape_.in);
    const bool nan = HoldsNan(from, rows * shape_.in, form_.most);
    from -= first * shape_.in;
    const int64_t out = plane * plan_.OutPlane() + h * shape_.out, count = (end - h) * shape_.out;
    // The strips write from `out` on.
    L* to = static_cast<L*>(buffers_.out) + out;
    if (!form_.IsStored()) to = scratch_.Get<L>(kStagingSlot, count);
    const int64_t phases = high.kernel > 1 && high.stride == 1 ? high.dilation : 1;
    for (int64_t q = 0; q < phases && h + q < end; ++q) {
      Strips(plane, h + q, (end - h - q + phases - 1) / phases, phases, from, first + rows, to + q * shape_.out);
    }
    if (!form_.IsStored()) form_.narrow(to, count, form_.At(buffers_.out, out));
    if (nan) Replace(plane, h, end, from);
  }

  // `count` elements from element `at` on, as lanes. Whole vectors around them may be read.
  HWY_NOINLINE const L* Read(int64_t at, int64_t count) {
    const int64_t before = plan_.axis[2].pad, after = shape_.taps * shape_.step + 2 * kMaxLanes;
    const L* stored = static_cast<const L*>(buffers_.in) + at;
    if (form_.IsStored() && at >= before && at + count + after <= elements_) return stored;
    L* lanes = scratch_.Get<L>(kRowSlot, before + count + after);
    std::fill_n(lanes, before, L{});
    std::fill_n(lanes + before + count, after, L{});
    lanes += before;
    if (form_.IsStored()) {
      std::copy_n(stored, count, lanes);
    } else {
      form_.widen(form_.At(buffers_.in, at), count, lanes);
    }
    return lanes;
  }

  // All strips of `count` output rows from h on, every phases-th, whose values go to `to`. from: row 0 of the
  // plane, of which those before `rows` may be read.
  HWY_INLINE void Strips(int64_t plane, int64_t h, int64_t count, int64_t phases, const L* from,
                         int64_t rows, L* to) {
    const Axis &high = plan_.axis[1], &wide = plan_.axis[2];
    const int64_t n = static_cast<int64_t>(hn::Lanes(D()));
    const int64_t out = plane * plan_.OutPlane() + h * shape_.out;
    const IndexArray index = IndexArray{buffers_.index, plan_.index_type == POOLPROOF_I64}.From(out);
    Strip<B> strip;
    strip.row = high.Begin(h);
    strip.row_advance = high.stride * phases;
    strip.row_step = high.dilation;
    strip.rows = rows;
    strip.in = shape_.in;
    strip.step = shape_.step;
    strip.base = plane * plan_.InPlane() % plan_.index_bound;
    strip.out_advance = shape_.out * phases;
    strip.count = count;
    if (high.kernel == 1 && shape_.out >= kLongRow * n && std::max(wide.pad, wide.Reach()) <= n) {
      for (int64_t r = 0; r < count; ++r) Long(strip, h + r, from, to + r * shape_.out, index.From(r * shape_.out));
      return;
    }
    for (int64_t j = 0; j < shape_.out; j += n) {
      const int64_t i = std::min(j, shape_.out - n);
      RunAt(strip, i, from + wide.Begin(i), to + i, index.From(i));
    }
  }

  // The strip whose first window is i.
  HWY_INLINE void RunAt(Strip<B>& strip, int64_t i, const L* from, L* to, IndexArray index) const {
    const Axis& wide = plan_.axis[2];
    const int64_t n = static_cast<int64_t>(hn::Lanes(D()));
    strip.from = from;
    strip.begin = tables_.begin + i;
    strip.inside = tables_.inside + i;
    strip.to = to;
    strip.index = index;
    const bool masked = wide.Begin(i) < 0 || wide.Begin(i + n - 1) + wide.Reach() >= wide.in;
    masked ? Choose<true>(strip) : Choose<false>(strip);
  }

  // A long row of windows that are one row high: what lies inside is a single strip that walks along it,
  // as if each vector of windows were a row.
  void Long(Strip<B> strip, int64_t h, const L* from, L* to, IndexArray index) const {
    const Axis& wide = plan_.axis[2];
    const int64_t n = static_cast<int64_t>(hn::Lanes(D()));
    const int64_t y = plan_.axis[1].Begin(h), stride = shape_.stride;
    const L* row = from + y * shape_.in;
    strip.row = 0;
    strip.rows = 1;
    strip.count = 1;
    strip.base += y * shape_.in;
    const int64_t first = RoundUp((wide.pad + stride - 1) / stride, n);
    const int64_t whole = ((wide.in - 1 - wide.Reach() + wide.pad) / stride + 1 - first) / n;
    for (int64_t i = 0; i < first; i += n) RunAt(strip, i, row + wide.Begin(i), to + i, index.From(i));
    for (int64_t j = first + whole * n; j < shape_.out; j += n) {
      const int64_t i = std::min(j, shape_.out - n);
      RunAt(strip, i, row + wide.Begin(i), to + i, index.From(i));
    }
    strip.in = n * stride;
    strip.rows = strip.count = whole;
    strip.row_advance = 1;
    strip.out_advance = n;
    RunAt(strip, first, row + wide.Begin(first), to + first, index.From(first));
  }

  template <bool kMasked>
  HWY_INLINE void Choose(const Strip<B>& strip) const {
    const bool flat = plan_.axis[1].kernel == 1;
    if (shape_.taps == 3) {
      if (shape_.stride == 2) {
        return flat ? strip.template Run<2, 3, 1, kMasked>() : strip.template Run<2, 3, 3, kMasked>();
      }
      return flat ? strip.template Run<1, 3, 1, kMasked>() : strip.template Run<1, 3, 3, kMasked>();
    }
    if (shape_.stride == 2) {
      return flat ? strip.template Run<2, 2, 1, kMasked>() : strip.template Run<2, 2, 2, kMasked>();
    }
    return flat ? strip.template Run<1, 2, 1, kMasked>() : strip.template Run<1, 2, 2, kMasked>();
  }

  // Output rows of the band that look at NaN, once more. from: row 0 of the plane.
  void Replace(int64_t plane, int64_t h, int64_t end, const L* from) const {
    for (; h < end; ++h) {
      const Span span = plan_.axis[1].SpanAt(h);
      bool nan = false;
      for (int64_t t = 0; t < span.taps; ++t) {
        nan |= HoldsNan(from + (span.first + t * plan_.axis[1].dilation) * shape_.in, shape_.in, form_.most);
      }
      if (nan) PlainMaxRow(plan_, buffers_, plane, 0, h);
    }
  }

  const Plan& plan_;
  const Buffers& buffers_;
  const LaneForm<L> form_;
  const IndexShape& shape_;
  Scratch& scratch_;
  const IndexTables<I> tables_;
  const int64_t elements_;
};

}  // namespace
}  // namespace HWY_NAMESPACE
}  // namespace poolproof::optimized
HWY_AFTER_NAMESPACE();

#endif  // per-target guard
