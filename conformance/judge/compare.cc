#include "conformance/judge/compare.h"

#include <cassert>
#include <cmath>
#include <cstring>

#include "conformance/cases/fill.h"

namespace poolproof {
namespace {

using reference::Acceptance;
using reference::ElementJudgement;

int64_t Count(const poolproof_tensor& tensor) {
  const size_t size = ElementSize(tensor.element_type);
  return size == 0 ? 0 : static_cast<int64_t>(tensor.size_bytes / size);
}

// Judges the elements of one output that differ in their bytes; `each(element, judgement)` returns
// false to stop.
template <typename Each>
void ForEachDifferent(const Call& call, const Expected& expected, const Result& got, size_t output, Each each) {
  assert(output < expected.result().output_count && SameShapes(expected.result(), got));
  const poolproof_tensor& want = expected.result().outputs[output];
  const auto* a = static_cast<const std::byte*>(want.data);
  const auto* b = static_cast<const std::byte*>(got.outputs[output].data);
  if (want.size_bytes == 0 || std::memcmp(a, b, want.size_bytes) == 0) return;
  reference::FindOperator(call.call.op)->judge_different(call.call, expected.readings(), output, a, b, each);
}

}  // namespace

Comparison Compare(const Call& call, const Expected& expected, const Result& got,
                   std::optional<reference::Entry> last) {
  Comparison comparison;
  const Result& want = expected.result();
  if (want.status != got.status) {
    comparison.difference = Difference::kStatus;
    return comparison;
  }
  if (want.status != POOLPROOF_OK) return comparison;
  if (!SameShapes(want, got)) {
    comparison.difference = Difference::kShape;
    return comparison;
  }
  if (!want.computed || !got.computed) return comparison;
  for (size_t output = 0; output < want.output_count; ++output) {
    ForEachDifferent(call, expected, got, output, [&](int64_t i, const ElementJudgement& judged) {
      if (judged.acceptance == Acceptance::kRejected) {
        comparison.difference = Difference::kValue;
        comparison.output = output;
        comparison.element = i;
        return false;
      }
      comparison.ulp = std::max(comparison.ulp, judged.ulp);
      if (judged.acceptance == Acceptance::kSilence) {
        comparison.silences.Add(judged.entry);
        if (judged.reading >= reference::ComputableReadings(judged.entry)) {
          comparison.others.Add(judged.entry);
        }
        return judged.entry != last;
      }
      return true;
    });
    if (!comparison.Matches() || (last && comparison.silences.Has(*last))) return comparison;
  }
  return comparison;
}

std::vector<int64_t> WrongElements(const Call& call, const Expected& expected, const Result& got, size_t output) {
  std::vector<int64_t> wrong;
  ForEachDifferent(call, expected, got, output, [&](int64_t i, const ElementJudgement& judged) {
    if (judged.acceptance == Acceptance::kRejected) wrong.push_back(i);
    return true;
  });
  return wrong;
}

bool SameElement(poolproof_element_type type, const void* a, const void* b, int64_t i) {
  assert(a != nullptr && b != nullptr && i >= 0);
  const size_t size = ElementSize(type);
  const size_t at = static_cast<size_t>(i) * size;
  if (std::memcmp(static_cast<const std::byte*>(a) + at, static_cast<const std::byte*>(b) + at, size) == 0) {
    return true;
  }
  return IsFloat(type) && std::isnan(ElementAsNumber(type, a, i)) && std::isnan(ElementAsNumber(type, b, i));
}

bool SameBytes(const Result& a, const Result& b) {
  if (a.status != b.status) return false;
  if (a.status != POOLPROOF_OK) return true;
  if (!SameShapes(a, b)) return false;
  if (!a.computed || !b.computed) return true;
  for (size_t output = 0; output < a.output_count; ++output) {
    const poolproof_tensor& x = a.outputs[output];
    const poolproof_tensor& y = b.outputs[output];
    if (x.size_bytes == 0 || std::memcmp(x.data, y.data, x.size_bytes) == 0) continue;
    for (int64_t i = 0, n = Count(x); i < n; ++i) {
      if (!SameElement(x.element_type, x.data, y.data, i)) return false;
    }
  }
  return true;
}

}  // namespace poolproof
