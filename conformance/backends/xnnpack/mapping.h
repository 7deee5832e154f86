// How a documented pooling call maps to an XNNPACK operator, and what has no counterpart.
#ifndef POOLPROOF_CONFORMANCE_BACKENDS_XNNPACK_MAPPING_H_
#define POOLPROOF_CONFORMANCE_BACKENDS_XNNPACK_MAPPING_H_

#include <xnnpack.h>

#include <cstdint>
#include <memory>
#include <span>

#include "conformance/backends/adapter/pool_call.h"
#include "conformance/backends/adapter/rule.h"

namespace poolproof::xnnpack {

std::span<const adapter::Rule> Rules();

// One spatial axis in XNNPACK's terms.
struct Side {
  size_t in = 1, out = 1;
  uint32_t kernel = 1, stride = 1, dilation = 1, pad_begin = 0, pad_end = 0;
};

// A call as [batch, height, width, channels]; a call of rank 3 has height 1.
struct Nhwc {
  size_t batch = 0, channels = 0;
  Side height, width;
};
Nhwc ToNhwc(const adapter::PoolCall& call);

struct DeleteOperator {
  void operator()(xnn_operator_t op) const { xnn_delete_operator(op); }
};
using Operator = std::unique_ptr<xnn_operator, DeleteOperator>;

// Creates the operator of a call. `status` says why there is none.
Operator Create(const adapter::PoolCall& call, const Nhwc& shape, xnn_status* status);

// Binds the operator to NHWC buffers; `indices` only where the call has indices.
xnn_status Setup(const adapter::PoolCall& call, const Nhwc& shape, xnn_operator_t op, const void* input, void* output,
                 uint32_t* indices);

}  // namespace poolproof::xnnpack

#endif  // POOLPROOF_CONFORMANCE_BACKENDS_XNNPACK_MAPPING_H_
