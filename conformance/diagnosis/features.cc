#include "conformance/diagnosis/features.h"

#include <algorithm>

#include "conformance/cases/geometry.h"

namespace poolproof {
namespace {

using enum FeatureKind;

// In the order of the enum.
constexpr FeatureFacts kFacts[] = {
    {kChoice, 1.0, "the operator", ""},
    {kChoice, 1.0, "the type", ""},
    {kChoice, 1.0, "the rank of the input", ""},
    {kChoice, 1.0, "rounding", ""},
    {kChoice, 1.0, "automatic padding", ""},
    {kChoice, 1.0, "excluding the padding", ""},
    {kChoice, 1.0, "the type of the indices", ""},
    {kChoice, 3.0, "the fill", ""},
    {kFlag, 0.9, "the type is a float", "the type is an integer"},
    {kFlag, 1.2, "the type is signed", "the type is unsigned"},
    {kNumber, 1.1, "the number of bits of the type", ""},
    {kFlag, 0.9, "the operator takes means", "the operator takes maxima"},
    {kFlag, 1.1, "the operator gives indices", "the operator gives no indices"},
    {kFlag, 1.0, "the operator is adaptive", "the operator is not adaptive"},
    {kFlag, 1.0, "channels are the last dimension", "channels are not the last dimension"},
    {kFlag, 1.5, "the call is invalid", "the call is valid"},
    {kNumber, 1.0, "the batch", ""},
    {kNumber, 1.0, "the number of channels", ""},
    {kNumber, 1.05, "depth", ""},
    {kNumber, 1.0, "height", ""},
    {kNumber, 1.0, "width", ""},
    {kNumber, 1.2, "the largest spatial size", ""},
    {kNumber, 1.3, "the smallest spatial size", ""},
    {kNumber, 1.25, "the number of elements of a plane", ""},
    {kNumber, 1.2, "the number of elements", ""},
    {kNumber, 1.1, "the width of the output", ""},
    {kNumber, 1.15, "the height of the output", ""},
    {kNumber, 1.3, "the largest spatial size of the output", ""},
    {kNumber, 1.3, "the number of elements of the output", ""},
    {kNumber, 1.0, "the width of the kernel", ""},
    {kNumber, 1.05, "the height of the kernel", ""},
    {kNumber, 1.1, "the largest size of the kernel", ""},
    {kNumber, 1.1, "the number of taps of the kernel", ""},
    {kNumber, 1.4, "the reach of the kernel", ""},
    {kNumber, 1.3, "the smallest stride", ""},
    {kNumber, 1.0, "the largest stride", ""},
    {kNumber, 1.0, "the largest dilation", ""},
    {kNumber, 1.4, "the smallest pad", ""},
    {kNumber, 1.1, "the largest pad at the begin", ""},
    {kNumber, 1.1, "the largest pad at the end", ""},
    {kNumber, 1.0, "the largest pad", ""},
    {kNumber, 1.2, "the axis", ""},
    {kNumber, 1.2, "the number of fractional bits", ""},
    {kFlag, 1.2, "windows overlap", "windows do not overlap"},
    {kFlag, 1.2, "pads differ", "pads are all alike"},
    {kFlag, 1.2, "the sizes of the kernel differ", "the sizes of the kernel are alike"},
    {kFlag, 1.2, "strides differ", "strides are alike"},
    {kNumber, 1.5, "the room in the output beyond what is needed", ""},
    {kFlag, 1.2, "width is no multiple of 4", "width is a multiple of 4"},
    {kFlag, 1.2, "width is no multiple of 8", "width is a multiple of 8"},
    {kFlag, 1.2, "width is no multiple of 16", "width is a multiple of 16"},
    {kFlag, 1.3, "the width of the output is no multiple of 4", "the width of the output is a multiple of 4"},
    {kFlag, 1.3, "the width of the output is no multiple of 8", "the width of the output is a multiple of 8"},
    {kFlag, 1.2, "the number of channels is no multiple of 8", "the number of channels is a multiple of 8"},
    {kNumber, 1.2, "the number of planes", ""},
};
static_assert(std::size(kFacts) == kFeatureCount);

struct Row {
  Features values{};
  int64_t& operator[](Feature f) { return values[static_cast<size_t>(f)]; }
};

// The smallest and the largest value of a role over all spatial axes.
struct Span {
  int64_t least = INT64_MAX, most = INT64_MIN;
  void Add(int64_t value) {
    least = std::min(least, value);
    most = std::max(most, value);
  }
};

Span SpanOf(const Problem& problem, Role role, int64_t fallback) {
  Span span;
  for (int axis = 0; axis < problem.SpatialRank(); ++axis) {
    span.Add(AxisValue(problem, role, axis, fallback));
  }
  if (span.least > span.most) span.Add(fallback);
  return span;
}

void AddType(const Problem& problem, Row* row) {
  const poolproof_element_type type = problem.type;
  const bool is_unsigned =
      type == POOLPROOF_U8 || type == POOLPROOF_U16 || type == POOLPROOF_U32 || type == POOLPROOF_U64;
  (*row)[Feature::kFloat] = IsFloat(type);
  (*row)[Feature::kSigned] = !is_unsigned;
  (*row)[Feature::kBits] = static_cast<int64_t>(ElementSize(type)) * 8;
}

void AddSizes(const Problem& problem, const poolproof_tensor& output, Row* row) {
  const Layout layout = LayoutOf(*problem.function);
  const auto dim = [&](int d) { return d >= 0 && d < problem.shape.size ? problem.shape[static_cast<size_t>(d)] : 1; };
  Row& r = *row;
  r[Feature::kBatch] = dim(layout.batch);
  r[Feature::kChannels] = dim(layout.channels);
  r[Feature::kBatchAndChannels] = r[Feature::kBatch] * r[Feature::kChannels];
  const int rank = std::max(problem.SpatialRank(), 0);
  Span in, out;
  int64_t plane = 1;
  const auto out_dim = [&](int axis) {
    const int d = layout.spatial + axis;
    return d < output.rank ? output.dims[d] : 0;
  };
  for (int axis = 0; axis < rank; ++axis) {
    in.Add(SpatialSize(problem, axis));
    out.Add(out_dim(axis));
    plane *= std::max<int64_t>(1, std::min<int64_t>(SpatialSize(problem, axis), 1 << 20));
  }
  if (rank == 0) in.Add(0), out.Add(0);
  r[Feature::kWidth] = rank >= 1 ? SpatialSize(problem, rank - 1) : 0;
  r[Feature::kHeight] = rank >= 2 ? SpatialSize(problem, rank - 2) : 1;
  r[Feature::kDepth] = rank >= 3 ? SpatialSize(problem, rank - 3) : 1;
  r[Feature::kLargestSize] = in.most;
  r[Feature::kSmallestSize] = in.least;
  r[Feature::kPlane] = plane;
  r[Feature::kElements] = problem.Elements();
  r[Feature::kOutWidth] = rank >= 1 ? out_dim(rank - 1) : 0;
  r[Feature::kOutHeight] = rank >= 2 ? out_dim(rank - 2) : 1;
  r[Feature::kLargestOut] = out.most;
  const size_t size = ElementSize(output.element_type);
  r[Feature::kOutElements] = size == 0 ? 0 : static_cast<int64_t>(output.size_bytes / size);
  r[Feature::kWidthOddOf4] = r[Feature::kWidth] % 4 != 0;
  r[Feature::kWidthOddOf8] = r[Feature::kWidth] % 8 != 0;
  r[Feature::kWidthOddOf16] = r[Feature::kWidth] % 16 != 0;
  r[Feature::kOutWidthOddOf4] = r[Feature::kOutWidth] % 4 != 0;
  r[Feature::kOutWidthOddOf8] = r[Feature::kOutWidth] % 8 != 0;
  r[Feature::kChannelsOddOf8] = r[Feature::kChannels] % 8 != 0;
}

// How far apart the cells of an adaptive operator make its windows: the kernel it would have.
int64_t KernelOf(const Problem& problem, const poolproof_tensor& output, int axis) {
  if (!problem.HasSizes()) return AxisValue(problem, Role::kKernel, axis, 1);
  const int d = LayoutOf(*problem.function).spatial + axis;
  const int64_t out = d < output.rank ? std::max<int64_t>(output.dims[d], 1) : 1;
  return (SpatialSize(problem, axis) + out - 1) / out;
}

void AddWindows(const Problem& problem, const poolproof_tensor& output, Row* row) {
  Row& r = *row;
  const int rank = std::max(problem.SpatialRank(), 0);
  Span kernel, reach;
  int64_t taps = 1;
  bool overlap = false;
  for (int axis = 0; axis < rank; ++axis) {
    const int64_t k = KernelOf(problem, output, axis);
    kernel.Add(k);
    reach.Add(problem.HasSizes() ? k : EffectiveKernel(problem, axis));
    taps *= std::clamp<int64_t>(k, 1, 1 << 16);
    overlap = overlap || AxisValue(problem, Role::kStride, axis, 1) < k;
  }
  if (rank == 0) kernel.Add(0), reach.Add(0);
  r[Feature::kKernelWidth] = rank >= 1 ? KernelOf(problem, output, rank - 1) : 0;
  r[Feature::kKernelHeight] = rank >= 2 ? KernelOf(problem, output, rank - 2) : 1;
  r[Feature::kLargestKernel] = kernel.most;
  r[Feature::kTaps] = taps;
  r[Feature::kReach] = reach.most;
  const Span stride = SpanOf(problem, Role::kStride, 1);
  const Span begin = SpanOf(problem, Role::kPadBegin, 0), end = SpanOf(problem, Role::kPadEnd, 0);
  r[Feature::kSmallestStride] = stride.least;
  r[Feature::kLargestStride] = stride.most;
  r[Feature::kLargestDilation] = SpanOf(problem, Role::kDilation, 1).most;
  r[Feature::kSmallestPad] = std::min(begin.least, end.least);
  r[Feature::kLargestPadBegin] = begin.most;
  r[Feature::kLargestPadEnd] = end.most;
  r[Feature::kLargestPad] = std::max(begin.most, end.most);
  r[Feature::kOverlap] = overlap;
  r[Feature::kPadsDiffer] = std::min(begin.least, end.least) != std::max(begin.most, end.most);
  r[Feature::kKernelDiffers] = kernel.least != kernel.most;
  r[Feature::kStridesDiffer] = stride.least != stride.most;
}

int64_t WordNumber(const Problem& problem, Role role, Vocabulary* words) {
  const auto index = AttributeIndex(*problem.spec, role);
  if (!index) return words->Number("");
  const AttributeSpec& spec = problem.spec->attributes[*index];
  const AttributeValue& value = problem.attributes[*index];
  if (spec.type != AttributeType::kBool) return words->Number(WordOf(problem, role));
  const int64_t number = value.present ? value.integer : spec.default_integer.value_or(0);
  return words->Number(number != 0 ? "true" : "false");
}

}  // namespace

const FeatureFacts& FactsOf(Feature feature) { return kFacts[static_cast<size_t>(feature)]; }

int64_t Vocabulary::Number(std::string_view word) {
  const auto known = numbers_.find(word);
  if (known != numbers_.end()) return known->second;
  const int64_t number = static_cast<int64_t>(words_.size());
  words_.emplace_back(word);
  numbers_.emplace(word, number);
  return number;
}

Features FeaturesOf(const Problem& problem, const poolproof_tensor& output, bool invalid, Vocabulary* words) {
  Row r;
  const OperatorSpec& spec = *problem.spec;
  r[Feature::kOperator] = words->Number(spec.functions.size() > 1 ? spec.title : spec.functions.front().name);
  r[Feature::kType] = words->Number(ElementTypeName(problem.type));
  r[Feature::kRank] = words->Number(std::to_string(problem.shape.size));
  r[Feature::kRounding] = WordNumber(problem, Role::kRounding, words);
  r[Feature::kAutoPad] = WordNumber(problem, Role::kAutoPad, words);
  r[Feature::kExcludePad] = WordNumber(problem, Role::kExcludePad, words);
  r[Feature::kIndexType] = WordNumber(problem, Role::kIndexType, words);
  r[Feature::kFill] = words->Number(problem.data.empty() ? std::string_view(problem.fill) : "given");
  AddType(problem, &r);
  r[Feature::kMean] = spec.outputs.front().compare == Compare::kMean;
  r[Feature::kIndexed] = spec.outputs.size() > 1;
  r[Feature::kAdaptive] = problem.HasSizes();
  r[Feature::kChannelsLast] = problem.IsMliLayout() && LayoutOf(*problem.function).channels != 0;
  r[Feature::kInvalid] = invalid;
  AddSizes(problem, output, &r);
  AddWindows(problem, output, &r);
  const AttributeValue* axis = problem.Find(Role::kAxis);
  r[Feature::kAxis] = axis != nullptr && axis->present ? axis->integer : 0;
  r[Feature::kFracBits] = problem.frac_bits;
  r[Feature::kCapacity] = problem.capacity;
  return r.values;
}

}  // namespace poolproof
