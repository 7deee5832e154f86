#include "conformance/backends/adapter/adapter.h"

#include <cstring>
#include <string>

namespace poolproof::adapter {
namespace {

int64_t OutputElements(const PoolCall& call) { return call.Planes() * call.OutputPlane(); }

void Describe(const PoolCall& call, poolproof_element_type type, poolproof_tensor* output) {
  output->element_type = type;
  output->rank = call.rank;
  for (size_t i = 0; i < static_cast<size_t>(call.rank); ++i) {
    output->dims[i] = i < 2 ? call.dims[i] : call.axes[i - 2].out;
  }
  output->size_bytes = static_cast<size_t>(OutputElements(call)) * ElementSize(type);
  output->frac_bits = 0;
}

Answer CheckCapacity(const PoolCall& call, poolproof_element_type type, const poolproof_tensor& output) {
  const size_t needed = static_cast<size_t>(OutputElements(call)) * ElementSize(type);
  if (output.size_bytes >= needed) return {};
  return Invalid("an output has room for " + std::to_string(output.size_bytes) + " bytes; needed are " +
                 std::to_string(needed));
}

}  // namespace

Answer PoolAdapter::Read(const poolproof_call& call, PoolCall* out) {
  Answer answer = ReadCall(call, out);
  if (!answer.Ok()) return answer;
  for (const Rule& rule : rules_) {
    if (rule.applies(*out)) return Unsupported(rule.Text());
  }
  return Prepare(out);
}

Answer PoolAdapter::InferShapes(const poolproof_call& call) {
  PoolCall read;
  Answer answer = Read(call, &read);
  if (!answer.Ok()) return answer;
  Describe(read, read.type, call.outputs[0]);
  if (read.op->indices) Describe(read, read.index_type, call.outputs[1]);
  return answer;
}

Answer PoolAdapter::Run(const poolproof_call& call) {
  PoolCall read;
  Answer answer = Read(call, &read);
  if (answer.Ok()) answer = CheckCapacity(read, read.type, *call.outputs[0]);
  if (answer.Ok() && read.op->indices) {
    answer = CheckCapacity(read, read.index_type, *call.outputs[1]);
  }
  if (!answer.Ok()) return answer;
  void* indices = read.op->indices ? call.outputs[1]->data : nullptr;
  return Compute(read, call.inputs[0]->data, call.outputs[0]->data, indices);
}

void StoreIndex(const PoolCall& call, void* indices, int64_t position, int64_t index) {
  if (call.index_type == POOLPROOF_I64) {
    static_cast<int64_t*>(indices)[position] = index;
  } else {
    static_cast<int32_t*>(indices)[position] = static_cast<int32_t>(index);
  }
}

int64_t DocumentedIndex(const PoolCall& call, int64_t plane, int64_t position) {
  const int64_t size = call.InputPlane();
  if (position < 0 || position >= size) return position;
  return (plane * size + position) % call.IndexBound();
}

}  // namespace poolproof::adapter
