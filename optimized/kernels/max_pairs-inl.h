// Maximum over windows two elements wide, two apart, without padding: both steps in registers. For one target.
#if defined(POOLPROOF_OPTIMIZED_KERNELS_MAX_PAIRS_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef POOLPROOF_OPTIMIZED_KERNELS_MAX_PAIRS_INL_H_
#undef POOLPROOF_OPTIMIZED_KERNELS_MAX_PAIRS_INL_H_
#else
#define POOLPROOF_OPTIMIZED_KERNELS_MAX_PAIRS_INL_H_
#endif

#include "optimized/kernels/max_codecs-inl.h"
#include "optimized/kernels/unrolled.h"

HWY_BEFORE_NAMESPACE();
namespace poolproof::optimized {
namespace HWY_NAMESPACE {
namespace {

// Output rows [0, rows), which follow each other at `to`; input row t of output row r begins at
// taps[t] + r * step. 1 <= count <= kUnrolled.
template <class C>
class Pairs {
 public:
  using L = typename C::Lane;
  using D = hn::ScalableTag<L>;

  // Returns whether there may be NaN.
  HWY_INLINE bool Band(const L* const* taps, int64_t count, int64_t step, int64_t rows, int64_t lanes,
                       L* to) const {
    bool suspicious = false;
    Unrolled(count, [&](auto n) HWY_ATTR { suspicious = BandOf<n.value>(taps, step, rows, lanes, to); });
    return suspicious;
  }

 private:
  template <int kCount>
  HWY_NOINLINE bool BandOf(const L* const* taps, int64_t step, int64_t rows, int64_t lanes, L* to) const {
    const D d;
    const int64_t n = static_cast<int64_t>(hn::Lanes(d));
    const L* p[kCount];
    for (int t = 0; t < kCount; ++t) p[t] = taps[t];
    typename C::Watch watch;
    for (int64_t r = 0; r < rows; ++r, to += lanes) {
      for (int64_t i = 0; i < lanes; i += n) {
        auto low = C::Load(d, p[0] + 2 * i), high = C::Load(d, p[0] + 2 * i + n);
        auto seen = C::Watch::Join(low, high);
        for (int t = 1; t < kCount; ++t) {
          const auto a = C::Load(d, p[t] + 2 * i), b = C::Load(d, p[t] + 2 * i + n);
          seen = C::Watch::Join(seen, C::Watch::Join(a, b));
          low = MaxOf(low, a);
          high = MaxOf(high, b);
        }
        hn::Vec<D> even, odd;
        Split(d, low, high, even, odd);
        const auto best = MaxOf(even, odd);
        watch.Elements(seen);
        watch.Maximum(best);
        C::Store(best, d, to + i);
      }
      for (int t = 0; t < kCount; ++t) p[t] += step;
    }
    return watch.Suspicious();
  }
};

}  // namespace
}  // namespace HWY_NAMESPACE
}  // namespace poolproof::optimized
HWY_AFTER_NAMESPACE();

#endif  // per-target guard
