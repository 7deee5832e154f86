#include "reference/mean_pooling.h"

#include <limits>

#include "reference/mean_window.h"

namespace poolproof::reference {
namespace {

constexpr long double kInfinity = std::numeric_limits<long double>::infinity();

// Tap after tap, every sum rounded to the element type.
template <typename E>
long double SumInType(const Plan& plan, Input<E> input, const WindowTaps& window) {
  long double sum = 0;
  ForEachTap(window, plan.in,
             [&](int64_t offset) { sum = E::Load(E::Round(sum + static_cast<long double>(E::Load(input[offset])))); });
  return sum;
}

// Every tap times the reciprocal of the divisor, both rounded to W, and every sum.
template <typename W, typename E>
long double SumOfScaled(const Plan& plan, Input<E> input, const WindowTaps& window, int64_t divisor) {
  const long double scale = W::Load(W::Round(1.0L / static_cast<long double>(divisor)));
  long double sum = 0;
  ForEachTap(window, plan.in, [&](int64_t offset) {
    const long double tap = W::Load(W::Round(static_cast<long double>(E::Load(input[offset])) * scale));
    sum = W::Load(W::Round(sum + tap));
  });
  return sum;
}

// Infinity where every order of adding overflows, otherwise 0; `largest` bounds the taps.
template <typename E>
long double OverflowOf(const Plan& plan, Input<E> input, const WindowTaps& window, long double largest,
                       Context& context) {
  const Accumulator accumulator = AccumulatorOf<E>(context.readings);
  const long double most = largest * static_cast<long double>(window.Count());
  if (most < accumulator.half_range) return 0;
  const TapSums sums = SumsOf<E>(plan, input, window);
  if (!sums.MayOverflow(accumulator, false) && !sums.MayOverflow(accumulator, true)) return 0;
  context.touched.Add(Entry::kMeanOverflow);
  const bool overflows = context.readings.Is(Entry::kMeanOverflow, MeanOverflow::kOverflows);
  if (!overflows || !sums.MustOverflow(accumulator)) return 0;
  return sums.positive > sums.negative ? kInfinity : -kInfinity;
}

// Beside an infinite tap: whether finite ones may become the other infinity before it comes.
template <typename E>
void TouchSumsOf(const TapSums& sums, bool negative_side, Context& context) {
  Readings narrow = context.readings;
  narrow[Entry::kMeanAccumulation] = static_cast<uint8_t>(MeanAccumulation::kType);
  const bool may = sums.MayOverflow(AccumulatorOf<E>(context.readings), negative_side);
  const bool may_narrow = sums.MayOverflow(AccumulatorOf<E>(narrow), negative_side);
  if (may || may_narrow) context.touched.Add(Entry::kMeanOverflow);
  if (may == may_narrow) return;
  context.touched.Add(Entry::kMeanAccumulation);
  context.binding.Add(Entry::kMeanAccumulation);
}

// Returns true where the selected readings bound errors most tightly, and every sum of `count` taps of a magnitude up
// to `largest` stays in the range of the type, so that all other readings allow what these do.
template <typename E>
bool BoundsTightest(const Readings& readings, long double largest, int64_t count) {
  constexpr long double kReach = PowerOfTwo(E::kMaxExponent - 1);
  return readings.Is(Entry::kMeanAccumulation, MeanAccumulation::kWide) &&
         readings.Is(Entry::kMeanScaling, MeanScaling::kAfter) && largest * static_cast<long double>(count) < kReach;
}

// A mean of sums that are rounded, as mean-scaling or mean-accumulation has them; NaN where neither does.
template <typename E>
long double RoundedMean(const Plan& plan, Input<E> input, const WindowTaps& window, int64_t divisor, bool narrow,
                        const Readings& readings) {
  if (readings.Is(Entry::kMeanScaling, MeanScaling::kBefore)) {
    using W = Ieee<std::conditional_t<sizeof(typename E::Stored) == 8, double, float>>;
    return SumOfScaled<W, E>(plan, input, window, divisor);
  }
  if (narrow && readings.Is(Entry::kMeanAccumulation, MeanAccumulation::kType)) {
    return SumInType<E>(plan, input, window) / static_cast<long double>(divisor);
  }
  return std::numeric_limits<long double>::quiet_NaN();
}

// The mean as the readings have it, rounded to odd, and not yet flushed as `subnormals` has it of outputs.
template <typename E>
long double FloatMean(const Plan& plan, Input<E> input, const WindowTaps& window, int64_t divisor, Context& context) {
  if (divisor == 0) {
    context.touched.Add(Entry::kAvgEmptyWindow);
    const bool zero = context.readings.Is(Entry::kAvgEmptyWindow, AvgEmptyWindow::kZero);
    return zero ? 0.0L : std::numeric_limits<long double>::quiet_NaN();
  }
  const auto [exact, largest, has_subnormal] = FloatQuotient<E>(plan, input, window, divisor);
  if (has_subnormal || (exact != 0 && std::fabs(exact) < kSmallestNormal<E>)) context.touched.Add(Entry::kSubnormals);
  if (std::isinf(exact)) TouchSumsOf<E>(SumsOf<E>(plan, input, window), exact > 0, context);
  if (!std::isfinite(exact)) return exact;
  const bool narrow = sizeof(typename E::Stored) == 2 && window.Count() > 1;
  if (narrow) context.touched.Add(Entry::kMeanAccumulation);
  if (divisor > 1) context.touched.Add(Entry::kMeanScaling);
  if (!BoundsTightest<E>(context.readings, largest, window.Count())) {
    context.binding.Add(Entry::kMeanAccumulation);
    context.binding.Add(Entry::kMeanScaling);
  }
  // A sum of elements that are scaled before stays below the largest of them.
  const bool scaled = context.readings.Is(Entry::kMeanScaling, MeanScaling::kBefore);
  const long double overflow = scaled ? 0 : OverflowOf<E>(plan, input, window, largest, context);
  if (overflow != 0) return overflow;
  const long double rounded = RoundedMean<E>(plan, input, window, divisor, narrow, context.readings);
  const bool overflows = context.readings.Is(Entry::kMeanOverflow, MeanOverflow::kOverflows);
  if (rounded != 0 && std::fabs(rounded) < kSmallestNormal<E>) context.touched.Add(Entry::kSubnormals);
  return std::isfinite(rounded) || (std::isinf(rounded) && !scaled && overflows) ? rounded : exact;
}

template <typename E>
typename E::Stored IntegerMean(const Plan& plan, Input<E> input, const WindowTaps& window, int64_t divisor,
                               Context& context) {
  if (divisor == 0) return E::kZero;
  const auto sum = SumIntegers<E>(plan, input, window, context);
  if (sum % divisor == 0) return static_cast<typename E::Stored>(sum / divisor);
  context.touched.Add(Entry::kAvgIntegerRounding);
  const auto rounding = static_cast<AvgIntegerRounding>(context.readings[Entry::kAvgIntegerRounding]);
  return static_cast<typename E::Stored>(RoundQuotient(sum, divisor, rounding));
}

template <typename E>
void Compute(const Plan& plan, const poolproof_call& call, Context& context) {
  const Input<E> input(call, context.readings);
  const bool flushes = FlushesOutput(context.readings);
  auto* output = static_cast<typename E::Stored*>(call.outputs[0]->data);
  ForEachWindow(plan, [&](const WindowTaps& window, const OutputPosition& at, int64_t offset) {
    const int64_t divisor = DivisorOf(plan, at, window, context);
    if constexpr (E::kIsFloat) {
      const long double mean = FloatMean<E>(plan, input, window, divisor, context);
      output[offset] = Flushed<E>(E::Round(plan.negates ? -mean : mean), flushes);
    } else {
      output[offset] = IntegerMean<E>(plan, input, window, divisor, context);
    }
  });
}

}  // namespace

void ComputeMeans(const Plan& plan, const poolproof_call& call, Context& context) {
  VisitElementType(plan.type, [&](auto e) { Compute<decltype(e)>(plan, call, context); });
}

}  // namespace poolproof::reference
