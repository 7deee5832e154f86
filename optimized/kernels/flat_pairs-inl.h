// Maxima or means over windows of 2 x 2 elements, two apart, that cover planes of short rows (HasFlatPairs in rows.h),
// for one target: first of neighbours, along all rows as if they were one, then of each row and the next.
#if defined(POOLPROOF_OPTIMIZED_KERNELS_FLAT_PAIRS_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef POOLPROOF_OPTIMIZED_KERNELS_FLAT_PAIRS_INL_H_
#undef POOLPROOF_OPTIMIZED_KERNELS_FLAT_PAIRS_INL_H_
#else
#define POOLPROOF_OPTIMIZED_KERNELS_FLAT_PAIRS_INL_H_
#endif

#include <algorithm>

#include "optimized/kernels/lane_forms-inl.h"
#include "optimized/kernels/plain.h"

HWY_BEFORE_NAMESPACE();
namespace poolproof::optimized {
namespace HWY_NAMESPACE {
namespace {

// Maxima: what two elements become, and what four do. Rows of elements of magnitudes above Most(), or NaN, are pooled by
// Plain.
template <typename Lane>
struct MaxOfPairs {
  using L = Lane;
  static L Most() { return StoredLanes<L>().most; }
  template <class V>
  static HWY_INLINE V Join(V first, V second) {
    return MaxOf(first, second);
  }
  template <class V>
  static HWY_INLINE V Finish(V best) {
    return best;
  }
  static void Plain(const Plan& plan, const Buffers& buffers, int64_t plane, int64_t h) {
    PlainMaxRow(plan, buffers, plane, 0, h);
  }
};

// Means.
template <typename Lane>
struct MeanOfPairs {
  using L = Lane;
  static L Most() { return std::numeric_limits<L>::max() / 4; }  // no sum overflows
  template <class V>
  static HWY_INLINE V Join(V first, V second) {
    return hn::Add(first, second);
  }
  // A sum of nothing but negative zeros is zero.
  template <class V>
  static HWY_INLINE V Finish(V sum) {
    const hn::DFromV<V> d;
    return hn::Mul(hn::Add(sum, hn::Zero(d)), hn::Set(d, L{0.25}));
  }
  static void Plain(const Plan& plan, const Buffers& buffers, int64_t plane, int64_t h) {
    PlainAverageRow(plan, buffers, plane, 0, h);
  }
};

// P: MaxOfPairs or MeanOfPairs.
template <class P>
class FlatPairs {
 public:
  using L = typename P::L;

  FlatPairs(const Plan& plan, const Buffers& buffers, Scratch& scratch)
      : plan_(plan), buffers_(buffers), height_(plan.axis[1].out), width_(plan.axis[2].out),
        together_(kElements / (4 * width_) / kAligned * kAligned),
        pairs_(scratch.Get<L>(kRowSlot, kElements / 2 + 2 * kMaxLanes)) {}

  HWY_ATTR void Run(int64_t begin, int64_t end) {
    for (int64_t row = begin * height_; row < end * height_; row += together_) {
      Rows(row, std::min(together_, end * height_ - row));
    }
  }

 private:
  static constexpr int64_t kElements = 4096;  // of rows taken together, which stay in the cache
  static constexpr int64_t kAligned = 16;     // rows, so that all of them together begin where a cache line does
  static_assert(kElements >= 4 * kMaxShortRow * kAligned);

  // Output rows, counted through all planes. Each is of two input rows, so of 4 * width_ elements.
  HWY_INLINE void Rows(int64_t row, int64_t count) const {
    const L* from = static_cast<const L*>(buffers_.in) + row * 4 * width_;
    const bool replace = JoinNeighbours(from, count * 2 * width_);
    L* const to = static_cast<L*>(buffers_.out) + row * width_;
    if (width_ <= 4) {
      JoinRows<4>(count, to);
    } else if (width_ <= 8) {
      JoinRows<8>(count, to);
    } else {
      JoinRows<16>(count, to);
    }
    if (replace) Replace(row, count, from);
  }

  // Returns whether an element is of too large a magnitude, or NaN.
  HWY_NOINLINE bool JoinNeighbours(const L* from, int64_t count) const {
    const hn::ScalableTag<L> d;
    const int64_t n = static_cast<int64_t>(hn::Lanes(d));
    [[maybe_unused]] auto largest = hn::Zero(hn::RebindToSigned<decltype(d)>());
    const auto join = [&](const L* p, L* to) HWY_ATTR {
      hn::Vec<decltype(d)> even, odd;
      Deinterleave(d, p, even, odd);
      if constexpr (hwy::IsFloat<L>()) {
        largest = hn::Max(largest, hn::Max(MagnitudeBits(even), MagnitudeBits(odd)));
      }
      hn::StoreU(P::Join(even, odd), d, to);
    };
    const auto vector = [&](int64_t i) HWY_ATTR { join(from + 2 * i, pairs_ + i); };
    const auto part = [&]() HWY_ATTR {
      L some[2 * kMaxLanes] = {};
      std::copy_n(from, 2 * count, some);
      join(some, pairs_);
    };
    ForVectorsOf(n, count, vector, part);
    if constexpr (hwy::IsFloat<L>()) return IsNanMagnitude(d, largest, P::Most());
    return false;
  }

  // kLanes: no vector has more, since a row is written past its end, where the next one begins.
  template <int64_t kLanes>
  HWY_NOINLINE void JoinRows(int64_t rows, L* to) const {
    const hn::CappedTag<L, kLanes> d;
    const int64_t n = static_cast<int64_t>(hn::Lanes(d));
    const auto join = [d](const L* above, const L* below) HWY_ATTR {
      return P::Finish(P::Join(hn::LoadU(d, above), hn::LoadU(d, below)));
    };
    const int64_t whole = std::max<int64_t>(0, rows - (kLanes + width_ - 1) / width_);
    const L* row = pairs_;
    for (int64_t r = 0; r < whole; ++r, row += 2 * width_, to += width_) {
      for (int64_t j = 0; j < width_; j += n) hn::StoreU(join(row + j, row + width_ + j), d, to + j);
    }
    for (int64_t r = whole; r < rows; ++r, row += 2 * width_, to += width_) {
      L last[kMaxShortRow + kLanes];
      for (int64_t j = 0; j < width_; j += n) hn::StoreU(join(row + j, row + width_ + j), d, last + j);
      std::copy_n(last, width_, to);
    }
  }

  HWY_NOINLINE void Replace(int64_t row, int64_t count, const L* from) const {
    for (int64_t r = row; r < row + count; ++r, from += 4 * width_) {
      if (HoldsNan(from, 4 * width_, P::Most())) P::Plain(plan_, buffers_, r / height_, r % height_);
    }
  }

  const Plan& plan_;
  const Buffers& buffers_;
  const int64_t height_, width_;  // of the output
  const int64_t together_;        // output rows
  L* const pairs_;                // of neighbours, as many rows as the input has
};

}  // namespace
}  // namespace HWY_NAMESPACE
}  // namespace poolproof::optimized
HWY_AFTER_NAMESPACE();

#endif  // per-target guard
