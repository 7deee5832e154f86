// Runs a problem through the reference under the profile "documented".
#pragma once

#include <vector>

#include "conformance/cases/fill.h"
#include "conformance/cases/problem.h"
#include "reference/reference.h"

namespace poolproof {

struct ReferenceAnswer {
  poolproof_status status = POOLPROOF_INTERNAL_ERROR;
  std::string error;
  std::vector<TensorValue> outputs;  // where OK
};

inline TensorValue TakeOutput(const poolproof_tensor& tensor) {
  TensorValue value;
  value.shape.assign(tensor.dims, tensor.dims + tensor.rank);
  int64_t elements = 1;
  for (int64_t dim : value.shape) elements *= dim;
  for (int64_t i = 0; i < elements; ++i) {
    value.values.push_back(ElementAsNumber(tensor.element_type, tensor.data, i));
  }
  return value;
}

inline ReferenceAnswer RunReference(const Problem& problem) {
  ReferenceAnswer answer;
  Call call;
  call.Bind(problem);
  reference::Context context;
  answer.status = reference::InferShapes(call.call, context);
  if (answer.status == POOLPROOF_OK) {
    std::vector<std::byte> input(static_cast<size_t>(problem.Elements()) * ElementSize(problem.type));
    FillInput(problem, input.data());
    call.inputs[0].data = input.data();
    call.inputs[0].size_bytes = input.size();
    std::vector<std::vector<std::byte>> outputs(call.call.output_count);
    for (size_t i = 0; i < outputs.size(); ++i) {
      outputs[i].resize(
          static_cast<size_t>(problem.capacity.Room(i, static_cast<int64_t>(call.outputs[i].size_bytes))));
      call.outputs[i].data = outputs[i].data();
      call.outputs[i].size_bytes = outputs[i].size();
    }
    answer.status = reference::Run(call.call, context);
    for (size_t i = 0; answer.status == POOLPROOF_OK && i < outputs.size(); ++i) {
      answer.outputs.push_back(TakeOutput(call.outputs[i]));
    }
  }
  answer.error = context.error;
  return answer;
}

}  // namespace poolproof
