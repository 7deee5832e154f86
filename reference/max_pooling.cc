#include "reference/max_pooling.h"

#include <cassert>
#include <cmath>
#include <cstring>
#include <limits>
#include <optional>

#include "reference/max_window.h"

namespace poolproof::reference {
namespace {

void StoreIndex(const poolproof_tensor& output, int64_t offset, int64_t index) {
  assert(output.element_type == POOLPROOF_I32 || output.element_type == POOLPROOF_I64);
  if (output.element_type == POOLPROOF_I32) {
    static_cast<int32_t*>(output.data)[offset] = static_cast<int32_t>(index);
  } else {
    static_cast<int64_t*>(output.data)[offset] = index;
  }
}

template <typename E>
void Compute(const Plan& plan, const poolproof_call& call, Context& context) {
  const Input<E> input(call, context.readings);
  const bool flushes = FlushesOutput(context.readings);
  auto* values = static_cast<typename E::Stored*>(call.outputs[0]->data);
  ForEachWindow(plan, [&](const WindowTaps& window, const OutputPosition&, int64_t offset) {
    const TapScan<E> scan = ScanTaps<E>(plan, input, window);
    const Maximum<E> maximum = MaximumOf<E>(plan, input, scan, context);
    values[offset] = Flushed<E>(maximum.value, flushes);
    if (plan.has_index) StoreIndex(*call.outputs[1], offset, IndexOf(plan, maximum));
  });
}

ElementJudgement Tolerated() {
  ElementJudgement judgement;
  judgement.acceptance = Acceptance::kTolerated;
  return judgement;
}

template <typename Reading>
ElementJudgement Silence(Entry entry, Reading reading) {
  ElementJudgement judgement;
  judgement.acceptance = Acceptance::kSilence;
  judgement.entry = entry;
  judgement.reading = static_cast<uint8_t>(reading);
  return judgement;
}

// One output element in question.
template <typename E>
struct Question {
  const Plan& plan;
  Input<E> input;
  const WindowTaps& window;
  const TapScan<E>& scan;
};

// Whether `got` is `expected` or as good, under one reading of everything.
template <typename E>
std::optional<ElementJudgement> JudgeValue(const Question<E>& q, typename E::Stored expected, typename E::Stored got,
                                           bool flushed) {
  if (std::memcmp(&got, &expected, sizeof(got)) == 0) return Tolerated();
  if (IsNan<E>(expected) && IsNan<E>(got)) return Tolerated();
  // Different bits of equal value: zeros. Any number may have been flushed to one.
  const bool both = q.scan.numbers.both_zeros || q.scan.behind_nan.both_zeros || flushed;
  if (E::Load(expected) == E::Load(got) && both) {
    return Silence(Entry::kSignedZero, SignedZero::kOther);
  }
  return std::nullopt;
}

// The reading of `ties`, or where they are NaN of `nan-index`, by which `got` is the index of one of the taps that hold
// `value`.
template <typename E>
std::optional<ElementJudgement> JudgeTie(const Question<E>& q, typename E::Stored value, int64_t got) {
  const bool nan = IsNan<E>(value);
  int64_t tied = 0, match = 0;  // counted from 1
  ForEachTap(q.window, q.plan.in, [&](int64_t offset) {
    const auto stored = q.input[offset];
    if (nan ? !IsNan<E>(stored) : E::Load(stored) != E::Load(value)) return;
    ++tied;
    const int64_t index = IndexOf<E>(q.plan, {value, true, false, offset});
    if (match == 0 && index == got) match = tied;
  });
  if (match == 0) return std::nullopt;
  if (nan)
    return Silence(Entry::kNanIndex, match == 1      ? NanIndex::kFirst
                                     : match == tied ? NanIndex::kLast
                                                     : NanIndex::kOther);
  return Silence(Entry::kTies, match == 1 ? Ties::kFirst : match == tied ? Ties::kLast : Ties::kOther);
}

template <typename E>
std::optional<ElementJudgement> JudgeIndex(const Question<E>& q, const Maximum<E>& expected, const Readings& readings,
                                           int64_t got) {
  if (got == IndexOf(q.plan, expected)) return Tolerated();
  if (expected.index_is_open) {
    // An index that points at nothing does not show that indices run over more than the plane.
    const bool whole = readings.Is(Entry::kTorchIndexOrigin, TorchIndexOrigin::kTensor);
    if (got < 0 || got >= (whole ? q.plan.in.plane : q.plan.index_bound)) return std::nullopt;
    return Silence(Entry::kEmptyWindowIndex, EmptyWindowIndex::kOther);
  }
  if (!expected.has_tap) return std::nullopt;
  return JudgeTie(q, expected.value, got);
}

template <typename E>
std::optional<ElementJudgement> JudgeUnder(const Question<E>& q, const Readings& readings, size_t output,
                                           const void* got) {
  Context context{readings, {}, {}};
  const Maximum<E> expected = MaximumOf<E>(q.plan, q.input, q.scan, context);
  if (output == 0) {
    typename E::Stored value;
    std::memcpy(&value, got, sizeof(value));
    const bool flushes = FlushesOutput(readings);
    const bool flushed = q.scan.has_subnormal && (flushes || FlushesInput(readings));
    return JudgeValue(q, Flushed<E>(expected.value, flushes), value, flushed);
  }
  int64_t index = 0;
  if (q.plan.index_type == POOLPROOF_I64) {
    std::memcpy(&index, got, sizeof(index));
  } else {
    int32_t narrow;
    std::memcpy(&narrow, got, sizeof(narrow));
    index = narrow;
  }
  return JudgeIndex(q, expected, readings, index);
}

template <typename E>
ElementJudgement Judge(const Plan& plan, const poolproof_call& call, const Readings& readings, size_t output,
                       int64_t element, const void* got) {
  const Input<E> input(call, readings);
  const WindowTaps window = TapsAt(plan, PositionOf(plan, element));
  const TapScan<E> scan = ScanTaps<E>(plan, input, window);
  const Question<E> question = {plan, input, window, scan};
  if (const auto verdict = JudgeUnder(question, readings, output, got)) return *verdict;
  if (scan.nans == 0) return {};
  for (uint8_t nan = 0; nan < ComputableReadings(Entry::kNan); ++nan) {
    Readings other = readings;
    other[Entry::kNan] = nan;
    if (JudgeUnder(question, other, output, got)) return Silence(Entry::kNan, nan);
  }
  return {};
}

// The exact result of the value output, for messages.
template <typename E>
double ExactValue(const Plan& plan, const poolproof_call& call, const Readings& readings, int64_t element) {
  const Input<E> input(call, readings);
  const WindowTaps window = TapsAt(plan, PositionOf(plan, element));
  Context context{readings, {}, {}};
  const TapScan<E> scan = ScanTaps<E>(plan, input, window);
  const auto value = MaximumOf<E>(plan, input, scan, context).value;
  return static_cast<double>(E::Load(Flushed<E>(value, FlushesOutput(readings))));
}

}  // namespace

void ComputeMaxima(const Plan& plan, const poolproof_call& call, Context& context) {
  VisitElementType(plan.type, [&](auto e) { Compute<decltype(e)>(plan, call, context); });
}

ElementJudgement JudgeMaximum(const Plan& plan, const poolproof_call& call, const Readings& readings, size_t output,
                              int64_t element, const void* got) {
  assert(got != nullptr && (output == 0 || plan.has_index));
  return VisitElementType(plan.type, [&](auto e) {
    using E = decltype(e);
    ElementJudgement judgement = Judge<E>(plan, call, readings, output, element, got);
    judgement.exact =
        output == 0 ? ExactValue<E>(plan, call, readings, element) : std::numeric_limits<double>::quiet_NaN();
    return judgement;
  });
}

}  // namespace poolproof::reference
