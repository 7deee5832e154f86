#include "optimized/core/openvino.h"

#include <algorithm>
#include <array>
#include <span>
#include <string>

#include "optimized/core/attributes.h"
#include "optimized/core/tensors.h"

namespace poolproof::optimized {
namespace {

enum Rounding { kFloor, kCeil, kCeilTorch };
enum AutoPad { kExplicit, kSameUpper, kSameLower, kValid };

constexpr int64_t kZero = 0, kOne = 1;
// Sizes and attributes beyond this cannot belong to a tensor in memory; below it, sums and products
// of two of them do not overflow 128 bits and sums do not overflow 64.
constexpr int64_t kLargest = int64_t{1} << 60;

struct FixedAttributes {
  int64_t kernel[3], strides[3], dilations[3], pads_begin[3], pads_end[3];
  int rounding = kFloor;
  int auto_pad = kExplicit;
};

Result ReadFixed(const FixedPool& version, const Attributes& in, int spatial, FixedAttributes& a) {
  Result r = in.Word("auto_pad", {"explicit", "same_upper", "same_lower", "valid"}, &a.auto_pad);
  if (!r.ok()) return r;
  r = version.ceil_torch ? in.Word("rounding_type", {"floor", "ceil", "ceil_torch"}, &a.rounding)
                         : in.Word("rounding_type", {"floor", "ceil"}, &a.rounding);
  if (!r.ok()) return r;
  if (r = in.List("kernel", spatial, 1, nullptr, a.kernel); !r.ok()) return r;
  if (r = in.List("strides", spatial, 1, nullptr, a.strides); !r.ok()) return r;
  if (r = in.List("dilations", spatial, 1, &kOne, a.dilations); !r.ok()) return r;
  const int64_t* pads_default = a.auto_pad == kExplicit ? nullptr : &kZero;
  if (r = in.List("pads_begin", spatial, 0, pads_default, a.pads_begin); !r.ok()) return r;
  return in.List("pads_end", spatial, 0, pads_default, a.pads_end);
}

Result TooLarge() { return Result::Invalid("an attribute is too large for any tensor"); }

// ceil_torch: the last window must not start in the padding at the end.
void DropWindowPastEnd(Axis& axis) {
  const __int128 start = static_cast<__int128>(axis.out - 1) * axis.stride;
  if (start >= static_cast<__int128>(axis.in) + axis.pad) --axis.out;
}

// Shape rule for auto_pad explicit and valid: sets out; pads are what counts for this axis.
Result RoundedShape(const FixedAttributes& a, int i, int64_t pads_end, Axis& axis) {
  const __int128 reach = static_cast<__int128>(axis.kernel - 1) * axis.dilation + 1;
  const __int128 padded = static_cast<__int128>(axis.in) + axis.pad + pads_end;
  const bool beyond = reach > padded;
  // Rounded up, less than a stride more still has one position.
  if (beyond && (a.rounding == kFloor || reach - padded >= axis.stride)) {
    return Result::Invalid("the window of spatial axis " + std::to_string(i) + " is larger than the padded input");
  }
  if (padded > kLargest || reach > kLargest) return TooLarge();
  if (beyond) return Result::Ok();
  const int64_t span = static_cast<int64_t>(padded - reach);
  axis.out = span / axis.stride + 1;
  if (a.rounding != kFloor && span % axis.stride != 0) ++axis.out;
  if (a.rounding == kCeilTorch) DropWindowPastEnd(axis);
  return Result::Ok();
}

// auto_pad same_upper and same_lower: as many outputs as inputs, whatever rounding_type is; the pads
// follow from that.
Result SameShape(const FixedAttributes& a, Axis& axis) {
  axis.out = axis.in;
  const __int128 needed =
      static_cast<__int128>(axis.out - 1) * axis.stride + static_cast<__int128>(axis.kernel - 1) * axis.dilation + 1;
  if (needed > kLargest) return TooLarge();
  const int64_t total = std::max<int64_t>(0, static_cast<int64_t>(needed) - axis.in);
  axis.pad = a.auto_pad == kSameUpper ? total / 2 : total - total / 2;
  return Result::Ok();
}

Result FixedAxis(const FixedAttributes& a, int i, int64_t in, Axis& axis) {
  axis = {in, 1, a.kernel[i], a.strides[i], a.dilations[i], 0, false};
  switch (a.auto_pad) {
    case kExplicit: axis.pad = a.pads_begin[i]; return RoundedShape(a, i, a.pads_end[i], axis);
    case kValid: return RoundedShape(a, i, 0, axis);
    default: return SameShape(a, axis);
  }
}

Result ReadIndices(const Attributes& attributes, Plan& plan) {
  int type = 0;
  Result r = attributes.Word("index_element_type", {"i64", "i32"}, &type);
  plan.index_type = type == 0 ? POOLPROOF_I64 : POOLPROOF_I32;
  return r;
}

// Indices run below the product of the dimensions from `axis` on.
Result SetIndexBound(const poolproof_tensor& in, int64_t axis, Plan& plan) {
  plan.index_bound = 1;
  for (int64_t i = axis < 0 ? axis + in.rank : axis; i < in.rank; ++i) plan.index_bound *= in.dims[i];
  if (plan.index_type == POOLPROOF_I32 && plan.index_bound > int64_t{1} << 31) {
    return Result::Invalid("indices up to " + std::to_string(plan.index_bound - 1) +
                           " do not fit index_element_type i32");
  }
  return Result::Ok();
}

Result CheckNames(const FixedPool& version, const Attributes& attributes) {
  std::array<std::string_view, 10> names = {"kernel", "strides", "pads_begin", "pads_end", "rounding_type", "auto_pad"};
  size_t count = 6;
  if (version.dilations) names[count++] = "dilations";
  if (version.indices) names[count++] = "axis";
  if (version.indices) names[count++] = "index_element_type";
  if (version.exclude_pad) names[count++] = "exclude-pad";
  return attributes.CheckNames(std::span(names).first(count));
}

// Attributes of the maximum alone or of the average alone.
Result ReadRest(const FixedPool& version, const Attributes& attributes, const poolproof_tensor& in, Plan& plan) {
  if (version.exclude_pad) {
    bool exclude = true;
    Result r = attributes.Bool("exclude-pad", true, &exclude);
    plan.divisor = exclude ? Divisor::kInside : Divisor::kKernel;
    plan.quotient = IsFloat(in.element_type) ? Quotient::kNearest : Quotient::kTruncate;
    return r;
  }
  if (!version.indices) return Result::Ok();
  int64_t axis = 0;
  if (Result r = attributes.Int("axis", -in.rank, in.rank - 1, false, &axis); !r.ok()) return r;
  if (Result r = ReadIndices(attributes, plan); !r.ok()) return r;
  return SetIndexBound(in, axis, plan);
}

// The second input of the adaptive operators: one output size per spatial axis.
Result ReadSizes(const poolproof_tensor& sizes, int spatial, int64_t* out) {
  const bool wide = sizes.element_type == POOLPROOF_I64;
  if (!wide && sizes.element_type != POOLPROOF_I32) {
    return Result::Invalid("the output sizes must be of type i32 or i64");
  }
  if (sizes.rank != 1 || sizes.dims[0] != spatial) {
    return Result::Invalid("the output sizes must be a list of " + std::to_string(spatial) + ", one per spatial axis");
  }
  if (sizes.data == nullptr || sizes.size_bytes < static_cast<size_t>(spatial) * (wide ? 8 : 4)) {
    return Result::Invalid("the output sizes have no data");
  }
  for (int i = 0; i < spatial; ++i) {
    out[i] = wide ? static_cast<const int64_t*>(sizes.data)[i] : static_cast<const int32_t*>(sizes.data)[i];
    if (out[i] < 1) {
      return Result::Invalid("output size " + std::to_string(out[i]) + " must be >= 1");
    }
  }
  return Result::Ok();
}

}  // namespace

Result ParseFixedPool(const FixedPool& version, const poolproof_call& call, Parsed& parsed) {
  if (Result r = CheckFeatureMap(call, 1); !r.ok()) return r;
  const Attributes attributes(call);
  if (Result r = CheckNames(version, attributes); !r.ok()) return r;
  const poolproof_tensor& in = *call.inputs[0];
  const int spatial = in.rank - 2;
  FixedAttributes fixed;
  if (Result r = ReadFixed(version, attributes, spatial, fixed); !r.ok()) return r;
  SetOuter(in, parsed.plan);
  if (Result r = ReadRest(version, attributes, in, parsed.plan); !r.ok()) return r;
  for (int i = 0; i < spatial; ++i) {
    Result r = FixedAxis(fixed, i, in.dims[2 + i], parsed.plan.axis[3 - spatial + i]);
    if (!r.ok()) return r;
  }
  return SetOutputs(in, parsed);
}

Result SetAdaptiveAxes(const poolproof_call& call, Plan& plan, int outer) {
  const poolproof_tensor& in = *call.inputs[0];
  const int spatial = in.rank - outer;
  int64_t sizes[3];
  if (Result r = ReadSizes(*call.inputs[1], spatial, sizes); !r.ok()) return r;
  for (int i = 0; i < spatial; ++i) plan.axis[3 - spatial + i] = AdaptiveAxis(in.dims[outer + i], sizes[i]);
  return Result::Ok();
}

Result ParseAdaptivePool(const AdaptivePool& version, const poolproof_call& call, Parsed& parsed) {
  if (Result r = CheckFeatureMap(call, 2); !r.ok()) return r;
  const Attributes attributes(call);
  Result r = version.indices ? attributes.CheckNames({"index_element_type"}) : attributes.CheckNames({});
  if (!r.ok()) return r;
  const poolproof_tensor& in = *call.inputs[0];
  if (!IsFloat(in.element_type)) {
    return Result::Invalid(std::string(call.op) + " takes floating-point types only");
  }
  Plan& plan = parsed.plan;
  SetOuter(in, plan);
  if (r = SetAdaptiveAxes(call, plan); !r.ok()) return r;
  if (version.indices) {
    if (r = ReadIndices(attributes, plan); !r.ok()) return r;
    if (r = SetIndexBound(in, 2, plan); !r.ok()) return r;
  }
  return SetOutputs(in, parsed);
}

}  // namespace poolproof::optimized
