// Means of floats in registers, from rows of the tensor to rows of the output, for one target: of pairs that
// do not overlap, and of three neighbours. No step goes through memory.
#if defined(POOLPROOF_OPTIMIZED_KERNELS_MEAN_DIRECT_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef POOLPROOF_OPTIMIZED_KERNELS_MEAN_DIRECT_INL_H_
#undef POOLPROOF_OPTIMIZED_KERNELS_MEAN_DIRECT_INL_H_
#else
#define POOLPROOF_OPTIMIZED_KERNELS_MEAN_DIRECT_INL_H_
#endif

#include <algorithm>

#include "optimized/kernels/lanes-inl.h"

HWY_BEFORE_NAMESPACE();
namespace poolproof::optimized {
namespace HWY_NAMESPACE {
namespace {

// The windows along the width that there are loops for.
enum class Direct : uint8_t { kNone, kPairs, kNear };

inline Direct DirectOf(const RowShape& shape) {
  if (shape.IsPairs()) return Direct::kPairs;
  const bool near = shape.horizontal == Horizontal::kShift && shape.taps == 3 && shape.step == shape.inner &&
                    shape.left <= shape.step;
  return near ? Direct::kNear : Direct::kNone;
}

// Whether planes with windows kNear, in lanes of `lane_bytes`, are so small, with windows three rows high one below the
// other, that they are pooled in one piece.
inline bool HasNearPlanes(const Plan& plan, size_t lane_bytes) {
  constexpr int64_t kBytes = int64_t{32} * 1024;
  const Axis& high = plan.axis[1];
  const bool none_empty = high.pad < 3 && high.Begin(high.out - 1) < high.in;
  return plan.IsFlat() && none_empty && !high.adaptive && high.kernel == 3 && high.stride == 1 && high.dilation == 1 &&
         plan.InPlane() * plan.inner * static_cast<int64_t>(lane_bytes) <= kBytes;
}

// Output rows that follow each other. All loops return whether there may be means that are not finite.
template <typename L>
struct DirectRows {
  int64_t rows;
  int64_t lanes;     // of an output row
  int64_t step;      // from the input rows of one output row to those of the next
  const L* factors;  // of every output row
  L* to;
};

// Windows of two elements, two apart, without padding, over `count` rows that begin at taps[t].
template <typename L>
class PairMeans {
 public:
  using D = hn::ScalableTag<L>;
  using V = hn::Vec<D>;

  static bool Has(int64_t count) { return count == 1 || count == 2 || count == 4; }
  static bool Pool(const DirectRows<L>& out, const void* const* taps, int64_t count) {
    switch (count) {
      case 1: return PoolOf<1>(out, taps);
      case 2: return PoolOf<2>(out, taps);
      default: return PoolOf<4>(out, taps);
    }
  }

 private:
  template <int kCount>
  static HWY_NOINLINE bool PoolOf(const DirectRows<L>& out, const void* const* taps) {
    const D d;
    const int64_t n = static_cast<int64_t>(hn::Lanes(d)), lanes = out.lanes, step = out.step;
    const L* p[kCount];
    for (int t = 0; t < kCount; ++t) p[t] = static_cast<const L*>(taps[t]);
    const L* factors = out.factors;
    L* to = out.to;
    V bad = hn::Zero(d);
    for (int64_t r = out.rows; r > 0; --r, to += lanes) {
      for (int64_t i = 0; i < lanes; i += n) {
        V low = hn::LoadU(d, p[0] + 2 * i), high = hn::LoadU(d, p[0] + 2 * i + n);
        for (int t = 1; t < kCount; ++t) {
          low = hn::Add(low, hn::LoadU(d, p[t] + 2 * i));
          high = hn::Add(high, hn::LoadU(d, p[t] + 2 * i + n));
        }
        V even, odd;
        Split(d, low, high, even, odd);
        const V mean = hn::Mul(hn::Add(even, odd), hn::LoadU(d, factors + i));
        hn::StoreU(mean, d, to + i);
        bad = hn::Or(bad, hn::Sub(mean, mean));
      }
      for (int t = 0; t < kCount; ++t) p[t] += step;
    }
    return !hn::AllFalse(d, hn::IsNaN(bad));
  }
};

// Windows of three elements, stride 1, over up to three rows below each other. Elements are added up along the
// row first; what every row gives is kept for the windows below. Elements beside the row, which are read, do
// not count.
template <typename L>
class NearMeans {
 public:
  using D = hn::ScalableTag<L>;
  using V = hn::Vec<D>;

  NearMeans(const RowShape& shape) : width_(shape.in_lanes), left_(shape.left), apart_(shape.step) {}

  static constexpr int64_t kMostRows = 3;
  // All output rows of a plane whose windows are three rows high, one below the other: `pad` rows lie above the
  // first of the `height` rows from `from` on. factors: of each output row.
  HWY_NOINLINE bool PoolPlane(const DirectRows<L>& out, const L* const* factors, const L* from, int64_t height,
                              int64_t pad) const {
    const int64_t n = static_cast<int64_t>(hn::Lanes(D())), lanes = out.lanes;
    V bad = hn::Zero(D());
    // The last column first, as below.
    for (int64_t i = (lanes - 1) / n * n; i >= 0; i -= n) {
      const bool begins = i<left_, ends = i + n - left_ + 2 * apart_> width_;
      if (begins && ends) {
        PlaneColumn<true, true>(out, factors, from, height, pad, i, bad);
      } else if (begins) {
        PlaneColumn<true, false>(out, factors, from, height, pad, i, bad);
      } else if (ends) {
        PlaneColumn<false, true>(out, factors, from, height, pad, i, bad);
      } else {
        PlaneColumn<false, false>(out, factors, from, height, pad, i, bad);
      }
    }
    return !hn::AllFalse(D(), hn::IsNaN(bad));
  }

  // `from` is the first row of the first window. With more than one output row, out.step is that of rows,
  // unless `count` is 1.
  bool Pool(const DirectRows<L>& out, const L* from, int64_t count) const {
    switch (count) {
      case 1: return PoolOf<1>(out, from);
      case 2: return PoolOf<2>(out, from);
      default: return PoolOf<3>(out, from);
    }
  }

 private:
  template <int kRows>
  HWY_NOINLINE bool PoolOf(const DirectRows<L>& out, const L* from) const {
    const int64_t n = static_cast<int64_t>(hn::Lanes(D())), lanes = out.lanes;
    V bad = hn::Zero(D());
    // The last column first: what it writes past the end of a row is the begin of the next one.
    const int64_t last = (lanes - 1) / n * n;
    EdgeColumn<kRows>(out, from, last, bad);
    for (int64_t i = 0; i < last; i += n) {
      if (i < left_ || i + n - left_ + 2 * apart_ > width_) {
        EdgeColumn<kRows>(out, from, i, bad);
      } else {
        Column<kRows, false>(out, from, i, bad);
      }
    }
    return !hn::AllFalse(D(), hn::IsNaN(bad));
  }

  // The lanes of tap `t`, for outputs from `i` on, that are inside of the row.
  HWY_INLINE hn::Mask<D> Inside(int64_t i, int64_t t) const {
    const D d;
    const int64_t n = static_cast<int64_t>(hn::Lanes(d)), first = left_ - i - t * apart_;
    const auto before = hn::FirstN(d, static_cast<size_t>(std::clamp<int64_t>(first, 0, n)));
    return hn::AndNot(before, hn::FirstN(d, static_cast<size_t>(std::clamp<int64_t>(first + width_, 0, n))));
  }

  // Where tap `t` of outputs from `i` on is, or anywhere if none of them is inside of the row.
  HWY_INLINE int64_t At(int64_t i, int64_t t) const {
    const int64_t at = i - left_ + t * apart_;
    return at < width_ ? at : 0;
  }

  // kBegins: the first taps may lie before the row; kEnds: the others behind it.
  template <bool kBegins, bool kEnds>
  HWY_NOINLINE void PlaneColumn(const DirectRows<L>& out, const L* const* factors, const L* from, int64_t height,
                                int64_t pad, int64_t i, V& bad) const {
    const D d;
    const auto inside0 = Inside(i, 0), inside1 = Inside(i, 1), inside2 = Inside(i, 2);
    const int64_t width = width_, at0 = At(i, 0), at1 = At(i, 1), at2 = At(i, 2);
    const auto sum_at = [&](int64_t y) HWY_ATTR {
      if (static_cast<uint64_t>(y) >= static_cast<uint64_t>(height)) return hn::Zero(d);
      const L* row = from + y * width;
      V a = hn::LoadU(d, row + at0), b = hn::LoadU(d, row + at1), c = hn::LoadU(d, row + at2);
      if (kBegins) a = hn::IfThenElseZero(inside0, a);
      if (kEnds) b = hn::IfThenElseZero(inside1, b);
      if (kEnds) c = hn::IfThenElseZero(inside2, c);
      return hn::Add(hn::Add(a, b), c);
    };
    V above = sum_at(1 - pad);
    V pair = hn::Add(sum_at(-pad), above), seen = bad;
    L* to = out.to + i;
    const int64_t read_ahead = i + out.rows * width, write_ahead = out.rows * out.lanes;
    for (int64_t r = 0; r < out.rows; ++r, to += out.lanes) {
      hwy::Prefetch(from + r * width + read_ahead);
      hwy::Prefetch(to + write_ahead);
      const V next = sum_at(r - pad + 2);
      const V mean = hn::Mul(hn::Add(pair, next), hn::LoadU(d, factors[r] + i));
      pair = hn::Add(above, next);
      above = next;
      hn::StoreU(mean, d, to);
      seen = hn::Or(seen, hn::Sub(mean, mean));
    }
    bad = seen;
  }

  template <int kRows>
  HWY_NOINLINE void EdgeColumn(const DirectRows<L>& out, const L* from, int64_t i, V& bad) const {
    Column<kRows, true>(out, from, i, bad);
  }

  // Outputs [i, i + n) of all rows.
  template <int kRows, bool kEdge>
  HWY_INLINE void Column(const DirectRows<L>& out, const L* from, int64_t i, V& bad) const {
    const D d;
    const auto inside0 = Inside(i, 0), inside1 = Inside(i, 1), inside2 = Inside(i, 2);
    const int64_t width = width_, step = kRows == 1 ? out.step : width;
    const int64_t at0 = At(i, 0), at1 = At(i, 1), at2 = At(i, 2);
    const auto sum_at = [&](const L* row) HWY_ATTR {
      V a = hn::LoadU(d, row + at0), b = hn::LoadU(d, row + at1), c = hn::LoadU(d, row + at2);
      if constexpr (kEdge) {
        a = hn::IfThenElseZero(inside0, a);
        b = hn::IfThenElseZero(inside1, b);
        c = hn::IfThenElseZero(inside2, c);
      }
      return hn::Add(hn::Add(a, b), c);
    };
    const V factor = hn::LoadU(d, out.factors + i);
    const int64_t n = static_cast<int64_t>(hn::Lanes(d));
    const L* p = from;
    L* to = out.to + i;
    V above = hn::Zero(d), pair = above;  // sums of the row above, and of both rows above
    if constexpr (kRows > 1) {
      above = sum_at(p);
      p += width;
    }
    if constexpr (kRows > 2) {
      const V next = sum_at(p);
      pair = hn::Add(above, next);
      above = next;
      p += width;
    }
    V seen = bad;
    // What the same column will need below these rows; where there is one row, further on in it.
    const bool one = out.rows == 1;
    const int64_t read_ahead = i + (one ? kVectorsAhead * n : out.rows * step);
    const int64_t write_ahead = one ? kVectorsAhead * n : out.rows * out.lanes;
    for (int64_t r = out.rows; r > 0; --r, p += step, to += out.lanes) {
      hwy::Prefetch(p + read_ahead);
      hwy::Prefetch(to + write_ahead);
      const V next = sum_at(p);
      V sum = next;
      if constexpr (kRows == 2) sum = hn::Add(above, next);
      if constexpr (kRows == 3) sum = hn::Add(pair, next);
      pair = hn::Add(above, next);
      above = next;
      const V mean = hn::Mul(sum, factor);
      hn::StoreU(mean, d, to);
      seen = hn::Or(seen, hn::Sub(mean, mean));
    }
    bad = seen;
  }

  const int64_t width_, left_, apart_;
};

}  // namespace
}  // namespace HWY_NAMESPACE
}  // namespace poolproof::optimized
HWY_AFTER_NAMESPACE();

#endif  // per-target guard
