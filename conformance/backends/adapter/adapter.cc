#include "conformance/backends/adapter/adapter.h"

namespace poolproof::adapter {

PoolCall PoolAdapter::Read(const backend::CallView& call) {
  PoolCall read = ReadCall(call);
  for (const Rule& rule : rules_) {
    if (rule.applies(read)) throw backend::Unsupported(rule.Text());
  }
  Prepare(&read);
  return read;
}

void PoolAdapter::InferShapes(const backend::CallView& call) {
  const PoolCall read = Read(call);
  call.DescribeOutput(0, read.type, read.OutputDims());
  if (read.op->indices) call.DescribeOutput(1, read.index_type, read.OutputDims());
}

void PoolAdapter::Run(const backend::CallView& call) {
  const PoolCall read = Read(call);
  call.CheckCapacity();
  Compute(read, call.Input(0).data, call.Output(0).data, read.op->indices ? call.Output(1).data : nullptr);
}

}  // namespace poolproof::adapter
