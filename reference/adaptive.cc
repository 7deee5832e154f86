#include "reference/adaptive.h"

#include <cstring>

#include "reference/attributes.h"
#include "reference/index.h"
#include "reference/reject.h"
#include "reference/sliding.h"

namespace poolproof::reference {
namespace {

constexpr std::string_view kNames[] = {"index_element_type"};

bool CheckSizesTensor(const poolproof_tensor& sizes, int spatial_rank, Context& context) {
  if (!kIndexTypes.Has(sizes.element_type)) {
    return Reject(context, "element type ", ElementTypeName(sizes.element_type), " of input 1 is neither i32 nor i64");
  }
  if (sizes.rank != 1 || sizes.dims[0] != spatial_rank) {
    return Reject(context, "input 1 must be one list of ", spatial_rank, " output sizes, one per spatial axis");
  }
  const size_t bytes = static_cast<size_t>(spatial_rank) * ElementSize(sizes.element_type);
  return (sizes.data != nullptr && sizes.size_bytes >= bytes) ||
         Reject(context, "input 1 has ", sizes.size_bytes, " bytes of data, its sizes take ", bytes);
}

int64_t LoadSize(const poolproof_tensor& sizes, size_t i) {
  if (sizes.element_type == POOLPROOF_I64) {
    int64_t size;
    std::memcpy(&size, static_cast<const char*>(sizes.data) + i * sizeof(size), sizeof(size));
    return size;
  }
  int32_t size;
  std::memcpy(&size, static_cast<const char*>(sizes.data) + i * sizeof(size), sizeof(size));
  return size;
}

// The cells are [floor(i * size / out), ceil((i + 1) * size / out)), so size * out has to fit.
bool SetAxes(const poolproof_call& call, Context& context, Plan* plan) {
  for (int i = 0; i < plan->spatial_rank; ++i) {
    Axis& axis = plan->SpatialAxis(i);
    axis.adaptive = true;
    axis.size = call.inputs[0]->dims[call.inputs[0]->rank - plan->spatial_rank + i];
    axis.out = LoadSize(*call.inputs[1], static_cast<size_t>(i));
    if (axis.out == 0) context.touched.Add(Entry::kAdaptiveSizeZero);
    const bool none = context.readings.Is(Entry::kAdaptiveSizeZero, AdaptiveSizeZero::kEmptyOutput);
    if (axis.out < (none ? 0 : 1)) {
      return Reject(context, "output size ", axis.out, " of spatial axis ", i, " is below 1");
    }
    int64_t product;
    if (__builtin_mul_overflow(axis.size, axis.out, &product)) {
      return Reject(context, "positions along spatial axis ", i, " do not fit in 64 bits");
    }
  }
  return true;
}

}  // namespace

bool ReadCells(const poolproof_call& call, Context& context, Plan* plan) {
  return CheckSizesTensor(*call.inputs[1], plan->spatial_rank, context) && SetAxes(call, context, plan) &&
         CheckZeroSize(*call.inputs[0], *plan, context);
}

bool PlanAdaptive(bool index, const poolproof_call& call, Context& context, Plan* plan) {
  const TensorRules rules = {2, index ? size_t{2} : size_t{1}, kFloats, 3, 5};
  if (!CheckTensors(call, rules, context)) return false;
  const poolproof_tensor& input = *call.inputs[0];
  plan->spatial_rank = input.rank - 2;
  Attributes attributes(call, context);
  return attributes.CheckNames(std::span(kNames).first(index ? 1 : 0)) && (!index || ReadIndexType(attributes, plan)) &&
         ReadCells(call, context, plan) && LayOutBatches(input, context, plan) &&
         (!index || SetIndexBound(input, 2, context, plan));
}

}  // namespace poolproof::reference
