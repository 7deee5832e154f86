// From sums to means, for one target.
#if defined(POOLPROOF_OPTIMIZED_KERNELS_QUOTIENT_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef POOLPROOF_OPTIMIZED_KERNELS_QUOTIENT_INL_H_
#undef POOLPROOF_OPTIMIZED_KERNELS_QUOTIENT_INL_H_
#else
#define POOLPROOF_OPTIMIZED_KERNELS_QUOTIENT_INL_H_
#endif

#include <algorithm>

#include "optimized/kernels/lanes-inl.h"
#include "optimized/kernels/mean_kernels.h"
#include "optimized/kernels/rows.h"

HWY_BEFORE_NAMESPACE();
namespace poolproof::optimized {
namespace HWY_NAMESPACE {
namespace {

// How integers are divided; kept by value in loops that store bytes.
struct Rounding {
  bool divide;      // by the number of taps; else multiplied by its reciprocal
  bool convergent;  // MLI's
};

// The mean of lanes that hold sums. Integers are not yet truncated, unless they are rounded in another way.
//
// Reciprocals are rounded once, the product once more. Of integers x with |x| < 2^21 (f64 lanes: 2^50) that
// gives the exact quotient, truncated: (|x| + 1/2) / n is at least 1/2n away from any integer, and the two
// roundings move it by less. Larger ones are divided.
template <class C, class D, class V>
HWY_INLINE V MeanOf(D d, V sum, V factor, Rounding rounding) {
  using L = typename C::Lane;
  if constexpr (C::kSum) {
    return sum;
  } else if constexpr (C::kFloat) {
    return hn::Mul(sum, factor);
  } else {
    V x = sum;
    if (rounding.convergent) {
      x = hn::Add(x, x);
      if constexpr (sizeof(L) == 8) x = hn::Min(hn::Max(x, hn::Set(d, -0x1p31)), hn::Set(d, 0x1p31 - 1));
    }
    V mean;
    if (rounding.divide) {
      mean = hn::Div(x, factor);
    } else {
      mean = hn::Mul(hn::Add(x, hn::CopySignToAbs(hn::Set(d, L{0.5}), x)), factor);
    }
    return rounding.convergent ? hn::Round(hn::Mul(hn::Trunc(mean), hn::Set(d, L{0.5}))) : mean;
  }
}

// What sums are multiplied with or divided by, for every output of a row.
template <class C>
class Factors {
 public:
  using L = typename C::Lane;

  // One factor per cell, or one per element of the output row. `width` has the windows along it.
  Factors(const Plan& plan, bool cells, const Span* width, Scratch& scratch)
      : plan_(plan), width_(width), out_(plan.axis[2].out), copies_(cells ? 1 : plan.inner),
        pitch_(out_ * copies_ + kMaxLanes),
        fits_(MostRows(plan) < kSlots),
        factors_(scratch.Get<L>(kWorkSlot, kSlots * pitch_)),
        rounding_{!C::kFloat && SumBits(plan) > (sizeof(L) == 4 ? 21 : 50),
                  plan.quotient == Quotient::kConvergent} {
    std::fill_n(rows_, kSlots, int64_t{-1});
  }

  Rounding rounding() const { return rounding_; }

  // Factors in use at a time.
  static constexpr int64_t kSlots = 16;

  // Of windows over `rows` input rows. Valid until the next call with the same `use`, below kSlots.
  HWY_INLINE const L* Of(int64_t rows, int64_t use) {
    if (plan_.divisor == Divisor::kKernel) rows = 0;
    const int64_t slot = fits_ ? rows : use;
    if (rows_[slot] != rows) {
      Fill(rows, factors_ + slot * pitch_);
      rows_[slot] = rows;
    }
    return factors_ + slot * pitch_;
  }

 private:
  static int64_t MostRows(const Plan& plan) {
    return std::min(plan.axis[0].kernel, plan.axis[0].in) * std::min(plan.axis[1].kernel, plan.axis[1].in);
  }

  HWY_NOINLINE void Fill(int64_t rows, L* factors) const {
    for (int64_t j = 0; j < out_; ++j) {
      const bool inside = plan_.divisor == Divisor::kInside;
      const int64_t taps = inside ? std::max<int64_t>(1, rows * width_[j].taps) : plan_.KernelTaps();
      const L count = static_cast<L>(taps);
      std::fill_n(factors + j * copies_, copies_, rounding_.divide ? count : 1 / count);
    }
    std::fill_n(factors + out_ * copies_, kMaxLanes, L{1});
  }

  const Plan& plan_;
  const Span* const width_;
  const int64_t out_, copies_, pitch_;
  const bool fits_;  // every number of rows has a slot of its own
  L* const factors_;
  const Rounding rounding_;
  int64_t rows_[kSlots];  // of which the factors in each slot are
};

}  // namespace
}  // namespace HWY_NAMESPACE
}  // namespace poolproof::optimized
HWY_AFTER_NAMESPACE();

#endif  // per-target guard
