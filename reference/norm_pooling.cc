#include "reference/norm_pooling.h"

#include <cmath>
#include <cstring>
#include <limits>

#include "reference/input.h"
#include "reference/mean_window.h"

namespace poolproof::reference {
namespace {

constexpr long double kInfinity = std::numeric_limits<long double>::infinity();
constexpr long double kUnitOfWide = 0x1p-64L;

// What is computed of the taps of one window.
struct Norm {
  int64_t taps = 0;
  int64_t power = 2;
  long double largest = 0;  // magnitude of a tap; NaN or infinity where one is
  long double ratios = 0;   // sum of (|tap| / largest)^p, from 1 to the number of taps; 0 where largest is
  long double exact = 0;
  bool has_subnormal = false;

  // The logarithm to base 2 of the sum of all powers.
  long double LogOfSum() const { return static_cast<long double>(power) * std::log2(largest) + std::log2(ratios); }
};

// The roots that are asked for most are quick.
long double Root(long double x, int64_t power) {
  if (power == 1) return x;
  return power == 2 ? std::sqrt(x) : std::pow(x, 1 / static_cast<long double>(power));
}

// x^power by squaring, which rounds less than twice per bit of `power`.
long double Power(long double x, int64_t power) {
  long double result = 1;
  for (; power > 0; power /= 2, x *= x) {
    if (power % 2 == 1) result *= x;
  }
  return result;
}

template <typename E>
Norm NormOf(const Plan& plan, Input<E> input, const WindowTaps& window) {
  Norm norm;
  norm.power = plan.power;
  bool nan = false;
  ForEachTap(window, plan.in, [&](int64_t offset) {
    ++norm.taps;
    norm.has_subnormal |= input.IsSubnormalAt(offset);
    const long double x = std::fabs(static_cast<long double>(E::Load(input[offset])));
    nan |= std::isnan(x);
    norm.largest = std::max(norm.largest, x);
  });
  if (nan) norm.largest = std::numeric_limits<long double>::quiet_NaN();
  norm.exact = norm.largest;
  if (norm.largest == 0 || !std::isfinite(norm.largest)) return norm;
  ForEachTap(window, plan.in, [&](int64_t offset) {
    const long double x = std::fabs(static_cast<long double>(E::Load(input[offset])));
    if (x != 0) norm.ratios += Power(x / norm.largest, norm.power);
  });
  norm.exact = norm.largest * Root(norm.ratios, norm.power);
  return norm;
}

// How far an accumulator's arithmetic may be from the norm, which is finite.
struct Arithmetic {
  Accumulator type;

  long double Roundings(const Norm& norm) const { return static_cast<long double>(norm.taps + norm.power + 8); }
  long double Error(const Norm& norm) const {
    const long double exact = norm.exact;
    if (exact == 0) return 0;
    const auto p = static_cast<long double>(norm.power);
    const long double relative = Roundings(norm) / p + std::fabs(std::log(exact)) + 8;
    return exact * relative * type.unit + Lost(norm);
  }
  // Powers that are flushed lose less than the smallest normal number each, which is 2^(3 - max_exponent) or so.
  long double Lost(const Norm& norm) const {
    const long double least = 3 - type.max_exponent + std::log2(static_cast<long double>(norm.taps));
    const long double log = norm.LogOfSum();
    if (log - least > 80) return 0;
    if (log <= least) return std::max(norm.exact, std::exp2((least + 1) / static_cast<long double>(norm.power)));
    const long double kept = 1 - std::exp2(least - log);
    return norm.exact * (1 - std::pow(kept, 1 / static_cast<long double>(norm.power)));
  }
  // Roundings move the logarithm of a sum by less than this.
  long double Slack(const Norm& norm) const { return 2 * Roundings(norm) * type.unit; }
  bool MayOverflow(const Norm& norm) const { return norm.LogOfSum() + Slack(norm) >= std::log2(type.limit); }
  bool MustOverflow(const Norm& norm) const { return norm.LogOfSum() - Slack(norm) >= std::log2(type.limit); }
};

// Whether a power or a sum may leave the range of any accumulator, so that readings matter.
template <typename E>
bool TouchesOverflow(const Norm& norm) {
  Readings narrow;
  narrow[Entry::kMeanAccumulation] = static_cast<uint8_t>(MeanAccumulation::kType);
  return Arithmetic{AccumulatorOf<E>(narrow)}.MayOverflow(norm) || Arithmetic{AccumulatorOf<E>({})}.MayOverflow(norm);
}

template <typename E>
long double NormUnder(const Norm& norm, Context& context) {
  const long double exact = norm.exact;
  if (norm.has_subnormal || (exact != 0 && exact < kSmallestNormal<E>)) context.touched.Add(Entry::kSubnormals);
  if (!std::isfinite(exact) || norm.largest == 0) return exact;
  if (sizeof(typename E::Stored) == 2) {
    context.touched.Add(Entry::kMeanAccumulation);
    context.binding.Add(Entry::kMeanAccumulation);
  }
  if (!TouchesOverflow<E>(norm)) return exact;
  context.touched.Add(Entry::kMeanOverflow);
  if (!context.readings.Is(Entry::kMeanOverflow, MeanOverflow::kOverflows)) return exact;
  return Arithmetic{AccumulatorOf<E>(context.readings)}.MustOverflow(norm) ? kInfinity : exact;
}

template <typename E>
void Compute(const Plan& plan, const poolproof_call& call, Context& context) {
  const Input<E> input(call, context.readings);
  const bool flushes = FlushesOutput(context.readings);
  auto* output = static_cast<typename E::Stored*>(call.outputs[0]->data);
  ForEachWindow(plan, [&](const WindowTaps& window, const OutputPosition&, int64_t offset) {
    const Norm norm = NormOf<E>(plan, input, window);
    output[offset] = Flushed<E>(E::Round(NormUnder<E>(norm, context)), flushes);
  });
}

ElementJudgement As(ElementJudgement judgement, Acceptance acceptance) {
  judgement.acceptance = acceptance;
  return judgement;
}

template <typename Reading>
ElementJudgement Silence(ElementJudgement judgement, Entry entry, Reading reading) {
  judgement.entry = entry;
  judgement.reading = static_cast<uint8_t>(reading);
  return As(judgement, Acceptance::kSilence);
}

template <typename E>
long double BoundOf(const Norm& norm, const Readings& readings) {
  const long double exact = norm.exact;
  long double bound = Arithmetic{AccumulatorOf<E>(readings)}.Error(norm) + exact * kUnitOfWide * 64 + UlpAt<E>(exact);
  if (FlushesOutput(readings)) bound += kSmallestNormal<E>;
  return bound;
}

// The norm is finite.
template <typename E>
ElementJudgement JudgeFinite(const Norm& norm, const Readings& readings, long double got) {
  ElementJudgement judgement;
  const long double exact = norm.exact;
  judgement.exact = static_cast<double>(exact);
  const bool overflows = readings.Is(Entry::kMeanOverflow, MeanOverflow::kOverflows);
  Readings narrow = readings;
  narrow[Entry::kMeanAccumulation] = static_cast<uint8_t>(MeanAccumulation::kType);
  if (std::isinf(got) && got > 0) {
    if (!Arithmetic{AccumulatorOf<E>(readings)}.MayOverflow(norm)) {
      const bool in_type = Arithmetic{AccumulatorOf<E>(narrow)}.MayOverflow(norm);
      return in_type ? Silence(judgement, Entry::kMeanAccumulation, MeanAccumulation::kType) : judgement;
    }
    return overflows ? As(judgement, Acceptance::kTolerated)
                     : Silence(judgement, Entry::kMeanOverflow, MeanOverflow::kOverflows);
  }
  if (!std::isfinite(got) || std::signbit(got)) return judgement;
  if (FlushesOutput(readings) && got != 0 && got < kSmallestNormal<E>) return judgement;
  const long double distance = std::fabs(got - exact);
  const long double bound = BoundOf<E>(norm, readings);
  judgement.bound = static_cast<double>(bound);
  judgement.ulp = static_cast<double>(distance / UlpAt<E>(exact));
  if (distance <= bound) {
    const bool must = overflows && Arithmetic{AccumulatorOf<E>(readings)}.MustOverflow(norm);
    return must ? Silence(judgement, Entry::kMeanOverflow, MeanOverflow::kExact)
                : As(judgement, Acceptance::kTolerated);
  }
  if (distance > BoundOf<E>(norm, narrow)) return judgement;
  return Silence(judgement, Entry::kMeanAccumulation, MeanAccumulation::kType);
}

template <typename E>
ElementJudgement Judge(const Norm& norm, const Readings& readings, long double got) {
  const long double exact = norm.exact;
  if (std::isfinite(exact)) return JudgeFinite<E>(norm, readings, got);
  ElementJudgement judgement;
  judgement.exact = static_cast<double>(exact);
  const bool same = std::isnan(exact) ? std::isnan(got) : got == exact;
  return same ? As(judgement, Acceptance::kTolerated) : judgement;
}

}  // namespace

void ComputeNorms(const Plan& plan, const poolproof_call& call, Context& context) {
  VisitElementType(plan.type, [&](auto e) {
    if constexpr (decltype(e)::kIsFloat) Compute<decltype(e)>(plan, call, context);
  });
}

ElementJudgement JudgeNorm(const Plan& plan, const poolproof_call& call, const Readings& readings, size_t,
                           int64_t element, const void* got) {
  const WindowTaps window = TapsAt(plan, PositionOf(plan, element));
  return VisitElementType(plan.type, [&](auto e) -> ElementJudgement {
    using E = decltype(e);
    if constexpr (E::kIsFloat) {
      typename E::Stored stored;
      std::memcpy(&stored, got, sizeof(stored));
      return Judge<E>(NormOf<E>(plan, Input<E>(call, readings), window), readings, E::Load(stored));
    } else {
      return {};
    }
  });
}

}  // namespace poolproof::reference
