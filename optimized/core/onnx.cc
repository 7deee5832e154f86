#include "optimized/core/onnx.h"

#include <algorithm>
#include <array>
#include <limits>
#include <string>

#include "optimized/core/attributes.h"
#include "optimized/core/executor.h"
#include "optimized/core/tensors.h"
#include "optimized/kernels/kernels.h"

namespace poolproof::optimized {
namespace {

enum AutoPad { kNotSet, kSameUpper, kSameLower, kValid };

constexpr int64_t kOne = 1;
constexpr int64_t kLargest = int64_t{1} << 60;  // of sizes and attributes; sums and products of two fit in 128 bits

struct WindowAttributes {
  int64_t kernel[3], strides[3], dilations[3];
  int64_t pads[6] = {};  // those before the axes, then those behind
  int auto_pad = kNotSet;
  bool ceil = false;
};

Result ReadFlag(const Attributes& in, std::string_view name, bool* value) {
  int64_t integer = 0;
  Result r = in.Int(name, 0, 1, false, &integer);
  *value = integer == 1;
  return r;
}

Result ReadWindow(const Attributes& in, int spatial, WindowAttributes& a) {
  constexpr int64_t kNoPads = 0;
  Result r = in.Word("auto_pad", {"NOTSET", "SAME_UPPER", "SAME_LOWER", "VALID"}, &a.auto_pad);
  if (r.ok()) r = in.List("kernel_shape", spatial, 1, nullptr, a.kernel);
  if (r.ok()) r = in.List("strides", spatial, 1, &kOne, a.strides);
  if (r.ok()) r = in.List("dilations", spatial, 1, &kOne, a.dilations);
  if (r.ok()) r = in.List("pads", 2 * spatial, 0, &kNoPads, a.pads);
  return r.ok() ? ReadFlag(in, "ceil_mode", &a.ceil) : r;
}

Result TooLarge() { return Result::Invalid("an attribute is too large for any tensor"); }

// Rounds a / b down, or up; b > 0.
int64_t RoundedQuotient(__int128 a, int64_t b, bool up) {
  const __int128 down = a / b - (a % b < 0 ? 1 : 0);
  return static_cast<int64_t>(down) + (up && a % b != 0 ? 1 : 0);
}

__int128 ReachOf(const Axis& axis) { return static_cast<__int128>(axis.kernel - 1) * axis.dilation + 1; }

Result SameShape(bool upper, __int128 reach, Axis& axis) {
  axis.out = RoundedQuotient(axis.in, axis.stride, true);
  const __int128 needed = static_cast<__int128>(axis.out - 1) * axis.stride + reach;
  if (needed > kLargest) return TooLarge();
  const int64_t total = std::max<int64_t>(0, static_cast<int64_t>(needed) - axis.in);
  axis.pad = upper ? total / 2 : total - total / 2;
  return Result::Ok();
}

Result WindowAxis(const WindowAttributes& a, int i, int spatial, int64_t in, Axis& axis) {
  axis = {in, 1, a.kernel[i], a.strides[i], a.dilations[i], 0, false};
  const __int128 reach = ReachOf(axis);
  Result r = Result::Ok();
  if (a.auto_pad == kNotSet) {
    axis.pad = a.pads[i];
    r = PaddedShape(a.ceil, a.pads[spatial + i], axis);
  } else if (a.auto_pad == kValid) {
    axis.out = RoundedQuotient(in - reach, axis.stride, false) + 1;
  } else {
    r = SameShape(a.auto_pad == kSameUpper, reach, axis);
  }
  return r.ok() ? CheckOut(i, axis) : r;
}

Result CheckNames(OnnxPool pool, const Attributes& attributes) {
  constexpr std::string_view kOwn[] = {"storage_order", "count_include_pad", "p"};
  const std::string_view own = kOwn[static_cast<size_t>(pool)];
  return attributes.CheckNames({"kernel_shape", "strides", "dilations", "pads", "auto_pad", "ceil_mode", own});
}

Result ReadPower(const Attributes& attributes, Plan& plan) {
  return attributes.Int("p", 1, std::numeric_limits<int64_t>::max(), false, &plan.power);
}

Result ReadOwn(OnnxPool pool, const Attributes& attributes, const poolproof_tensor& in, Plan& plan) {
  if (pool == OnnxPool::kNorm) return ReadPower(attributes, plan);
  bool flag = false;
  if (pool == OnnxPool::kAverage) {
    Result r = ReadFlag(attributes, "count_include_pad", &flag);
    plan.divisor = flag ? Divisor::kKernel : Divisor::kInside;
    return r;
  }
  Result r = ReadFlag(attributes, "storage_order", &flag);
  plan.column_major_channels = flag ? in.dims[1] : 0;
  plan.index_bound = plan.outer;
  for (int i = 2; i < in.rank; ++i) plan.index_bound *= in.dims[i];
  return r;
}

Result CheckType(OnnxPool pool, bool global, const poolproof_call& call) {
  const poolproof_element_type type = call.inputs[0]->element_type;
  const bool bytes = type == POOLPROOF_I8 || type == POOLPROOF_U8;
  if (IsFloat(type) || (bytes && pool == OnnxPool::kMax && !global)) return Result::Ok();
  return Result::Invalid(std::string(call.op) + " does not take elements of this type");
}

}  // namespace

Result PaddedShape(bool ceil, int64_t pad_after, Axis& axis) {
  const __int128 reach = ReachOf(axis), padded = static_cast<__int128>(axis.in) + axis.pad + pad_after;
  if (padded > kLargest || reach > kLargest) return TooLarge();
  axis.out = RoundedQuotient(padded - reach, axis.stride, ceil) + 1;
  const __int128 start = static_cast<__int128>(axis.out - 1) * axis.stride;
  if (ceil && start >= static_cast<__int128>(axis.in) + axis.pad) --axis.out;
  return Result::Ok();
}

Result CheckOut(int i, const Axis& axis) {
  if (axis.out >= 1) return Result::Ok();
  return Result::Invalid("the window of spatial axis " + std::to_string(i) + " has no position");
}

Result ParseOnnxPool(OnnxPool pool, const poolproof_call& call, Parsed& parsed) {
  Result r = CheckFeatureMap(call, 1);
  if (r.ok()) r = CheckType(pool, false, call);
  const Attributes attributes(call);
  if (r.ok()) r = CheckNames(pool, attributes);
  if (!r.ok()) return r;
  const poolproof_tensor& in = *call.inputs[0];
  const int spatial = in.rank - 2;
  WindowAttributes window;
  if (r = ReadWindow(attributes, spatial, window); !r.ok()) return r;
  SetOuter(in, parsed.plan);
  if (pool == OnnxPool::kMax && call.output_count == 2) parsed.plan.index_type = POOLPROOF_I64;
  if (r = ReadOwn(pool, attributes, in, parsed.plan); !r.ok()) return r;
  for (int i = 0; i < spatial; ++i) {
    r = WindowAxis(window, i, spatial, in.dims[2 + i], parsed.plan.axis[3 - spatial + i]);
    if (!r.ok()) return r;
  }
  return SetOutputs(in, parsed);
}

Result ParseOnnxGlobalPool(OnnxPool pool, const poolproof_call& call, Parsed& parsed) {
  Result r = CheckFeatureMap(call, 1);
  if (r.ok()) r = CheckType(pool, true, call);
  const Attributes attributes(call);
  const bool norm = pool == OnnxPool::kNorm;
  if (r.ok()) r = norm ? attributes.CheckNames({"p"}) : attributes.CheckNames({});
  if (r.ok() && norm) r = ReadPower(attributes, parsed.plan);
  if (!r.ok()) return r;
  const poolproof_tensor& in = *call.inputs[0];
  SetOuter(in, parsed.plan);
  for (int i = 2; i < in.rank; ++i) parsed.plan.axis[5 - in.rank + i - 2] = AdaptiveAxis(in.dims[i], 1);
  return SetOutputs(in, parsed);
}

void OnnxMaxPool(const Plan& plan, const Buffers& buffers, Executor& executor) {
  MaxPool(plan, buffers, executor);
  if (plan.column_major_channels == 0 || plan.index_type == 0) return;
  const auto& [d, h, w] = plan.axis;
  const int64_t channels = plan.column_major_channels, batches = plan.outer / channels, plane = plan.InPlane();
  int64_t* const index = static_cast<int64_t*>(buffers.index);
  const int64_t count = plan.OutElements();
  executor.For(count, 16 * count, [&](int64_t begin, int64_t end, Scratch&) {
    for (int64_t i = begin; i < end; ++i) {
      const int64_t outer = index[i] / plane, at = index[i] % plane;
      const int64_t row = at / w.in, x = at % w.in;
      const int64_t spatial = row / h.in + d.in * (row % h.in + h.in * x);
      index[i] = outer / channels + batches * (outer % channels + channels * spatial);
    }
  });
}

}  // namespace poolproof::optimized
