#include "reference/onnx_size.h"

#include <algorithm>
#include <cassert>

#include "reference/reject.h"

namespace poolproof::reference {
namespace {

// a / b rounded down or up, b > 0; the quotient of C++ is that of the magnitudes.
int64_t FloorOf(int64_t a, int64_t b) { return a / b - (a % b < 0 ? 1 : 0); }
int64_t CeilOf(int64_t a, int64_t b) { return a / b + (a % b > 0 ? 1 : 0); }

// "Sliding windows that would start in the right padded region are ignored."
int64_t WithoutIgnored(const OnnxSizeRule& rule, const Axis& axis, int64_t out, Context& context) {
  const int64_t inside = CeilDiv(axis.size + axis.pad_begin, axis.stride);  // windows that start before that region
  if (out <= inside) return out;
  if (rule.norm && rule.ceil) {
    context.touched.Add(Entry::kOnnxLpPastEnd);
    if (context.readings.Is(Entry::kOnnxLpPastEnd, OnnxLpPastEnd::kKept)) return out;
  }
  if (!rule.ceil || out - 1 != inside) context.touched.Add(Entry::kOnnxIgnoredWindows);
  switch (static_cast<OnnxIgnoredWindows>(context.readings[Entry::kOnnxIgnoredWindows])) {
    case OnnxIgnoredWindows::kOneOfCeil: return rule.ceil ? out - 1 : out;
    case OnnxIgnoredWindows::kAllOfCeil: return rule.ceil ? inside : out;
    case OnnxIgnoredWindows::kAll: return inside;
  }
  return out;
}

// VALID: the formula, the same with ceil_mode and without, or the explicit one without pads, which shape inference
// takes.
int64_t ValidSize(const OnnxSizeRule& rule, const Axis& axis, int64_t eff, Context& context) {
  const int64_t formula = FloorOf(axis.size - eff, axis.stride) + 1;
  if (!rule.ceil) return formula;
  int64_t rounded = CeilOf(axis.size - eff, axis.stride) + 1;
  if (rounded > CeilDiv(axis.size, axis.stride)) --rounded;
  if (rounded == formula) return formula;
  context.touched.Add(Entry::kOnnxValidCeil);
  return context.readings.Is(Entry::kOnnxValidCeil, OnnxValidCeil::kFormula) ? formula : rounded;
}

}  // namespace

bool ComputeOnnxSize(const OnnxSizeRule& rule, int number, Context& context, Axis* axis) {
  assert(axis->size > 0 && axis->kernel > 0 && axis->stride > 0 && axis->dilation > 0);
  if (rule.auto_pad != AutoPad::kExplicit) axis->pad_begin = axis->pad_end = 0;
  int64_t eff, padded;
  if (!Extents(*axis, &eff, &padded)) return RefuseTooLarge(number, context);
  if (rule.auto_pad == AutoPad::kValid) {
    axis->out = ValidSize(rule, *axis, eff, context);
  } else if (rule.auto_pad == AutoPad::kExplicit) {
    const int64_t span = padded - eff;
    const int64_t out = (rule.ceil ? CeilOf(span, axis->stride) : FloorOf(span, axis->stride)) + 1;
    axis->out = WithoutIgnored(rule, *axis, out, context);
  } else {
    axis->out = CeilDiv(axis->size, axis->stride);
    if (!PadForSame(rule.auto_pad, axis->out, eff, axis) || !Extents(*axis, &eff, &padded)) {
      return RefuseTooLarge(number, context);
    }
  }
  if (axis->out == 0) context.touched.Add(rule.no_window);
  const bool empty = axis->out == 0 && context.readings.Is(rule.no_window, OnnxNoWindow::kEmptyOutput);
  if (axis->out < 1 && !empty) {
    return Reject(context, "the formula gives ", axis->out, " positions along spatial axis ", number);
  }
  return LastStartFits(*axis, number, context);
}

}  // namespace poolproof::reference
