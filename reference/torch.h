// Reading of a call of PyTorch's pooling operators, one operator for all numbers of spatial axes, and of each one for
// inputs without a batch, "torch.MaxPool.unbatched".
#pragma once

#include <string_view>

#include "reference/plan.h"
#include "reference/reference.h"

namespace poolproof::reference {

enum class TorchPool { kMax, kAverage, kLp };

// Whether `op` is this operator, with or without a batch.
bool IsTorch(std::string_view op, std::string_view name);

// The operators with a kernel. Reads and checks all of `call` but its data. The rules: one to three spatial axes;
// kernel_size is there, and of a norm norm_type; these, stride, dilation and divisor_override are at least 1, padding
// from 0 to half the kernel; lists with one entry per spatial axis; no other attributes than those of the operator, and
// no divisor_override along one axis. False, and context.error says why, where one is broken or where a reading refuses
// what the documents leave open.
bool PlanTorchPool(TorchPool pool, const poolproof_call& call, Context& context, Plan* plan);

// The adaptive ones: an input of a float type, and output_size as a second one, i32 or i64, of one size of at least 1
// per spatial axis.
bool PlanTorchAdaptive(TorchPool pool, const poolproof_call& call, Context& context, Plan* plan);

}  // namespace poolproof::reference
