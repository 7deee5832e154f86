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

constexpr const char* kRounding = "rounding_type";
constexpr const char* kAutoPad = "auto_pad";

template <typename Reading>
void Choose(Readings& readings, Entry entry, Reading reading) {
  readings[entry] = static_cast<uint8_t>(reading);
}

// Replaces one word of an attribute by another.
void Replace(CallEdit& call, const char* name, std::string_view from, const char* to) {
  if (call.Word(name) == from) call.SetWord(name, to);
}

// Calls change(axis, out) for every spatial dimension of an accepted sliding call and writes what
// it makes of `out` to all outputs.
template <typename Change>
poolproof_status ChangeSizes(const poolproof_call& call, poolproof_status status, Change change) {
  if (status != POOLPROOF_OK) return status;
  const Pool pool = ReadPool(call);
  for (size_t i = pool.FirstAxis(); i < 3; ++i) {
    const int64_t size = change(pool, pool.axes[i], pool.axes[i].out);
    for (size_t o = 0; o < call.output_count; ++o) {
      call.outputs[o]->dims[2 + i - pool.FirstAxis()] = size;
      Resize(call.outputs[o]);
    }
  }
  return status;
}

// The reduction of ceil_torch is left out where the last window starts just at the input's end.
poolproof_status KeepWindowAtEnd(const poolproof_call& call, poolproof_status status) {
  return ChangeSizes(call, status, [](const Pool& pool, const Axis& axis, int64_t out) {
    const int64_t eff = (axis.kernel - 1) * axis.dilation + 1;
    const int64_t span = axis.size + axis.pad_begin + axis.pad_end - eff;
    const bool reduced = out == span / axis.stride + (span % axis.stride == 0 ? 0 : 1);
    const bool at_end = out * axis.stride == axis.size + axis.pad_begin;
    return pool.rounding == "ceil_torch" && reduced && at_end ? out + 1 : out;
  });
}

poolproof_status PlaneTooMany(const poolproof_call& call, poolproof_status status) {
  return ChangeSizes(call, status, [](const Pool& pool, const Axis& axis, int64_t out) {
    const bool outermost = &axis == &pool.axes.front();
    const bool padded = axis.pad_begin + axis.pad_end > 0;
    return pool.rounding == "ceil" && outermost && padded ? out + 1 : out;
  });
}

poolproof_status CeilAddsOne(const poolproof_call& call, poolproof_status status) {
  return ChangeSizes(call, status, [](const Pool& pool, const Axis& axis, int64_t out) {
    const int64_t span = axis.size + axis.pad_begin + axis.pad_end - (axis.kernel - 1) * axis.dilation - 1;
    return pool.rounding == "ceil" && span % axis.stride == 0 ? out + 1 : out;
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
  const int rank = call.inputs[0]->rank;
  return rank < 4 ? status : SwapDims(call, status, rank - 2, rank - 1);
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

constexpr const char* kIndexType = "index_element_type";

// Only version 14 knows ceil_torch; before it the word is invalid.
void ReplaceCeilTorch(CallEdit& call, const char* to) {
  if (call.Op().ends_with("-14")) Replace(call, kRounding, "ceil_torch", to);
}

constexpr Mutant kShapes[] = {
    {.id = "openvino-18731",
     .title = "ceil_torch keeps a last window that starts just past the input",
     .effect = "the output is one larger than PyTorch's, its last row made of start values",
     .link = "https://github.com/openvinotoolkit/openvino/issues/18731",
     .operators = kMaxPool14 | kAvgPool,
     .hooks = {.after_infer = KeepWindowAtEnd}},
    {.id = "onnxruntime-15446",
     .title = "ceil with padding gives one plane too many in three dimensions",
     .effect = "the last plane of a volume consists of start values",
     .link = "https://github.com/microsoft/onnxruntime/issues/15446",
     .operators = kSliding,
     .hooks = {.after_infer = PlaneTooMany}},
    {.id = "pytorch-57178",
     .title = "ceil drops a last window that starts past the input",
     .effect = "the output is one smaller than the documented formula says",
     .link = "https://github.com/pytorch/pytorch/issues/57178",
     .verdicts = "deviates",
     .operators = kSliding,
     .hooks = {.readings = [](Readings& readings) { Choose(readings, Entry::kCeilPastEnd, CeilPastEnd::kDropped); }}},
    {.id = "tvm-18641",
     .title = "rounding ceil is ignored",
     .effect = "the last row and column are missing where the stride does not divide",
     .link = "https://github.com/apache/tvm/issues/18641",
     .operators = kSliding,
     .hooks = {.edit = [](CallEdit& call) { Replace(call, kRounding, "ceil", "floor"); }}},
    {.id = "tt-metal-11044",
     .title = "ceil adds one even where the stride divides",
     .effect = "the output has one row and column too many",
     .link = "https://github.com/tenstorrent/tt-metal/issues/11044",
     .operators = kSliding,
     .hooks = {.after_infer = CeilAddsOne}},
    {.id = "ceil-torch-as-ceil",
     .title = "ceil_torch is taken for ceil",
     .effect = "the output has a last row of windows that start in the padding",
     .operators = kMaxPool14 | kAvgPool,
     .hooks = {.edit = [](CallEdit& call) { ReplaceCeilTorch(call, "ceil"); }}},
    {.id = "ceil-torch-as-floor",
     .title = "ceil_torch is taken for floor",
     .effect = "partial windows are missing, windows that start in the padding are not",
     .operators = kMaxPool14 | kAvgPool,
     .hooks = {.edit = [](CallEdit& call) { ReplaceCeilTorch(call, "floor"); }}},
    {.id = "floor-as-ceil",
     .title = "floor is taken for ceil",
     .effect = "partial windows appear where none are wanted",
     .operators = kSliding,
     .hooks = {.edit = [](CallEdit& call) { Replace(call, kRounding, "floor", "ceil"); }}},
    {.id = "rounding-default-ceil",
     .title = "an absent rounding_type means ceil",
     .effect = "models that rely on the default get larger outputs",
     .operators = kSliding,
     .hooks = {.edit =
                   [](CallEdit& call) {
                     if (!call.Has(kRounding)) call.SetWord(kRounding, "ceil");
                   }}},
    {.id = "same-upper-lower-swapped",
     .title = "same_upper and same_lower are exchanged",
     .effect = "the output is shifted by one where the padding is odd",
     .operators = kSliding,
     .hooks = {.edit =
                   [](CallEdit& call) {
                     const std::string_view word = call.Word(kAutoPad);
                     if (word == "same_upper") return call.SetWord(kAutoPad, "same_lower");
                     if (word == "same_lower") return call.SetWord(kAutoPad, "same_upper");
                   }}},
    {.id = "same-as-valid",
     .title = "same_upper and same_lower are taken for valid",
     .effect = "the output is smaller than the input",
     .verdicts = "fail wrongly-rejected",
     .operators = kSliding,
     .hooks = {.edit =
                   [](CallEdit& call) {
                     if (call.Word(kAutoPad).starts_with("same")) call.SetWord(kAutoPad, "valid");
                   }}},
    {.id = "same-divides-by-stride",
     .title = "same_upper and same_lower divide the size by the stride",
     .effect = "the output has ceil(size / stride) positions instead of size",
     .verdicts = "deviates",
     .operators = kSliding,
     .hooks = {.readings = [](Readings& readings) { Choose(readings, Entry::kSameStride, SameStride::kCeilDiv); }}},
    {.id = "valid-keeps-pads",
     .title = "valid does not ignore the pads",
     .effect = "the output is larger where pads are written beside auto_pad=valid",
     .operators = kSliding,
     .hooks = {.edit =
                   [](CallEdit& call) {
                     const bool pads = call.Has("pads_begin") && call.Has("pads_end");
                     if (pads) Replace(call, kAutoPad, "valid", "explicit");
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
     .hooks = {.after_infer = [](const poolproof_call& call,
                                 poolproof_status status) { return SwapDims(call, status, 0, 1); }}},
    {.id = "output-without-batch",
     .title = "a batch of one is dropped from the output shape",
     .effect = "the output has one dimension less than the input",
     .operators = kSliding | kAdaptive,
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
     .operators = kWithIndex,
     .hooks = {.edit =
                   [](CallEdit& call) {
                     if (!call.Has(kIndexType)) call.SetWord(kIndexType, "i32");
                     Replace(call, kIndexType, "i64", "i32");
                   }}},
    {.id = "index-type-ignored",
     .title = "index_element_type is ignored",
     .effect = "indices are i64 although i32 is asked for",
     .operators = kWithIndex,
     .hooks = {.edit = [](CallEdit& call) { Replace(call, kIndexType, "i32", "i64"); }}},
};

}  // namespace

std::span<const Mutant> ShapeMutants() { return kShapes; }

}  // namespace poolproof::mutants
