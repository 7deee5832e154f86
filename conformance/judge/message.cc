#include "conformance/judge/message.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <vector>

#include "conformance/cases/fill.h"

namespace poolproof {
namespace {

int Rank(const poolproof_tensor& tensor) { return std::clamp(tensor.rank, 0, POOLPROOF_MAX_RANK); }

}  // namespace

std::string_view StatusName(poolproof_status status) {
  switch (status) {
    case POOLPROOF_OK: return "OK";
    case POOLPROOF_UNSUPPORTED: return "UNSUPPORTED";
    case POOLPROOF_INVALID_ARGUMENT: return "INVALID_ARGUMENT";
    case POOLPROOF_INTERNAL_ERROR: return "INTERNAL_ERROR";
    default: return "a status that does not exist";
  }
}

std::string ShapeText(const poolproof_tensor& tensor) {
  std::string text = fmt::format("{} [{}]", ElementTypeName(tensor.element_type),
                                 fmt::join(tensor.dims, tensor.dims + Rank(tensor), ","));
  if (tensor.rank != Rank(tensor)) text += fmt::format(" of rank {}", tensor.rank);
  if (tensor.element_type == POOLPROOF_FX8 || tensor.element_type == POOLPROOF_FX16) {
    text += fmt::format(" frac_bits={}", tensor.frac_bits);
  }
  return text;
}

std::string PositionText(const poolproof_tensor& tensor, int64_t element) {
  std::vector<int64_t> position(static_cast<size_t>(Rank(tensor)));
  for (size_t d = position.size(); d-- > 0;) {
    const int64_t size = std::max<int64_t>(tensor.dims[d], 1);
    position[d] = element % size;
    element /= size;
  }
  return fmt::format("[{}]", fmt::join(position, ","));
}

std::string OutputName(const Problem& problem, size_t output) {
  return output < problem.spec->outputs.size() ? problem.spec->outputs[output].name : fmt::format("{}", output);
}

std::string ValueMessage(const Problem& problem, const Result& expected, const Result& got, size_t output,
                         int64_t element) {
  const poolproof_tensor& want = expected.outputs[output];
  const poolproof_tensor& have = got.outputs[output];
  return fmt::format("output {} at {}: expected {}, got {}", OutputName(problem, output), PositionText(want, element),
                     ElementAsText(want.element_type, want.data, element),
                     ElementAsText(have.element_type, have.data, element));
}

std::string ShapeMessage(const Problem& problem, const Result& expected, const Result& got) {
  for (size_t i = 0; i < expected.output_count; ++i) {
    const std::string want = ShapeText(expected.outputs[i]);
    const std::string have = ShapeText(got.outputs[i]);
    if (want != have) {
      return fmt::format("output {}: expected {}, got {}", OutputName(problem, i), want, have);
    }
    if (expected.outputs[i].size_bytes != got.outputs[i].size_bytes) {
      return fmt::format("output {}: {} needs {} bytes, the backend says {}", OutputName(problem, i), want,
                         expected.outputs[i].size_bytes, got.outputs[i].size_bytes);
    }
  }
  return "the outputs differ";
}

}  // namespace poolproof
