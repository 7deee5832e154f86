#include "conformance/worker/case_result.h"

#include <algorithm>
#include <cstring>

#include "conformance/backend_helper.h"
#include "conformance/worker/backend_loader.h"
#include "conformance/worker/fault_report.h"
#include "fmt/format.h"
#include "fmt/ranges.h"

namespace poolproof::worker {
namespace {

bool RankIsSane(const poolproof_tensor& tensor) {
  return tensor.rank >= 0 && tensor.rank <= POOLPROOF_MAX_RANK;
}

std::string NotRunText(const PlacementResponse& response, bool large) {
  const int output = response.not_run_output;
  switch (response.not_run) {
    case NotRun::kInferOnly:
      return "infer only";
    case NotRun::kBadDescription:
      return DescriptionFault(response.outputs[output], output);
    case NotRun::kTooLarge:
      return fmt::format("{} needs {} bytes, more than the {} that this case may have",
                         OutputName(output), response.outputs[output].size_bytes,
                         large ? kMaxTensorBytes : kMaxOutputBytesOfSmall);
    default:
      return "";
  }
}

std::string DamageText(const SlackDamage& damage) {
  const char* side = damage.past_end ? "past the end" : "before the start";
  std::string text = fmt::format("wrote {} byte{} {} of {}", damage.bytes,
                                 damage.bytes == 1 ? "" : "s", side, OutputName(damage.output));
  if (damage.distance > 1) text += fmt::format(", the nearest at distance {}", damage.distance);
  return text;
}

std::string InferDifference(const PlacementResponse& first, const PlacementResponse& later,
                            int placement, size_t outputs) {
  if (first.infer_status != later.infer_status) {
    return fmt::format("infer_shapes answered {} in placement {} and {} in placement 0",
                       StatusName(later.infer_status), placement,
                       StatusName(first.infer_status));
  }
  if (first.infer_status != POOLPROOF_OK) return "";
  for (size_t i = 0; i < outputs; ++i) {
    if (SameAnswer(first.outputs[i], later.outputs[i])) continue;
    return fmt::format("infer_shapes described {} as {} with {} bytes in placement {} and as {} "
                       "with {} bytes in placement 0",
                       OutputName(static_cast<int>(i)), DescribeTensor(later.outputs[i]),
                       later.outputs[i].size_bytes, placement, DescribeTensor(first.outputs[i]),
                       first.outputs[i].size_bytes);
  }
  return "";
}

// A backend that writes at random may hit the responses. What the judge will follow, indices and
// addresses, has to be what the worker can have written.
bool IsIntact(const CaseRequest& request, const PlacementResponse& response) {
  const auto outputs = static_cast<int32_t>(request.call.output_count);
  const auto is_output = [outputs](int32_t index) { return index >= 0 && index < outputs; };
  if (response.not_run < NotRun::kRan || response.not_run > NotRun::kTooLarge ||
      (response.not_run > NotRun::kInferOnly && !is_output(response.not_run_output)) ||
      (response.changed_output != -1 && !is_output(response.changed_output)) ||
      (response.damage.output != -1 && !is_output(response.damage.output)) ||
      strnlen(response.error, sizeof(response.error)) == sizeof(response.error)) {
    return false;
  }
  for (int32_t i = 0; i < outputs && response.ran; ++i) {
    const auto need = static_cast<int64_t>(response.outputs[i].size_bytes);
    const uint64_t begin = response.data_offset[i];
    const uint64_t bytes = response.data_bytes[i];
    if (!DescriptionFault(response.outputs[i], i).empty() || bytes > kMaxTensorBytes ||
        static_cast<int64_t>(bytes) != std::max<int64_t>(0, need + request.capacity) ||
        begin < kBatchesOffset || begin > kTotalBytes - kMaxTensorBytes) {
      return false;
    }
  }
  return true;
}

// Adds what placement `p` says to `result`.
void ReadPlacement(const SharedMemory& memory, const CaseRequest& request,
                   const PlacementResponse* responses, int p, CaseResult* result) {
  const PlacementResponse& response = responses[p];
  const size_t index = static_cast<size_t>(p);
  const size_t outputs = request.call.output_count;
  result->prefill[index] = kPrefill[p];
  result->run_status[index] = response.run_status;
  if (result->error.empty()) result->error = response.error;
  if (p > 0 && result->inconsistency.empty()) {
    result->inconsistency = InferDifference(responses[0], response, p, outputs);
  }
  if (!response.ran) return;
  if (response.changed_output >= 0 && result->inconsistency.empty()) {
    result->inconsistency =
        "run changed the description of " + OutputName(response.changed_output);
  }
  for (size_t i = 0; i < outputs; ++i) {
    result->data[index][i] = memory.At(response.data_offset[i]);
  }
  if (response.damage.output >= 0) {
    result->event = Event::kOutOfBounds;
    result->event_text = DamageText(response.damage);
    result->event_placement = p;
  }
}

}  // namespace

CaseResult ReadResult(const SharedMemory& memory, int batch, int slot, int placements) {
  CaseResult result;
  const CaseRequest* request = memory.Request(batch, slot);
  const PlacementResponse* responses = memory.Response(batch, slot)->placement;
  bool known = false;  // what placement 0 answered
  for (int p = 0; p < placements && responses[p].completed; ++p) {
    if (!IsIntact(*request, responses[p])) {
      result.event = Event::kCrash;
      result.event_text = "overwrote the memory of the worker process";
      result.event_placement = p;
      break;
    }
    known = true;
    ReadPlacement(memory, *request, responses, p, &result);
    if (result.event != Event::kNone) break;
    ++result.placements;
  }
  if (!known) return result;
  const PlacementResponse& first = responses[0];
  result.infer_status = first.infer_status;
  result.ran = first.ran != 0;
  if (first.infer_status != POOLPROOF_OK) return result;
  for (size_t i = 0; i < request->call.output_count; ++i) result.outputs[i] = first.outputs[i];
  const bool large = request->extents[0][0].begin != request->extents[0][0].end;
  result.not_run = NotRunText(first, large);
  return result;
}

std::string DescribeTensor(const poolproof_tensor& tensor) {
  std::string text;
  if (backend::ElementSize(tensor.element_type) == 0) {
    text = fmt::format("element type {}", tensor.element_type);
  } else {
    text = backend::ElementTypeName(tensor.element_type);
  }
  if (!RankIsSane(tensor)) return text + fmt::format(" of rank {}", tensor.rank);
  if (tensor.rank == 0) return text + " (scalar)";
  return text + " " + fmt::format("{}", fmt::join(tensor.dims, tensor.dims + tensor.rank, "x"));
}

std::string DescriptionFault(const poolproof_tensor& tensor, int output) {
  const std::string name = OutputName(output);
  size_t bytes = backend::ElementSize(tensor.element_type);
  if (bytes == 0 || !RankIsSane(tensor)) {
    return name + " is described as " + DescribeTensor(tensor);
  }
  for (int32_t axis = 0; axis < tensor.rank; ++axis) {
    if (tensor.dims[axis] < 0 || __builtin_mul_overflow(bytes, tensor.dims[axis], &bytes)) {
      return name + " is described as " + DescribeTensor(tensor) + ", which no memory holds";
    }
  }
  if (bytes == tensor.size_bytes) return "";
  return fmt::format("{} is described as {} with {} bytes, which needs {}", name,
                     DescribeTensor(tensor), tensor.size_bytes, bytes);
}

bool SameAnswer(const poolproof_tensor& a, const poolproof_tensor& b) {
  return a.element_type == b.element_type && a.rank == b.rank && a.frac_bits == b.frac_bits &&
         a.size_bytes == b.size_bytes &&
         (!RankIsSane(a) ||
          std::memcmp(a.dims, b.dims, sizeof(a.dims[0]) * static_cast<size_t>(a.rank)) == 0);
}

}  // namespace poolproof::worker
