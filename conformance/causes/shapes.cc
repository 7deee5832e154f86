// Mutants that compute a different number of windows, or describe their outputs wrongly.
#include <algorithm>
#include <string>
#include <utility>

#include "conformance/causes/mutant.h"

namespace poolproof::mutants {
namespace {

using reference::CeilPastEnd;
using reference::Entry;
using reference::Readings;
using reference::SameStride;

template <typename Reading>
void Choose(Readings& readings, Entry entry, Reading reading) {
  readings[entry] = static_cast<uint8_t>(reading);
}

// The reduction of ceil_torch is left out where the last window starts just at the input's end.
poolproof_status KeepWindowAtEnd(const poolproof_call& call, poolproof_status status) {
  return ChangeSizes(call, status, [](const Pool& pool, const Axis& axis, int64_t out) {
    const int64_t eff = (axis.kernel - 1) * axis.dilation + 1;
    const int64_t span = axis.size + axis.pad_begin + axis.pad_end - eff;
    const bool reduced = out == span / axis.stride + (span % axis.stride == 0 ? 0 : 1);
    const bool at_end = out * axis.stride == axis.size + axis.pad_begin;
    return pool.rounding == Meaning::kRoundUpInside && reduced && at_end ? out + 1 : out;
  });
}

// Sizes of the plain formula, whatever starts in the padding.
poolproof_status KeepWindowsInPadding(const poolproof_call& call, poolproof_status status) {
  const std::optional<Asked> asked = ReadCall(call);
  if (!asked || !PadsCount(*asked)) return status;
  return ChangeSizes(call, status, [](const Pool& pool, const Axis& axis, int64_t out) {
    const int64_t span = axis.size + axis.pad_begin + axis.pad_end - (axis.kernel - 1) * axis.dilation - 1;
    return pool.rounding == Meaning::kRoundUpInside && span >= 0 ? (span + axis.stride - 1) / axis.stride + 1 : out;
  });
}

poolproof_status PlaneTooMany(const poolproof_call& call, poolproof_status status) {
  return ChangeSizes(call, status, [](const Pool& pool, const Axis& axis, int64_t out) {
    const bool outermost = &axis == &pool.axes.front();
    const bool padded = axis.pad_begin + axis.pad_end > 0;
    return pool.rounding == Meaning::kRoundUp && outermost && padded ? out + 1 : out;
  });
}

poolproof_status CeilAddsOne(const poolproof_call& call, poolproof_status status) {
  return ChangeSizes(call, status, [](const Pool& pool, const Axis& axis, int64_t out) {
    const int64_t span = axis.size + axis.pad_begin + axis.pad_end - (axis.kernel - 1) * axis.dilation - 1;
    return pool.rounding == Meaning::kRoundUp && span % axis.stride == 0 ? out + 1 : out;
  });
}

// Swaps two dimensions of all outputs.
poolproof_status SwapDims(const poolproof_call& call, poolproof_status status, int a, int b) {
  if (status != POOLPROOF_OK) return status;
  for (size_t i = 0; i < call.output_count; ++i) {
    std::swap(call.outputs[i]->dims[a], call.outputs[i]->dims[b]);
  }
  return status;
}

poolproof_status TransposeOutput(const poolproof_call& call, poolproof_status status) {
  if (status != POOLPROOF_OK || ReadPool(call).spatial_rank < 2) return status;
  const int rank = call.inputs[0]->rank;
  return SwapDims(call, status, rank - 2, rank - 1);
}

poolproof_status DropBatch(const poolproof_call& call, poolproof_status status) {
  if (status != POOLPROOF_OK || call.inputs[0]->dims[0] != 1) return status;
  for (size_t i = 0; i < call.output_count; ++i) {
    poolproof_tensor& output = *call.outputs[i];
    std::rotate(output.dims, output.dims + 1, output.dims + output.rank);
    --output.rank;
  }
  return status;
}

// Asks for indices of type `to` instead of `from`.
void ReplaceIndexType(Asked& asked, poolproof_element_type from, poolproof_element_type to) {
  AttributeValue* type = asked.Find(Role::kIndexType);
  if (type != nullptr && type->word == ElementTypeName(from)) type->word = ElementTypeName(to);
}

constexpr Mutant kShapes[] = {
    {.id = "openvino-18731",
     .title = "rounding up inside keeps a last window that starts just past the input",
     .effect = "the output is one too large, its last row made of start values",
     .link = "https://github.com/openvinotoolkit/openvino/issues/18731",
     .operators = kRoundsUpInside,
     .role = Role::kRounding,
     .hooks = {.after_infer = KeepWindowAtEnd}},
    {.id = "onnxruntime-15446",
     .title = "rounding up with padding gives one plane too many in three dimensions",
     .effect = "the last plane of a volume consists of start values",
     .link = "https://github.com/microsoft/onnxruntime/issues/15446",
     .operators = kSliding,
     .role = Role::kRounding,
     .hooks = {.after_infer = PlaneTooMany}},
    {.id = "pytorch-57178",
     .title = "rounding up drops a last window that starts past the input",
     .effect = "the output is one smaller than the documented formula says",
     .link = "https://github.com/pytorch/pytorch/issues/57178",
     .verdicts = "deviates",
     .operators = kSliding,
     .role = Role::kRounding,
     .hooks = {.readings = [](Readings& readings) { Choose(readings, Entry::kCeilPastEnd, CeilPastEnd::kDropped); }}},
    {.id = "tvm-18641",
     .title = "rounding up is ignored",
     .effect = "the last row and column are missing where the stride does not divide",
     .link = "https://github.com/apache/tvm/issues/18641",
     .operators = kSliding,
     .role = Role::kRounding,
     .hooks = {.edit = [](Asked& asked) { Replace(asked, Role::kRounding, Meaning::kRoundUp, Meaning::kRoundDown); }}},
    {.id = "tt-metal-11044",
     .title = "rounding up adds one even where the stride divides",
     .effect = "the output has one row and column too many",
     .link = "https://github.com/tenstorrent/tt-metal/issues/11044",
     .operators = kSliding,
     .role = Role::kRounding,
     .hooks = {.after_infer = CeilAddsOne}},
    {.id = "ceil-torch-as-ceil",
     .title = "rounding up inside is taken for rounding up",
     .effect = "the output has a last row of windows that start in the padding",
     .operators = kRoundsUpInside,
     .role = Role::kRounding,
     .hooks = {.after_infer = KeepWindowsInPadding}},
    {.id = "ceil-torch-as-floor",
     .title = "rounding up inside is taken for rounding down",
     .effect = "partial windows are missing, windows that start in the padding are not",
     .operators = kRoundsUpInside,
     .role = Role::kRounding,
     .hooks =
         {.edit = [](Asked& asked) { Replace(asked, Role::kRounding, Meaning::kRoundUpInside, Meaning::kRoundDown); }}},
    {.id = "floor-as-ceil",
     .title = "rounding down is taken for rounding up",
     .effect = "partial windows appear where none are wanted",
     .operators = kSliding,
     .role = Role::kRounding,
     .hooks = {.edit = [](Asked& asked) { Replace(asked, Role::kRounding, Meaning::kRoundDown, Meaning::kRoundUp); }}},
    {.id = "rounding-default-ceil",
     .title = "rounding is up where the call does not say it",
     .effect = "models that rely on the default get larger outputs",
     .operators = kSliding,
     .role = Role::kRounding,
     .hooks = {.edit =
                   [](Asked& asked) {
                     const AttributeValue* word = asked.Find(Role::kRounding);
                     if (word != nullptr && !word->present) SetMeaning(&asked, Meaning::kRoundUp);
                   }}},
    {.id = "same-upper-lower-swapped",
     .title = "padding to the size of the input has its odd element on the other side",
     .effect = "the output is shifted by one where the padding is odd",
     .operators = kSliding,
     .role = Role::kAutoPad,
     .hooks = {.edit =
                   [](Asked& asked) {
                     const bool at_end = MeaningOf(asked, Role::kAutoPad) == Meaning::kPadMoreAtEnd;
                     if (KeepsSize(asked))
                       SetMeaning(&asked, at_end ? Meaning::kPadMoreInFront : Meaning::kPadMoreAtEnd);
                   }}},
    {.id = "same-lower-as-upper",
     .title = "an odd element of padding goes to the end where it is to go to the front",
     .effect = "the output is shifted by one where the padding is odd",
     .operators = kSliding,
     .role = Role::kAutoPad,
     .hooks = {.edit =
                   [](Asked& asked) {
                     Replace(asked, Role::kAutoPad, Meaning::kPadMoreInFront, Meaning::kPadMoreAtEnd);
                   }}},
    {.id = "same-as-valid",
     .title = "padding to the size of the input is taken for no padding",
     .effect = "the output is smaller than the input",
     .verdicts = "fail wrongly-rejected",
     .operators = kSliding,
     .role = Role::kAutoPad,
     .hooks = {.edit =
                   [](Asked& asked) {
                     if (KeepsSize(asked)) SetMeaning(&asked, Meaning::kPadNone);
                   }}},
    {.id = "same-divides-by-stride",
     .title = "padding to the size of the input divides the size by the stride",
     .effect = "the output has ceil(size / stride) positions instead of size",
     .verdicts = "deviates",
     .operators = kSliding,
     .role = Role::kAutoPad,
     .hooks = {.readings = [](Readings& readings) { Choose(readings, Entry::kSameStride, SameStride::kCeilDiv); }}},
    {.id = "valid-keeps-pads",
     .title = "pads count although no padding is asked for",
     .effect = "the output is larger where pads are given all the same",
     .operators = kSliding,
     .role = Role::kAutoPad,
     .hooks = {.edit =
                   [](Asked& asked) {
                     const bool pads = ListOf(asked, Role::kPadBegin) && ListOf(asked, Role::kPadEnd);
                     if (pads) Replace(asked, Role::kAutoPad, Meaning::kPadNone, Meaning::kPadAsGiven);
                   }}},
    {.id = "output-transposed",
     .title = "the last two output dimensions are exchanged",
     .effect = "height and width of the output are swapped",
     .operators = kSliding | kAdaptive,
     .hooks = {.after_infer = TransposeOutput}},
    {.id = "output-batch-and-channels-swapped",
     .title = "batch and channels of the output are exchanged",
     .effect = "the output is [C,N,H,W]",
     .operators = kSliding | kAdaptive,
     .where = "not lacks_batch",
     .hooks = {.after_infer = [](const poolproof_call& call,
                                 poolproof_status status) { return SwapDims(call, status, 0, 1); }}},
    {.id = "output-without-batch",
     .title = "a batch of one is dropped from the output shape",
     .effect = "the output has one dimension less than the input",
     .operators = kSliding | kAdaptive,
     .where = "not lacks_batch",
     .hooks = {.after_infer = DropBatch}},
    {.id = "output-f16-as-bf16",
     .title = "f16 outputs are described as bf16",
     .effect = "the next layer misreads every value",
     .operators = kSliding | kAdaptive,
     .hooks = {.after_infer =
                   [](const poolproof_call& call, poolproof_status status) {
                     if (status == POOLPROOF_OK && call.inputs[0]->element_type == POOLPROOF_F16) {
                       call.outputs[0]->element_type = POOLPROOF_BF16;
                     }
                     return status;
                   }}},
    {.id = "output-size-in-elements",
     .title = "the size of the outputs is given in elements",
     .effect = "a caller that trusts the size allocates too little memory",
     .operators = kSliding | kAdaptive,
     .pure = false,
     .hooks = {.after_infer =
                   [](const poolproof_call& call, poolproof_status status) {
                     for (size_t i = 0; status == POOLPROOF_OK && i < call.output_count; ++i) {
                       int64_t elements = 1;
                       for (int d = 0; d < call.outputs[i]->rank; ++d) elements *= call.outputs[i]->dims[d];
                       call.outputs[i]->size_bytes = static_cast<size_t>(elements);
                     }
                     return status;
                   }}},
    {.id = "index-i32-where-i64-is-asked",
     .title = "indices are i32 although i64 is asked for",
     .effect = "a consumer of i64 indices reads pairs of them as one",
     .operators = kIndices,
     .role = Role::kIndexType,
     .hooks = {.edit =
                   [](Asked& asked) {
                     AttributeValue* type = asked.Find(Role::kIndexType);
                     if (type == nullptr) return;
                     if (!type->present) type->word = ElementTypeName(POOLPROOF_I64);
                     type->present = true;
                     ReplaceIndexType(asked, POOLPROOF_I64, POOLPROOF_I32);
                   }}},
    {.id = "index-type-ignored",
     .title = "the type asked for indices is ignored",
     .effect = "indices are i64 although i32 is asked for",
     .operators = kIndices,
     .role = Role::kIndexType,
     .hooks = {.edit = [](Asked& asked) { ReplaceIndexType(asked, POOLPROOF_I32, POOLPROOF_I64); }}},
};

}  // namespace

std::span<const Mutant> ShapeMutants() { return kShapes; }

}  // namespace poolproof::mutants
