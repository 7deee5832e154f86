#include "reference/mli_mean.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>
#include <limits>

namespace poolproof::reference {
namespace {

constexpr MliAverageRounding kReadings[] = {
    MliAverageRounding::kDivisionConvergent, MliAverageRounding::kDivisionUp, MliAverageRounding::kReciprocalConvergent,
    MliAverageRounding::kReciprocalUp,       MliAverageRounding::kTruncate,   MliAverageRounding::kNearestAway};

bool IsConvergent(MliAverageRounding rounding) {
  return rounding == MliAverageRounding::kDivisionConvergent || rounding == MliAverageRounding::kReciprocalConvergent;
}

// value / 2^shift, shift >= 1, to the nearest integer; a tie goes to the even one or up.
int64_t RoundShift(int64_t value, int shift, bool convergent) {
  const int64_t below = value >> shift;  // floor
  const int64_t rest = value - below * (int64_t{1} << shift);
  const int64_t half = int64_t{1} << (shift - 1);
  const bool up = rest > half || (rest == half && (!convergent || below % 2 != 0));
  return below + (up ? 1 : 0);
}

// 2^result is the smallest power of two that is at least n >= 1.
int CeilLog2(int64_t n) { return static_cast<int>(std::bit_width(static_cast<uint64_t>(n - 1))); }

struct Sum {
  int64_t sum = 0;
  int64_t points = 0;
};

template <typename E>
Sum SumOf(const Plan& plan, const poolproof_call& call, const WindowTaps& window) {
  const auto* input = static_cast<const typename E::Stored*>(call.inputs[0]->data);
  Sum result;
  result.points = window.Count();
  ForEachTap(window, plan.in, [&](int64_t offset) { result.sum += input[offset]; });
  return result;
}

template <typename E>
int64_t Quotient(const Sum& s, MliAverageRounding rounding) {
  if (s.points == 0) return 0;
  return MliQuotient(s.sum, s.points, rounding, E::kLowest, std::numeric_limits<typename E::Stored>::max());
}

template <typename E>
bool ReadingsDiffer(const Sum& s) {
  const int64_t first = Quotient<E>(s, kReadings[0]);
  return std::any_of(std::begin(kReadings) + 1, std::end(kReadings),
                     [&](MliAverageRounding r) { return Quotient<E>(s, r) != first; });
}

template <typename E>
void Compute(const Plan& plan, const poolproof_call& call, Context& context) {
  auto* output = static_cast<typename E::Stored*>(call.outputs[0]->data);
  const auto rounding = static_cast<MliAverageRounding>(context.readings[Entry::kMliAverageRounding]);
  ForEachWindow(plan, [&](const WindowTaps& window, const OutputPosition&, int64_t offset) {
    const Sum sum = SumOf<E>(plan, call, window);
    const bool known = context.touched.Has(Entry::kMliAverageRounding);
    if (!known && ReadingsDiffer<E>(sum)) context.touched.Add(Entry::kMliAverageRounding);
    output[offset] = static_cast<typename E::Stored>(Quotient<E>(sum, rounding));
  });
}

// The written tolerance, in exact arithmetic: both sides are multiplied by the points.
bool IsNear(const Sum& s, int64_t got, bool fx16) {
  const int64_t distance = std::abs(got * s.points - s.sum);
  if (fx16) return (distance - s.points) * (1 << 14) <= std::abs(s.sum);
  return distance < s.points && (distance == 0 || s.sum % s.points != 0);
}

template <typename E>
RoundingAnswers RoundingOf(const Plan& plan, const poolproof_call& call, const void* got) {
  RoundingAnswers answers;
  ForEachWindow(plan, [&](const WindowTaps& window, const OutputPosition&, int64_t offset) {
    const Sum s = SumOf<E>(plan, call, window);
    if (s.points == 0 || !ReadingsDiffer<E>(s)) return;
    const int64_t value = static_cast<const typename E::Stored*>(got)[offset];
    uint32_t names = 0;
    for (const MliAverageRounding r : kReadings) {
      const uint32_t name = 1u << static_cast<unsigned>(r);
      if ((answers.named & name) != 0 && Quotient<E>(s, r) == value) names |= name;
    }
    answers.open = true;
    answers.named = names;
    answers.Note(s.sum, s.points, value);
  });
  return answers;
}

template <typename E>
ElementJudgement Judge(const Sum& s, int64_t got) {
  ElementJudgement judgement;
  judgement.exact = s.points == 0 ? std::numeric_limits<double>::quiet_NaN()
                                  : static_cast<double>(s.sum) / static_cast<double>(s.points);
  if (s.points == 0) return judgement;
  auto reading = std::find_if(std::begin(kReadings), std::end(kReadings),
                              [&](MliAverageRounding r) { return Quotient<E>(s, r) == got; });
  const bool named = reading != std::end(kReadings);
  if (!named && !IsNear(s, got, sizeof(typename E::Stored) == 2)) return judgement;
  judgement.acceptance = Acceptance::kSilence;
  judgement.entry = Entry::kMliAverageRounding;
  judgement.reading = static_cast<uint8_t>(named ? *reading : MliAverageRounding::kOther);
  return judgement;
}

}  // namespace

int64_t MliQuotient(int64_t sum, int64_t points, MliAverageRounding rounding, int64_t min, int64_t max) {
  int64_t rounded;
  if (rounding == MliAverageRounding::kTruncate) {
    rounded = sum / points;
  } else if (rounding == MliAverageRounding::kNearestAway) {
    const int64_t half = sum < 0 ? -points : points;
    rounded = (2 * sum + half) / (2 * points);
  } else if (rounding == MliAverageRounding::kDivisionConvergent || rounding == MliAverageRounding::kDivisionUp) {
    const int64_t doubled = std::clamp<int64_t>(2 * sum, INT32_MIN, INT32_MAX);
    rounded = RoundShift(doubled / points, 1, IsConvergent(rounding));
  } else {
    const int shift = 14 + CeilLog2(points);
    const int64_t reciprocal = (int64_t{1} << shift) / points;
    rounded = RoundShift(sum * reciprocal, shift, IsConvergent(rounding));
  }
  return std::clamp(rounded, min, max);
}

void ComputeMliMeans(const Plan& plan, const poolproof_call& call, Context& context) {
  VisitElementType(plan.type, [&](auto e) {
    // Called with fx8 and fx16 only; the other instantiations would not be integers that add up.
    if constexpr (std::is_same_v<decltype(e), Integer<int8_t>> || std::is_same_v<decltype(e), Integer<int16_t>>) {
      Compute<decltype(e)>(plan, call, context);
    }
  });
}

RoundingAnswers RoundingOfMliMeans(const Plan& plan, const poolproof_call& call, const Readings&, const void* got) {
  return plan.type == POOLPROOF_FX8 ? RoundingOf<Integer<int8_t>>(plan, call, got)
                                    : RoundingOf<Integer<int16_t>>(plan, call, got);
}

ElementJudgement JudgeMliMean(const Plan& plan, const poolproof_call& call, const Readings&, size_t, int64_t element,
                              const void* got) {
  const WindowTaps window = TapsAt(plan, PositionOf(plan, element));
  if (plan.type == POOLPROOF_FX8) {
    int8_t value;
    std::memcpy(&value, got, sizeof(value));
    return Judge<Integer<int8_t>>(SumOf<Integer<int8_t>>(plan, call, window), value);
  }
  int16_t value;
  std::memcpy(&value, got, sizeof(value));
  return Judge<Integer<int16_t>>(SumOf<Integer<int16_t>>(plan, call, window), value);
}

}  // namespace poolproof::reference
