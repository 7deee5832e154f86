#include "reference/mean_pooling.h"

#include <cmath>
#include <cstring>
#include <limits>

#include "reference/divisor.h"
#include "reference/mean.h"

namespace poolproof::reference {
namespace {

constexpr double kNone = std::numeric_limits<double>::quiet_NaN();

template <typename E>
const typename E::Stored* InputOf(const poolproof_call& call) {
  return static_cast<const typename E::Stored*>(call.inputs[0]->data);
}

template <typename E>
FloatSum SumFloats(const Plan& plan, const typename E::Stored* input, const WindowTaps& window) {
  FloatSum sum;
  ForEachTap(window, plan.in, [&](int64_t offset) { sum.Add(E::Load(input[offset])); });
  return sum;
}

template <typename E>
IntegerSum SumIntegers(const Plan& plan, const typename E::Stored* input,
                       const WindowTaps& window) {
  IntegerSum sum = 0;
  ForEachTap(window, plan.in, [&](int64_t offset) { sum += input[offset]; });
  return sum;
}

// The exact mean of floats, rounded to odd. NaN where the reading gives NaN for an empty window.
template <typename E>
long double FloatMean(const Plan& plan, const typename E::Stored* input, const WindowTaps& window,
                      int64_t divisor, Context& context) {
  if (divisor == 0) {
    context.touched.Add(Entry::kAvgEmptyWindow);
    const bool zero = context.readings.Is(Entry::kAvgEmptyWindow, AvgEmptyWindow::kZero);
    return zero ? 0.0L : std::numeric_limits<long double>::quiet_NaN();
  }
  return SumFloats<E>(plan, input, window).DividedBy(static_cast<long double>(divisor));
}

template <typename E>
typename E::Stored IntegerMean(const Plan& plan, const typename E::Stored* input,
                               const WindowTaps& window, int64_t divisor, Context& context) {
  if (divisor == 0) return E::kZero;
  const IntegerSum sum = SumIntegers<E>(plan, input, window);
  if (sum % divisor != 0) context.touched.Add(Entry::kAvgIntegerRounding);
  const auto rounding =
      static_cast<AvgIntegerRounding>(context.readings[Entry::kAvgIntegerRounding]);
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

// The distance between neighbouring floats of type E at `x`, finite.
template <typename E>
long double UlpAt(long double x) {
  int exponent = E::kMinExponent;
  if (x != 0) std::frexp(x, &exponent);
  return std::ldexp(1.0L, std::max(exponent, E::kMinExponent) - E::kDigits);
}

// The mean of |x| over the taps, with the divisor of the mean.
template <typename E>
long double MeanMagnitude(const Plan& plan, const typename E::Stored* input,
                          const WindowTaps& window, int64_t divisor) {
  if (divisor == 0) return 0;
  FloatSum magnitude;
  ForEachTap(window, plan.in, [&](int64_t offset) {
    magnitude.Add(std::fabs(static_cast<long double>(E::Load(input[offset]))));
  });
  return magnitude.DividedBy(static_cast<long double>(divisor));
}

template <typename E>
ElementJudgement JudgeFloat(const Plan& plan, const typename E::Stored* input,
                            const OutputPosition& at, const WindowTaps& window,
                            const Readings& readings, typename E::Stored stored) {
  Context context{readings, {}, {}};
  const int64_t divisor = DivisorOf(plan, at, window, context);
  const long double exact = FloatMean<E>(plan, input, window, divisor, context);
  const long double got = E::Load(stored);
  ElementJudgement judgement;
  judgement.exact = static_cast<double>(exact);
  if (!std::isfinite(exact)) {
    const bool same = std::isnan(exact) ? std::isnan(got) : got == exact;
    judgement.acceptance = same ? Acceptance::kTolerated : Acceptance::kRejected;
    return judgement;
  }
  const long double magnitude = MeanMagnitude<E>(plan, input, window, divisor);
  const long double taps = static_cast<long double>(window.Count());
  const long double bound =
      (taps + 1) * std::ldexp(magnitude, -E::kDigits) + UlpAt<E>(exact) / 2;
  const long double distance = std::fabs(got - exact);
  judgement.bound = static_cast<double>(bound);
  // Where the taps cancel, an ulp of what is left says nothing; an ulp of the taps does.
  judgement.ulp =
      static_cast<double>(distance / UlpAt<E>(std::max(std::fabs(exact), magnitude)));
  if (distance <= bound) judgement.acceptance = Acceptance::kTolerated;  // not for NaN
  return judgement;
}

template <typename E>
ElementJudgement JudgeInteger(const Plan& plan, const typename E::Stored* input,
                              const OutputPosition& at, const WindowTaps& window,
                              const Readings& readings, typename E::Stored got) {
  ElementJudgement judgement;
  Context context{readings, {}, {}};
  const int64_t divisor = DivisorOf(plan, at, window, context);
  if (divisor == 0) {
    judgement.exact = kNone;
    return judgement;
  }
  const IntegerSum sum = SumIntegers<E>(plan, input, window);
  judgement.exact = static_cast<double>(static_cast<long double>(sum) /
                                        static_cast<long double>(divisor));
  // |got - sum / divisor| < 1
  const IntegerSum distance = static_cast<IntegerSum>(got) * divisor - sum;
  if (distance <= -divisor || distance >= divisor) return judgement;
  judgement.acceptance = Acceptance::kSilence;
  judgement.entry = Entry::kAvgIntegerRounding;
  const uint8_t other = static_cast<uint8_t>(AvgIntegerRounding::kOther);
  judgement.reading = 0;
  while (judgement.reading != other &&
         RoundQuotient(sum, divisor, static_cast<AvgIntegerRounding>(judgement.reading)) != got) {
    ++judgement.reading;
  }
  return judgement;
}

}  // namespace

void ComputeMeans(const Plan& plan, const poolproof_call& call, Context& context) {
  VisitElementType(plan.type, [&](auto e) { Compute<decltype(e)>(plan, call, context); });
}

ElementJudgement JudgeMean(const Plan& plan, const poolproof_call& call, const Readings& readings,
                           size_t, int64_t element, const void* got) {
  const OutputPosition at = PositionOf(plan, element);
  const WindowTaps window = TapsAt(plan, at);
  return VisitElementType(plan.type, [&](auto e) {
    using E = decltype(e);
    typename E::Stored stored;
    std::memcpy(&stored, got, sizeof(stored));
    if constexpr (E::kIsFloat) {
      return JudgeFloat<E>(plan, InputOf<E>(call), at, window, readings, stored);
    } else {
      return JudgeInteger<E>(plan, InputOf<E>(call), at, window, readings, stored);
    }
  });
}

}  // namespace poolproof::reference
