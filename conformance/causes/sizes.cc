// Mutants that are wrong from some size on: paths for shapes that a backend was tuned for, and counters
// that are too narrow. A suite whose problems are all small passes them.
#include <algorithm>
#include <cmath>

#include "conformance/causes/mutant.h"

namespace poolproof::mutants {
namespace {

// Windows of two taps and more lose their last one.
Result WithoutLastTap(const Pool& pool, const Window& window) {
  if (window.taps.size() < 2) return Reduce(pool, window);
  Window shorter = window;
  shorter.taps.pop_back();
  return Reduce(pool, shorter);
}

Result WithoutLastTapWhereUnaligned(const Pool& pool, const Window& window) {
  const bool unaligned = reinterpret_cast<uintptr_t>(pool.call->inputs[0]->data) % 16 != 0;
  return unaligned ? WithoutLastTap(pool, window) : Reduce(pool, window);
}

// A path of its own for shapes of which `where` holds.
constexpr Mutant LostTap(std::string_view id, std::string_view title, std::string_view where,
                         unsigned operators = kEveryOperator) {
  return {.id = id,
          .title = title,
          .effect = "single outputs are wrong in shapes that have a path of their own",
          .verdicts = "fail inconsistent",
          .operators = operators,
          .where = where,
          .explains = false,
          .hooks = {.reduce = WithoutLastTap}};
}

// A counter that is too narrow for the sizes.
constexpr Mutant Narrow(std::string_view id, std::string_view title, std::string_view where, Hooks hooks,
                        unsigned operators = kEveryOperator) {
  return {.id = id,
          .title = title,
          .effect = "results are wrong where sizes pass what a counter holds",
          .operators = operators,
          .where = where,
          .explains = false,
          .hooks = hooks};
}

// Integers of 8 bits are added up in 16.
Result SumIn16Bits(const Pool& pool, const Window& window) {
  if (Bits(pool.type) != 8 || pool.Float() || window.taps.empty()) return Reduce(pool, window);
  const poolproof_element_type wide = IsSigned(pool.type) ? POOLPROOF_I16 : POOLPROOF_U16;
  const Value sum = Rounded(wide, SumOf(window));
  return {std::trunc(sum / static_cast<Value>(RightDivisor(pool, window))), -1};
}

// The divisor is kept in 8 bits.
Result DivisorIn8Bits(const Pool& pool, const Window& window) {
  const int64_t divisor = RightDivisor(pool, window);
  if (divisor % 256 == 0 || window.taps.empty()) return Reduce(pool, window);
  return ReduceMean(pool, window, divisor % 256);
}

// Off by kMore, for windows of enough taps that a bound may forgive it.
template <int64_t kMore>
Result DivisorOff(const Pool& pool, const Window& window) {
  if (window.taps.empty()) return Reduce(pool, window);
  return ReduceMean(pool, window, RightDivisor(pool, window) + kMore);
}

constexpr Mutant OffByOne(std::string_view id, std::string_view title, std::string_view where,
                          Result (*reduce)(const Pool&, const Window&)) {
  return {.id = id,
          .title = title,
          .effect = "means over large windows are off in their last digits",
          .operators = kSlidingMean | kAdaptiveMean,
          .where = where,
          .explains = false,
          .hooks = {.reduce = reduce}};
}

// The taps are looked for at offsets of kBits bits, from the begin of the plane.
template <int kBits>
void OffsetsWrap(const Pool& pool, Window& window) {
  const int64_t plane = window.batch * pool.in.batch + window.channel * pool.in.channel;
  const int64_t mask = (int64_t{1} << kBits) - 1;
  for (Tap& tap : window.taps) {
    tap.offset = plane + ((tap.offset - plane) & mask);
    tap.value = LoadValue(pool.type, pool.call->inputs[0]->data, tap.offset);
  }
}

// Batches and channels are counted in kBits bits.
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

// Where an image begins is kept in kBits bits.
template <int kBits>
void ImagesWrap(const Pool& pool, Window& window) {
  const int64_t begin = window.batch * pool.in.batch, moved = begin >> kBits << kBits;
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
void ListsByPosition(Asked& asked) {
  const auto is_list = [&](size_t i) {
    return asked.spec->attributes[i].type == AttributeType::kIntList && asked.attributes[i].present;
  };
  std::vector<IntList> values;
  for (size_t place = 0; place < asked.spec->attributes.size(); ++place) {
    const size_t i = asked.order[place];
    if (is_list(i)) values.push_back(asked.attributes[i].list);
  }
  size_t next = 0;
  for (size_t i = 0; i < asked.spec->attributes.size(); ++i) {
    if (is_list(i)) asked.attributes[i].list = values[next++];
  }
}

constexpr Mutant kSizes[] = {
    LostTap("lost-tap-k3-s2-p1-wide",
            "windows of 3x3 two apart with padding 1 lose their last tap where the width is 32 or more",
            "rank >= 4 and kernel[-1] = 3 and kernel[-2] = 3 and stride[-1] = 2 and stride[-2] = 2 and "
            "max(pad_begin[-1], pad_end[-1]) = 1 and min(pad_begin[-1], pad_end[-1]) = 1 and "
            "max(pad_begin[-2], pad_end[-2]) = 1 and min(pad_begin[-2], pad_end[-2]) = 1 and width >= 32",
            kSliding),
    LostTap("lost-tap-k2-s2-on-8x8x8", "windows of 2x2 two apart lose their last tap on 8 channels of 8x8",
            "rank >= 4 and kernel[-1] = 2 and kernel[-2] = 2 and stride[-1] = 2 and stride[-2] = 2 and "
            "max(pad_begin[-1], pad_end[-1]) = 0 and min(pad_begin[-1], pad_end[-1]) = 0 and "
            "max(pad_begin[-2], pad_end[-2]) = 0 and min(pad_begin[-2], pad_end[-2]) = 0 and channels = 8 and height = "
            "8 and width = 8",
            kSliding),
    LostTap("tiles-of-8-lose-tap", "windows lose their last tap where channels, height and width are multiples of 8",
            "rank >= 4 and channels mod 8 = 0 and height mod 8 = 0 and width mod 8 = 0", kSliding),
    LostTap("lost-tap-batch-of-4", "windows lose their last tap from batch 4 on", "batch >= 4", kSliding | kAdaptive),
    LostTap("lost-tap-channels-of-64", "windows lose their last tap from 64 channels on", "channels >= 64"),
    LostTap("lost-tap-channels-not-of-8",
            "windows lose their last tap where there are more than 8 channels, not a multiple of 8",
            "channels > 8 and channels mod 8 != 0"),
    LostTap("lost-tap-planes-above-16", "windows lose their last tap where there are more than 16 planes",
            "batch * channels > 16"),
    LostTap("lost-tap-height-above-64", "windows lose their last tap in planes higher than 64", "height > 64",
            kSliding | kAdaptive),
    LostTap("lost-tap-width-above-150", "windows lose their last tap in rows longer than 150", "width > 150"),
    LostTap("lost-tap-depth-above-16", "windows lose their last tap in tensors deeper than 16", "depth > 16",
            kSliding | kAdaptive),
    LostTap("lost-tap-kernel-above-24", "windows of more than 24 along an axis lose their last tap", "any(kernel > 24)",
            kSliding),
    LostTap("lost-tap-taps-above-169", "windows of more than 169 taps lose their last tap", "taps > 169",
            kSliding | kFixedPoint),
    LostTap("lost-tap-dilation-above-4", "dilations above 4 lose the last tap", "any(dilation > 4) and taps > 1",
            kDilates),
    LostTap("lost-tap-stride-above-26", "strides above 26 lose the last tap", "any(stride > 26)", kSliding),
    LostTap("lost-tap-elements-above-8192", "tensors of more than 8,192 elements lose the last tap of each window",
            "elements > 8192"),
    LostTap("lost-tap-bytes-above-64-kib", "tensors of more than 64 KiB lose the last tap of each window",
            "elements * bits > 524288"),
    LostTap("lost-tap-adaptive-above-twice", "adaptive outputs of more than twice the input lose the last tap",
            "any(out > 2 * size)", kAdaptive),
    LostTap("lost-tap-hwc-channels-above-40", "more than 40 channels, the innermost dimension, lose the last tap",
            "channels_last and channels > 40", kFixedPoint),
    LostTap("lost-tap-batch-above-65535", "windows lose their last tap in batches above 65,535", "batch > 65535",
            kSliding | kAdaptive),
    LostTap("lost-tap-planes-above-65535",
            "windows lose their last tap where batches times channels are more than 65,535, and neither is by itself",
            "batch * channels > 65535 and batch < 65536 and channels < 65536", kSliding | kAdaptive),
    LostTap("lost-tap-k3-s2-u8-two-remainders",
            "windows of 3x3 two apart lose their last tap in u8 at two remainders of the width by 16",
            "type = u8 and rank >= 4 and kernel[-1] = 3 and kernel[-2] = 3 and stride[-1] = 2 and stride[-2] = 2 and "
            "width mod 16 in {3, 11} and width > 16",
            kSliding),
    LostTap("lost-tap-k2-s2-long-rows",
            "windows of 2x2 two apart lose their last tap in rows longer than 100 of one remainder by 8",
            "rank >= 4 and kernel[-1] = 2 and kernel[-2] = 2 and stride[-1] = 2 and stride[-2] = 2 and "
            "width mod 8 = 5 and width > 100",
            kSliding),
    LostTap("lost-tap-adaptive-pairs",
            "adaptive windows lose their last tap on images of 28x28 and more whose width the output does not divide",
            "rank >= 4 and height >= 28 and width >= 28 and width mod out[-1] != 0", kAdaptive),
    LostTap("lost-tap-rows-shorter-than-a-vector", "rows of 5 to 7 elements lose the last tap", "width in {5, 6, 7}"),
    Narrow("sum-of-8-bits-in-16", "integers of 8 bits are summed in 16 bits",
           "is_mean and type in {i8, u8} and taps > 128", {.reduce = SumIn16Bits}, kSlidingMean),
    Narrow("divisor-in-8-bits", "the divisor is kept in 8 bits", "is_mean and taps > 255", {.reduce = DivisorIn8Bits},
           kSlidingMean | kAdaptiveMean),
    OffByOne("divisor-one-more-in-bf16", "the divisor of bf16 is one too large from 15 taps on",
             "type = bf16 and taps >= 15", DivisorOff<1>),
    OffByOne("divisor-one-more-in-bf16-from-127", "the divisor of bf16 is one too large from 127 taps on",
             "type = bf16 and taps >= 127", DivisorOff<1>),
    OffByOne("divisor-one-more-in-f16", "the divisor of f16 is one too large from 45 taps on",
             "type = f16 and taps >= 45", DivisorOff<1>),
    OffByOne("divisor-one-more-in-f16-from-1024", "the divisor of f16 is one too large from 1,024 taps on",
             "type = f16 and taps >= 1024", DivisorOff<1>),
    OffByOne("divisor-one-less-in-bf16-from-127", "the divisor of bf16 is one too small from 127 taps on",
             "type = bf16 and taps >= 127", DivisorOff<-1>),
    OffByOne("divisor-one-less-in-f16-from-1024", "the divisor of f16 is one too small from 1,024 taps on",
             "type = f16 and taps >= 1024", DivisorOff<-1>),
    Narrow("offsets-in-8-bits", "offsets within a plane are kept in 8 bits", "elements > 256",
           {.taps = OffsetsWrap<8>}),
    Narrow("offsets-in-16-bits", "offsets within a plane are kept in 16 bits", "elements > 65536",
           {.taps = OffsetsWrap<16>}),
    Narrow("offsets-in-24-bits", "offsets within a plane are kept in 24 bits", "elements > 16777216",
           {.taps = OffsetsWrap<24>}, kSliding | kFixedPoint),
    Narrow("planes-in-8-bits", "batches and channels are counted in 8 bits", "batch * channels > 256",
           {.taps = PlanesWrap<8>}),
    Narrow("planes-in-11-bits", "batches and channels are counted in 11 bits", "batch * channels > 2048",
           {.taps = PlanesWrap<11>}),
    {.id = "images-in-16-bits",
     .title = "where an image begins is kept in 16 bits",
     .effect = "the second image of a batch is computed from another place",
     .operators = kSliding | kAdaptive,
     .where = "batch > 1 and elements > 65536",
     .explains = false,
     .hooks = {.taps = ImagesWrap<16>}},
    {.id = "images-in-24-bits",
     .title = "where an image begins is kept in 24 bits",
     .effect = "the last images of a large batch are computed from another place",
     .operators = kSliding,
     .where = "batch > 1 and elements > 16777216",
     .explains = false,
     .hooks = {.taps = ImagesWrap<24>}},
    Narrow("index-in-16-bits", "indices are kept in 16 bits", "has_indices and elements > 32768",
           {.index = IndexIn16Bits}, kIndices),
    Narrow("index-through-f16", "indices pass through f16", "has_indices and elements > 2048",
           {.index = IndexThroughHalf}, kIndices),
    Narrow("index-of-batch-below-4", "indices ignore the batch above 3", "has_indices and batch > 4",
           {.index = IndexOfBatchBelow4}, kIndexedMax),
    {.id = "lists-by-position",
     .title = "lists of integers are told apart by their order",
     .effect = "strides, pads and dilations are exchanged for callers that set them in another order",
     .verdicts = "fail wrongly-rejected",
     .operators = kSliding,
     .hooks = {.edit = ListsByPosition}},
    {.id = "index-through-float",
     .title = "indices pass through f32",
     .effect = "indices above 2^24 are off by one",
     .operators = kIndices,
     .where = "has_indices and elements > 16777216",
     .explains = false,
     .hooks = {.index = IndexThroughFloat}},
    {.id = "negative-frac-bits-lost",
     .title = "fractional bits below zero are taken for zero",
     .effect = "the output is scaled wrongly",
     .operators = kFixedPoint,
     .where = "frac_bits < 0",
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
     .hooks = {.reduce = WithoutLastTapWhereUnaligned}},
};

}  // namespace

std::span<const Mutant> SizeMutants() { return kSizes; }

}  // namespace poolproof::mutants
