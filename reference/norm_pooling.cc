#include "reference/norm_pooling.h"

#include <cmath>
#include <cstring>
#include <limits>

#include "reference/input.h"
#include "reference/mean_window.h"

namespace poolproof::reference {
namespace {

constexpr long double kInfinity = std::numeric_limits<long double>::infinity();
constexpr long double kNan = std::numeric_limits<long double>::quiet_NaN();
constexpr long double kUnitOfWide = 0x1p-64L;

// Sums over the taps of one window.
struct Norm {
  int64_t taps = 0;
  int64_t power = 2;
  long double largest = 0;  // magnitude of a tap; NaN or infinity where one is
  long double ratios = 0;   // sum of (|tap| / largest)^p, at least 1; 0 where largest is
  long double sum = 0;      // of the same with the signs of the powers, where these count; of infinite taps themselves
  bool counts_signs = false;     // of odd powers
  bool root_of_negative = true;  // a sum below 0 has a root, below 0 as well; otherwise NaN, and of -infinity infinity
  long double exact = 0;
  bool has_subnormal = false, has_negative = false;

  bool Cancels() const { return std::fabs(sum) < ratios; }

  // The logarithm to base 2 of the sum of all powers.
  long double LogOfSum() const { return static_cast<long double>(power) * std::log2(largest) + std::log2(ratios); }
};

// The roots that are asked for most are quick.
long double Root(long double x, int64_t power) {
  if (power == 1) return x;
  return power == 2 ? std::sqrt(x) : std::pow(x, 1 / static_cast<long double>(power));
}

// Below 0 that of the magnitude, below 0.
long double OddRoot(long double x, int64_t power) { return x < 0 ? -Root(-x, power) : Root(x, power); }

// x^power by squaring, which rounds less than twice per bit of `power`.
long double Power(long double x, int64_t power) {
  long double result = 1;
  for (; power > 0; power /= 2, x *= x) {
    if (power % 2 == 1) result *= x;
  }
  return result;
}

// A norm of nothing yet.
Norm NewNorm(const Plan& plan, const Readings& readings) {
  Norm norm;
  norm.power = plan.power;
  const bool magnitudes = plan.power > 1 && readings.Is(Entry::kTorchLpNegative, TorchLpNegative::kMagnitude);
  norm.counts_signs = plan.of_elements && plan.power % 2 == 1 && !magnitudes;
  norm.root_of_negative = plan.power == 1 || !readings.Is(Entry::kTorchLpNegative, TorchLpNegative::kNan);
  return norm;
}

// Ratio of the taps of a whole window to those of this one.
long double Overhang(const Plan& plan, const Norm& norm) {
  const auto& [d, h, w] = plan.axes;
  return static_cast<long double>(d.kernel * h.kernel * w.kernel) / static_cast<long double>(norm.taps);
}

void SetExact(Norm& norm) {
  const long double root = OddRoot(norm.sum, norm.power);
  norm.exact = std::isinf(norm.largest) ? norm.counts_signs ? root : norm.largest : norm.largest * root;
  if (norm.counts_signs && norm.sum < 0 && !norm.root_of_negative) norm.exact = std::isinf(norm.sum) ? kInfinity : kNan;
}

// Adds the powers of the taps other than 0 of a window that `takes`, none of which is above norm.largest.
template <typename E, typename Takes>
void AddPowers(const Plan& plan, Input<E> input, const WindowTaps& window, const Takes& takes, Norm& norm) {
  ForEachTap(window, plan.in, [&](int64_t offset) {
    const long double x = static_cast<long double>(E::Load(input[offset]));
    if (x == 0) return;
    if (!takes(x)) return;
    const long double power = Power(std::fabs(x) / norm.largest, norm.power);
    norm.ratios += power;
    norm.sum += norm.counts_signs && x < 0 ? -power : power;
  });
}

template <typename E>
Norm NormOf(const Plan& plan, Input<E> input, const WindowTaps& window, const Readings& readings) {
  Norm norm = NewNorm(plan, readings);
  bool nan = false;
  ForEachTap(window, plan.in, [&](int64_t offset) {
    ++norm.taps;
    norm.has_subnormal |= input.IsSubnormalAt(offset);
    const long double x = static_cast<long double>(E::Load(input[offset]));
    nan |= std::isnan(x);
    norm.has_negative |= x < 0;
    norm.largest = std::max(norm.largest, std::fabs(x));
    if (std::isinf(x)) norm.sum += x;
  });
  if (nan) norm.largest = kNan;
  norm.exact = norm.largest;
  if (norm.largest == 0 || nan) return norm;
  if (std::isfinite(norm.largest)) {
    AddPowers(plan, input, window, [](long double) { return true; }, norm);
    if (plan.of_elements && readings.Is(Entry::kTorchLpOverhang, TorchLpOverhang::kScaled)) {
      const long double factor = Overhang(plan, norm);
      norm.ratios *= factor;
      norm.sum *= factor;
    }
  }
  SetExact(norm);
  return norm;
}

// Beside an infinite sum: the finite taps on the other side of 0, whose powers may become the other infinity first.
template <typename E>
Norm AgainstInfinity(const Plan& plan, Input<E> input, const WindowTaps& window, const Norm& norm) {
  Norm against;
  against.taps = norm.taps;
  against.power = norm.power;
  if (!norm.counts_signs || !std::isinf(norm.sum)) return against;
  const auto takes = [&](long double x) { return std::isfinite(x) && x * norm.sum < 0; };
  ForEachTap(window, plan.in, [&](int64_t offset) {
    const long double x = static_cast<long double>(E::Load(input[offset]));
    if (takes(x)) against.largest = std::max(against.largest, std::fabs(x));
  });
  if (against.largest > 0) AddPowers(plan, input, window, takes, against);
  return against;
}

// How far an accumulator's arithmetic may be from the norm of finite taps.
struct Arithmetic {
  Accumulator type;

  long double Roundings(const Norm& norm) const { return static_cast<long double>(norm.taps + norm.power + 8); }
  long double Error(const Norm& norm) const {
    if (norm.ratios == 0) return 0;
    if (norm.Cancels()) return ErrorOfCancelled(norm);
    const long double exact = norm.largest * Root(norm.ratios, norm.power);
    const auto p = static_cast<long double>(norm.power);
    const long double relative = Roundings(norm) / p + std::fabs(std::log(exact)) + 8;
    return exact * relative * type.unit + Lost(norm, exact);
  }
  // Error of the sum of powers of both signs, in units of the largest: roundings of all of them, and what is flushed.
  long double ErrorOfSum(const Norm& norm) const {
    const long double flushed = LogOfLeast(norm) - static_cast<long double>(norm.power) * std::log2(norm.largest);
    // More than all powers is lost by no other number either.
    constexpr long double kMost = 16000;
    return 2 * Roundings(norm) * type.unit * norm.ratios + std::exp2(std::min(flushed, kMost));
  }
  // The root is steep where little is left of the sum, so that it is asked at both ends of what this may be.
  long double ErrorOfCancelled(const Norm& norm) const {
    const long double error = ErrorOfSum(norm);
    const auto root = [&](long double sum) { return norm.largest * OddRoot(sum, norm.power); };
    const long double middle = root(norm.sum), low = root(norm.sum - error), high = root(norm.sum + error);
    const long double most = std::max(std::fabs(low), std::fabs(high));
    return std::max(high - middle, middle - low) + most * (std::fabs(std::log(most)) + 8) * type.unit;
  }
  bool MayBeNegative(const Norm& norm) const {
    return norm.has_negative && norm.ratios > 0 && norm.sum - ErrorOfSum(norm) < 0;
  }
  bool MayBePositive(const Norm& norm) const { return norm.sum + ErrorOfSum(norm) >= 0; }
  // Powers that are flushed lose less than the smallest normal number each, which is 2^(3 - max_exponent) or so.
  long double LogOfLeast(const Norm& norm) const {
    return 3 - type.max_exponent + std::log2(static_cast<long double>(norm.taps));
  }
  long double Lost(const Norm& norm, long double exact) const {
    const long double least = LogOfLeast(norm);
    const long double log = norm.LogOfSum();
    if (log - least > 80) return 0;
    if (log <= least) return std::max(exact, std::exp2((least + 1) / static_cast<long double>(norm.power)));
    const long double kept = 1 - std::exp2(least - log);
    return exact * (1 - std::pow(kept, 1 / static_cast<long double>(norm.power)));
  }
  // Roundings move the logarithm of a sum by less than this.
  long double Slack(const Norm& norm) const { return 2 * Roundings(norm) * type.unit; }
  bool MayOverflow(const Norm& norm) const { return norm.LogOfSum() + Slack(norm) >= std::log2(type.limit); }
  bool MustOverflow(const Norm& norm) const {
    return !norm.Cancels() && norm.LogOfSum() - Slack(norm) >= std::log2(type.limit);
  }
};

// Whether a power or a sum may leave the range of any accumulator, so that readings matter.
template <typename E>
bool TouchesOverflow(const Norm& norm) {
  Readings narrow;
  narrow[Entry::kMeanAccumulation] = static_cast<uint8_t>(MeanAccumulation::kType);
  return Arithmetic{AccumulatorOf<E>(narrow)}.MayOverflow(norm) || Arithmetic{AccumulatorOf<E>({})}.MayOverflow(norm);
}

void TouchElements(const Plan& plan, const Norm& norm, Context& context) {
  if (!plan.of_elements) return;
  if (norm.has_negative && norm.power > 1 && norm.power % 2 == 1) context.touched.Add(Entry::kTorchLpNegative);
  if (Overhang(plan, norm) > 1) context.touched.Add(Entry::kTorchLpOverhang);
}

template <typename E>
long double NormUnder(const Plan& plan, const Norm& norm, Context& context) {
  const long double exact = norm.exact;
  TouchElements(plan, norm, context);
  if (norm.has_subnormal || (exact != 0 && std::fabs(exact) < kSmallestNormal<E>)) {
    context.touched.Add(Entry::kSubnormals);
  }
  if (!std::isfinite(norm.largest) || norm.largest == 0) return exact;
  if (sizeof(typename E::Stored) == 2) {
    context.touched.Add(Entry::kMeanAccumulation);
    context.binding.Add(Entry::kMeanAccumulation);
  }
  if (!TouchesOverflow<E>(norm)) return exact;
  context.touched.Add(Entry::kMeanOverflow);
  if (!context.readings.Is(Entry::kMeanOverflow, MeanOverflow::kOverflows)) return exact;
  if (!Arithmetic{AccumulatorOf<E>(context.readings)}.MustOverflow(norm)) return exact;
  return exact < 0 ? -kInfinity : kInfinity;
}

template <typename E>
void TouchAgainstInfinity(const Norm& against, Context& context) {
  if (against.largest == 0) return;
  Readings narrow = context.readings;
  narrow[Entry::kMeanAccumulation] = static_cast<uint8_t>(MeanAccumulation::kType);
  const bool may = Arithmetic{AccumulatorOf<E>(context.readings)}.MayOverflow(against);
  const bool may_narrow = Arithmetic{AccumulatorOf<E>(narrow)}.MayOverflow(against);
  if (may || may_narrow) context.touched.Add(Entry::kMeanOverflow);
  if (may == may_narrow) return;
  context.touched.Add(Entry::kMeanAccumulation);
  context.binding.Add(Entry::kMeanAccumulation);
}

template <typename E>
void Compute(const Plan& plan, const poolproof_call& call, Context& context) {
  const Input<E> input(call, context.readings);
  const bool flushes = FlushesOutput(context.readings);
  auto* output = static_cast<typename E::Stored*>(call.outputs[0]->data);
  ForEachWindow(plan, [&](const WindowTaps& window, const OutputPosition&, int64_t offset) {
    const Norm norm = NormOf<E>(plan, input, window, context.readings);
    if (std::isinf(norm.sum)) TouchAgainstInfinity<E>(AgainstInfinity(plan, input, window, norm), context);
    output[offset] = Flushed<E>(E::Round(NormUnder<E>(plan, norm, context)), flushes);
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

// Below 0 where the sum is, by whatever reading.
long double RealNorm(const Norm& norm) { return norm.largest * OddRoot(norm.sum, norm.power); }

template <typename E>
long double BoundOf(const Norm& norm, const Readings& readings) {
  const long double magnitude = std::fabs(RealNorm(norm));
  long double bound =
      Arithmetic{AccumulatorOf<E>(readings)}.Error(norm) + magnitude * kUnitOfWide * 64 + UlpAt<E>(magnitude);
  if (FlushesOutput(readings)) bound += kSmallestNormal<E>;
  return bound;
}

// Whether arithmetic in which nothing overflows may give `got`.
template <typename E>
bool MayGive(const Norm& norm, const Readings& readings, long double got) {
  if (norm.counts_signs && !norm.root_of_negative) {
    const Arithmetic arithmetic{AccumulatorOf<E>(readings)};
    if (std::isnan(got)) return arithmetic.MayBeNegative(norm);
    if (!arithmetic.MayBePositive(norm)) return false;
  }
  const long double real = RealNorm(norm), bound = BoundOf<E>(norm, readings);
  // Near the end of the range to round is to overflow.
  constexpr Accumulator kType = {E::kDigits, E::kMaxExponent};
  if (std::isinf(got)) return got * real > 0 && std::fabs(real) + bound >= kType.limit;
  return std::fabs(got - real) <= bound;
}

// A power that overflows may be below 0, and meet one above.
bool MayComeOfOverflow(const Norm& norm, long double got) {
  return norm.counts_signs && norm.has_negative ? !std::isfinite(got) : std::isinf(got) && got > 0;
}

template <typename E>
ElementJudgement JudgeOverflow(const Norm& norm, const Readings& readings, ElementJudgement judgement) {
  Readings narrow = readings;
  narrow[Entry::kMeanAccumulation] = static_cast<uint8_t>(MeanAccumulation::kType);
  if (!Arithmetic{AccumulatorOf<E>(readings)}.MayOverflow(norm)) {
    const bool in_type = Arithmetic{AccumulatorOf<E>(narrow)}.MayOverflow(norm);
    return in_type ? Silence(judgement, Entry::kMeanAccumulation, MeanAccumulation::kType) : judgement;
  }
  return readings.Is(Entry::kMeanOverflow, MeanOverflow::kOverflows)
             ? As(judgement, Acceptance::kTolerated)
             : Silence(judgement, Entry::kMeanOverflow, MeanOverflow::kOverflows);
}

// All taps are finite.
template <typename E>
ElementJudgement JudgeFinite(const Norm& norm, const Readings& readings, long double got) {
  ElementJudgement judgement;
  judgement.exact = static_cast<double>(norm.exact);
  Readings narrow = readings;
  narrow[Entry::kMeanAccumulation] = static_cast<uint8_t>(MeanAccumulation::kType);
  if (std::isfinite(got)) {
    if (std::signbit(got) && !norm.counts_signs) return judgement;
    if (FlushesOutput(readings) && got != 0 && std::fabs(got) < kSmallestNormal<E>) return judgement;
    judgement.bound = static_cast<double>(BoundOf<E>(norm, readings));
    // Where powers cancel, an ulp of what is left says nothing; an ulp of the norm of magnitudes does.
    const long double magnitude = norm.largest * Root(norm.ratios, norm.power);
    judgement.ulp = static_cast<double>(std::fabs(got - RealNorm(norm)) / UlpAt<E>(magnitude));
  }
  if (MayGive<E>(norm, readings, got)) {
    const bool overflows = readings.Is(Entry::kMeanOverflow, MeanOverflow::kOverflows);
    const bool must = overflows && Arithmetic{AccumulatorOf<E>(readings)}.MustOverflow(norm);
    return must && !std::isnan(got) ? Silence(judgement, Entry::kMeanOverflow, MeanOverflow::kExact)
                                    : As(judgement, Acceptance::kTolerated);
  }
  if (MayComeOfOverflow(norm, got)) {
    const ElementJudgement judged = JudgeOverflow<E>(norm, readings, judgement);
    if (judged.acceptance != Acceptance::kRejected) return judged;
  }
  if (!MayGive<E>(norm, narrow, got)) return judgement;
  return Silence(judgement, Entry::kMeanAccumulation, MeanAccumulation::kType);
}

// An infinite tap decides, unless powers of finite ones have become the other infinity before.
template <typename E>
ElementJudgement JudgeNotFinite(const Norm& norm, const Norm& against, const Readings& readings, long double got) {
  const long double exact = norm.exact;
  ElementJudgement judgement;
  judgement.exact = static_cast<double>(exact);
  if (std::isnan(exact) ? std::isnan(got) : got == exact) return As(judgement, Acceptance::kTolerated);
  if (!std::isnan(got) || against.largest == 0) return judgement;
  return JudgeOverflow<E>(against, readings, judgement);
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
      const long double value = E::Load(stored);
      const Input<E> input(call, readings);
      const Norm norm = NormOf<E>(plan, input, window, readings);
      if (std::isfinite(norm.largest)) return JudgeFinite<E>(norm, readings, value);
      return JudgeNotFinite<E>(norm, AgainstInfinity<E>(plan, input, window, norm), readings, value);
    } else {
      return {};
    }
  });
}

}  // namespace poolproof::reference
