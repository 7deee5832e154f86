// Whether a mean that differs from the expected one is as good.
#include <cstring>
#include <limits>
#include <type_traits>

#include "reference/mean_pooling.h"
#include "reference/mean_window.h"

namespace poolproof::reference {
namespace {

constexpr double kNone = std::numeric_limits<double>::quiet_NaN();

template <typename Reading>
ElementJudgement Silence(ElementJudgement judgement, Entry entry, Reading reading) {
  judgement.acceptance = Acceptance::kSilence;
  judgement.entry = entry;
  judgement.reading = static_cast<uint8_t>(reading);
  return judgement;
}

// One output element in question, whose mean and taps are finite.
template <typename E>
struct Question {
  TapSums taps;
  long double exact = 0;
  int64_t divisor = 1;

  // Where no sum rounds, only the quotient does: by half an ulp, and by one more where it is the
  // product with a rounded reciprocal.
  long double BoundOfQuotient() const { return exact == 0 ? 0 : 1.5L * UlpAt<E>(exact); }
  long double BoundOfSums(const Readings& readings) const {
    if (taps.AreExact(E::kDigits)) return BoundOfQuotient();
    return AccumulationError(taps, AccumulatorOf<E>(readings), divisor) + UlpAt<E>(exact);
  }
  long double Bound(const Readings& readings) const {
    const bool before = readings.Is(Entry::kMeanScaling, MeanScaling::kBefore);
    const Accumulator wide = AccumulatorOf<E>({});
    long double bound = BoundOfSums(readings);
    if (before) bound = std::max(bound, ScalingError(taps, wide, divisor) + UlpAt<E>(exact));
    if (!FlushesOutput(readings)) return bound;
    return bound + FlushingError(taps, before ? wide : AccumulatorOf<E>(readings), before) + kSmallestNormal<E>;
  }
  // Whether `got` is an infinity that the quotient is rounded to, as that by less than the number of taps may be.
  bool MayRoundTo(long double got, const Readings& readings) const {
    constexpr Accumulator kType = {E::kDigits, E::kMaxExponent};
    if (!std::isinf(got) || exact * got <= 0 || divisor >= taps.count) return false;
    return std::fabs(exact) + Bound(readings) >= kType.limit;
  }
  // Whether `got`, infinite or NaN, is what an overflowing sum may give.
  bool MayGive(long double got, const Readings& readings) const {
    const Accumulator accumulator = AccumulatorOf<E>(readings);
    const bool up = taps.MayOverflow(accumulator, false);
    const bool down = taps.MayOverflow(accumulator, true);
    return std::isnan(got) ? up && down : got > 0 ? up : down;
  }
};

template <typename E>
ElementJudgement JudgeFinite(const Question<E>& question, const Readings& readings, long double got) {
  ElementJudgement judgement;
  judgement.exact = static_cast<double>(question.exact);
  const bool overflows = readings.Is(Entry::kMeanOverflow, MeanOverflow::kOverflows);
  if (!std::isfinite(got)) {
    if (question.MayRoundTo(got, readings)) {
      judgement.acceptance = Acceptance::kTolerated;
      return judgement;
    }
    if (!question.MayGive(got, readings)) return judgement;
    if (!overflows) return Silence(judgement, Entry::kMeanOverflow, MeanOverflow::kOverflows);
    judgement.acceptance = Acceptance::kTolerated;
    return judgement;
  }
  if (FlushesOutput(readings) && got != 0 && std::fabs(got) < kSmallestNormal<E>) return judgement;
  const long double distance = std::fabs(got - question.exact);
  const long double bound = question.Bound(readings);
  judgement.bound = static_cast<double>(bound);
  // Where the taps cancel, an ulp of what is left says nothing; an ulp of the taps does.
  const long double magnitude = question.taps.Magnitude() / static_cast<long double>(question.divisor);
  judgement.ulp = static_cast<double>(distance / UlpAt<E>(std::max(std::fabs(question.exact), magnitude)));
  if (distance <= bound) {
    judgement.acceptance = Acceptance::kTolerated;
    if (overflows && question.taps.MustOverflow(AccumulatorOf<E>(readings))) {
      return Silence(judgement, Entry::kMeanOverflow, MeanOverflow::kExact);
    }
    return judgement;
  }
  const auto allows = [&](Entry entry, auto reading) {
    Readings other = readings;
    other[entry] = static_cast<uint8_t>(reading);
    return distance <= question.Bound(other);
  };
  if (allows(Entry::kMeanAccumulation, MeanAccumulation::kType)) {
    return Silence(judgement, Entry::kMeanAccumulation, MeanAccumulation::kType);
  }
  if (allows(Entry::kMeanScaling, MeanScaling::kBefore)) {
    return Silence(judgement, Entry::kMeanScaling, MeanScaling::kBefore);
  }
  return judgement;
}

// An infinite tap decides, unless finite ones have become the other infinity before.
template <typename E>
ElementJudgement JudgeNotFinite(const Question<E>& question, const Readings& readings, long double got) {
  ElementJudgement judgement;
  judgement.exact = static_cast<double>(question.exact);
  const bool nan = std::isnan(question.exact);
  if (nan ? std::isnan(got) : got == question.exact) {
    judgement.acceptance = Acceptance::kTolerated;
  } else if (!nan && std::isnan(got) && question.taps.MayOverflow(AccumulatorOf<E>(readings), question.exact > 0)) {
    if (!readings.Is(Entry::kMeanOverflow, MeanOverflow::kOverflows)) {
      return Silence(judgement, Entry::kMeanOverflow, MeanOverflow::kOverflows);
    }
    judgement.acceptance = Acceptance::kTolerated;
  }
  return judgement;
}

template <typename E>
ElementJudgement JudgeFloat(const Plan& plan, Input<E> input, const OutputPosition& at, const WindowTaps& window,
                            const Readings& readings, typename E::Stored stored) {
  Context context{readings, {}, {}};
  const long double got = static_cast<long double>(E::Load(stored)) * (plan.negates ? -1 : 1);
  ElementJudgement judgement;
  Question<E> question;
  question.divisor = DivisorOf(plan, at, window, context);
  if (question.divisor == 0) {
    const bool nan = readings.Is(Entry::kAvgEmptyWindow, AvgEmptyWindow::kNan);
    judgement.exact = nan ? kNone : 0;
    if (nan ? std::isnan(got) : got == 0) judgement.acceptance = Acceptance::kTolerated;
    return judgement;
  }
  question.exact = FloatQuotient<E>(plan, input, window, question.divisor).exact;
  judgement.exact = static_cast<double>(question.exact);
  question.taps = SumsOf<E>(plan, input, window);
  return std::isfinite(question.exact) ? JudgeFinite(question, readings, got) : JudgeNotFinite(question, readings, got);
}

// A mean beyond the range of its type, as another divisor than the number of taps may give it, wraps: the number next
// to the mean that `got` may stand for.
template <typename Stored>
IntegerSum Unwrapped(IntegerSum sum, int64_t divisor, Stored got) {
  using Bits = std::make_unsigned_t<Stored>;
  const IntegerSum mean = sum / divisor;
  const Bits above = static_cast<Bits>(static_cast<Bits>(got) - static_cast<Bits>(mean));
  return mean + static_cast<std::make_signed_t<Stored>>(above);
}

template <typename E>
ElementJudgement JudgeInteger(const Plan& plan, Input<E> input, const OutputPosition& at, const WindowTaps& window,
                              const Readings& readings, typename E::Stored got) {
  ElementJudgement judgement;
  Context context{readings, {}, {}};
  const int64_t divisor = DivisorOf(plan, at, window, context);
  if (divisor == 0) {
    judgement.exact = kNone;
    return judgement;
  }
  const IntegerSum sum = SumIntegers<E>(plan, input, window, context);
  judgement.exact = static_cast<double>(static_cast<long double>(sum) / static_cast<long double>(divisor));
  // |got - sum / divisor| < 1
  const IntegerSum value = Unwrapped(sum, divisor, got);
  const IntegerSum distance = value * divisor - sum;
  if (distance <= -divisor || distance >= divisor) return judgement;
  const uint8_t other = static_cast<uint8_t>(AvgIntegerRounding::kOther);
  uint8_t reading = 0;
  while (reading != other && RoundQuotient(sum, divisor, static_cast<AvgIntegerRounding>(reading)) != value) {
    ++reading;
  }
  return Silence(judgement, Entry::kAvgIntegerRounding, reading);
}

// Those of the readings of avg-integer-rounding in `asked` that give `got`, as bits.
uint32_t NamesOf(uint32_t asked, IntegerSum sum, int64_t divisor, IntegerSum got) {
  uint32_t names = 0;
  for (uint32_t r = 0; r < static_cast<uint32_t>(AvgIntegerRounding::kOther); ++r) {
    if ((asked >> r & 1u) != 0 && RoundQuotient(sum, divisor, static_cast<AvgIntegerRounding>(r)) == got)
      names |= 1u << r;
  }
  return names;
}

template <typename E>
RoundingAnswers RoundingOf(const Plan& plan, const poolproof_call& call, const Readings& readings, const void* got) {
  RoundingAnswers answers;
  const Input<E> input(call, readings);
  Context context{readings, {}, {}};
  ForEachWindow(plan, [&](const WindowTaps& window, const OutputPosition& at, int64_t offset) {
    context.touched = {};
    const int64_t divisor = DivisorOf(plan, at, window, context);
    const auto sum = SumIntegers<E>(plan, input, window, context);
    if (divisor == 0 || !context.touched.Empty() || sum % divisor == 0) return;
    const IntegerSum value = Unwrapped(sum, divisor, static_cast<const typename E::Stored*>(got)[offset]);
    answers.open = true;
    answers.named = NamesOf(answers.named, sum, divisor, value);
    answers.Note(sum, divisor, value);
  });
  return answers;
}

}  // namespace

ElementJudgement JudgeMean(const Plan& plan, const poolproof_call& call, const Readings& readings, size_t,
                           int64_t element, const void* got) {
  const OutputPosition at = PositionOf(plan, element);
  const WindowTaps window = TapsAt(plan, at);
  return VisitElementType(plan.type, [&](auto e) {
    using E = decltype(e);
    typename E::Stored stored;
    std::memcpy(&stored, got, sizeof(stored));
    if constexpr (E::kIsFloat) {
      return JudgeFloat<E>(plan, Input<E>(call, readings), at, window, readings, stored);
    } else {
      return JudgeInteger<E>(plan, Input<E>(call, readings), at, window, readings, stored);
    }
  });
}

RoundingAnswers RoundingOfMeans(const Plan& plan, const poolproof_call& call, const Readings& readings,
                                const void* got) {
  return VisitElementType(plan.type, [&](auto e) {
    using E = decltype(e);
    if constexpr (E::kIsFloat) {
      return RoundingAnswers();
    } else {
      return RoundingOf<E>(plan, call, readings, got);
    }
  });
}

}  // namespace poolproof::reference
