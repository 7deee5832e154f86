// Defects of libraries in where windows lie, imitated as the libraries have them: pads, strides, dilations, sizes,
// planes; and calls that are refused, or that end the process.
#include <algorithm>
#include <csignal>
#include <utility>

#include "conformance/causes/forms.h"

namespace poolproof::mutants {
namespace {

// Places in Pool::axes.
constexpr size_t kDepth = 0, kHeight = 1, kWidth = 2;

// ---- attributes of one axis

template <size_t kAxis>
void Dense(Pool& pool) {
  pool.axes[kAxis].dilation = 1;
}

void DilatedAsLast(Pool& pool) {
  for (size_t i = pool.FirstAxis(); i < kWidth; ++i) pool.axes[i].dilation = pool.axes[kWidth].dilation;
}

void StepsOfLast(Pool& pool) {
  for (size_t i = pool.FirstAxis(); i < kWidth; ++i) pool.axes[i].stride = pool.axes[kWidth].stride;
}

void StrideOfLast(Asked& asked) {
  IntList* list = ListOf(asked, Role::kStride);
  if (list != nullptr && list->size > 0) std::fill_n(list->value.begin(), list->size, (*list)[list->size - 1]);
}

template <size_t kAxis>
void NoPadInFront(Pool& pool) {
  pool.axes[kAxis].pad_end += std::exchange(pool.axes[kAxis].pad_begin, 0);
}

void HeightPaddedAsWidth(Pool& pool) { pool.axes[kHeight].pad_begin = pool.axes[kWidth].pad_begin; }

void PadsCutToHalf(Pool& pool) {
  for (Axis& axis : pool.axes) axis.pad_begin = std::min(axis.pad_begin, axis.kernel / 2);
}

// ---- automatic padding

template <size_t kFirst, size_t kLast>
void LowerAsUpper(Pool& pool) {
  if (!Asks(*pool.call, Role::kAutoPad, Meaning::kPadMoreInFront)) return;
  for (size_t i = kFirst; i <= kLast; ++i) {
    Axis& axis = pool.axes[i];
    if (axis.pad_begin > axis.pad_end) std::swap(axis.pad_begin, axis.pad_end);
  }
}

void HalfKernelUnderSame(Pool& pool) {
  const auto asked = ReadCall(*pool.call);
  if (!asked || !KeepsSize(*asked)) return;
  for (Axis& axis : pool.axes) axis.pad_begin = axis.pad_end = axis.kernel / 2;
}

// ---- sizes

int64_t SizeOfDenseWindows(const Axis& axis) {
  return (axis.size + axis.pad_begin + axis.pad_end - axis.kernel) / axis.stride + 1;
}

poolproof_status SizeWithoutDilation(const poolproof_call& call, poolproof_status status) {
  const auto asked = ReadCall(call);
  if (asked && KeepsSize(*asked)) return status;
  return ChangeSizes(call, status, [](const Pool&, const Axis& axis, int64_t out) {
    return axis.dilation > 1 ? SizeOfDenseWindows(axis) : out;
  });
}

poolproof_status ValidWithoutDilation(const poolproof_call& call, poolproof_status status) {
  return Asks(call, Role::kAutoPad, Meaning::kPadNone) ? SizeWithoutDilation(call, status) : status;
}

poolproof_status ClipsWherePadded(const poolproof_call& call, poolproof_status status) {
  const auto asked = ReadCall(call);
  if (!asked || !PadsCount(*asked) || !Asks(call, Role::kRounding, Meaning::kRoundUp)) return status;
  return ChangeSizes(call, status, [](const Pool& pool, const Axis& axis, int64_t out) {
    const bool padded = std::ranges::any_of(pool.axes, [](const Axis& each) { return each.pad_begin > 0; });
    return padded && (out - 1) * axis.stride >= axis.size + axis.pad_begin ? out - 1 : out;
  });
}

// ---- windows

void MovedInFromEnd(const Pool& pool, size_t i, int64_t, Range& range) {
  const int64_t over = range.start + (range.full - 1) * range.step + 1 - pool.axes[i].size;
  if (over <= 0 || range.start <= 0) return;
  range.start = std::max<int64_t>(0, range.start - over);
  range.Clip(pool.axes[i]);
}

void LastOfEvenKernelLost(const Pool& pool, size_t i, int64_t, Range& range) {
  const int64_t kernel = pool.axes[i].kernel;
  if (i == kWidth && kernel > 3 && kernel % 2 == 0 && range.Inside() > 1 && range.end == range.full) --range.end;
}

void TailLosesColumn(const Pool& pool, size_t i, int64_t at, Range& range) {
  const int64_t out = pool.axes[i].out;
  if (i == kWidth && out >= 8 && at >= out / 8 * 8 && range.Inside() > 1) --range.end;
}

void RowsIn8Bits(const Pool& pool, size_t i, int64_t, Range& range) {
  if (i != kHeight || range.start <= 255) return;
  range.start %= 256;
  range.Clip(pool.axes[i]);
}

// One kernel and one stride, by division.
void CellsByDivision(const Pool& pool, size_t i, int64_t at, Range& range) {
  const Axis& axis = pool.axes[i];
  const int64_t stride = axis.size / axis.out;
  range.start = at * stride;
  range.full = std::max<int64_t>(axis.size - (axis.out - 1) * stride, 1);
  range.Clip(axis);
}

// ---- planes

void ReadPlane(const Pool& pool, int64_t batch, int64_t channel, Window& window) {
  const int64_t moved = (batch - window.batch) * pool.in.batch + (channel - window.channel) * pool.in.channel;
  for (Tap& tap : window.taps) {
    tap.offset += moved;
    tap.value = LoadValue(pool.type, pool.call->inputs[0]->data, tap.offset);
  }
}

void LastPackOf4(const Pool& pool, Window& window) {
  const bool last = pool.channels > 4 && window.channel >= pool.channels / 4 * 4;
  if (last) ReadPlane(pool, window.batch, window.channel - 4, window);
}

void BatchModulo2(const Pool& pool, Window& window) { ReadPlane(pool, window.batch % 2, window.channel, window); }

// The first plane of each of four threads but the first is that before it.
void FirstOfThread(const Pool& pool, Window& window) {
  const int64_t planes = pool.batches * pool.channels, plane = window.batch * pool.channels + window.channel;
  if (planes < 8 || plane == 0 || plane % ((planes + 3) / 4) != 0) return;
  ReadPlane(pool, (plane - 1) / pool.channels, (plane - 1) % pool.channels, window);
}

// ---- refusals

// Refuses calls of which an axis is as refused(axis, last) says, as they are written.
template <typename Refused>
poolproof_status RefuseAxis(const poolproof_call& call, poolproof_status status, Refused refused) {
  return RefuseIf(call, status, [&](const poolproof_call& each) {
    const auto asked = ReadCall(each);
    for (int axis = 0; asked && axis < asked->SpatialRank(); ++axis) {
      const auto value = [&](Role role, int64_t otherwise) { return AxisValue(*asked, role, axis, otherwise); };
      const int64_t kernel = value(Role::kKernel, 1);
      const bool padded = PadsCount(*asked);
      if (refused(Axis{.size = SpatialSize(*asked, axis),
                       .kernel = kernel,
                       .stride = value(Role::kStride, 1),
                       .dilation = value(Role::kDilation, 1),
                       .pad_begin = padded ? value(Role::kPadBegin, 0) : 0,
                       .pad_end = padded ? value(Role::kPadEnd, 0) : 0},
                  axis + 1 == asked->SpatialRank())) {
        return true;
      }
    }
    return false;
  });
}

poolproof_status PadAboveHalf(const poolproof_call& call, poolproof_status status) {
  return RefuseAxis(call, status,
                    [](const Axis& axis, bool) { return std::max(axis.pad_begin, axis.pad_end) > axis.kernel / 2; });
}

poolproof_status AsymmetricWidth(const poolproof_call& call, poolproof_status status) {
  return RefuseAxis(call, status, [](const Axis& axis, bool last) { return last && axis.pad_begin != axis.pad_end; });
}

poolproof_status AnyDilation(const poolproof_call& call, poolproof_status status) {
  return RefuseAxis(call, status, [](const Axis& axis, bool) { return axis.dilation > 1; });
}

poolproof_status StrideAboveKernel(const poolproof_call& call, poolproof_status status) {
  return RefuseAxis(call, status, [](const Axis& axis, bool) { return axis.stride > axis.kernel; });
}

poolproof_status EveryCall(const poolproof_call&, poolproof_status status) {
  return status == POOLPROOF_OK ? POOLPROOF_INVALID_ARGUMENT : status;
}

poolproof_status StridesRequired(const poolproof_call& call, poolproof_status status) {
  return RefuseIf(call, status, [](const poolproof_call& each) {
    const auto asked = ReadCall(each);
    const auto stride = asked ? AttributeIndex(*asked->spec, Role::kStride) : std::nullopt;
    return stride && !asked->attributes[*stride].present;
  });
}

// ---- ends of the process

// As a division by the size of an output without elements.
poolproof_status DividesByNoOutput(const poolproof_call& call, poolproof_status status) {
  const auto asked = ReadCall(call);
  for (int axis = 0; asked && axis < asked->SpatialRank(); ++axis) {
    const int64_t kernel = AxisValue(*asked, Role::kKernel, axis, 1);
    if (status != POOLPROOF_OK && kernel == SpatialSize(*asked, axis) + 1) (void)std::raise(SIGFPE);
  }
  return status;
}

void Dies(const poolproof_call&, State&) { (void)std::raise(SIGSEGV); }

constexpr Mutant kForms[] = {
    Form("dense-along-width", "family, dilation of one axis lost: windows are dense along the width", kDilates,
         {.pool = Dense<kWidth>}),
    Form("dense-along-height", "family, dilation of one axis lost: windows are dense along the height", kDilates,
         {.pool = Dense<kHeight>}),
    Form("dense-along-depth", "family, dilation of one axis lost: windows are dense along the depth", kDilates,
         {.pool = Dense<kDepth>}),
    Form("dilation-of-last-axis", "family, dilation of one axis used for all: that of the last one", kDilates,
         {.pool = DilatedAsLast}),
    Form("steps-of-last-axis", "family, stride of one axis used for all: windows step as along the last one", kSliding,
         {.pool = StepsOfLast}),
    Form("stride-of-last-axis", "family, stride of one axis used for all: that of the last one, in the shape as well",
         kSliding, {.edit = StrideOfLast}),
    Form("no-pad-in-front-of-depth", "family, a pad lost: windows begin in the input along the depth", kSliding,
         {.pool = NoPadInFront<kDepth>}),
    Form("no-pad-in-front-of-width", "family, a pad lost: windows begin in the input along the width", kSliding,
         {.pool = NoPadInFront<kWidth>}),
    Form("height-padded-as-width", "family, pads of the axes swapped: the height is padded as the width is", kSliding,
         {.pool = HeightPaddedAsWidth}, "axes >= 2"),
    Form("pads-cut-to-half", "family, pads: those in front are cut to half the kernel", kSliding,
         {.pool = PadsCutToHalf}),
    Form("ncnn-same-lower", "ncnn, Pooling3D: odd padding of the depth goes to the end, not to the front", kSliding,
         {.pool = LowerAsUpper<kDepth, kDepth>}),
    Form("opencv-same-lower", "OpenCV 5 and rten: odd padding goes to the end, not to the front", kSliding,
         {.pool = LowerAsUpper<kDepth, kWidth>}),
    Form("same-lower-in-height", "family, one axis forgotten: odd padding of the height goes to the end", kSliding,
         {.pool = LowerAsUpper<kHeight, kHeight>}),
    Form("root-same", "ROOT 21793: automatic padding is half the kernel on both sides", kSliding,
         {.pool = HalfKernelUnderSame}),
    Form("sizes-without-dilation", "family, ceil and shapes: sizes are inferred without the dilation", kDilates,
         {.after_infer = SizeWithoutDilation}),
    Form("onnx-valid", "ONNX 8174: without padding sizes are inferred without the dilation", kDilates,
         {.after_infer = ValidWithoutDilation}),
    Form("caffe-clip", "Caffe: a last window that starts past the input is dropped only where there is padding",
         kSliding, {.after_infer = ClipsWherePadded}, "axes = 2"),
    Form("mnn-moved-inside", "MNN: windows that pass the end are moved inside", kSliding, {.range = MovedInFromEnd}),
    Form("even-kernel-loses-tap", "family, unrolled kernels: the last column of wide even ones is left out", kSliding,
         {.range = LastOfEvenKernelLost}),
    Form("tail-of-8", "family, last partial vector wrong: columns behind the last 8 lose a tap", kTensors,
         {.range = TailLosesColumn}),
    Form("rows-in-8-bits", "family, small counters: the first row of a window is kept in 8 bits", kTensors,
         {.range = RowsIn8Bits}),
    Form("adaptive-by-division", "PyTorch 190064, exporter: adaptive cells have one kernel and one stride, by division",
         kAdaptive, {.range = CellsByDivision}),
    Form("ncnn-last-pack", "ncnn, packing: channels behind the last 4 are computed from those before", kTensors,
         {.taps = LastPackOf4}),
    Form("batch-modulo-2", "family, batch offset lost: images are taken from the first two in turn", kTensors,
         {.taps = BatchModulo2}),
    Form("first-plane-of-thread", "family, threads: the first plane of each is the one before it", kTensors,
         {.taps = FirstOfThread}),
    Form("torch-half-pad", "PyTorch 3298: padding above half the kernel is refused", kSliding,
         {.after_infer = PadAboveHalf}),
    Form("asymmetric-width-refused", "family, refusals: pads of the width that differ", kSliding,
         {.after_infer = AsymmetricWidth}),
    Form("one-axis-refused", "family, refusals: pooling along one axis", kSliding, {.after_infer = EveryCall},
         "axes = 1"),
    Form("dilation-in-3d-refused", "family, refusals: dilation over three axes", kDilates, {.after_infer = AnyDilation},
         "axes = 3"),
    Form("rten-strides", "rten: a call without strides is refused", kSliding, {.after_infer = StridesRequired}),
    Form("mean-without-dilation", "family, dilation ignored: means alone are of dense windows", kSlidingMean,
         {.edit = [](Asked& asked) { Remove(asked, Role::kDilation); }}),
    Form("stride-above-kernel", "family, refusals: strides above the kernel", kSliding,
         {.after_infer = StrideAboveKernel}),
    Form("tensorflow-no-output", "TensorFlow: dies of SIGFPE where the kernel is one longer than the input", kSliding,
         {.after_infer = DividesByNoOutput}),
    Form("ncnn-adaptive-packing", "ncnn: adaptive pooling of 4, 8 or 16 channels crashes", kAdaptive,
         {.before_run = Dies}, "channels in {4, 8, 16}"),
    Form("opencv-dilated-beyond", "OpenCV 5: a dilated kernel beyond the input corrupts the heap", kDilates,
         {.before_run = Dies}, "any(dilation >= 2 and extent > size)"),
};

}  // namespace

std::span<const Mutant> FieldWindowForms() { return kForms; }

}  // namespace poolproof::mutants
