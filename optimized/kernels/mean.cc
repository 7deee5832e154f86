// Means of every type, in rows and with a lane per plane.
#include "optimized/kernels/kernels.h"

#include <algorithm>
#include <bit>

// clang-format off
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "optimized/kernels/mean.cc"
#include "hwy/foreach_target.h"
#include "hwy/highway.h"
#include "optimized/kernels/folded-inl.h"
#include "optimized/kernels/interleaved-inl.h"
#include "optimized/kernels/rows-inl.h"
// clang-format on

HWY_BEFORE_NAMESPACE();
namespace poolproof::optimized {
namespace HWY_NAMESPACE {
namespace {

template <class C, typename L = typename C::Lane>
bool SumDown(const FoldJob<L>& rows, FoldTo to) {
  return FoldRows(SumFold<C>(), rows, to) != 0;
}

// Rows of elements whose sums have the same lanes are one class.
template <class C, bool kStored = kIsFloat<C> && sizeof(typename C::Stored) == sizeof(typename C::Lane)>
constexpr RowReducer<SumFold<FloatMean<typename C::Lane>>, kStored> RowMeanOf() {
  return {{}, sizeof(typename C::Stored), SumDown<C>, kStored ? nullptr : StoreMeans<C>};
}

// Calls pool(codec) with that of the plan's elements. is_short: whether sums of bytes have lanes of 16 bits.
template <class F>
void WithCodec(const Plan& plan, bool is_short, const F& pool) {
  const bool is_small = SumBits(plan) <= 24;  // whether lanes of f32 hold sums
  ForType(plan.type, [&](auto element) {
    using T = decltype(element);
    if constexpr (std::is_same_v<T, F16>) {
      pool(F16Mean());
    } else if constexpr (std::is_same_v<T, BF16>) {
      pool(BF16Mean());
    } else if constexpr (std::is_floating_point_v<T> || sizeof(T) == 8) {
      pool(FloatMean<T>());
    } else {
      if constexpr (sizeof(T) == 1) {
        if (is_short) return pool(ByteMean<T>());
      }
      if constexpr (sizeof(T) <= 2) {
        if (is_small) return pool(SmallMean<T>());
      }
      pool(WideMean<T>());
    }
  });
}

template <template <class> class Kernel>
void PoolPlanes(const Plan& plan, const Buffers& buffers, int64_t begin, int64_t end, Scratch& scratch) {
  WithCodec(plan, SumBits(plan) <= 16, [&](auto codec) {
    using C = decltype(codec);
    // Sums of bytes that need more bits are not taken.
    if constexpr (sizeof(typename C::Stored) > 1 || sizeof(typename C::Lane) < 8) {
      Kernel<MeanOutputs<C>>(Lanes(plan), buffers, {}, scratch).Run(begin, end);
    }
  });
}

void PoolRows(const Plan& plan, const Buffers& buffers, int64_t begin, int64_t end, Scratch& scratch) {
  WithCodec(plan, HasShortSums(plan), [&](auto codec) {
    using L = typename decltype(codec)::Lane;
    // Sums of 64-bit integers may overflow.
    if constexpr (hwy::IsFloat<L>() || sizeof(L) < 8) {
      const auto mean = RowMeanOf<decltype(codec)>();
      Rows<std::decay_t<decltype(mean)>>(plan, mean, buffers, begin, end, scratch).Run();
    }
  });
}

void PoolMean(Way way, const Plan& plan, const Buffers& buffers, int64_t begin, int64_t end, Scratch& scratch) {
  switch (way) {
    case Way::kRows: return PoolRows(plan, buffers, begin, end, scratch);
    case Way::kInterleaved: return PoolPlanes<Interleaved>(plan, buffers, begin, end, scratch);
    case Way::kFolded: return PoolPlanes<Folded>(plan, buffers, begin, end, scratch);
  }
}

}  // namespace
}  // namespace HWY_NAMESPACE
}  // namespace poolproof::optimized
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace poolproof::optimized {

int SumBits(const Plan& plan) {
  int64_t taps = 1;
  for (const Axis& axis : plan.axis) taps *= std::min(axis.kernel, axis.in);
  return static_cast<int>(8 * BytesOf(plan.type)) + (plan.quotient == Quotient::kConvergent ? 1 : 0) +
         static_cast<int>(std::bit_width(static_cast<uint64_t>(taps - 1)));
}

bool HasShortSums(const Plan& plan) {
  if (BytesOf(plan.type) != 1) return false;
  // The largest quotient; MLI's are of doubled sums.
  const int64_t most = plan.type == POOLPROOF_U8 ? 255 : plan.quotient == Quotient::kConvergent ? 256 : 128;
  const int64_t taps = plan.KernelTaps();
  return taps <= 16 && most * taps * taps + taps <= 65536;
}

HWY_EXPORT(PoolMean);

void MeanByVectors(Way way, const Plan& plan, const Buffers& buffers, int64_t begin, int64_t end, Scratch& scratch) {
  HWY_DYNAMIC_DISPATCH(PoolMean)(way, plan, buffers, begin, end, scratch);
}

}  // namespace poolproof::optimized
#endif
