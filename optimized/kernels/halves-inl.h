// Means of 64-bit integers, for one target: the high and the low 32 bits are summed apart, in f64 lanes that
// hold such sums exactly, and divided like two digits on paper.
#if defined(POOLPROOF_OPTIMIZED_KERNELS_HALVES_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef POOLPROOF_OPTIMIZED_KERNELS_HALVES_INL_H_
#undef POOLPROOF_OPTIMIZED_KERNELS_HALVES_INL_H_
#else
#define POOLPROOF_OPTIMIZED_KERNELS_HALVES_INL_H_
#endif

#include <algorithm>

#include "optimized/kernels/mean_rows-inl.h"

HWY_BEFORE_NAMESPACE();
namespace poolproof::optimized {
namespace HWY_NAMESPACE {
namespace {

// The bits of 2^52: with 32 bits of an integer in its last place, it is 2^52 plus that integer.
constexpr uint64_t kBits52 = 0x4330000000000000u;

// The high or the low half of T, int64_t or uint64_t. x = high * 2^32 + low, low >= 0.
template <typename T, bool kHigh>
struct HalfOf : LanesAsParts {
  using Stored = uint64_t;
  using Lane = double;

  template <class D>
  static HWY_INLINE hn::VFromD<D> LoadPart(D d, const uint64_t* p) {
    const hn::RebindToUnsigned<D> du;
    constexpr bool kCentred = kHigh && std::is_signed_v<T>;
    auto bits = hn::LoadU(du, p);
    if (kCentred) bits = hn::Xor(bits, hn::Set(du, uint64_t{1} << 63));
    bits = kHigh ? hn::ShiftRight<32>(bits) : hn::And(bits, hn::Set(du, 0xFFFFFFFFu));
    const auto raised = hn::BitCast(d, hn::Or(bits, hn::Set(du, kBits52)));
    return hn::Sub(raised, hn::Set(d, kCentred ? 0x1p52 + 0x1p31 : 0x1p52));
  }
};

// (high * 2^32 + low) / count, truncated. Exact for |high| and low below 2^50 and counts up to 2^17: then the
// digits' dividends x stay below 2^50, and of those Floor((x + 1/2) * (1 / count)) is the exact quotient, see
// MeanOf.
template <typename T, class D, class V>
HWY_INLINE hn::VFromD<hn::RebindToUnsigned<D>> DivideHalves(D d, V high, V low, V count) {
  const hn::RebindToUnsigned<D> du;
  const V half = hn::Set(d, 0.5), reciprocal = hn::Div(hn::Set(d, 1.0), count);
  const V first = hn::Floor(hn::Mul(hn::Add(high, half), reciprocal));
  const V rest = hn::Add(hn::Mul(hn::Sub(high, hn::Mul(first, count)), hn::Set(d, 0x1p32)), low);
  const V second = hn::Floor(hn::Mul(hn::Add(rest, half), reciprocal));
  // As integers: added to 1.5 * 2^52, a small integer is in the last bits of the sum.
  const V magic = hn::Set(d, 0x1.8p52);
  const auto bits = [&](V v) HWY_ATTR { return hn::Sub(hn::BitCast(du, hn::Add(v, magic)), hn::BitCast(du, magic)); };
  const auto floor = hn::Add(hn::ShiftLeft<32>(bits(first)), bits(second));
  if constexpr (std::is_unsigned_v<T>) {
    return floor;
  } else {
    const auto inexact = hn::Gt(hn::Sub(rest, hn::Mul(second, count)), hn::Zero(d));
    const auto one = bits(hn::IfThenElseZero(inexact, hn::Set(d, 1.0)));
    return hn::Add(floor, hn::And(one, hn::ShiftRight<63>(floor)));
  }
}

template <typename T>
class MeanHalves {
 public:
  MeanHalves(const Plan& plan, const Buffers& buffers, int64_t begin, int64_t end, Scratch& scratch)
      : plan_(plan),
        buffers_(buffers),
        begin_(begin),
        end_(end),
        scratch_(scratch),
        row_(plan.axis[2].out * plan.inner),
        chunk_(std::clamp<int64_t>(kChunk / OutLanes(), 1, kMostPlanes)),
        high_(scratch.Get<double>(kHighSlot, chunk_ * OutLanes() + kMaxLanes)),
        low_(scratch.Get<double>(kLowSlot, chunk_ * OutLanes() + kMaxLanes)),
        counts_(scratch.Get<double>(kCountSlot, row_ + kMaxLanes)) {
    std::fill_n(high_ + chunk_ * OutLanes(), kMaxLanes, 0.0);
    std::fill_n(low_ + chunk_ * OutLanes(), kMaxLanes, 0.0);
    std::fill_n(counts_ + row_, kMaxLanes, 1.0);
  }

  HWY_ATTR void Run() {
    for (int64_t plane = begin_; plane < end_; plane += chunk_) {
      const int64_t planes = std::min(chunk_, end_ - plane);
      Plan part = plan_;
      part.outer = planes;
      const void* in = static_cast<const uint64_t*>(buffers_.in) + plane * plan_.InPlane() * plan_.inner;
      MeanRows<double, false>(part, SumsOf<HalfOf<T, true>>(), {in, high_, nullptr}, 0, planes, scratch_).Run();
      MeanRows<double, false>(part, SumsOf<HalfOf<T, false>>(), {in, low_, nullptr}, 0, planes, scratch_).Run();
      Divide(plane, planes);
    }
  }

 private:
  static constexpr int64_t kChunk = 8192, kMostPlanes = 64;
  static constexpr int64_t kMostCount = 1 << 17;

  int64_t OutLanes() const { return plan_.OutPlane() * plan_.inner; }

  void Divide(int64_t plane, int64_t planes) {
    T* to = static_cast<T*>(buffers_.out) + plane * OutLanes();
    int64_t at = 0;
    for (int64_t p = 0; p < planes; ++p) {
      for (int64_t d = 0; d < plan_.axis[0].out; ++d) {
        const int64_t deep = plan_.axis[0].SpanAt(d).taps;
        for (int64_t h = 0; h < plan_.axis[1].out; ++h, at += row_) {
          SetCounts(deep * plan_.axis[1].SpanAt(h).taps);
          DivideRow(at, to + at);
        }
      }
    }
  }

  // Taps of the windows over `rows` input rows.
  void SetCounts(int64_t rows) {
    if (rows == rows_) return;
    rows_ = rows;
    const bool inside = plan_.divisor == Divisor::kInside;
    most_ = inside ? 0 : plan_.KernelTaps();
    for (int64_t j = 0; j < plan_.axis[2].out; ++j) {
      const int64_t taps = std::max<int64_t>(1, rows * plan_.axis[2].SpanAt(j).taps);
      most_ = std::max(most_, taps);
      std::fill_n(counts_ + j * plan_.inner, plan_.inner, static_cast<double>(inside ? taps : plan_.KernelTaps()));
    }
  }

  HWY_NOINLINE void DivideRow(int64_t at, T* to) const {
    if (most_ > kMostCount) return DivideRowSlowly(at, to);
    const hn::ScalableTag<double> d;
    const hn::RebindToUnsigned<decltype(d)> du;
    const int64_t n = static_cast<int64_t>(hn::Lanes(d));
    uint64_t last[kMaxLanes];
    for (int64_t i = 0; i < row_; i += n) {
      const auto mean =
          DivideHalves<T>(d, hn::LoadU(d, high_ + at + i), hn::LoadU(d, low_ + at + i), hn::LoadU(d, counts_ + i));
      if (i + n <= row_) {
        hn::StoreU(mean, du, reinterpret_cast<uint64_t*>(to) + i);
      } else {
        hn::StoreU(mean, du, last);
        std::memcpy(to + i, last, static_cast<size_t>(row_ - i) * sizeof(T));
      }
    }
  }

  // Windows of more than 2^17 taps.
  void DivideRowSlowly(int64_t at, T* to) const {
    for (int64_t i = 0; i < row_; ++i) {
      const __int128 high = static_cast<int64_t>(high_[at + i]), low = static_cast<int64_t>(low_[at + i]);
      const bool inside = plan_.divisor == Divisor::kInside;
      const int64_t count = inside ? static_cast<int64_t>(counts_[i]) : plan_.KernelTaps();
      to[i] = static_cast<T>((high * (int64_t{1} << 32) + low) / count);
    }
  }

  const Plan& plan_;
  const Buffers& buffers_;
  const int64_t begin_, end_;
  Scratch& scratch_;
  const int64_t row_;    // elements of an output row
  const int64_t chunk_;  // planes at a time
  double* const high_;   // sums of a chunk
  double* const low_;
  double* const counts_;
  int64_t rows_ = -1, most_ = 0;
};

}  // namespace
}  // namespace HWY_NAMESPACE
}  // namespace poolproof::optimized
HWY_AFTER_NAMESPACE();

#endif  // per-target guard
