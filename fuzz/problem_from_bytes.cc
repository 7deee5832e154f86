#include "fuzz/problem_from_bytes.h"

#include <algorithm>
#include <string_view>

#include "conformance/cases/choices.h"
#include "conformance/cases/generate.h"
#include "conformance/cases/geometry.h"

namespace poolproof::fuzz {
namespace {

// A problem line begins with a letter; the line ends at the first line feed.
std::string_view FirstLine(const uint8_t* data, size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  return text.substr(0, std::min(text.find('\n'), size));
}

}  // namespace

Problem ProblemFromBytes(const Specs& specs, const uint8_t* data, size_t size) {
  Error error;
  if (auto problem = ParseLine(specs, FirstLine(data, size), &error)) return std::move(*problem);
  Choices choices(std::span(data, size));
  return RandomProblem(specs, choices);
}

bool IsQuick(const Problem& problem, const poolproof_call& call, const Work& limit) {
  if (problem.Elements() > limit.elements) return false;
  int64_t work = 1;
  for (int32_t d = 0; d < call.outputs[0]->rank; ++d) {
    if (__builtin_mul_overflow(work, call.outputs[0]->dims[d], &work)) return false;
  }
  if (work > limit.elements) return false;
  // Taps in padding cost time as well.
  for (int axis = 0; axis < problem.SpatialRank(); ++axis) {
    const int64_t kernel = AxisValue(problem, Role::kKernel, axis, 1);
    if (kernel > limit.taps) return false;
    work *= std::max<int64_t>(1, kernel);
    if (work > limit.taps) return false;
  }
  return true;
}

}  // namespace poolproof::fuzz
