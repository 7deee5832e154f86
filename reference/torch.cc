#include "reference/torch.h"

#include <cstdlib>
#include <limits>
#include <string_view>
#include <vector>

#include "reference/adaptive.h"
#include "reference/attributes.h"
#include "reference/index.h"
#include "reference/onnx_size.h"
#include "reference/reject.h"
#include "reference/sliding.h"

namespace poolproof::reference {
namespace {

constexpr std::string_view kKernel = "kernel_size";
constexpr std::string_view kStride = "stride";
constexpr std::string_view kPadding = "padding";
constexpr std::string_view kDilation = "dilation";
constexpr std::string_view kCeilMode = "ceil_mode";
constexpr std::string_view kCountIncludePad = "count_include_pad";
constexpr std::string_view kDivisor = "divisor_override";
constexpr std::string_view kNormType = "norm_type";
constexpr std::string_view kUnbatched = ".unbatched";  // at the end of the name: the input has no batch

constexpr ElementTypes kMaxTypes = {POOLPROOF_F64, POOLPROOF_F32, POOLPROOF_F16, POOLPROOF_BF16, POOLPROOF_I8,
                                    POOLPROOF_U8,  POOLPROOF_I16, POOLPROOF_I32, POOLPROOF_I64};
constexpr ElementTypes kMeanTypes = {POOLPROOF_F64, POOLPROOF_F32, POOLPROOF_F16, POOLPROOF_BF16, POOLPROOF_I64};

constexpr ElementTypes TypesOf(TorchPool pool) {
  switch (pool) {
    case TorchPool::kMax: return kMaxTypes;
    case TorchPool::kAverage: return kMeanTypes;
    case TorchPool::kLp: return kFloats;
  }
  return {};
}

// The attributes as written, defaults where absent.
struct Written {
  PerAxis kernel{1, 1, 1};
  PerAxis stride{1, 1, 1};
  PerAxis padding{};
  PerAxis dilation{1, 1, 1};
  OnnxSizeRule rule{.no_window = Entry::kTorchNoWindow};
};

std::vector<std::string_view> NamesOf(TorchPool pool) {
  if (pool == TorchPool::kLp) return {kNormType, kKernel, kStride, kCeilMode};
  if (pool == TorchPool::kMax) return {kKernel, kStride, kPadding, kCeilMode, kDilation};
  return {kKernel, kStride, kPadding, kCeilMode, kCountIncludePad, kDivisor};
}

// 0 divides nothing. Whether a negative number does is open.
bool ReadDivisor(Attributes& attributes, Context& context, Plan* plan) {
  constexpr int64_t kMost = std::numeric_limits<int64_t>::max();
  int64_t divisor = 1;
  if (!attributes.ReadInteger(kDivisor, -kMost, kMost, &divisor)) return false;
  if (divisor < 0) context.touched.Add(Entry::kTorchDivisorRange);
  const bool divides = context.readings.Is(Entry::kTorchDivisorRange, TorchDivisorRange::kNegativeDivides);
  if (divisor == 0 || (divisor < 0 && !divides)) return Reject(context, kDivisor, " is ", divisor, ", below 1");
  plan->divisor = attributes.IsPresent(kDivisor) ? std::abs(divisor) : 0;
  plan->negates = divisor < 0;
  return true;
}

// One name stands for all ranks here, of which the document gives the first one attribute less.
bool CheckRank(const Attributes& attributes, int spatial, Context& context) {
  return spatial > 1 || !attributes.IsPresent(kDivisor) ||
         Reject(context, "AvgPool1d has no attribute ", kDivisor, ", which AvgPool2d and AvgPool3d have");
}

bool ReadAll(TorchPool pool, int spatial, Attributes& attributes, Context& context, Written* written, Plan* plan) {
  if (!attributes.CheckNames(NamesOf(pool)) || !CheckRank(attributes, spatial, context) ||
      !attributes.Require(kKernel) || !attributes.ReadPerAxis(kKernel, spatial, 1, &written->kernel)) {
    return false;
  }
  written->stride = written->kernel;
  bool include = true;
  if (!attributes.ReadPerAxis(kStride, spatial, 1, &written->stride) ||
      !attributes.ReadPerAxis(kPadding, spatial, 0, &written->padding) ||
      !attributes.ReadPerAxis(kDilation, spatial, 1, &written->dilation) ||
      !attributes.ReadBool(kCeilMode, &written->rule.ceil) || !attributes.ReadBool(kCountIncludePad, &include) ||
      !ReadDivisor(attributes, context, plan) || (pool == TorchPool::kLp && !attributes.Require(kNormType)) ||
      !attributes.ReadInteger(kNormType, 1, std::numeric_limits<int64_t>::max(), &plan->power)) {
    return false;
  }
  plan->of_elements = pool == TorchPool::kLp;
  plan->exclude_pad = !include;
  plan->open_without_pads = false;
  return true;
}

bool SetAxes(const Written& written, const poolproof_tensor& input, Context& context, Plan* plan) {
  for (int i = 0; i < plan->spatial_rank; ++i) {
    const auto k = static_cast<size_t>(i);
    Axis& axis = plan->SpatialAxis(i);
    axis.size = input.dims[input.rank - plan->spatial_rank + i];
    axis.kernel = written.kernel[k];
    axis.stride = written.stride[k];
    axis.dilation = written.dilation[k];
    axis.pad_begin = axis.pad_end = written.padding[k];
    if (axis.pad_begin > axis.kernel / 2) {
      return Reject(context, "padding ", axis.pad_begin, " of spatial axis ", i, " is more than half the kernel");
    }
    if (axis.size == 0) {
      axis.out = 0;
    } else if (!ComputeOnnxSize(written.rule, i, context, &axis)) {
      return false;
    }
  }
  return true;
}

// The number of outputs is that of the call: indices are returned where they are asked for. Over what they run is open.
bool SetIndices(const poolproof_tensor& input, Context& context, Plan* plan) {
  plan->index_type = POOLPROOF_I64;
  context.touched.Add(Entry::kTorchIndexOrigin);
  const bool planes = context.readings.Is(Entry::kTorchIndexOrigin, TorchIndexOrigin::kPlane);
  return SetIndexBound(input, planes ? input.rank - plan->spatial_rank : 0, context, plan);
}

// Dimensions in front of the spatial ones: batch and channels, or channels alone.
int OuterOf(const poolproof_call& call) { return std::string_view(call.op).ends_with(kUnbatched) ? 1 : 2; }

}  // namespace

bool IsTorch(std::string_view op, std::string_view name) {
  return op.starts_with(name) && (op.size() == name.size() || op.substr(name.size()) == kUnbatched);
}

bool PlanTorchPool(TorchPool pool, const poolproof_call& call, Context& context, Plan* plan) {
  plan->has_index = pool == TorchPool::kMax && call.output_count == 2;
  const size_t outputs = plan->has_index ? 2 : 1;
  const int outer = OuterOf(call);
  if (!CheckTensors(call, {1, outputs, TypesOf(pool), outer + 1, outer + 3}, context)) return false;
  const poolproof_tensor& input = *call.inputs[0];
  plan->spatial_rank = input.rank - outer;
  Attributes attributes(call, context);
  Written written;
  return ReadAll(pool, plan->spatial_rank, attributes, context, &written, plan) &&
         CheckZeroSize(input, *plan, context) && SetAxes(written, input, context, plan) &&
         CheckWindowSize(*plan, context) && LayOutBatches(input, context, plan) &&
         (!plan->has_index || SetIndices(input, context, plan));
}

bool PlanTorchAdaptive(TorchPool pool, const poolproof_call& call, Context& context, Plan* plan) {
  plan->has_index = pool == TorchPool::kMax && call.output_count == 2;
  const size_t outputs = plan->has_index ? 2 : 1;
  const int outer = OuterOf(call);
  if (!CheckTensors(call, {2, outputs, kFloats, outer + 1, outer + 3}, context)) return false;
  const poolproof_tensor& input = *call.inputs[0];
  plan->spatial_rank = input.rank - outer;
  return Attributes(call, context).CheckNames({}) && ReadCells(call, context, plan) &&
         LayOutBatches(input, context, plan) && (!plan->has_index || SetIndices(input, context, plan));
}

}  // namespace poolproof::reference
