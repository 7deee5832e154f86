// How a documented pooling call maps to a function of PyTorch, and what has no counterpart.
#ifndef POOLPROOF_CONFORMANCE_BACKENDS_TORCH_MAPPING_H_
#define POOLPROOF_CONFORMANCE_BACKENDS_TORCH_MAPPING_H_

#include <ATen/core/Tensor.h>

#include <optional>
#include <span>
#include <vector>

#include "conformance/backends/adapter/pool_call.h"
#include "conformance/backends/adapter/rule.h"

namespace poolproof::torch {

std::span<const adapter::Rule> Rules();

// Empty where PyTorch has no such type.
std::optional<c10::ScalarType> DataType(poolproof_element_type type);

// ceil and ceil_torch both become ceil_mode=True, the only other rounding that PyTorch has.
bool CeilMode(const adapter::PoolCall& call);

std::vector<int64_t> InputSizes(const adapter::PoolCall& call);
// One value per spatial axis.
std::vector<int64_t> Spatial(const adapter::PoolCall& call, int64_t adapter::Axis::* field);

// Writes PyTorch's own output sizes to the axes. Throws c10::Error where it rejects the axis.
void TakeOutputSizes(adapter::PoolCall* call);

}  // namespace poolproof::torch

#endif  // POOLPROOF_CONFORMANCE_BACKENDS_TORCH_MAPPING_H_
