#include "reference/onnx.h"

#include <array>
#include <limits>
#include <span>
#include <string_view>
#include <vector>

#include "reference/attributes.h"
#include "reference/onnx_size.h"
#include "reference/reject.h"
#include "reference/sliding.h"

namespace poolproof::reference {
namespace {

constexpr std::string_view kKernel = "kernel_shape";
constexpr std::string_view kStrides = "strides";
constexpr std::string_view kDilations = "dilations";
constexpr std::string_view kPads = "pads";
constexpr std::string_view kAutoPad = "auto_pad";
constexpr std::string_view kCeilMode = "ceil_mode";
constexpr std::string_view kStorageOrder = "storage_order";
constexpr std::string_view kCountIncludePad = "count_include_pad";
constexpr std::string_view kPower = "p";

constexpr ElementTypes kMaxTypes = {POOLPROOF_BF16, POOLPROOF_F64, POOLPROOF_F32,
                                    POOLPROOF_F16,  POOLPROOF_I8,  POOLPROOF_U8};

std::vector<std::string_view> NamesOf(OnnxPool pool) {
  std::vector<std::string_view> names = {kKernel, kStrides, kDilations, kPads, kAutoPad, kCeilMode};
  switch (pool) {
    case OnnxPool::kMax: names.push_back(kStorageOrder); break;
    case OnnxPool::kAverage: names.push_back(kCountIncludePad); break;
    case OnnxPool::kNorm: names.push_back(kPower); break;
  }
  return names;
}

// The attributes as written, defaults where absent.
struct Written {
  PerAxis kernel{1, 1, 1};
  PerAxis strides{1, 1, 1};
  PerAxis dilations{1, 1, 1};
  std::array<int64_t, 6> pads{};  // those before the spatial axes, then those behind
  OnnxSizeRule rule;
};

// An integer that is 0 or 1.
bool ReadFlag(std::string_view name, Attributes& attributes, bool* value) {
  int64_t integer = *value ? 1 : 0;
  if (!attributes.ReadInteger(name, 0, 1, &integer)) return false;
  *value = integer == 1;
  return true;
}

bool ReadOwn(OnnxPool pool, Attributes& attributes, Context& context, Plan* plan) {
  if (pool == OnnxPool::kNorm)
    return attributes.ReadInteger(kPower, 1, std::numeric_limits<int64_t>::max(), &plan->power);
  bool flag = false;
  if (pool == OnnxPool::kAverage) {
    if (!ReadFlag(kCountIncludePad, attributes, &flag)) return false;
    plan->exclude_pad = !flag;
    plan->open_without_pads = false;
    return true;
  }
  plan->empty_window = Entry::kOnnxEmptyWindowValue;
  if (!ReadFlag(kStorageOrder, attributes, &flag)) return false;
  if (!flag || !plan->has_index) return true;
  context.touched.Add(Entry::kOnnxColumnMajor);
  const bool planes = context.readings.Is(Entry::kOnnxColumnMajor, OnnxColumnMajor::kPlanes);
  plan->column_major = planes ? ColumnMajor::kPlanes : ColumnMajor::kTensor;
  return true;
}

bool ReadAll(OnnxPool pool, int spatial, Attributes& attributes, Written* written) {
  static constexpr std::string_view kAutoPads[] = {"NOTSET", "SAME_UPPER", "SAME_LOWER", "VALID"};
  int auto_pad = 0;
  const auto pads = std::span(written->pads).first(static_cast<size_t>(2 * spatial));
  if (!attributes.CheckNames(NamesOf(pool)) || !attributes.Require(kKernel) ||
      !attributes.ReadPerAxis(kKernel, spatial, 1, &written->kernel) ||
      !attributes.ReadPerAxis(kStrides, spatial, 1, &written->strides) ||
      !attributes.ReadPerAxis(kDilations, spatial, 1, &written->dilations) ||
      !attributes.ReadIntegers(kPads, 0, pads) || !attributes.ReadWord(kAutoPad, kAutoPads, &auto_pad) ||
      !ReadFlag(kCeilMode, attributes, &written->rule.ceil)) {
    return false;
  }
  written->rule.auto_pad = static_cast<AutoPad>(auto_pad);
  written->rule.norm = pool == OnnxPool::kNorm;
  return true;
}

// "This attribute cannot be used simultaneously with auto_pad attribute": pads beside an automatic padding.
bool ResolveBoth(const Attributes& attributes, Context& context, Written* written) {
  if (written->rule.auto_pad == AutoPad::kExplicit || !attributes.IsPresent(kPads)) return true;
  context.touched.Add(Entry::kOnnxPadsBesideAutoPad);
  switch (static_cast<OnnxPadsBesideAutoPad>(context.readings[Entry::kOnnxPadsBesideAutoPad])) {
    case OnnxPadsBesideAutoPad::kIgnored: return true;
    case OnnxPadsBesideAutoPad::kCount: written->rule.auto_pad = AutoPad::kExplicit; return true;
    case OnnxPadsBesideAutoPad::kReject: break;
  }
  return Reject(context, "attribute pads stands beside auto_pad");
}

bool SetAxes(const Written& written, const poolproof_tensor& input, Context& context, Plan* plan) {
  for (int i = 0; i < plan->spatial_rank; ++i) {
    const auto k = static_cast<size_t>(i);
    Axis& axis = plan->SpatialAxis(i);
    axis.size = input.dims[2 + i];
    axis.kernel = written.kernel[k];
    axis.stride = written.strides[k];
    axis.dilation = written.dilations[k];
    axis.pad_begin = written.pads[k];
    axis.pad_end = written.pads[k + static_cast<size_t>(plan->spatial_rank)];
    if (axis.size == 0) {
      axis.out = 0;
    } else if (!ComputeOnnxSize(written.rule, i, context, &axis)) {
      return false;
    }
  }
  return true;
}

// The number of outputs is that of the call: the second one may be left out.
bool ReadTensors(OnnxPool pool, bool global, const poolproof_call& call, Context& context, Plan* plan) {
  const bool may_index = pool == OnnxPool::kMax && !global;
  plan->has_index = may_index && call.output_count == 2;
  const size_t outputs = plan->has_index ? 2 : 1;
  if (!CheckTensors(call, {1, outputs, may_index ? kMaxTypes : kFloats, 3, 5}, context)) return false;
  const poolproof_tensor& input = *call.inputs[0];
  plan->spatial_rank = input.rank - 2;
  plan->index_type = POOLPROOF_I64;
  plan->batches = input.dims[0];
  plan->channels = input.dims[1];
  return CheckZeroSize(input, *plan, context);
}

// Positions are those in the whole tensor.
void SetTensorBound(const poolproof_tensor& input, Plan* plan) {
  plan->index_bound = 1;
  for (int i = 0; i < input.rank; ++i) plan->index_bound *= input.dims[i];
}

}  // namespace

bool PlanOnnxPool(OnnxPool pool, const poolproof_call& call, Context& context, Plan* plan) {
  if (!ReadTensors(pool, /*global=*/false, call, context, plan)) return false;
  const poolproof_tensor& input = *call.inputs[0];
  Attributes attributes(call, context);
  Written written;
  if (!ReadAll(pool, plan->spatial_rank, attributes, &written) || !ReadOwn(pool, attributes, context, plan) ||
      !ResolveBoth(attributes, context, &written) || !SetAxes(written, input, context, plan) ||
      !CheckWindowSize(*plan, context) || !LayOutBatches(input, context, plan)) {
    return false;
  }
  if (plan->has_index) SetTensorBound(input, plan);
  return true;
}

bool PlanOnnxGlobalPool(OnnxPool pool, const poolproof_call& call, Context& context, Plan* plan) {
  if (!ReadTensors(pool, /*global=*/true, call, context, plan)) return false;
  const poolproof_tensor& input = *call.inputs[0];
  Attributes attributes(call, context);
  const std::string_view power[] = {kPower};
  const bool norm = pool == OnnxPool::kNorm;
  if (!attributes.CheckNames(std::span(power).first(norm ? 1 : 0)) ||
      (norm && !attributes.ReadInteger(kPower, 1, std::numeric_limits<int64_t>::max(), &plan->power))) {
    return false;
  }
  plan->empty_window = Entry::kOnnxEmptyWindowValue;
  for (int i = 0; i < plan->spatial_rank; ++i) {
    Axis& axis = plan->SpatialAxis(i);
    axis.size = axis.kernel = input.dims[2 + i];
    axis.out = axis.size == 0 ? 0 : 1;
  }
  return LayOutBatches(input, context, plan);
}

}  // namespace poolproof::reference
