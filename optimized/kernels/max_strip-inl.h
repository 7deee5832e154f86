// The two steps of a maximum, for one target: rows of the window lane by lane into a scratch row, and scratch
// rows along themselves into output rows. Several output rows, a strip, lie one after the other in
// scratch memory, so that steps over all of them need not stop at the end of a short row.
#if defined(POOLPROOF_OPTIMIZED_KERNELS_MAX_STRIP_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef POOLPROOF_OPTIMIZED_KERNELS_MAX_STRIP_INL_H_
#undef POOLPROOF_OPTIMIZED_KERNELS_MAX_STRIP_INL_H_
#else
#define POOLPROOF_OPTIMIZED_KERNELS_MAX_STRIP_INL_H_
#endif

#include <algorithm>

#include "optimized/kernels/max_codecs-inl.h"
#include "optimized/kernels/rows.h"

HWY_BEFORE_NAMESPACE();
namespace poolproof::optimized {
namespace HWY_NAMESPACE {
namespace {

// The vertical step; Codec says how elements are loaded. What returns bool returns whether there may be NaN.
template <class Codec>
class Vertical {
 public:
  using L = typename Codec::Lane;
  using D = hn::ScalableTag<L>;
  using Watch = typename Codec::Watch;

  explicit Vertical(int64_t lanes, L identity)
      : lanes_(lanes),
        whole_(lanes / N() * N()),
        identity_(hn::Set(D(), identity)),
        inside_(hn::FirstN(D(), static_cast<size_t>(lanes - whole_))) {}

  // A band: to[r * pitch + i] = maximum over t < count of taps[t][r * step + i], for r < rows, i < lanes,
  // and the identity up to a whole vector. IsUnrolled(count).
  HWY_INLINE bool Band(const L* const* taps, int64_t count, int64_t step, int64_t rows, L* to, int64_t pitch) const {
    Watch watch;
    if (rows > 2 && Slides(taps, count, step)) {
      Unrolled(count, [&](auto n) HWY_ATTR { SlideOf<n.value>(taps[0], step, rows, to, pitch, watch); });
    } else {
      UnrolledRows(count, [&](auto n) HWY_ATTR { BandOf<n.value>(taps, step, rows, to, pitch, watch); });
    }
    return watch.Suspicious();
  }

  // The same with elements at even positions of a row in `even` and those at odd ones in `odd`.
  HWY_INLINE bool SplitBand(const L* const* taps, int64_t count, int64_t step, int64_t rows, L* even, L* odd,
                            int64_t pitch) const {
    Watch watch;
    UnrolledRows(count, [&](auto n) HWY_ATTR { SplitBandOf<n.value>(taps, step, rows, even, odd, pitch, watch); });
    return watch.Suspicious();
  }

  // One row of any number of taps.
  HWY_NOINLINE bool Row(const L* const* taps, int64_t count, L* to) const {
    const D d;
    Watch watch;
    for (int64_t i = 0; i < lanes_; i += N()) {
      auto v = identity_;
      if (count > 0) v = Codec::Load(d, taps[0] + i);
      auto seen = v;
      for (int64_t t = 1; t < count; ++t) {
        const auto next = Codec::Load(d, taps[t] + i);
        seen = Watch::Join(seen, next);
        v = MaxOf(v, next);
      }
      watch.Elements(seen);
      watch.Maximum(v);
      hn::StoreU(i < whole_ ? v : hn::IfThenElse(inside_, v, identity_), d, to + i);
    }
    return watch.Suspicious();
  }

 private:
  static HWY_INLINE int64_t N() { return static_cast<int64_t>(hn::Lanes(D())); }
  template <int kCount>
  HWY_NOINLINE void BandOf(const L* const* taps, int64_t step, int64_t rows, L* to, int64_t pitch, Watch& total) const {
    const D d;
    Watch watch = total;  // a copy that stays in registers
    const int64_t n = N(), whole = whole_, lanes = lanes_;
    const L* p[kCount];
    for (int t = 0; t < kCount; ++t) p[t] = taps[t];
    for (int64_t r = 0; r < rows; ++r, to += pitch) {
      int64_t i = 0;
      for (; i < whole; i += n) hn::StoreU(Column<kCount>(d, p, i, watch), d, to + i);
      if (i < lanes) hn::StoreU(hn::IfThenElse(inside_, Column<kCount>(d, p, i, watch), identity_), d, to + i);
      for (int t = 0; t < kCount; ++t) p[t] += step;
    }
    total = watch;
  }
  template <int kCount>
  HWY_NOINLINE void SplitBandOf(const L* const* taps, int64_t step, int64_t rows, L* even, L* odd, int64_t pitch,
                                Watch& total) const {
    const D d;
    Watch watch = total;
    const int64_t n = N(), whole = whole_, lanes = lanes_;
    const L* p[kCount];
    for (int t = 0; t < kCount; ++t) p[t] = taps[t];
    for (int64_t r = 0; r < rows; ++r, even += pitch, odd += pitch) {
      for (int64_t i = 0; i < lanes; i += 2 * n) {
        auto low = Column<kCount>(d, p, i, watch), high = identity_;
        if (i >= whole) low = hn::IfThenElse(inside_, low, identity_);
        if (i + n < lanes) high = Column<kCount>(d, p, i + n, watch);
        if (i + n >= whole && i + n < lanes) high = hn::IfThenElse(inside_, high, identity_);
        hn::Vec<D> first, second;
        Split(d, low, high, first, second);
        hn::StoreU(first, d, even + i / 2);
        hn::StoreU(second, d, odd + i / 2);
      }
      for (int t = 0; t < kCount; ++t) p[t] += step;
    }
    total = watch;
  }
  template <int kCount>
  static HWY_INLINE hn::Vec<D> Column(D d, const L* const (&taps)[kCount], int64_t i, Watch& watch) {
    auto v = Codec::Load(d, taps[0] + i);
    auto seen = v;
    for (int t = 1; t < kCount; ++t) {
      const auto next = Codec::Load(d, taps[t] + i);
      seen = Watch::Join(seen, next);
      v = MaxOf(v, next);
    }
    watch.Elements(seen);
    watch.Maximum(v);
    return v;
  }

  // Whether each output row reads the rows of the one above but one.
  static HWY_INLINE bool Slides(const L* const* taps, int64_t count, int64_t step) {
    return count > 1 && count <= kUnrolled && taps[1] == taps[0] + step &&
           taps[count - 1] == taps[0] + (count - 1) * step;
  }
  // Down each column, every element loaded once; maxima of two neighbours are kept.
  template <int kCount>
  HWY_INLINE void SlideOf(const L* from, int64_t step, int64_t rows, L* to, int64_t pitch, Watch& watch) const {
    // The last column first: what it writes past the end of a row is the begin of the next one.
    const int64_t n = N(), whole = whole_;
    if (whole < lanes_) SlideColumn<kCount, true>(from + whole, step, rows, to + whole, pitch, watch);
    for (int64_t i = 0; i < whole; i += n) {
      SlideColumn<kCount, false>(from + i, step, rows, to + i, pitch, watch);
    }
  }
  template <int kCount, bool kLast>
  HWY_NOINLINE void SlideColumn(const L* from, int64_t step, int64_t rows, L* to, int64_t pitch, Watch& total) const {
    const D d;
    Watch watch = total;
    const auto identity = identity_;
    const auto inside = inside_;
    auto a = identity, b = identity, c = identity;  // pairs that end one, two and three rows above
    auto above = Codec::Load(d, from);
    watch.Elements(above);
    from += step;
    for (int t = 1; t + 1 < kCount; ++t, from += step) {
      const auto v = Codec::Load(d, from);
      watch.Elements(v);
      c = b, b = a, a = MaxOf(above, v), above = v;
    }
    for (int64_t r = 0; r < rows; ++r, from += step, to += pitch) {
      const auto v = Codec::Load(d, from);
      watch.Elements(v);
      const auto pair = MaxOf(above, v);
      auto best = pair;
      if constexpr (kCount == 3) best = MaxOf(a, v);
      if constexpr (kCount == 4) best = MaxOf(b, pair);
      if constexpr (kCount == 5) best = MaxOf(MaxOf(c, a), v);
      watch.Maximum(best);
      hn::StoreU(kLast ? hn::IfThenElse(inside, best, identity) : best, d, to);
      c = b, b = a, a = pair, above = v;
    }
    total = watch;
  }

  const int64_t lanes_, whole_;
  const hn::Vec<D> identity_;
  const hn::Mask<D> inside_;
};

// The horizontal step. Scratch row r begins at r * pitch(); its data at r * pitch() + left, with the
// identity around them: the elements before a row also end the row above. A split strip has in each
// row first all even positions, then all odd ones, for windows that are two apart.
template <class C>
class Strip {
 public:
  using L = typename C::Lane;
  using D = hn::ScalableTag<L>;

  Strip(const Plan& plan, const RowShape& shape, bool split, Scratch& scratch)
      : shape_(shape), split_(split), pitch_(Pitch(plan, shape)) {
    if (split) {
      half_ = RoundUp(pitch_ / 2 + 1 + shape.left, Lanes()) + Lanes();
      pitch_ = 2 * half_;
    }
    most_rows_ = MostRows(plan, pitch_);
    const bool cells = shape.horizontal == Horizontal::kCells;
    while (!cells && shape.taps > kUnrolled * covered_) covered_ *= 4;
    loads_ = (shape.taps + covered_ - 1) / covered_;
    const int64_t room = covered_ > 1 ? 3 * covered_ * shape.step : 0;
    // A split row is longer than a whole one where there is more padding than data.
    const int64_t last = split ? std::max(shape.length, pitch_) : shape.length;
    const int64_t length = (most_rows_ - 1) * pitch_ + last + kMaxLanes + room;
    data_ = wide_ = scratch.Get<L>(kRowSlot, length);
    std::fill_n(data_, length, C::kIdentity);
    if (covered_ > 1) {
      wide_ = scratch.Get<L>(kTransposeSlot, length);
      std::fill_n(wide_, length, C::kIdentity);
    }
    if (shape.horizontal == Horizontal::kPhases) {
      phases_ = scratch.Get<L>(kPhaseSlot, shape.phase_length * shape.stride);
      places_ = scratch.Get<int64_t>(kPickSlot, loads_);
      for (int64_t t = 0; t < loads_; ++t) {
        places_[t] = shape.PhaseOffset(std::min(t * covered_, shape.taps - covered_) * shape.step);
      }
    }
  }
  // Windows two apart that are covered by few elements.
  static bool IsSplit(const RowShape& shape) {
    return shape.horizontal == Horizontal::kPhases && shape.stride == 2 && shape.taps <= kUnrolled;
  }

  // Output rows that fit.
  int64_t most_rows() const { return most_rows_; }
  int64_t pitch() const { return pitch_; }
  // Where the data of scratch row `r` go.
  L* Data(int64_t r) { return data_ + r * pitch_ + shape_.left; }
  // Where the elements of a split row go that are at even and at odd columns.
  L* EvenColumns(int64_t r) { return Position(r, shape_.left); }
  L* OddColumns(int64_t r) { return Position(r, shape_.left + 1); }

  // Row `r` of no data.
  void Clear(int64_t r) { std::fill_n(data_ + r * pitch_, pitch_, C::kIdentity); }

  // What rows need that is done for all `rows` of them at once.
  HWY_INLINE void Prepare(int64_t rows) {
    // The last window ends in the elements that would begin another row.
    const int64_t lanes = rows * pitch_ + shape_.left;
    const L* from = data_;
    for (int64_t by = 1; by < covered_; by *= 4, from = wide_) Widen(from, lanes, by * shape_.step);
  }

  // Scratch rows [begin, end) into output rows that follow each other; for Horizontal::kCells, `spans` has
  // the windows.
  HWY_INLINE void RowsInto(int64_t begin, int64_t end, const Span* spans, L* to) const {
    const L* row = wide_ + begin * pitch_;
    const int64_t rows = end - begin;
    if (shape_.horizontal == Horizontal::kCells) {
      for (int64_t r = 0; r < rows; ++r) Cells(row + r * pitch_ + shape_.left, spans, to + r * shape_.out_lanes);
    } else if (split_ || shape_.horizontal == Horizontal::kShift) {
      Shift(row, rows, to);
    } else {
      for (int64_t r = 0; r < rows; ++r) {
        SplitPhases(row + r * pitch_, shape_, phases_);
        Phases(to + r * shape_.out_lanes);
      }
    }
  }

 private:
  static int64_t Lanes() { return static_cast<int64_t>(hn::Lanes(D())); }
  L* Position(int64_t r, int64_t at) { return data_ + r * pitch_ + at % 2 * half_ + at / 2; }
  static int64_t Pitch(const Plan& plan, const RowShape& shape) {
    const Axis& w = plan.axis[2];
    if (shape.horizontal == Horizontal::kCells) return shape.left + shape.in_lanes;
    const int64_t reach = ((w.out - 1) * w.stride + w.Reach() + 1) * shape.inner;
    return std::max({shape.left + shape.in_lanes, reach - shape.left, int64_t{1}});
  }
  static int64_t MostRows(const Plan& plan, int64_t pitch) {
    constexpr int64_t kBytes = 8192;
    const int64_t fit = kBytes / (pitch * static_cast<int64_t>(sizeof(L)));
    return std::max<int64_t>(1, std::min(fit, plan.axis[1].out));
  }

  // wide[i] = max(from[i], from[i+by], from[i+2by], from[i+3by]).
  HWY_NOINLINE void Widen(const L* from, int64_t lanes, int64_t by) {
    const D d;
    const int64_t n = static_cast<int64_t>(hn::Lanes(d));
    for (int64_t i = 0; i < lanes; i += n) {
      const L* p = from + i;
      const auto a = MaxOf(hn::LoadU(d, p), hn::LoadU(d, p + by));
      const auto b = MaxOf(hn::LoadU(d, p + 2 * by), hn::LoadU(d, p + 3 * by));
      hn::StoreU(MaxOf(a, b), d, wide_ + i);
    }
  }

  HWY_INLINE void Shift(const L* row, int64_t rows, L* to) const {
    Unrolled(loads_, [&](auto loads) HWY_ATTR { ShiftBy<loads.value>(row, rows, to); });
  }
  template <int kLoads>
  HWY_NOINLINE void ShiftBy(const L* row, int64_t rows, L* to) const {
    const D d;
    const int64_t n = static_cast<int64_t>(hn::Lanes(d));
    const int64_t lanes = shape_.out_lanes;
    const L* p[kLoads];
    for (int t = 0; t < kLoads; ++t) {
      const int64_t at = std::min(t * covered_, shape_.taps - covered_) * shape_.step;
      p[t] = row + (split_ ? at % 2 * half_ + at / 2 : at);
    }
    for (int64_t r = 0; r < rows; ++r, to += lanes) {
      for (int64_t i = 0; i < lanes; i += n) {
        auto v = hn::LoadU(d, p[0] + i);
        for (int t = 1; t < kLoads; ++t) v = MaxOf(v, hn::LoadU(d, p[t] + i));
        hwy::Prefetch(to + i + kVectorsAhead * n);
        C::Store(v, d, to + i);
      }
      for (int t = 0; t < kLoads; ++t) p[t] += pitch_;
    }
  }

  HWY_NOINLINE void Phases(L* to) const {
    const D d;
    const int64_t n = static_cast<int64_t>(hn::Lanes(d));
    for (int64_t i = 0; i < shape_.out_lanes; i += n) {
      auto v = hn::LoadU(d, phases_ + places_[0] + i);
      for (int64_t t = 1; t < loads_; ++t) v = MaxOf(v, hn::LoadU(d, phases_ + places_[t] + i));
      C::Store(v, d, to + i);
    }
  }

  HWY_NOINLINE void Cells(const L* row, const Span* spans, L* to) const {
    const D d;
    const int64_t n = static_cast<int64_t>(hn::Lanes(d));
    const int64_t cells = shape_.out_lanes / shape_.inner;
    for (int64_t j = 0; j < cells; ++j, to += shape_.inner) {
      const L* from = row + spans[j].first * shape_.inner;
      for (int64_t c = 0; c < shape_.inner; c += n) {
        auto v = hn::Set(d, C::kIdentity);
        for (int64_t t = 0; t < spans[j].taps; ++t) {
          v = MaxOf(v, hn::LoadU(d, from + t * shape_.step + c));
        }
        C::Store(v, d, to + c);
      }
    }
  }

  const RowShape& shape_;
  const bool split_;
  int64_t pitch_;
  int64_t half_ = 0;  // of the pitch of a split row
  int64_t most_rows_;
  int64_t covered_ = 1;  // taps that one element of wide_ stands for
  int64_t loads_ = 1;    // elements of wide_ that cover a window
  L* data_;
  L* wide_;
  L* phases_ = nullptr;
  int64_t* places_ = nullptr;  // in phases, of what covers a window
};

}  // namespace
}  // namespace HWY_NAMESPACE
}  // namespace poolproof::optimized
HWY_AFTER_NAMESPACE();

#endif  // per-target guard
