// Mutants of libraries that take inputs with and without a batch, and get those without one wrong: such a library puts
// a batch of one in front and takes it off again, or counts dimensions from the front.
#include <algorithm>

#include "conformance/causes/mutant.h"

namespace poolproof::mutants {
namespace {

poolproof_status Refuse(const poolproof_call&, poolproof_status status) {
  return status == POOLPROOF_OK ? POOLPROOF_INVALID_ARGUMENT : status;
}

// The batch that was put in front stays.
poolproof_status KeepBatchOfOne(const poolproof_call& call, poolproof_status status) {
  for (size_t i = 0; status == POOLPROOF_OK && i < call.output_count; ++i) {
    poolproof_tensor& output = *call.outputs[i];
    std::copy_backward(output.dims, output.dims + output.rank, output.dims + output.rank + 1);
    output.dims[0] = 1;
    ++output.rank;
  }
  return status;
}

// Channels are taken for the batch, and the first spatial axis for the channels, which no window reaches along.
void TakeFirstAxisForChannels(Asked& asked) {
  if (asked.SpatialRank() < 1) return;
  if (asked.sizes.size > 0) asked.sizes[0] = SpatialSize(asked, 0);
  for (const Role role : {Role::kKernel, Role::kStride, Role::kDilation, Role::kPadBoth}) {
    IntList* const list = ListOf(asked, role);
    if (list != nullptr && list->size > 0) (*list)[0] = role == Role::kPadBoth ? 0 : 1;
  }
}

// The stride from channel to channel is that of a batch of one.
void StayInFirstChannel(Pool& pool) { pool.in.channel = 0; }

int64_t IndexOverChannels(const Pool&, const Window&, const Result& result, int64_t right) {
  return result.tap < 0 ? right : result.tap;
}

constexpr Mutant kUnbatched[] = {
    {.id = "unbatched-refused",
     .title = "inputs without a batch are refused",
     .effect = "single images need a batch of one in front, which the document does not ask for",
     .verdicts = "wrongly-rejected",
     .operators = kSliding | kAdaptive,
     .where = "lacks_batch",
     .hooks = {.after_infer = Refuse}},
    {.id = "unbatched-output-has-batch",
     .title = "outputs of inputs without a batch have a batch of one",
     .effect = "the output has a dimension more than the input",
     .operators = kSliding | kAdaptive,
     .where = "lacks_batch",
     .hooks = {.after_infer = KeepBatchOfOne}},
    {.id = "unbatched-first-axis-kept",
     .title = "channels of inputs without a batch are taken for the batch, and the first spatial axis for the channels",
     .effect = "single images are pooled along their rows alone",
     .verdicts = "fail wrongly-accepted wrongly-rejected",
     .operators = kSliding | kAdaptive,
     .where = "lacks_batch",
     .hooks = {.edit = TakeFirstAxisForChannels}},
    {.id = "unbatched-first-channel-everywhere",
     .title = "every channel of an input without a batch is computed from the first one",
     .effect = "all channels of the output are alike",
     .operators = kSliding | kAdaptive,
     .where = "lacks_batch",
     .hooks = {.pool = StayInFirstChannel}},
    {.id = "unbatched-index-over-channels",
     .title = "indices count over all channels where the input has no batch, and within the plane where it has one",
     .effect = "unpooling a single image puts the maxima of all channels but the first outside of their planes",
     .verdicts = "inconsistent",
     .operators = kIndices,
     .where = "lacks_batch",
     .hooks = {.index = IndexOverChannels}},
};

}  // namespace

std::span<const Mutant> UnbatchedMutants() { return kUnbatched; }

}  // namespace poolproof::mutants
