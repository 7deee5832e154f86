#include "conformance/cases/run_limits.h"

#include <fmt/format.h>

#include "reference/reference.h"

namespace poolproof {

std::string WhyTooLarge(const Problem& problem) {
  if (problem.ShapesAlone()) return "";
  const auto sentence = [](const char* what, uint64_t bytes) {
    return fmt::format(
        "its {} has {} bytes, and at most {} are run; with fill=none its shapes alone "
        "are judged",
        what, bytes, kMaxRunBytes);
  };
  const int64_t input = problem.InputBytes();
  if (input > kMaxRunBytes) return sentence("feature map", static_cast<uint64_t>(input));
  Call call;
  call.Bind(problem);
  reference::Context context;
  if (reference::InferShapes(call.call, context) != POOLPROOF_OK) return "";
  for (int i = 0; i < static_cast<int>(call.call.output_count); ++i) {
    const uint64_t bytes = call.outputs[i].size_bytes;
    if (bytes > uint64_t{kMaxRunBytes}) return sentence(i == 0 ? "output" : "second output", bytes);
  }
  return "";
}

}  // namespace poolproof
