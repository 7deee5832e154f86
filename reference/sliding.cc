#include "reference/sliding.h"

#include <limits>
#include <vector>

#include "reference/attributes.h"
#include "reference/index.h"
#include "reference/output_size.h"
#include "reference/reject.h"

namespace poolproof::reference {
namespace {

constexpr std::string_view kKernel = "kernel";
constexpr std::string_view kStrides = "strides";
constexpr std::string_view kDilations = "dilations";
constexpr std::string_view kPadsBegin = "pads_begin";
constexpr std::string_view kPadsEnd = "pads_end";
constexpr std::string_view kRounding = "rounding_type";
constexpr std::string_view kAutoPad = "auto_pad";
constexpr std::string_view kExcludePad = "exclude-pad";
constexpr std::string_view kAxis = "axis";
constexpr std::string_view kIndexType = "index_element_type";

std::vector<std::string_view> NamesOf(const SlidingOperator& op) {
  std::vector<std::string_view> names = {kKernel, kStrides, kPadsBegin, kPadsEnd, kRounding, kAutoPad};
  if (op.average) names.push_back(kExcludePad);
  if (op.dilations) names.push_back(kDilations);
  if (op.index) names.insert(names.end(), {kAxis, kIndexType});
  return names;
}

// The attributes as written, defaults where absent.
struct Written {
  PerAxis kernel{};
  PerAxis strides{};
  PerAxis dilations{1, 1, 1};
  PerAxis pads_begin{};
  PerAxis pads_end{};
  SizeRule rule;
  int64_t axis = 0;
};

bool ReadWords(const SlidingOperator& op, Attributes& attributes, Written* written) {
  static constexpr std::string_view kRoundings[] = {"floor", "ceil", "ceil_torch"};
  static constexpr std::string_view kAutoPads[] = {"explicit", "same_upper", "same_lower", "valid"};
  int rounding = 0, auto_pad = 0;
  if (!attributes.ReadWord(kRounding, std::span(kRoundings).first(op.ceil_torch ? 3 : 2), &rounding) ||
      !attributes.ReadWord(kAutoPad, kAutoPads, &auto_pad)) {
    return false;
  }
  written->rule = {static_cast<Rounding>(rounding), static_cast<AutoPad>(auto_pad), op.maxpool_1};
  return true;
}

bool ReadAll(const SlidingOperator& op, int rank, Attributes& attributes, Written* written, Plan* plan) {
  const int spatial = rank - 2;
  return attributes.CheckNames(NamesOf(op)) && attributes.Require(kKernel) &&
         attributes.ReadPerAxis(kKernel, spatial, 1, &written->kernel) && attributes.Require(kStrides) &&
         attributes.ReadPerAxis(kStrides, spatial, 1, &written->strides) &&
         attributes.ReadPerAxis(kDilations, spatial, 0, &written->dilations) &&
         attributes.ReadPerAxis(kPadsBegin, spatial, 0, &written->pads_begin) &&
         attributes.ReadPerAxis(kPadsEnd, spatial, 0, &written->pads_end) && ReadWords(op, attributes, written) &&
         (!op.average || (attributes.Require(kExcludePad) && attributes.ReadBool(kExcludePad, &plan->exclude_pad))) &&
         (!op.index ||
          (attributes.ReadInteger(kAxis, -rank, rank - 1, &written->axis) && ReadIndexType(attributes, plan)));
}

// The pads are required where auto_pad is explicit; whether elsewhere too, the documents and their
// examples disagree.
bool CheckPadsGiven(AutoPad auto_pad, Attributes& attributes, Context& context) {
  if (attributes.IsPresent(kPadsBegin) && attributes.IsPresent(kPadsEnd)) return true;
  if (auto_pad != AutoPad::kExplicit) {
    context.touched.Add(Entry::kPadsRequired);
    if (context.readings.Is(Entry::kPadsRequired, PadsRequired::kOptional)) return true;
  }
  return attributes.Require(kPadsBegin) && attributes.Require(kPadsEnd);
}

// Pads are ignored unless auto_pad is explicit or, by another note, wherever auto_pad is written.
void IgnorePadsWhenPresent(const Attributes& attributes, Context& context, Written* written) {
  if (written->rule.auto_pad != AutoPad::kExplicit || !attributes.IsPresent(kAutoPad)) return;
  if (written->pads_begin == PerAxis{} && written->pads_end == PerAxis{}) return;
  context.touched.Add(Entry::kPadsIgnored);
  if (context.readings.Is(Entry::kPadsIgnored, PadsIgnored::kWhenPresent)) {
    written->pads_begin = written->pads_end = PerAxis{};
  }
}

// Dilation 0 is inside the documented range. Taken at its word, "the index of the next pixel", all
// taps lie on one pixel: a kernel of 1.
bool ResolveDilationZero(int spatial, Context& context, Written* written) {
  for (size_t i = 0; i < static_cast<size_t>(spatial); ++i) {
    if (written->dilations[i] != 0) continue;
    context.touched.Add(Entry::kDilationZero);
    if (context.readings.Is(Entry::kDilationZero, DilationZero::kReject)) {
      return Reject(context, "attribute dilations is 0 for spatial axis ", i);
    }
    written->dilations[i] = written->kernel[i] = 1;
  }
  return true;
}

// An axis without elements has no window, whatever its padding.
bool SetAxes(const Written& written, const poolproof_tensor& input, Context& context, Plan* plan) {
  for (int i = 0; i < plan->spatial_rank; ++i) {
    const size_t k = static_cast<size_t>(i);
    Axis& axis = plan->SpatialAxis(i);
    axis.size = input.dims[2 + i];
    axis.kernel = written.kernel[k];
    axis.stride = written.strides[k];
    axis.dilation = written.dilations[k];
    axis.pad_begin = written.pads_begin[k];
    axis.pad_end = written.pads_end[k];
    if (axis.size == 0) {
      axis.out = 0;
    } else if (!ComputeOutputSize(written.rule, i, context, &axis)) {
      return false;
    }
  }
  return true;
}

}  // namespace

bool CheckZeroSize(const poolproof_tensor& input, const Plan& plan, Context& context) {
  for (int i = input.rank - 1; i >= 0; --i) {
    if (input.dims[i] != 0) continue;
    context.touched.Add(Entry::kZeroSize);
    const int outer = input.rank - plan.spatial_rank;
    const bool cells = i >= outer && plan.SpatialAxis(i - outer).adaptive && plan.SpatialAxis(i - outer).out != 0;
    const bool batch = i == 0 && outer == 2;
    return (!cells && context.readings.Is(Entry::kZeroSize, ZeroSize::kEmptyOutput)) ||
           (batch && context.readings.Is(Entry::kZeroSize, ZeroSize::kEmptyBatch)) ||
           Reject(context, "dimension ", i, " of input 0 is 0");
  }
  return true;
}

bool CheckWindowSize(const Plan& plan, Context& context) {
  int64_t taps = 1;
  for (const Axis& axis : plan.axes) {
    if (__builtin_mul_overflow(taps, axis.kernel, &taps)) {
      return Reject(context, "the number of taps of the kernel does not fit in 64 bits");
    }
  }
  return true;
}

bool PlanSliding(const SlidingOperator& op, const poolproof_call& call, Context& context, Plan* plan) {
  const TensorRules rules = {1, op.index ? size_t{2} : size_t{1}, kFloatsAndIntegers, 3, 5};
  if (!CheckTensors(call, rules, context)) return false;
  const poolproof_tensor& input = *call.inputs[0];
  plan->spatial_rank = input.rank - 2;
  Attributes attributes(call, context);
  Written written;
  if (!ReadAll(op, input.rank, attributes, &written, plan) ||
      !CheckPadsGiven(written.rule.auto_pad, attributes, context) ||
      !ResolveDilationZero(plan->spatial_rank, context, &written) || !CheckZeroSize(input, *plan, context)) {
    return false;
  }
  IgnorePadsWhenPresent(attributes, context, &written);
  const int64_t axis = written.axis < 0 ? written.axis + input.rank : written.axis;
  const int first_dim = static_cast<int>(axis);
  return SetAxes(written, input, context, plan) && (!op.average || CheckWindowSize(*plan, context)) &&
         LayOutBatches(input, context, plan) && (!op.index || SetIndexBound(input, first_dim, context, plan));
}

}  // namespace poolproof::reference
