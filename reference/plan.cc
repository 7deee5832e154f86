#include "reference/plan.h"

#include <algorithm>
#include <cassert>

#include "reference/reject.h"

namespace poolproof::reference {
namespace {

// Multiplies *product by `factor` >= 0; false where it does not fit. A zero hides no overflow: it
// counts as one, so that every partial product of the dimensions fits as well.
bool Multiply(int64_t* product, int64_t factor) {
  assert(factor >= 0);
  return !__builtin_mul_overflow(*product, std::max<int64_t>(factor, 1), product);
}

bool BytesFit(const int64_t* dims, int rank, size_t element_size) {
  int64_t bytes = static_cast<int64_t>(element_size);
  for (int i = 0; i < rank; ++i) {
    if (!Multiply(&bytes, dims[i])) return false;
  }
  return true;
}

poolproof_element_type OutputType(const Plan& plan, size_t output) {
  assert(output == 0 || (output == 1 && plan.has_index));
  return output == 0 ? plan.type : plan.index_type;
}

size_t OutputBytes(const Plan& plan, size_t output) {
  return static_cast<size_t>(plan.OutElements()) * ElementSize(OutputType(plan, output));
}

bool CheckInputTensor(const poolproof_tensor& input, const TensorRules& rules, Context& context) {
  if (!rules.types.Has(input.element_type)) {
    return Reject(context, "element type ", ElementTypeName(input.element_type), " (", input.element_type,
                  ") of input 0 is not one of the operator's");
  }
  if (input.rank < rules.min_rank || input.rank > rules.max_rank) {
    return Reject(context, "rank ", input.rank, " of input 0 is outside [", rules.min_rank, ", ", rules.max_rank, "]");
  }
  for (int i = 0; i < input.rank; ++i) {
    if (input.dims[i] < 0) {
      return Reject(context, "dimension ", i, " of input 0 is ", input.dims[i]);
    }
  }
  return BytesFit(input.dims, input.rank, ElementSize(input.element_type)) ||
         Reject(context, "the bytes of input 0 do not fit in 64 bits");
}

bool SameShape(const Plan& plan, const poolproof_tensor& output) {
  return output.rank == plan.rank && std::equal(plan.out_dims.begin(), plan.out_dims.begin() + plan.rank, output.dims);
}

bool CheckOutput(const Plan& plan, size_t i, const poolproof_tensor& output, Context& context) {
  if (output.element_type != OutputType(plan, i)) {
    return Reject(context, "output ", i, " is ", ElementTypeName(output.element_type), ", not ",
                  ElementTypeName(OutputType(plan, i)));
  }
  if (!SameShape(plan, output)) {
    return Reject(context, "output ", i, " does not have the shape of the result");
  }
  const size_t bytes = OutputBytes(plan, i);
  if (output.size_bytes < bytes) {
    context.touched.Add(plan.capacity_entries);
    return Reject(context, "output ", i, " has room for ", output.size_bytes, " bytes, the result has ", bytes);
  }
  return bytes == 0 || output.data != nullptr || Reject(context, "output ", i, " has no data");
}

// The distances in a dense tensor of planes of the given extents.
Strides DensePlanes(int64_t d, int64_t h, int64_t w) { return {d * h * w, {h * w, w, 1}}; }

}  // namespace

OutputPosition PositionOf(const Plan& plan, int64_t element) {
  assert(element >= 0 && element < plan.OutElements());
  // Dense outputs hold channels first or last; `plane` is the larger distance where first.
  OutputPosition at;
  const auto& [d, h, w] = plan.axes;
  if (plan.out.plane == 1) {
    at.plane = element % plan.planes;
    element /= plan.planes;
  } else {
    at.plane = element / (d.out * h.out * w.out);
    element %= d.out * h.out * w.out;
  }
  at.w = element % w.out;
  at.h = element / w.out % h.out;
  at.d = element / w.out / h.out;
  return at;
}

WindowTaps TapsAt(const Plan& plan, const OutputPosition& at) {
  return {at.plane * plan.in.plane, {plan.axes[0].TapsOf(at.d), plan.axes[1].TapsOf(at.h), plan.axes[2].TapsOf(at.w)}};
}

bool OutputBytesFit(const Plan& plan) { return BytesFit(plan.out_dims.data(), plan.rank, sizeof(int64_t)); }

bool LayOutBatches(const poolproof_tensor& input, Context& context, Plan* plan) {
  const int outer = input.rank - plan->spatial_rank;
  assert(outer == 1 || outer == 2);
  const auto& [d, h, w] = plan->axes;
  plan->type = input.element_type;
  plan->rank = input.rank;
  plan->planes = outer == 2 ? input.dims[0] * input.dims[1] : input.dims[0];
  std::copy_n(input.dims, outer, plan->out_dims.begin());
  for (int i = 0; i < plan->spatial_rank; ++i) {
    plan->spatial_dim[static_cast<size_t>(i)] = outer + i;
    plan->out_dims[static_cast<size_t>(outer + i)] = plan->SpatialAxis(i).out;
  }
  if (!OutputBytesFit(*plan)) {
    return Reject(context, "the bytes of the output do not fit in 64 bits");
  }
  plan->in = DensePlanes(d.size, h.size, w.size);
  plan->out = DensePlanes(d.out, h.out, w.out);
  return true;
}

bool CheckTensors(const poolproof_call& call, const TensorRules& rules, Context& context) {
  if (call.input_count != rules.inputs || call.inputs == nullptr) {
    return Reject(context, call.op, " takes ", rules.inputs, " inputs, not ", call.input_count);
  }
  if (call.output_count != rules.outputs || call.outputs == nullptr) {
    return Reject(context, call.op, " has ", rules.outputs, " outputs, not ", call.output_count);
  }
  for (size_t i = 0; i < rules.inputs; ++i) {
    if (call.inputs[i] == nullptr || call.inputs[i]->struct_size < sizeof(poolproof_tensor)) {
      return Reject(context, "input ", i, " is not filled in");
    }
  }
  for (size_t i = 0; i < rules.outputs; ++i) {
    if (call.outputs[i] == nullptr || call.outputs[i]->struct_size < sizeof(poolproof_tensor)) {
      return Reject(context, "output ", i, " is not filled in");
    }
  }
  return CheckInputTensor(*call.inputs[0], rules, context);
}

void DescribeOutputs(const Plan& plan, const poolproof_call& call) {
  for (size_t i = 0; i < call.output_count; ++i) {
    poolproof_tensor& output = *call.outputs[i];
    output.element_type = OutputType(plan, i);
    output.rank = plan.rank;
    std::copy_n(plan.out_dims.begin(), plan.rank, output.dims);
    output.size_bytes = OutputBytes(plan, i);
    output.frac_bits = plan.frac_bits;
  }
}

bool CheckData(const Plan& plan, const poolproof_call& call, Context& context) {
  const poolproof_tensor& input = *call.inputs[0];
  int64_t bytes = static_cast<int64_t>(ElementSize(input.element_type));
  for (int i = 0; i < input.rank; ++i) bytes *= input.dims[i];
  if (input.size_bytes < static_cast<size_t>(bytes)) {
    return Reject(context, "input 0 has ", input.size_bytes, " bytes, its shape has ", bytes);
  }
  if (bytes != 0 && input.data == nullptr) return Reject(context, "input 0 has no data");
  for (size_t i = 0; i < call.output_count; ++i) {
    if (!CheckOutput(plan, i, *call.outputs[i], context)) return false;
  }
  return true;
}

Window DrawWindow(const Plan& plan, int64_t element) {
  Window window;
  const OutputPosition at = PositionOf(plan, element);
  const std::array<int64_t, 3> position = {at.d, at.h, at.w};
  window.spatial_rank = plan.spatial_rank;
  const size_t leading = static_cast<size_t>(3 - plan.spatial_rank);
  for (size_t i = 0; i + leading < 3; ++i) {
    const Axis& axis = plan.axes[leading + i];
    window.begin[i] = axis.Start(position[leading + i]);
    window.step[i] = axis.dilation;
    window.taps[i] = axis.Width(position[leading + i]);
    window.axis[i] = plan.spatial_dim[i];
    window.pad_begin[i] = axis.pad_begin;
    window.pad_end[i] = axis.pad_end;
  }
  ForEachTap(TapsAt(plan, at), plan.in, [&](int64_t offset) { window.offsets.push_back(offset); });
  return window;
}

}  // namespace poolproof::reference
