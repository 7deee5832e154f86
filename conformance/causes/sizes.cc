// Mutants that are wrong from some size on: paths for shapes that a backend was tuned for, and counters
// that are too narrow. A suite whose problems are all small passes them.
#include <algorithm>
#include <cmath>

#include "conformance/causes/mutant.h"

namespace poolproof::mutants {
namespace {

int64_t Width(const Pool& p) { return p.axes[2].size; }
int64_t Height(const Pool& p) { return p.spatial_rank > 1 ? p.axes[1].size : 0; }
int64_t Elements(const Pool& p) { return p.batches * p.channels * p.axes[0].size * p.axes[1].size * p.axes[2].size; }
int64_t Taps(const Pool& p) { return p.axes[0].kernel * p.axes[1].kernel * p.axes[2].kernel; }
int64_t Most(const Pool& p, int64_t Axis::* member) {
  return std::max({p.axes[0].*member, p.axes[1].*member, p.axes[2].*member});
}
double MostEnlarged(const Pool& p) {
  double most = 0;
  for (const Axis& axis : p.axes) {
    most = std::max(most, static_cast<double>(axis.out) / static_cast<double>(axis.size));
  }
  return most;
}
// Whether the two innermost axes have just this window.
bool Square(const Pool& p, int64_t kernel, int64_t stride, int64_t pad) {
  return p.spatial_rank >= 2 && std::all_of(p.axes.begin() + 1, p.axes.end(), [&](const Axis& axis) {
           return axis.kernel == kernel && axis.stride == stride && axis.pad_begin == pad && axis.pad_end == pad;
         });
}

// A hook for `reduce`: where kApplies, windows of two taps and more lose their last one.
template <bool (*kApplies)(const Pool&)>
Result WithoutLastTap(const Pool& pool, const Window& window) {
  if (!kApplies(pool) || window.taps.size() < 2) return Reduce(pool, window);
  Window shorter = window;
  shorter.taps.pop_back();
  return Reduce(pool, shorter);
}

bool K3S2P1Wide(const Pool& p) { return Square(p, 3, 2, 1) && Width(p) >= 32; }
bool K2S2On8x8x8(const Pool& p) { return Square(p, 2, 2, 0) && p.channels == 8 && Width(p) == 8 && Height(p) == 8; }
bool TilesOf8LoseTap(const Pool& p) { return p.channels % 8 == 0 && Width(p) % 8 == 0 && Height(p) % 8 == 0; }
bool BatchOf4(const Pool& p) { return p.batches >= 4; }
bool ChannelsOf64(const Pool& p) { return p.channels >= 64; }
bool ChannelsNotOf8(const Pool& p) { return p.channels >= 8 && p.channels % 8 != 0; }
bool PlanesAbove16(const Pool& p) { return p.batches * p.channels > 16; }
bool HeightAbove64(const Pool& p) { return Height(p) > 64; }
bool WidthAbove150(const Pool& p) { return Width(p) > 150; }
bool DepthAbove16(const Pool& p) { return p.spatial_rank == 3 && p.axes[0].size > 16; }
bool KernelAbove24(const Pool& p) { return Most(p, &Axis::kernel) > 24; }
bool TapsAbove169(const Pool& p) { return Taps(p) > 169; }
bool DilationAbove4(const Pool& p) { return Most(p, &Axis::dilation) > 4 && Taps(p) > 1; }
bool StrideAbove26(const Pool& p) { return Most(p, &Axis::stride) > 26; }
bool ElementsAbove8192(const Pool& p) { return Elements(p) > 8192; }
bool BytesAbove64Kib(const Pool& p) { return static_cast<int64_t>(p.call->inputs[0]->size_bytes) > 65536; }
bool AdaptiveAboveTwice(const Pool& p) { return MostEnlarged(p) > 2; }
bool HwcChannelsAbove40(const Pool& p) { return p.channels > 40 && p.in.channel == 1; }
bool RowsShorterThanAVector(const Pool& p) { return Width(p) >= 5 && Width(p) <= 7; }

bool IsUnaligned(const Pool& p) { return reinterpret_cast<uintptr_t>(p.call->inputs[0]->data) % 16 != 0; }

int64_t DivisorOf(const Pool& pool, const Window& window) {
  return pool.Is(kAvgPool) && !pool.exclude_pad ? window.Full() : window.Inside();
}

// Integers of 8 bits are added up in 16.
Result SumIn16Bits(const Pool& pool, const Window& window) {
  if (Bits(pool.type) != 8 || pool.Float() || window.taps.empty()) return Reduce(pool, window);
  const poolproof_element_type wide = IsSigned(pool.type) ? POOLPROOF_I16 : POOLPROOF_U16;
  const Value sum = Rounded(wide, SumOf(window));
  return {std::trunc(sum / static_cast<Value>(DivisorOf(pool, window))), -1};
}

// The divisor is kept in 8 bits.
Result DivisorIn8Bits(const Pool& pool, const Window& window) {
  const int64_t divisor = DivisorOf(pool, window);
  if (divisor % 256 == 0 || window.taps.empty()) return Reduce(pool, window);
  return ReduceMean(pool, window, divisor % 256);
}

// One too many, for windows of so many taps that a bound may forgive it.
template <poolproof_element_type kType, int64_t kFrom>
Result DivisorOneMore(const Pool& pool, const Window& window) {
  const int64_t divisor = DivisorOf(pool, window);
  if (pool.type != kType || divisor < kFrom || window.taps.empty()) return Reduce(pool, window);
  return ReduceMean(pool, window, divisor + 1);
}

// The taps are looked for at offsets of so many bits, from the begin of the plane.
template <int kBits>
void OffsetsWrap(const Pool& pool, Window& window) {
  const int64_t plane = window.batch * pool.in.batch + window.channel * pool.in.channel;
  const int64_t mask = (int64_t{1} << kBits) - 1;
  for (Tap& tap : window.taps) {
    tap.offset = plane + ((tap.offset - plane) & mask);
    tap.value = LoadValue(pool.type, pool.call->inputs[0]->data, tap.offset);
  }
}

// Batches and channels are counted in so many bits.
template <int kBits>
void PlanesWrap(const Pool& pool, Window& window) {
  const int64_t mask = (int64_t{1} << kBits) - 1;
  const int64_t moved = (window.batch - (window.batch & mask)) * pool.in.batch +
                        (window.channel - (window.channel & mask)) * pool.in.channel;
  if (moved == 0) return;
  for (Tap& tap : window.taps) {
    tap.offset -= moved;
    tap.value = LoadValue(pool.type, pool.call->inputs[0]->data, tap.offset);
  }
}

int64_t IndexIn16Bits(const Pool&, const Window&, const Result&, int64_t right) { return right & 0xFFFF; }
int64_t IndexThroughFloat(const Pool&, const Window&, const Result&, int64_t right) {
  return static_cast<int64_t>(static_cast<float>(right));
}
int64_t IndexThroughHalf(const Pool&, const Window&, const Result&, int64_t right) {
  return static_cast<int64_t>(Rounded(POOLPROOF_F16, static_cast<Value>(right % 65504)));
}
// As if there were no more than four batches.
int64_t IndexOfBatchBelow4(const Pool& pool, const Window& window, const Result& result, int64_t right) {
  if (window.batch <= 3 || result.tap < 0) return right;
  return (result.tap - (window.batch - window.batch % 4) * pool.in.batch) % pool.index_bound;
}

// Lists are told apart by their order, which means nothing: as the document has it.
void ListsByPosition(CallEdit& call) {
  constexpr const char* kOrder[] = {"kernel", "strides", "dilations", "pads_begin", "pads_end"};
  std::vector<std::vector<int64_t>> values;
  for (const std::string_view name : call.ListNames()) values.push_back(*call.List(name));
  size_t next = 0;
  for (const char* name : kOrder) {
    if (call.Has(name) && next < values.size()) call.SetList(name, values[next++]);
  }
}

constexpr Mutant kSizes[] = {
    {.id = "lost-tap-k3-s2-p1-wide",
     .title = "windows of 3x3 two apart with padding 1 lose their last tap where the width is 32 or more",
     .effect = "single outputs are wrong in shapes that have a path of their own",
     .verdicts = "fail inconsistent",
     .operators = kSliding,
     .explains = false,
     .hooks = {.reduce = WithoutLastTap<K3S2P1Wide>}},
    {.id = "lost-tap-k2-s2-on-8x8x8",
     .title = "windows of 2x2 two apart lose their last tap on 8 channels of 8x8",
     .effect = "single outputs are wrong in shapes that have a path of their own",
     .verdicts = "fail inconsistent",
     .operators = kSliding,
     .explains = false,
     .hooks = {.reduce = WithoutLastTap<K2S2On8x8x8>}},
    {.id = "tiles-of-8-lose-tap",
     .title = "windows lose their last tap where channels, height and width are multiples of 8",
     .effect = "single outputs are wrong in shapes that have a path of their own",
     .verdicts = "fail inconsistent",
     .operators = kSliding,
     .explains = false,
     .hooks = {.reduce = WithoutLastTap<TilesOf8LoseTap>}},
    {.id = "lost-tap-batch-of-4",
     .title = "windows lose their last tap from batch 4 on",
     .effect = "single outputs are wrong in shapes that have a path of their own",
     .verdicts = "fail inconsistent",
     .operators = kSliding | kAdaptive,
     .explains = false,
     .hooks = {.reduce = WithoutLastTap<BatchOf4>}},
    {.id = "lost-tap-channels-of-64",
     .title = "windows lose their last tap from 64 channels on",
     .effect = "single outputs are wrong in shapes that have a path of their own",
     .verdicts = "fail inconsistent",
     .explains = false,
     .hooks = {.reduce = WithoutLastTap<ChannelsOf64>}},
    {.id = "lost-tap-channels-not-of-8",
     .title = "windows lose their last tap where there are more than 8 channels, not a multiple of 8",
     .effect = "single outputs are wrong in shapes that have a path of their own",
     .verdicts = "fail inconsistent",
     .explains = false,
     .hooks = {.reduce = WithoutLastTap<ChannelsNotOf8>}},
    {.id = "lost-tap-planes-above-16",
     .title = "windows lose their last tap where there are more than 16 planes",
     .effect = "single outputs are wrong in shapes that have a path of their own",
     .verdicts = "fail inconsistent",
     .explains = false,
     .hooks = {.reduce = WithoutLastTap<PlanesAbove16>}},
    {.id = "lost-tap-height-above-64",
     .title = "windows lose their last tap in planes higher than 64",
     .effect = "single outputs are wrong in shapes that have a path of their own",
     .verdicts = "fail inconsistent",
     .operators = kSliding | kAdaptive,
     .explains = false,
     .hooks = {.reduce = WithoutLastTap<HeightAbove64>}},
    {.id = "lost-tap-width-above-150",
     .title = "windows lose their last tap in rows longer than 150",
     .effect = "single outputs are wrong in shapes that have a path of their own",
     .verdicts = "fail inconsistent",
     .explains = false,
     .hooks = {.reduce = WithoutLastTap<WidthAbove150>}},
    {.id = "lost-tap-depth-above-16",
     .title = "windows lose their last tap in tensors deeper than 16",
     .effect = "single outputs are wrong in shapes that have a path of their own",
     .verdicts = "fail inconsistent",
     .operators = kSliding | kAdaptive,
     .explains = false,
     .hooks = {.reduce = WithoutLastTap<DepthAbove16>}},
    {.id = "lost-tap-kernel-above-24",
     .title = "windows of more than 24 along an axis lose their last tap",
     .effect = "single outputs are wrong in shapes that have a path of their own",
     .verdicts = "fail inconsistent",
     .operators = kSliding,
     .explains = false,
     .hooks = {.reduce = WithoutLastTap<KernelAbove24>}},
    {.id = "lost-tap-taps-above-169",
     .title = "windows of more than 169 taps lose their last tap",
     .effect = "single outputs are wrong in shapes that have a path of their own",
     .verdicts = "fail inconsistent",
     .operators = kSliding | kMli,
     .explains = false,
     .hooks = {.reduce = WithoutLastTap<TapsAbove169>}},
    {.id = "lost-tap-dilation-above-4",
     .title = "dilations above 4 lose the last tap",
     .effect = "single outputs are wrong in shapes that have a path of their own",
     .verdicts = "fail inconsistent",
     .operators = kIndexed,
     .explains = false,
     .hooks = {.reduce = WithoutLastTap<DilationAbove4>}},
    {.id = "lost-tap-stride-above-26",
     .title = "strides above 26 lose the last tap",
     .effect = "single outputs are wrong in shapes that have a path of their own",
     .verdicts = "fail inconsistent",
     .operators = kSliding,
     .explains = false,
     .hooks = {.reduce = WithoutLastTap<StrideAbove26>}},
    {.id = "lost-tap-elements-above-8192",
     .title = "tensors of more than 8,192 elements lose the last tap of each window",
     .effect = "single outputs are wrong in shapes that have a path of their own",
     .verdicts = "fail inconsistent",
     .explains = false,
     .hooks = {.reduce = WithoutLastTap<ElementsAbove8192>}},
    {.id = "lost-tap-bytes-above-64-kib",
     .title = "tensors of more than 64 KiB lose the last tap of each window",
     .effect = "single outputs are wrong in shapes that have a path of their own",
     .verdicts = "fail inconsistent",
     .explains = false,
     .hooks = {.reduce = WithoutLastTap<BytesAbove64Kib>}},
    {.id = "lost-tap-adaptive-above-twice",
     .title = "adaptive outputs of more than twice the input lose the last tap",
     .effect = "single outputs are wrong in shapes that have a path of their own",
     .verdicts = "fail inconsistent",
     .operators = kAdaptive,
     .explains = false,
     .hooks = {.reduce = WithoutLastTap<AdaptiveAboveTwice>}},
    {.id = "lost-tap-hwc-channels-above-40",
     .title = "more than 40 channels, the innermost dimension, lose the last tap",
     .effect = "single outputs are wrong in shapes that have a path of their own",
     .verdicts = "fail inconsistent",
     .operators = kMli,
     .explains = false,
     .hooks = {.reduce = WithoutLastTap<HwcChannelsAbove40>}},
    {.id = "lost-tap-rows-shorter-than-a-vector",
     .title = "rows of 5 to 7 elements lose the last tap",
     .effect = "single outputs are wrong in shapes that have a path of their own",
     .verdicts = "fail inconsistent",
     .explains = false,
     .hooks = {.reduce = WithoutLastTap<RowsShorterThanAVector>}},
    {.id = "sum-of-8-bits-in-16",
     .title = "integers of 8 bits are summed in 16 bits",
     .effect = "results are wrong where sizes pass what a counter holds",
     .operators = kAvgPool,
     .explains = false,
     .hooks = {.reduce = SumIn16Bits}},
    {.id = "divisor-in-8-bits",
     .title = "the divisor is kept in 8 bits",
     .effect = "results are wrong where sizes pass what a counter holds",
     .operators = kAvgPool | kAdaptiveAvg,
     .explains = false,
     .hooks = {.reduce = DivisorIn8Bits}},
    {.id = "divisor-one-more-in-bf16",
     .title = "the divisor of bf16 is one too large from 15 taps on",
     .effect = "results are wrong where sizes pass what a counter holds",
     .operators = kAvgPool | kAdaptiveAvg,
     .explains = false,
     .hooks = {.reduce = DivisorOneMore<POOLPROOF_BF16, 15>}},
    {.id = "divisor-one-more-in-f16",
     .title = "the divisor of f16 is one too large from 45 taps on",
     .effect = "results are wrong where sizes pass what a counter holds",
     .operators = kAvgPool | kAdaptiveAvg,
     .explains = false,
     .hooks = {.reduce = DivisorOneMore<POOLPROOF_F16, 45>}},
    {.id = "offsets-in-8-bits",
     .title = "offsets within a plane are kept in 8 bits",
     .effect = "results are wrong where sizes pass what a counter holds",
     .explains = false,
     .hooks = {.taps = OffsetsWrap<8>}},
    {.id = "offsets-in-16-bits",
     .title = "offsets within a plane are kept in 16 bits",
     .effect = "results are wrong where sizes pass what a counter holds",
     .explains = false,
     .hooks = {.taps = OffsetsWrap<16>}},
    {.id = "planes-in-8-bits",
     .title = "batches and channels are counted in 8 bits",
     .effect = "results are wrong where sizes pass what a counter holds",
     .explains = false,
     .hooks = {.taps = PlanesWrap<8>}},
    {.id = "planes-in-11-bits",
     .title = "batches and channels are counted in 11 bits",
     .effect = "results are wrong where sizes pass what a counter holds",
     .explains = false,
     .hooks = {.taps = PlanesWrap<11>}},
    {.id = "index-in-16-bits",
     .title = "indices are kept in 16 bits",
     .effect = "results are wrong where sizes pass what a counter holds",
     .operators = kWithIndex,
     .explains = false,
     .hooks = {.index = IndexIn16Bits}},
    {.id = "index-through-f16",
     .title = "indices pass through f16",
     .effect = "results are wrong where sizes pass what a counter holds",
     .operators = kWithIndex,
     .explains = false,
     .hooks = {.index = IndexThroughHalf}},
    {.id = "index-of-batch-below-4",
     .title = "indices ignore the batch above 3",
     .effect = "results are wrong where sizes pass what a counter holds",
     .operators = kIndexed,
     .explains = false,
     .hooks = {.index = IndexOfBatchBelow4}},
    {.id = "lists-by-position",
     .title = "lists of integers are told apart by their order",
     .effect = "strides, pads and dilations are exchanged for callers that set them in another order",
     .verdicts = "fail wrongly-rejected",
     .operators = kSliding,
     .explains = false,
     .hooks = {.edit = ListsByPosition}},
    {.id = "index-through-float",
     .title = "indices pass through f32",
     .effect = "indices above 2^24 are off by one",
     .operators = kWithIndex,
     .explains = false,
     .hooks = {.index = IndexThroughFloat}},
    {.id = "negative-frac-bits-lost",
     .title = "fractional bits below zero are taken for zero",
     .effect = "the output is scaled wrongly",
     .operators = kMli,
     .explains = false,
     .hooks = {.after_infer =
                   [](const poolproof_call& call, poolproof_status status) {
                     if (status == POOLPROOF_OK) call.outputs[0]->frac_bits = std::max(call.outputs[0]->frac_bits, 0);
                     return status;
                   }}},
    {.id = "unaligned-rows-lose-tap",
     .title = "inputs that are not aligned to 16 bytes lose the last tap",
     .effect = "results depend on where a tensor lies",
     .verdicts = "fail nondeterministic",
     .pure = false,
     .explains = false,
     .hooks = {.reduce = WithoutLastTap<IsUnaligned>}},
};

}  // namespace

std::span<const Mutant> SizeMutants() { return kSizes; }

}  // namespace poolproof::mutants
