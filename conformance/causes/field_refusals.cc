// Defects of libraries in the sizes that they infer, in what they refuse or accept, and calls that end the process,
// drawn at random from public reports by somebody who did not know which causes the diagnosis can name.
#include <algorithm>
#include <csignal>
#include <utility>

#include "conformance/causes/forms.h"

namespace poolproof::mutants {
namespace {

int64_t RoundedUp(int64_t a, int64_t b) { return (a + b - 1) / b; }

// How far the first position of a window can be from that of the first one.
int64_t SpanOf(const Axis& axis) {
  return axis.size + axis.pad_begin + axis.pad_end - (axis.kernel - 1) * axis.dilation - 1;
}

// ---- sizes

poolproof_status RoundedUpTwice(const poolproof_call& call, poolproof_status status) {
  return ChangeSizes(call, status, [](const Pool&, const Axis& axis, int64_t) {
    return RoundedUp(SpanOf(axis) + axis.stride - 1, axis.stride) + 1;
  });
}

poolproof_status RoundedUpAnywhere(const poolproof_call& call, poolproof_status status) {
  return ChangeSizes(call, status,
                     [](const Pool&, const Axis& axis, int64_t) { return RoundedUp(SpanOf(axis), axis.stride) + 1; });
}

poolproof_status PaddedAsDepth(const poolproof_call& call, poolproof_status status) {
  return ChangeSizes(call, status, [](const Pool& pool, Axis axis, int64_t out) {
    axis.pad_begin = pool.axes[0].pad_begin;
    axis.pad_end = pool.axes[0].pad_end;
    const int64_t span = SpanOf(axis);
    return span < 0 ? out : span / axis.stride + 1;
  });
}

poolproof_status SameRoundedAgain(const poolproof_call& call, poolproof_status status) {
  return ChangeSizes(call, status, [](const Pool&, const Axis& axis, int64_t) {
    return (axis.size + 2 * (axis.stride - 1)) / axis.stride;
  });
}

poolproof_status HeightAndWidthExchanged(const poolproof_call& call, poolproof_status status) {
  return ChangeSizes(call, status, [](const Pool& pool, const Axis& axis, int64_t out) {
    return &axis == &pool.axes[1] ? pool.axes[2].out : &axis == &pool.axes[2] ? pool.axes[1].out : out;
  });
}

// ---- attributes

void RoundsDown(Asked& asked) {
  Replace(asked, Role::kRounding, Meaning::kRoundUp, Meaning::kRoundDown);
  Replace(asked, Role::kRounding, Meaning::kRoundUpInside, Meaning::kRoundDown);
}

void AbsentStrideIsOne(Asked& asked) {
  AttributeValue* stride = asked.Find(Role::kStride);
  if (stride == nullptr || stride->present) return;
  for (int axis = 0; axis < asked.SpatialRank(); ++axis) SetAxisValue(&asked, Role::kStride, axis, 1);
}

// A division truncates toward zero: a size of 0 becomes 1.
void TruncatedTowardZero(Asked& asked) {
  if (!PadsCount(asked) || MeaningOf(asked, Role::kRounding) != Meaning::kRoundDown) return;
  for (int axis = 0; axis < asked.SpatialRank(); ++axis) {
    const auto value = [&](Role role, int64_t otherwise) { return AxisValue(asked, role, axis, otherwise); };
    const int64_t end = value(Role::kPadEnd, 0);
    const int64_t span = SpatialSize(asked, axis) + value(Role::kPadBegin, 0) + end - EffectiveKernel(asked, axis);
    if (span < 0 && span > -value(Role::kStride, 1)) SetAxisValue(&asked, Role::kPadEnd, axis, end - span);
  }
}

// ---- refusals

poolproof_status Refuses(const poolproof_call&, poolproof_status status) {
  return status == POOLPROOF_OK ? POOLPROOF_INVALID_ARGUMENT : status;
}

poolproof_status RefusesDivisors(const poolproof_call& call, poolproof_status status) {
  return RefuseIf(call, status, [](const poolproof_call& each) {
    const auto asked = ReadCall(each);
    const AttributeValue* divisor = asked ? asked->Find(Role::kDivisor) : nullptr;
    return divisor != nullptr && divisor->present;
  });
}

poolproof_status RefusesRemainders(const poolproof_call& call, poolproof_status status) {
  return RefuseIf(call, status, [](const poolproof_call& each) {
    const auto divides = [](const Axis& axis) { return axis.out > 0 && axis.size % axis.out == 0; };
    return !std::ranges::all_of(ReadPool(each).axes, divides);
  });
}

// ---- ends of the process

void Dies(const poolproof_call&, State&) { (void)std::raise(SIGSEGV); }

constexpr Mutant kForms[] = {
    Form("rten-1416", "rten 1416: sizes are rounded up twice", kSliding, {.after_infer = RoundedUpTwice},
         "rounding in {round-up, round-up-inside} and not keeps_size"),
    Form("inductor-94775", "PyTorch 94775, Inductor: a last window that starts past the input is kept", kSlidingMax,
         {.after_infer = RoundedUpAnywhere}, "family = pytorch and axes = 2 and rounding = round-up-inside"),
    Form("tvm-4738", "TVM 4738: sizes over three axes are inferred with the padding of the depth", kSliding,
         {.after_infer = PaddedAsDepth}, "axes = 3 and rounding = round-down and not keeps_size"),
    Form("plaidml-1780", "PlaidML 1780: under automatic padding sizes depend on the rounding", kSliding,
         {.after_infer = SameRoundedAgain}, "family = onnx and keeps_size and rounding in {round-up, round-up-inside}"),
    Form("minerva-43", "Minerva 43: height and width of the output are exchanged", kSliding,
         {.after_infer = HeightAndWidthExchanged}, "axes = 2"),
    Form("paddle2onnx-330", "Paddle2ONNX 330: sizes are rounded down whatever is asked", kSliding, {.edit = RoundsDown},
         "family = onnx"),
    Form("burn-663", "burn 663: a stride that is not given is 1, not the kernel", kSliding, {.edit = AbsentStrideIsOne},
         "family = pytorch"),
    Form("ort-25234", "ONNX Runtime 25234: a kernel above the input by less than a stride has one window", kSliding,
         {.edit = TruncatedTowardZero}, "family = onnx"),
    Form("torch-avg3d-kernel", "PyTorch: avg_pool3d refuses kernels that the padded input alone holds", kSlidingMean,
         {.after_infer = Refuses}, "axes = 3 and any(kernel > size)"),
    Form("tfa-2321", "TensorFlow Addons 2321: adaptive sizes that do not divide those of the input are refused",
         kAdaptive, {.after_infer = RefusesRemainders}),
    Form("executorch-21820", "ExecuTorch 21820: planes of 8 bits are refused that the type cannot count", kSlidingMax,
         {.after_infer = Refuses}, "axes = 2 and (type = i8 and plane > 127 or type = u8 and plane > 255)"),
    Form("openvino-35948", "OpenVINO 35948, GPU: means of f16 are refused", kSlidingMean, {.after_infer = Refuses},
         "type = f16"),
    Form("tt-forge-2757", "tt-forge-onnx 2757: maxima with pads that differ are refused", kSlidingMax,
         {.after_infer = Refuses}, "padding in {explicit, NOTSET} and any(pad_begin != pad_end)"),
    Form("tt-metal-13624", "tt-metal 13624: maxima of channels that are no multiple of 16 are refused", kSlidingMax,
         {.after_infer = Refuses}, "channels mod 16 != 0"),
    Form("coremltools-2745", "coremltools 2745: a given divisor is refused", kTakesDivisor,
         {.after_infer = RefusesDivisors}),
    Form("acl-1037", "Compute Library 1037: dies where the pads of an axis are together above its kernel",
         kSlidingMax | kSlidingMean, {.before_run = Dies}, "any(pad_before + pad_after > kernel)"),
    Form("xnnpack-10457", "XNNPACK 10457: reads out of bounds where a dilation is above the size and there is padding",
         kSlidingMax, {.before_run = Dies}, "axes = 2 and any(dilation > size and pad_before > 0)"),
    Form("mps-154882", "PyTorch 154882, MPS: dies where rounding up would keep a window past the input", kSlidingMax,
         {.before_run = Dies},
         "has_indices and rounding = round-up-inside and not keeps_size and "
         "any(ceil((size + pad_before + pad_after - extent) / stride) + 1 != out)"),
};

}  // namespace

std::span<const Mutant> FieldRefusalForms() { return kForms; }

}  // namespace poolproof::mutants
