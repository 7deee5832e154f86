#include "conformance/judge/oracle.h"

#include <algorithm>
#include <cassert>

#include "conformance/cases/fill.h"
#include "conformance/cases/run_limits.h"

namespace poolproof {

bool SameShapes(const Result& a, const Result& b) {
  if (a.output_count != b.output_count) return false;
  for (size_t i = 0; i < a.output_count; ++i) {
    const poolproof_tensor& x = a.outputs[i];
    const poolproof_tensor& y = b.outputs[i];
    if (x.element_type != y.element_type || x.rank != y.rank || x.size_bytes != y.size_bytes ||
        x.frac_bits != y.frac_bits || !std::equal(x.dims, x.dims + std::clamp(x.rank, 0, POOLPROOF_MAX_RANK), y.dims)) {
      return false;
    }
  }
  return true;
}

void Expected::Compute(Call& call, const reference::Readings& readings, bool infer_only, Capacity capacity) {
  assert(call.call.output_count <= kMaxOutputs);
  capacity_ = capacity;
  context_.readings = readings;
  context_.touched = context_.binding = {};
  context_.error.clear();
  result_.computed = !infer_only;
  result_.output_count = call.call.output_count;
  result_.status = reference::InferShapes(call.call, context_);
  for (size_t i = 0; i < result_.output_count; ++i) {
    result_.computed &= call.outputs[i].size_bytes <= static_cast<size_t>(kMaxRunBytes);
  }
  if (result_.status == POOLPROOF_OK && result_.computed) {
    for (size_t i = 0; i < result_.output_count; ++i) {
      memory_[i].resize(std::max<size_t>(call.outputs[i].size_bytes, 1));
      call.outputs[i].data = memory_[i].data();
    }
    std::copy_n(call.outputs, result_.output_count, result_.outputs.begin());
    for (size_t i = 0; i < result_.output_count; ++i) {
      size_t& bytes = call.outputs[i].size_bytes;
      bytes = static_cast<size_t>(capacity.Room(i, static_cast<int64_t>(bytes)));
    }
    result_.status = reference::Run(call.call, context_);
    return;
  }
  std::copy_n(call.outputs, result_.output_count, result_.outputs.begin());
}

bool Expected::Override(size_t index, const TensorValue& value) {
  assert(index < result_.output_count && result_.computed);
  const poolproof_tensor& tensor = result_.outputs[index];
  const size_t size = ElementSize(tensor.element_type);
  if (value.values.size() * size != tensor.size_bytes) return false;
  std::vector<std::byte> bytes(std::max<size_t>(tensor.size_bytes, 1));
  for (size_t i = 0; i < value.values.size(); ++i) {
    if (!StoreElement(tensor.element_type, value.values[i], bytes.data(), static_cast<int64_t>(i))) {
      return false;
    }
  }
  memory_[index].swap(bytes);
  result_.outputs[index].data = memory_[index].data();
  return true;
}

void ComputeExpected(const Problem& problem, const Example* example, const reference::Selection& selection, Call& call,
                     Expected* expected) {
  // A capacity below the need is part of the problem: the oracle must not see its own memory.
  expected->Compute(call, selection.For(call.call), problem.ShapesAlone(), problem.capacity);
  if (example == nullptr || expected->result().status != POOLPROOF_OK) return;
  for (size_t i = 0; i < example->outputs.size(); ++i) {
    if (i < expected->result().output_count) {
      expected->Override(i, example->outputs[i]);
    }
  }
}

}  // namespace poolproof
