// Factors that sums are multiplied with or divided by, for one target.
#if defined(POOLPROOF_OPTIMIZED_KERNELS_FACTORS_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef POOLPROOF_OPTIMIZED_KERNELS_FACTORS_INL_H_
#undef POOLPROOF_OPTIMIZED_KERNELS_FACTORS_INL_H_
#else
#define POOLPROOF_OPTIMIZED_KERNELS_FACTORS_INL_H_
#endif

#include <algorithm>

#include "optimized/kernels/means-inl.h"

HWY_BEFORE_NAMESPACE();
namespace poolproof::optimized {
namespace HWY_NAMESPACE {
namespace {

// Factors or divisors of sums, for every output of a row.
template <typename L>
class Factors {
 public:
  // width: the windows along it.
  Factors(const Plan& plan, const Span* width, Scratch& scratch)
      : plan_(plan),
        width_(width),
        out_(plan.axis[2].out),
        copies_(plan.inner),
        pitch_(out_ * copies_ + kMaxLanes),
        fits_(MostWindowRows(plan) < kSlots),
        factors_(scratch.Get<L>(kWorkSlot, kSlots * pitch_)),
        rounding_(RoundingOf<L>(plan)) {
    std::fill_n(rows_, kSlots, int64_t{-1});
  }

  Rounding rounding() const { return rounding_; }

  // Factors in use at a time.
  static constexpr int64_t kSlots = 32;

  // Factors of windows over `rows` input rows. Valid until the next call with the same `use`, below kSlots.
  HWY_INLINE const L* Of(int64_t rows, int64_t use) {
    if (plan_.divisor != Divisor::kInside) rows = 0;
    const int64_t slot = fits_ ? rows : use;
    if (rows_[slot] != rows) {
      Fill(rows, factors_ + slot * pitch_);
      rows_[slot] = rows;
    }
    return factors_ + slot * pitch_;
  }

 private:
  HWY_NOINLINE void Fill(int64_t rows, L* factors) const {
    const bool inside = plan_.divisor == Divisor::kInside;
    for (int64_t j = 0, end; j < out_; j = end) {
      // Most windows have as many taps as their neighbours.
      for (end = j + 1; end < out_ && (!inside || width_[end].taps == width_[j].taps);) ++end;
      const int64_t taps = DivisorOf(plan_, std::max<int64_t>(1, rows * width_[j].taps));
      std::fill_n(factors + j * copies_, (end - j) * copies_, FactorOf<L>(taps, rounding_));
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
