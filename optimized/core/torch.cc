#include "optimized/core/torch.h"

#include <limits>
#include <string>
#include <string_view>
#include <vector>

#include "optimized/core/attributes.h"
#include "optimized/core/onnx.h"
#include "optimized/core/openvino.h"
#include "optimized/core/tensors.h"

namespace poolproof::optimized {
namespace {

constexpr std::string_view kSuffix = ".unbatched";

int OuterOf(const poolproof_call& call) { return std::string_view(call.op).ends_with(kSuffix) ? kUnbatched : kBatched; }

struct WindowAttributes {
  int64_t kernel[3], stride[3], padding[3], dilation[3] = {1, 1, 1};
  bool ceil = false;
};

Result ReadWindow(TorchPool pool, const Attributes& in, int spatial, WindowAttributes& a) {
  constexpr int64_t kZero = 0, kOne = 1;
  Result r = in.List("kernel_size", spatial, 1, nullptr, a.kernel);
  if (r.ok() && in.Has("stride")) {
    r = in.List("stride", spatial, 1, nullptr, a.stride);
  } else {
    for (int i = 0; i < spatial; ++i) a.stride[i] = a.kernel[i];
  }
  if (r.ok()) r = in.List("padding", spatial, 0, &kZero, a.padding);
  if (r.ok() && pool == TorchPool::kMax) r = in.List("dilation", spatial, 1, &kOne, a.dilation);
  return r.ok() ? in.Bool("ceil_mode", false, &a.ceil) : r;
}

Result WindowAxis(const WindowAttributes& a, int i, int64_t in, Axis& axis) {
  axis = {in, 1, a.kernel[i], a.stride[i], a.dilation[i], a.padding[i], false};
  if (axis.pad > axis.kernel / 2) {
    return Result::Invalid("padding " + std::to_string(axis.pad) + " of spatial axis " + std::to_string(i) +
                           " is more than half the kernel");
  }
  Result r = PaddedShape(a.ceil, axis.pad, axis);
  return r.ok() ? CheckOut(i, axis) : r;
}

Result CheckNames(TorchPool pool, int spatial, const Attributes& attributes) {
  if (pool == TorchPool::kNorm) return attributes.CheckNames({"norm_type", "kernel_size", "stride", "ceil_mode"});
  std::vector<std::string_view> names = {"kernel_size", "stride", "padding", "ceil_mode"};
  names.push_back(pool == TorchPool::kMax ? "dilation" : "count_include_pad");
  if (pool == TorchPool::kAverage && spatial > 1) names.push_back("divisor_override");
  return attributes.CheckNames(names);
}

// Unsigned integers of more than 8 bits are none of PyTorch's pooling, means of integers have 64, norms have none.
Result CheckType(TorchPool pool, const poolproof_call& call) {
  const poolproof_element_type type = call.inputs[0]->element_type;
  if (IsFloat(type) || (type == POOLPROOF_I64 && pool != TorchPool::kNorm)) return Result::Ok();
  const bool narrow = type == POOLPROOF_I8 || type == POOLPROOF_U8 || type == POOLPROOF_I16 || type == POOLPROOF_I32;
  if (narrow && pool == TorchPool::kMax) return Result::Ok();
  return Result::Invalid(std::string(call.op) + " does not take elements of this type");
}

Result ReadMean(const Attributes& attributes, Plan& plan) {
  bool include = true;
  Result r = attributes.Bool("count_include_pad", false, &include);
  plan.divisor = include ? Divisor::kKernel : Divisor::kInside;
  if (r.ok() && attributes.Has("divisor_override")) {
    plan.divisor = Divisor::kGiven;
    r = attributes.Int("divisor_override", 1, std::numeric_limits<int64_t>::max(), true, &plan.given_divisor);
  }
  plan.quotient = IsFloat(plan.type) ? Quotient::kNearest : Quotient::kTruncate;
  return r;
}

Result ReadOwn(TorchPool pool, const Attributes& attributes, Plan& plan) {
  if (pool == TorchPool::kMax) return Result::Ok();
  if (pool == TorchPool::kAverage) return ReadMean(attributes, plan);
  plan.keeps_signs = true;
  return attributes.Int("norm_type", 1, std::numeric_limits<int64_t>::max(), true, &plan.power);
}

}  // namespace

bool NamesTorch(std::string_view op, std::string_view name) {
  if (op.ends_with(kSuffix)) op.remove_suffix(kSuffix.size());
  return op == name;
}

Result ParseTorchPool(TorchPool pool, const poolproof_call& call, Parsed& parsed) {
  const int outer = OuterOf(call);
  Result r = CheckFeatureMap(call, 1, outer);
  if (r.ok()) r = CheckType(pool, call);
  const Attributes attributes(call);
  if (r.ok()) r = CheckNames(pool, call.inputs[0]->rank - outer, attributes);
  if (!r.ok()) return r;
  const poolproof_tensor& in = *call.inputs[0];
  const int spatial = in.rank - outer;
  WindowAttributes window;
  if (r = ReadWindow(pool, attributes, spatial, window); !r.ok()) return r;
  Plan& plan = parsed.plan;
  SetOuter(in, plan, outer);
  r = ReadOwn(pool, attributes, plan);
  for (int i = 0; i < spatial && r.ok(); ++i) r = WindowAxis(window, i, in.dims[outer + i], plan.axis[3 - spatial + i]);
  if (!r.ok()) return r;
  if (pool == TorchPool::kMax && call.output_count == 2) plan.index_type = POOLPROOF_I64;
  plan.index_bound = plan.InPlane();
  return SetOutputs(in, parsed, outer);
}

Result ParseTorchAdaptivePool(TorchPool pool, const poolproof_call& call, Parsed& parsed) {
  const int outer = OuterOf(call);
  if (Result r = CheckFeatureMap(call, 2, outer); !r.ok()) return r;
  const poolproof_tensor& in = *call.inputs[0];
  if (!IsFloat(in.element_type)) {
    return Result::Invalid(std::string(call.op) + " takes floating-point types only");
  }
  Plan& plan = parsed.plan;
  SetOuter(in, plan, outer);
  Result r = Attributes(call).CheckNames({});
  if (r.ok()) r = SetAdaptiveAxes(call, plan, outer);
  if (!r.ok()) return r;
  if (pool == TorchPool::kMax && call.output_count == 2) plan.index_type = POOLPROOF_I64;
  plan.index_bound = plan.InPlane();
  return SetOutputs(in, parsed, outer);
}

}  // namespace poolproof::optimized
