#include "reference/mean_pooling.h"

#include <limits>

#include "reference/mean_window.h"

namespace poolproof::reference {
namespace {

constexpr long double kInfinity = std::numeric_limits<long double>::infinity();

// Tap after tap, every sum rounded to the element type.
template <typename E>
long double SumInType(const Plan& plan, const typename E::Stored* input, const WindowTaps& window) {
  long double sum = 0;
  ForEachTap(window, plan.in,
             [&](int64_t offset) { sum = E::Load(E::Round(sum + static_cast<long double>(E::Load(input[offset])))); });
  return sum;
}

// Infinity where every order of adding overflows, otherwise 0; `largest` bounds the taps.
template <typename E>
long double OverflowOf(const Plan& plan, const typename E::Stored* input, const WindowTaps& window, long double largest,
                       Context& context) {
  const Accumulator accumulator = AccumulatorOf<E>(context.readings);
  const long double most = largest * static_cast<long double>(window.Count());
  if (most < std::ldexp(1.0L, accumulator.max_exponent - 1)) return 0;
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
  if (may != may_narrow) context.touched.Add(Entry::kMeanAccumulation);
}

// The mean as the readings have it, rounded to odd.
template <typename E>
long double FloatMean(const Plan& plan, const typename E::Stored* input, const WindowTaps& window, int64_t divisor,
                      Context& context) {
  if (divisor == 0) {
    context.touched.Add(Entry::kAvgEmptyWindow);
    const bool zero = context.readings.Is(Entry::kAvgEmptyWindow, AvgEmptyWindow::kZero);
    return zero ? 0.0L : std::numeric_limits<long double>::quiet_NaN();
  }
  long double largest = 0;
  const long double exact = FloatQuotient<E>(plan, input, window, divisor, &largest);
  if (std::isinf(exact)) TouchSumsOf<E>(SumsOf<E>(plan, input, window), exact > 0, context);
  if (!std::isfinite(exact)) return exact;
  const bool narrow = sizeof(typename E::Stored) == 2 && window.Count() > 1;
  if (narrow) context.touched.Add(Entry::kMeanAccumulation);
  const long double overflow = OverflowOf<E>(plan, input, window, largest, context);
  if (overflow != 0) return overflow;
  if (narrow && context.readings.Is(Entry::kMeanAccumulation, MeanAccumulation::kType)) {
    const long double rounded = SumInType<E>(plan, input, window);
    if (std::isfinite(rounded)) return rounded / static_cast<long double>(divisor);
  }
  return exact;
}

template <typename E>
typename E::Stored IntegerMean(const Plan& plan, const typename E::Stored* input, const WindowTaps& window,
                               int64_t divisor, Context& context) {
  if (divisor == 0) return E::kZero;
  const auto sum = SumIntegers<E>(plan, input, window);
  if (sum % divisor == 0) return static_cast<typename E::Stored>(sum / divisor);
  context.touched.Add(Entry::kAvgIntegerRounding);
  const auto rounding = static_cast<AvgIntegerRounding>(context.readings[Entry::kAvgIntegerRounding]);
  return static_cast<typename E::Stored>(RoundQuotient(sum, divisor, rounding));
}

template <typename E>
void Compute(const Plan& plan, const poolproof_call& call, Context& context) {
  const auto* input = InputOf<E>(call);
  auto* output = static_cast<typename E::Stored*>(call.outputs[0]->data);
  ForEachWindow(plan, [&](const WindowTaps& window, const OutputPosition& at, int64_t offset) {
    const int64_t divisor = DivisorOf(plan, at, window, context);
    if constexpr (E::kIsFloat) {
      output[offset] = E::Round(FloatMean<E>(plan, input, window, divisor, context));
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
