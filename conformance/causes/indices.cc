// Mutants that find the right maximum and report the wrong place.
#include <algorithm>
#include <cmath>

#include "conformance/causes/mutant.h"

namespace poolproof::mutants {
namespace {

// Position of a tap in a plane of the input, outermost axis first.
std::array<int64_t, 3> PositionOf(const Pool& pool, int64_t tap) {
  int64_t rest = tap % std::max<int64_t>(pool.in.channel, 1);
  std::array<int64_t, 3> at{};
  for (size_t i = 0; i < 3; ++i) {
    at[i] = rest / pool.in.axis[i];
    rest %= pool.in.axis[i];
  }
  return at;
}

Result LastTie(const Pool& pool, const Window& window) {
  Result best = ReduceMax(pool, window);
  if (std::isnan(best.value)) return best;
  for (const Tap& tap : window.taps) {
    if (tap.value == best.value) best.tap = tap.offset;
  }
  return best;
}

// The first element of the whole plane that equals the maximum.
int64_t FirstInPlane(const Pool& pool, const Window& window, const Result& result, int64_t right) {
  if (result.tap < 0) return right;
  const int64_t plane = window.batch * pool.in.batch + window.channel * pool.in.channel;
  if (pool.seen_plane != plane) {
    pool.seen_plane = plane;
    pool.first_seen.clear();
    const int64_t elements = pool.axes[0].size * pool.axes[1].size * pool.axes[2].size;
    for (int64_t i = plane; i < plane + elements; ++i) {
      pool.first_seen.emplace(LoadValue(pool.type, pool.call->inputs[0]->data, i), i);
    }
  }
  const auto found = pool.first_seen.find(result.value);
  return found == pool.first_seen.end() ? right : found->second % pool.index_bound;
}

// Counts padded planes where right indices count planes: one alone where each plane counts for itself.
int64_t InPaddedInput(const Pool& pool, const Window& window, const Result& result, int64_t right) {
  if (result.tap < 0) return right;
  const auto at = PositionOf(pool, result.tap);
  const int64_t planes = std::max<int64_t>(pool.index_bound / pool.in.channel, 1);
  int64_t index = (window.batch * pool.channels + window.channel) % planes;
  for (size_t i = 0; i < 3; ++i) {
    const Axis& axis = pool.axes[i];
    index = index * (axis.size + axis.pad_begin + axis.pad_end) + at[i] + axis.pad_begin;
  }
  return index;
}

int64_t ChannelsLast(const Pool& pool, const Window& window, const Result& result, int64_t right) {
  if (result.tap < 0) return right;
  const int64_t inside = result.tap % pool.in.channel;
  const int64_t index = (window.batch * pool.in.channel + inside) * pool.channels + window.channel;
  return index % pool.index_bound;
}

// Neither images nor the blocks of channels in front are counted.
template <int64_t kChannels>
int64_t InBlockOf(const Pool& pool, const Window& window, const Result& result, int64_t right) {
  if (result.tap < 0) return right;
  const int64_t inside = result.tap % pool.in.channel;
  return (window.channel % kChannels * pool.in.channel + inside) % pool.index_bound;
}

// Innermost axis slowest.
int64_t AxesReversed(const Pool& pool, const Window&, const Result& result, int64_t right) {
  if (result.tap < 0) return right;
  const auto at = PositionOf(pool, result.tap);
  const int64_t plane = result.tap - result.tap % pool.in.channel;
  const int64_t inside = (at[2] * pool.axes[1].size + at[1]) * pool.axes[0].size + at[0];
  return (plane + inside) % pool.index_bound;
}

int64_t WithinWindow(const Pool&, const Window& window, const Result& result, int64_t) {
  for (size_t i = 0; i < window.taps.size(); ++i) {
    if (window.taps[i].offset == result.tap) return static_cast<int64_t>(i);
  }
  return 0;
}

int64_t ModuloNextAxis(const Pool& pool, const Window&, const Result& result, int64_t right) {
  const int64_t axis = (pool.axis < 0 ? pool.axis + pool.rank : pool.axis) + 1;
  if (result.tap < 0 || axis >= pool.rank) return right;
  int64_t bound = 1;
  for (int64_t i = axis; i < pool.rank; ++i) bound *= pool.call->inputs[0]->dims[i];
  return result.tap % bound;
}

int64_t NothingFound(const Pool&, const Window&, const Result& result, int64_t right) {
  const bool found = result.tap >= 0 && !std::isnan(result.value) && !std::isinf(result.value);
  return found || result.value > 0 ? right : -1;
}

constexpr Mutant kIndexMutants[] = {
    {.id = "pytorch-1465",
     .title = "a window of NaN or minus infinity alone leaves the index at -1",
     .effect = "unpooling uses -1 as an address and writes outside its buffer",
     .link = "https://github.com/pytorch/pytorch/issues/1465",
     .operators = kIndices,
     .hooks = {.index = NothingFound}},
    {.id = "ties-last-only-in-3d",
     .title = "of equal maxima the last is reported in three dimensions, the first elsewhere",
     .effect = "the same volume gives other indices as [N,C,1,H,W] than as [N,C,H,W]",
     .verdicts = "inconsistent",
     .operators = kIndices,
     .hooks = {.reduce =
                   [](const Pool& pool, const Window& window) {
                     return pool.spatial_rank == 3 ? LastTie(pool, window) : ReduceMax(pool, window);
                   }}},
    {.id = "ties-last-only-for-16-bits",
     .title = "of equal maxima the last is reported for 16-bit types, the first elsewhere",
     .effect = "indices change when a model is converted from f32 to f16",
     .verdicts = "inconsistent",
     .operators = kIndices,
     .hooks = {.reduce =
                   [](const Pool& pool, const Window& window) {
                     return Bits(pool.type) == 16 ? LastTie(pool, window) : ReduceMax(pool, window);
                   }}},
    {.id = "tie-outside-window",
     .title = "the index is that of the first equal element of the plane",
     .effect = "indices point outside the window where a value occurs more than once",
     .operators = kIndices,
     .hooks = {.index = FirstInPlane}},
    {.id = "index-not-modulo-axis",
     .title = "indices are not taken modulo the dimensions from axis on",
     .effect = "indices run on over channels and batches although axis asks for the plane",
     .operators = kIndexAxis,
     .role = Role::kAxis,
     .hooks = {.index = [](const Pool&, const Window&, const Result& result,
                           int64_t) { return std::max<int64_t>(result.tap, 0); }}},
    {.id = "index-wrong-axis",
     .title = "indices are taken modulo the dimensions after axis",
     .effect = "indices lose one dimension",
     .operators = kIndexAxis,
     .role = Role::kAxis,
     .hooks = {.index = ModuloNextAxis}},
    {.id = "index-negative-axis-ignored",
     .title = "a negative axis counts as 0",
     .effect = "indices run over the whole tensor where axis is counted from the end",
     .operators = kIndexAxis,
     .role = Role::kAxis,
     .hooks = {.edit =
                   [](Asked& asked) {
                     AttributeValue* axis = asked.Find(Role::kAxis);
                     if (axis != nullptr && axis->integer < 0 && axis->integer >= -asked.shape.size) axis->integer = 0;
                   }}},
    {.id = "index-without-batch",
     .title = "indices lose the batch",
     .effect = "the second image of a batch gets the indices of the first one",
     .operators = kIndexedMax,
     .role = Role::kAxis,
     .hooks = {.index = [](const Pool& pool, const Window&, const Result&,
                           int64_t right) { return right % std::max<int64_t>(pool.in.batch, 1); }}},
    {.id = "index-without-channel",
     .title = "indices lose the channel",
     .effect = "every channel gets indices as if it were the first one",
     .operators = kIndexedMax,
     .role = Role::kAxis,
     .hooks = {.index = [](const Pool& pool, const Window&, const Result&,
                           int64_t right) { return right % std::max<int64_t>(pool.in.channel, 1); }}},
    {.id = "index-of-4-channels",
     .title = "indices count from the first of the 4 channels that are stored together",
     .effect = "indices of a library that stores blocks of 4 channels are too small",
     .operators = kIndexedMax,
     .role = Role::kAxis,
     .hooks = {.index = InBlockOf<4>}},
    {.id = "index-of-8-channels",
     .title = "indices count from the first of the 8 channels that are stored together",
     .effect = "indices of a library that stores blocks of 8 channels are too small",
     .operators = kIndexedMax,
     .role = Role::kAxis,
     .hooks = {.index = InBlockOf<8>}},
    {.id = "index-of-16-channels",
     .title = "indices count from the first of the 16 channels that are stored together",
     .effect = "indices of a library that stores blocks of 16 channels are too small",
     .operators = kIndexedMax,
     .role = Role::kAxis,
     .hooks = {.index = InBlockOf<16>}},
    {.id = "index-within-window",
     .title = "indices count the taps of the window",
     .effect = "indices are small numbers below the kernel size",
     .operators = kIndices,
     .hooks = {.index = WithinWindow}},
    {.id = "index-in-padded-input",
     .title = "indices count elements of the padded input",
     .effect = "indices are too large wherever there is padding",
     .operators = kIndexedMax,
     .hooks = {.index = InPaddedInput}},
    {.id = "index-channels-last",
     .title = "indices count as if channels were the last dimension",
     .effect = "indices of an implementation that computes in NHWC point elsewhere in NCHW",
     .operators = kIndexedMax,
     .hooks = {.index = ChannelsLast}},
    {.id = "index-column-major",
     .title = "indices count down the columns first",
     .effect = "rows and columns of the reported position are exchanged",
     .operators = kIndices,
     .hooks = {.index = AxesReversed}},
    {.id = "index-of-window-start",
     .title = "the index is that of the window's first tap",
     .effect = "every index points at a corner of its window",
     .operators = kIndices,
     .hooks = {.index =
                   [](const Pool& pool, const Window& window, const Result&, int64_t right) {
                     return window.taps.empty() ? right : window.taps[0].offset % pool.index_bound;
                   }}},
    {.id = "index-in-8-bits",
     .title = "indices are kept in 8 bits",
     .effect = "indices above 255 begin again at 0",
     .operators = kIndices,
     .hooks = {.index = [](const Pool&, const Window&, const Result&, int64_t right) { return right & 0xFF; }}},
    {.id = "index-counts-from-one",
     .title = "indices count from one",
     .effect = "every index points at the neighbour",
     .operators = kIndices,
     .hooks = {.index = [](const Pool&, const Window&, const Result&, int64_t right) { return right + 1; }}},
    {.id = "adaptive-index-over-channels",
     .title = "adaptive indices count over the whole tensor",
     .effect = "indices of the second channel on exceed the plane",
     .operators = kAdaptiveMax,
     .hooks = {.index = [](const Pool&, const Window&, const Result& result,
                           int64_t) { return std::max<int64_t>(result.tap, 0); }}},
};

}  // namespace

std::span<const Mutant> IndexMutants() { return kIndexMutants; }

}  // namespace poolproof::mutants
