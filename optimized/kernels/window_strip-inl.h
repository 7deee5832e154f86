// One vector of neighbouring windows, on several output rows, for one target.
#if defined(POOLPROOF_OPTIMIZED_KERNELS_WINDOW_STRIP_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef POOLPROOF_OPTIMIZED_KERNELS_WINDOW_STRIP_INL_H_
#undef POOLPROOF_OPTIMIZED_KERNELS_WINDOW_STRIP_INL_H_
#else
#define POOLPROOF_OPTIMIZED_KERNELS_WINDOW_STRIP_INL_H_
#endif

#include "optimized/kernels/index_best-inl.h"
#include "optimized/kernels/lane_forms-inl.h"

HWY_BEFORE_NAMESPACE();
namespace poolproof::optimized {
namespace HWY_NAMESPACE {
namespace {

// Elements that are lanes.
template <typename L>
struct LaneSource {
  using T = L;
  using D = hn::ScalableTag<L>;
  using V = hn::Vec<D>;

  static HWY_INLINE V Load(const T* p) { return hn::LoadU(D(), p); }
  // Every second element, from the first on,
  static HWY_INLINE V LoadEvery2(const T* p) { return LoadEven(D(), p); }
  // and those between as well.
  static HWY_INLINE void LoadBoth(const T* p, V& even, V& odd) { Deinterleave(D(), p, even, odd); }
  static HWY_INLINE void Store(V v, T* p) { hn::StoreU(v, D(), p); }
  // Whether one of `count` elements is NaN. Whole vectors may be read.
  static bool HoldsNan(const T* p, int64_t count) {
    if constexpr (!hwy::IsFloat<T>()) return false;
    return optimized::HWY_NAMESPACE::HoldsNan(p, count, std::numeric_limits<T>::infinity());
  }
};

// Elements of 16 bits that Code makes lanes of. kInfinity: of halves, its bits.
template <class Code, int16_t kCode, int16_t kInfinity = 0>
struct CodedSource {
  using T = int16_t;
  using D = hn::ScalableTag<T>;
  using V = hn::Vec<D>;

  static HWY_INLINE V Load(const T* p) { return Code::Enter(hn::LoadU(D(), p), kCode); }
  static HWY_INLINE V LoadEvery2(const T* p) {
    V even, odd;
    LoadBoth(p, even, odd);
    return even;
  }
  static HWY_INLINE void LoadBoth(const T* p, V& even, V& odd) {
    Split(D(), Load(p), Load(p + hn::Lanes(D())), even, odd);
  }
  static HWY_INLINE void Store(V v, T* p) { hn::StoreU(Code::Leave(v, kCode), D(), p); }
  static bool HoldsNan(const T* p, int64_t count) {
    return kInfinity != 0 && optimized::HWY_NAMESPACE::HoldsNan(p, count, kInfinity);
  }
};
using U16Source = CodedSource<SignCode, std::numeric_limits<int16_t>::lowest()>;
template <int16_t kInfinity>
using HalfSource = CodedSource<HalfCode, static_cast<int16_t>(~kInfinity), kInfinity>;

// i8 or u8 as lanes of 16 bits. Two neighbours are where one lane is, so to take every second needs no shuffle.
template <typename Byte>
struct ByteSource {
  using T = Byte;
  using D = hn::ScalableTag<int16_t>;
  using V = hn::Vec<D>;

  static HWY_INLINE V Load(const T* p) { return hn::PromoteTo(D(), hn::LoadU(hn::Rebind<T, D>(), p)); }
  static HWY_INLINE V LoadEvery2(const T* p) { return Lower(LoadPairs(p)); }
  static HWY_INLINE void LoadBoth(const T* p, V& even, V& odd) {
    const V pairs = LoadPairs(p);
    even = Lower(pairs);
    odd = Upper(pairs);
  }
  static HWY_INLINE void Store(V v, T* p) {
    const hn::Rebind<T, D> narrow;
    hn::StoreU(hn::DemoteTo(narrow, v), narrow, p);
  }
  static bool HoldsNan(const T*, int64_t) { return false; }

 private:
  static HWY_INLINE V LoadPairs(const T* p) { return hn::BitCast(D(), hn::LoadU(hn::Repartition<T, D>(), p)); }
  static HWY_INLINE V Lower(V pairs) {
    if constexpr (std::is_signed_v<T>) return hn::ShiftRight<8>(hn::ShiftLeft<8>(pairs));
    return hn::And(pairs, hn::Set(D(), 0xFF));
  }
  static HWY_INLINE V Upper(V pairs) {
    if constexpr (std::is_signed_v<T>) return hn::ShiftRight<8>(pairs);
    return hn::BitCast(D(), hn::ShiftRight<8>(hn::BitCast(hn::RebindToUnsigned<D>(), pairs)));
  }
};

// Which taps of a strip may lie in the padding: none, those of the first half, of the second, or any.
enum class Edge : uint8_t { kNone, kBegin, kEnd, kAny };

// A strip: one vector of neighbouring windows, on several output rows. S: what elements are (the sources above).
template <class B, class S>
struct WindowStrip {
  using T = typename S::T;
  using L = typename B::L;
  using I = typename B::I;
  using D = typename B::D;
  using DI = typename B::DI;
  using V = hn::Vec<D>;
  using VI = hn::Vec<DI>;

  // Begin of the window of the first output row, in rows, and from there to the next windows and taps. `from`
  // is the first column of the strip in row 0.
  const T* from;
  int64_t row, row_advance, row_step, rows;
  int64_t in, step;  // length of a row, columns from tap to tap
  int64_t ahead;     // elements from what is read to what the next band reads
  int64_t base;      // index of column 0 of row 0
  const I* begin;    // first columns of windows, at the strip, and from there to their first taps inside
  const I* inside;
  T* to;
  IndexArray index;
  int64_t out_advance, count;  // from output row to output row, and how many
  int64_t rows_ahead;          // output rows from what is written to what is asked for

  // kTaps along the width, kHigh along the height. kStride: of the width, and of the height if kHigh > 1.
  template <int kStride, int kTaps, int kHigh, Edge kEdge>
  HWY_NOINLINE void Run() const {
    const WindowStrip s = *this;
    const DI di;
    const VI columns = hn::LoadU(di, s.begin), padding = hn::LoadU(di, s.inside);
    const auto tap0 = s.Inside(columns, 0), tap1 = s.Inside(columns, s.step), tap2 = s.Inside(columns, 2 * s.step);
    const auto row_at = [&](int64_t y)
                            HWY_ATTR { return s.template Row<kStride, kTaps, kEdge>(y, tap0, tap1, tap2, tap2, tap2); };
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

  // 5 taps along both, of stride 1: pairs of rows are kept, the first of each window.
  template <Edge kEdge>
  HWY_NOINLINE void RunFive() const {
    const WindowStrip s = *this;
    const DI di;
    const VI columns = hn::LoadU(di, s.begin), padding = hn::LoadU(di, s.inside);
    const auto tap0 = s.Inside(columns, 0), tap1 = s.Inside(columns, s.step), tap2 = s.Inside(columns, 2 * s.step),
               tap3 = s.Inside(columns, 3 * s.step), tap4 = s.Inside(columns, 4 * s.step);
    const auto row_at = [&](int64_t y)
                            HWY_ATTR { return s.template Row<1, 5, kEdge>(y, tap0, tap1, tap2, tap3, tap4); };
    const int64_t next = s.row_step * s.in;
    const VI one = hn::Set(di, static_cast<I>(next)), two = hn::Set(di, static_cast<I>(2 * next)),
             four = hn::Set(di, static_cast<I>(4 * next));
    int64_t y = s.row;
    B pair0 = row_at(y), pair1 = row_at(y + s.row_step), pair2 = row_at(y + 2 * s.row_step);
    B above = row_at(y + 3 * s.row_step);
    pair0.JoinBest(pair1, one);
    pair1.JoinBest(pair2, one);
    pair2.JoinBest(above, one);
    for (int64_t r = 0; r < s.count; ++r, y += s.row_advance) {
      const B bottom = row_at(y + 4 * s.row_step);
      B best = pair0;
      best.JoinBest(pair2, two);
      best.JoinBest(bottom, four);
      pair0 = pair1;
      pair1 = pair2;
      pair2 = above;
      pair2.JoinBest(bottom, one);
      above = bottom;
      s.Finish(best, y, r, columns, padding);
    }
  }

 private:
  // Stores output row r, whose windows begin at row y. A window of nothing but the lowest value points to its
  // first tap, which may be padding.
  HWY_INLINE void Finish(const B& best, int64_t y, int64_t r, VI columns, VI padding) const {
    S::Store(best.value, to + r * out_advance);
    const DI di;
    VI least = padding;
    if (y < 0) {
      const int64_t missing = (-y + row_step - 1) / row_step * row_step;
      least = hn::Add(least, hn::Set(di, static_cast<I>(missing * in)));
    }
    const int64_t n = static_cast<int64_t>(hn::Lanes(di));
    PrefetchOutput(to, index, (r + rows_ahead) * out_advance, n);
    StoreIndex(di, hn::Add(hn::Max(best.at, least), columns), base + y * in, index.From(r * out_advance), n);
  }

  HWY_INLINE hn::Mask<D> Inside(VI columns, int64_t distance) const {
    const DI di;
    const VI column = hn::Add(columns, hn::Set(di, static_cast<I>(distance)));
    const auto both = hn::And(hn::Gt(column, hn::Set(di, I{-1})), hn::Lt(column, hn::Set(di, static_cast<I>(in))));
    return hn::RebindMask(D(), both);
  }

  // Of tap `kTap` of kTaps, lanes in the padding become what no maximum takes.
  template <Edge kEdge, int kTap, int kTaps>
  static HWY_INLINE V Mask(hn::Mask<D> inside, V v) {
    constexpr bool kPadded = kEdge == Edge::kAny || (kEdge == Edge::kBegin && kTap < kTaps / 2) ||
                             (kEdge == Edge::kEnd && kTap >= (kTaps + 1) / 2);
    return kPadded ? hn::IfThenElse(inside, v, hn::Set(D(), IdentityOfMax<L>())) : v;
  }

  // The taps in row y. Windows of fewer than 5 have no use for the last masks.
  template <int kStride, int kTaps, Edge kEdge, class M>
  HWY_INLINE B Row(int64_t y, M tap0, M tap1, M tap2, M tap3, M tap4) const {
    if (static_cast<uint64_t>(y) >= static_cast<uint64_t>(rows)) return B::None();
    const T* p = from + y * in;
    hwy::Prefetch(p + ahead);
    if (kStride == 2) hwy::Prefetch(p + ahead + hn::Lanes(D()));
    V first, second;
    if constexpr (kStride == 1) {
      first = S::Load(p);
      second = S::Load(p + step);
    } else {
      S::LoadBoth(p, first, second);
    }
    B best = B::First(Mask<kEdge, 0, kTaps>(tap0, first));
    best.JoinTap(Mask<kEdge, 1, kTaps>(tap1, second), step);
    if constexpr (kTaps >= 3) {
      const V third = kStride == 1 ? S::Load(p + 2 * step) : S::LoadEvery2(p + 2);
      best.JoinTap(Mask<kEdge, 2, kTaps>(tap2, third), 2 * step);
    }
    if constexpr (kTaps == 5) {
      best.JoinTap(Mask<kEdge, 3, kTaps>(tap3, S::Load(p + 3 * step)), 3 * step);
      best.JoinTap(Mask<kEdge, 4, kTaps>(tap4, S::Load(p + 4 * step)), 4 * step);
    }
    return best;
  }
};

}  // namespace
}  // namespace HWY_NAMESPACE
}  // namespace poolproof::optimized
HWY_AFTER_NAMESPACE();

#endif  // per-target guard
