#include "reference/output_size.h"

#include <algorithm>
#include <cassert>

#include "reference/reject.h"

namespace poolproof::reference {
namespace {

// Numbers that one axis is computed from, in the letters of the formulas.
struct Formula {
  const SizeRule& rule;
  Context& context;
  int64_t size;
  int64_t eff;  // extent of the dilated kernel, (kernel - 1) * dilation + 1
  int64_t kernel;
  int64_t stride;
  int64_t pad_begin;
  int64_t padded;  // size + pad_begin + pad_end

  bool Is(Entry entry, auto reading) const { return context.readings.Is(entry, reading); }
};

// round((padded - eff) / stride) + 1, not yet corrected for windows past the end.
int64_t RoundedSize(const Formula& f) {
  const int64_t span = f.padded - f.eff;
  const bool up = f.rule.rounding != Rounding::kFloor;
  const int64_t out = (up ? CeilDiv(span, f.stride) : span / f.stride) + 1;
  if (!f.rule.maxpool_1) return out;
  // As printed, only the kernel is divided by the stride: round(padded - kernel / stride) + 1.
  const int64_t printed = f.padded - (up ? f.kernel / f.stride : CeilDiv(f.kernel, f.stride)) + 1;
  if (printed != out) f.context.touched.Add(Entry::kMaxpool1Formula);
  return f.Is(Entry::kMaxpool1Formula, Maxpool1Formula::kPrinted) ? printed : out;
}

// Whether window out - 1 starts at or past the end of the input, begin padding included.
bool LastStartsPastInput(const Formula& f, int64_t out) { return out - 1 >= CeilDiv(f.size + f.pad_begin, f.stride); }

// Whether a last window that starts past the input is to be dropped. Adds the entry that decides.
bool DropsPastInput(const Formula& f) {
  switch (f.rule.rounding) {
    case Rounding::kFloor: return false;
    case Rounding::kCeil:
      f.context.touched.Add(Entry::kCeilPastEnd);
      return f.Is(Entry::kCeilPastEnd, CeilPastEnd::kDropped);
    default:
      if (f.rule.auto_pad == AutoPad::kExplicit) return true;
      f.context.touched.Add(Entry::kCeilTorchAutoPad);
      return f.Is(Entry::kCeilTorchAutoPad, CeilTorchAutoPad::kApplies);
  }
}

// Whether window out - 1 starts in the padding in front of the input.
bool LastStartsInFront(const Formula& f, int64_t out) { return out > 0 && out - 1 < CeilDiv(f.pad_begin, f.stride); }

// Whether a last window that starts there is to be dropped; valid has no such padding, the formula of same_* no
// rounding. Adds the entry that decides.
bool DropsInFront(const Formula& f) {
  if (f.rule.rounding != Rounding::kCeilTorch || f.rule.auto_pad != AutoPad::kExplicit) return false;
  f.context.touched.Add(Entry::kPaddingArea);
  return f.Is(Entry::kPaddingArea, PaddingArea::kBoth);
}

// "The last pooling operation within a dimension cannot start in the padding area. If this is the
// case, the respective dimension is reduced by 1."
int64_t WithoutWindowsInPadding(const Formula& f, int64_t out) {
  const bool past = LastStartsPastInput(f, out);
  if (past ? !DropsPastInput(f) : !LastStartsInFront(f, out) || !DropsInFront(f)) return out;
  const int64_t inside = std::min(out - 1, CeilDiv(f.size + f.pad_begin, f.stride));
  const bool none_is_inside = LastStartsInFront(f, inside) && DropsInFront(f);
  if (inside == out - 1 && !none_is_inside) return inside;
  f.context.touched.Add(Entry::kCeilTorchOnce);
  if (f.Is(Entry::kCeilTorchOnce, CeilTorchOnce::kOnce)) return out - 1;
  return none_is_inside ? 0 : inside;
}

// valid: by the example, rounding_type applies to the unpadded input; by the formula,
// ceil((size - eff + 1) / stride), it does not.
int64_t ValidSize(const Formula& f) {
  if (f.rule.rounding == Rounding::kFloor || f.rule.maxpool_1) {
    return WithoutWindowsInPadding(f, RoundedSize(f));
  }
  const int64_t formula = CeilDiv(f.size - f.eff + 1, f.stride);
  const EntrySet before = f.context.touched;
  const int64_t rounded = WithoutWindowsInPadding(f, RoundedSize(f));
  if (f.Is(Entry::kValidCeil, ValidCeil::kRounded)) {
    if (rounded != formula) f.context.touched.Add(Entry::kValidCeil);
    return rounded;
  }
  f.context.touched = before;  // what the rounded size depends on does not matter here
  if (rounded != formula) f.context.touched.Add(Entry::kValidCeil);
  return formula;
}

// same_upper, same_lower: the formula knows no rounding, so rounding_type, ceil_torch included, has
// no say.
int64_t SameSize(int64_t size, int64_t stride, Context& context) {
  const int64_t divided = CeilDiv(size, stride);
  if (divided != size) context.touched.Add(Entry::kSameStride);
  return context.readings.Is(Entry::kSameStride, SameStride::kInputSize) ? size : divided;
}

bool IsSame(AutoPad auto_pad) { return auto_pad == AutoPad::kSameUpper || auto_pad == AutoPad::kSameLower; }

// Whether a window that is larger than the padded input by `excess` has a position by the formula, rounded up, and by
// the reading of window-beyond-ceil.
bool IsBeyondCeil(const SizeRule& rule, int64_t excess, int64_t stride, Context& context) {
  if (rule.rounding == Rounding::kFloor || IsSame(rule.auto_pad) || excess >= stride) return false;
  context.touched.Add(Entry::kWindowBeyondCeil);
  return context.readings.Is(Entry::kWindowBeyondCeil, WindowBeyondCeil::kFormula);
}

}  // namespace

bool PadForSame(AutoPad auto_pad, int64_t out, int64_t eff, Axis* axis) {
  int64_t total;
  if (__builtin_mul_overflow(out - 1, axis->stride, &total) || __builtin_add_overflow(total, eff, &total)) {
    return false;
  }
  total = std::max<int64_t>(0, total - axis->size);
  const int64_t smaller = total / 2;
  axis->pad_begin = auto_pad == AutoPad::kSameUpper ? smaller : total - smaller;
  axis->pad_end = total - axis->pad_begin;
  return true;
}

bool Extents(const Axis& axis, int64_t* eff, int64_t* padded) {
  return !__builtin_mul_overflow(axis.kernel - 1, axis.dilation, eff) && !__builtin_add_overflow(*eff, 1, eff) &&
         !__builtin_add_overflow(axis.size, axis.pad_begin, padded) &&
         !__builtin_add_overflow(*padded, axis.pad_end, padded) && *padded < INT64_MAX;
}

bool RefuseTooLarge(int number, Context& context) {
  return Reject(context, "positions along spatial axis ", number, " do not fit in 64 bits");
}

bool LastStartFits(const Axis& axis, int number, Context& context) {
  int64_t last_start;
  return axis.out == 0 || !__builtin_mul_overflow(axis.out - 1, axis.stride, &last_start) ||
         RefuseTooLarge(number, context);
}

bool ComputeOutputSize(const SizeRule& rule, int number, Context& context, Axis* axis) {
  assert(axis->size >= 0 && axis->kernel > 0 && axis->stride > 0 && axis->dilation > 0);
  if (rule.auto_pad != AutoPad::kExplicit) axis->pad_begin = axis->pad_end = 0;
  int64_t eff, padded;
  if (!Extents(*axis, &eff, &padded)) return RefuseTooLarge(number, context);
  const bool same = IsSame(rule.auto_pad);
  int64_t out = 0;
  if (same) {
    out = SameSize(axis->size, axis->stride, context);
    if (!PadForSame(rule.auto_pad, out, eff, axis) || !Extents(*axis, &eff, &padded)) {
      return RefuseTooLarge(number, context);
    }
  }
  if (eff > padded && !IsBeyondCeil(rule, eff - padded, axis->stride, context)) {
    return Reject(context, "the kernel spans ", eff, " elements of spatial axis ", number, ", the padded input has ",
                  padded);
  }
  // rounded: what is computed from ceil(size / stride) is the padding, not yet the size. The formulas
  // that MaxPool-1 prints are not about same.
  const bool rounded = same && context.readings.Is(Entry::kSameStride, SameStride::kRounded);
  SizeRule formula_rule = rule;
  formula_rule.maxpool_1 = rule.maxpool_1 && !rounded;
  const Formula f{formula_rule, context, axis->size, eff, axis->kernel, axis->stride, axis->pad_begin, padded};
  if (rule.auto_pad == AutoPad::kValid) {
    out = ValidSize(f);
  } else if (!same || rounded) {
    out = WithoutWindowsInPadding(f, RoundedSize(f));
  }
  if (out < 1) return Reject(context, "the formula gives no position along spatial axis ", number);
  axis->out = out;
  return LastStartFits(*axis, number, context);
}

}  // namespace poolproof::reference
