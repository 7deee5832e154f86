#include "conformance/worker/case_result.h"

#include <algorithm>
#include <cstring>

#include "conformance/backend_helper.h"
#include "conformance/format/text.h"
#include "conformance/worker/backend_loader.h"
#include "conformance/worker/fault_report.h"
#include "fmt/format.h"
#include "fmt/ranges.h"

namespace poolproof::worker {
namespace {

constexpr uint64_t kMaxOutputBytesOfLarge = uint64_t{64} << 20;
constexpr uint64_t kMaxOutputPerInputByte = 10;

bool RankIsSane(const poolproof_tensor& tensor) { return tensor.rank >= 0 && tensor.rank <= POOLPROOF_MAX_RANK; }

std::string NotRunText(const PlacementResponse& response, uint64_t max_output_bytes) {
  const int output = response.not_run_output;
  switch (response.not_run) {
    case NotRun::kInferOnly: return "infer only";
    case NotRun::kBadDescription: return DescriptionFault(response.outputs[output], output);
    case NotRun::kTooLarge:
      return fmt::format("{} needs {} bytes, more than the {} that this case may have", OutputName(output),
                         response.outputs[output].size_bytes, max_output_bytes);
    default: return "";
  }
}

std::string DamageText(const SlackDamage& damage) {
  const char* side = damage.past_end ? "past the end" : "before the start";
  std::string text = fmt::format("wrote {} byte{} {} of {}", damage.bytes, damage.bytes == 1 ? "" : "s", side,
                                 OutputName(damage.output));
  if (damage.distance > 1) text += fmt::format(", the nearest at distance {}", damage.distance);
  return text;
}

std::string InferDifference(const PlacementResponse& first, const PlacementResponse& later, int placement,
                            size_t outputs) {
  if (first.infer_status != later.infer_status) {
    return fmt::format("infer_shapes answered {} in placement {} and {} in placement 0", StatusName(later.infer_status),
                       placement, StatusName(first.infer_status));
  }
  if (first.infer_status != POOLPROOF_OK) return "";
  for (size_t i = 0; i < outputs; ++i) {
    if (SameAnswer(first.outputs[i], later.outputs[i])) continue;
    return fmt::format(
        "infer_shapes described {} as {} with {} bytes in placement {} and as {} "
        "with {} bytes in placement 0",
        OutputName(static_cast<int>(i)), DescribeTensor(later.outputs[i]), later.outputs[i].size_bytes, placement,
        DescribeTensor(first.outputs[i]), first.outputs[i].size_bytes);
  }
  return "";
}

// A backend that writes at random may hit the responses. What the judge will follow, indices and
// addresses, has to be what the worker can have written.
bool IsIntact(const LaneCase& c, const PlacementResponse& response) {
  const auto outputs = static_cast<int32_t>(c.output_count);
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
    if (!DescriptionFault(response.outputs[i], i).empty() || bytes > c.max_output_bytes ||
        static_cast<int64_t>(bytes) != c.capacity.Room(static_cast<size_t>(i), need) || begin < kOutputsOffset ||
        begin > kTotalBytes - kGuard - bytes) {
      return false;
    }
  }
  return true;
}

// Whether the outputs are no longer what they were when run returned.
bool WrittenLate(const SharedMemory& memory, const LaneCase& c, const PlacementResponse& response, int* output) {
  for (size_t i = 0; i < c.output_count && response.ran; ++i) {
    *output = static_cast<int>(i);
    if (HashOutput(memory.At(response.data_offset[i]), response.data_bytes[i]) != response.data_hash[i]) {
      return true;
    }
  }
  return false;
}

void SetEvent(Event event, int placement, std::string text, CaseResult* result) {
  result->event = event;
  result->event_placement = placement;
  result->event_text = std::move(text);
}

// The field of the caller that infer_shapes has written; nullptr: none.
const char* FieldOfCaller(const poolproof_tensor& described) {
  if (described.struct_size != sizeof(poolproof_tensor)) return "struct_size";
  return described.data != nullptr ? "data" : nullptr;
}

// Adds what placement `p` says to `result`.
void ReadPlacement(const SharedMemory& memory, const LaneCase& c, int p, CaseResult* result) {
  const size_t index = static_cast<size_t>(p);
  const PlacementResponse& response = c.responses[index];
  result->prefill[index] = memory.Runner()->prefill[p];
  result->run_status[index] = response.run_status;
  if (result->error.empty()) result->error = Printable(response.error);
  if (p > 0 && result->inconsistency.empty()) {
    result->inconsistency = InferDifference(c.responses[0], response, p, c.output_count);
  }
  for (size_t i = 0; i < c.output_count; ++i) {
    const char* field = FieldOfCaller(response.outputs[i]);
    if (field == nullptr) continue;
    const std::string text =
        fmt::format("wrote {} of {}, which is the caller's, in infer_shapes", field, OutputName(static_cast<int>(i)));
    return SetEvent(Event::kOutOfBounds, p, text, result);
  }
  if (!response.ran) return;
  if (response.changed_output >= 0 && result->inconsistency.empty()) {
    result->inconsistency = "run changed the description of " + OutputName(response.changed_output);
  }
  for (size_t i = 0; i < c.output_count; ++i) {
    result->data[index][i] = memory.At(response.data_offset[i]);
  }
  int output = 0;
  if (response.damage.output >= 0) {
    SetEvent(Event::kOutOfBounds, p, DamageText(response.damage), result);
  } else if (WrittenLate(memory, c, response, &output)) {
    SetEvent(Event::kWrittenLate, p, "changed " + OutputName(output) + " after run had returned", result);
  }
}

void ReadDescription(const LaneCase& c, CaseResult* result) {
  const PlacementResponse& first = c.responses[0];
  for (size_t i = 0; i < c.output_count; ++i) {
    result->outputs[i] = first.outputs[i];
    result->outputs[i].data = nullptr;
    if (result->bad_description.empty()) {
      result->bad_description = DescriptionFault(first.outputs[i], static_cast<int>(i));
    }
  }
  result->not_run = NotRunText(first, c.max_output_bytes);
}

}  // namespace

CaseResult ReadResult(const SharedMemory& memory, const LaneCase& c, int placements) {
  CaseResult result;
  bool known = false;  // what placement 0 answered
  for (int p = 0; p < placements && c.responses[static_cast<size_t>(p)].completed; ++p) {
    if (!IsIntact(c, c.responses[static_cast<size_t>(p)])) {
      SetEvent(Event::kCrash, p, "overwrote the memory of the worker process", &result);
      break;
    }
    known = true;
    ReadPlacement(memory, c, p, &result);
    result.new_code += c.responses[static_cast<size_t>(p)].new_code;
    if (result.event != Event::kNone) break;
    ++result.placements;
  }
  if (known) {
    result.infer_status = c.responses[0].infer_status;
    result.ran = c.responses[0].ran != 0;
    if (result.infer_status == POOLPROOF_OK) ReadDescription(c, &result);
  }
  if (c.event != Event::kNone) SetEvent(c.event, c.event_placement, c.event_text, &result);
  return result;
}

uint64_t MaxOutputBytes(const poolproof_call& call) {
  uint64_t largest = 0;
  for (size_t i = 0; i < call.input_count; ++i) {
    largest = std::max<uint64_t>(largest, call.inputs[i]->size_bytes);
  }
  if (largest <= kSmallRegion) return kMaxOutputBytesOfSmall;
  return std::min(kMaxTensorBytes, std::max(kMaxOutputBytesOfLarge, kMaxOutputPerInputByte * largest));
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
  return fmt::format("{} is described as {} with {} bytes, which needs {}", name, DescribeTensor(tensor),
                     tensor.size_bytes, bytes);
}

bool SameAnswer(const poolproof_tensor& a, const poolproof_tensor& b) {
  return a.element_type == b.element_type && a.rank == b.rank && a.frac_bits == b.frac_bits &&
         a.size_bytes == b.size_bytes &&
         (!RankIsSane(a) || std::memcmp(a.dims, b.dims, sizeof(a.dims[0]) * static_cast<size_t>(a.rank)) == 0);
}

}  // namespace poolproof::worker
