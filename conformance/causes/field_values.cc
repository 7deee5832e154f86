// Defects of libraries in what is made of a window's taps, imitated as the libraries have them: start values, sums,
// divisors, NaN, subnormal numbers, indices.
#include <algorithm>
#include <cfloat>
#include <cmath>
#include <limits>

#include "conformance/causes/forms.h"

namespace poolproof::mutants {
namespace {

constexpr Value kInfinity = std::numeric_limits<Value>::infinity();

// ---- start values

Result AtLeast(const Pool& pool, const Window& window, Value start) {
  const Result result = ReduceMax(pool, window);
  return std::isnan(result.value) || result.value > start ? result : Result{start, -1};
}

template <int64_t kStart>
Result From(const Pool& pool, const Window& window) {
  return AtLeast(pool, window, kStart);
}

Result FromSmallestNormal(const Pool& pool, const Window& window) { return AtLeast(pool, window, FLT_MIN); }

// Where no index was kept, the value is not written either.
Result ZeroWithoutIndex(const Pool& pool, const Window& window) {
  const Result result = AtLeast(pool, window, -FLT_MAX);
  return result.tap < 0 ? Result{0, -1} : result;
}

Result Clamped(const Pool& pool, const Window& window) {
  Result result = Reduce(pool, window);
  if (!std::isnan(result.value)) result.value = std::clamp<Value>(result.value, -FLT_MAX, FLT_MAX);
  return result;
}

Result NoMinusInfinity(const Pool& pool, const Window& window) {
  Result result = ReduceMax(pool, window);
  result.value = std::isnan(result.value) ? result.value : std::max(result.value, Lowest(pool.type));
  return result;
}

// ---- sums

Result ByIntegerFactor(const Pool& pool, const Window& window) {
  return RightDivisor(pool, window) > 1 ? Result{0, -1} : Reduce(pool, window);
}

Result ScaledFirst(const Pool& pool, const Window& window) {
  if (window.taps.empty()) return Reduce(pool, window);
  const float factor = 1.0F / static_cast<float>(RightDivisor(pool, window));
  float sum = 0;
  for (const Tap& tap : window.taps) sum += static_cast<float>(tap.value) * factor;
  return {sum, -1};
}

Result QuotientsAdded(const Pool& pool, const Window& window) {
  if (window.taps.empty()) return Reduce(pool, window);
  const auto divisor = static_cast<__int128>(RightDivisor(pool, window));
  __int128 sum = 0;
  for (const Tap& tap : window.taps) sum += static_cast<__int128>(tap.value) / divisor;
  return {static_cast<Value>(sum), -1};
}

Result HalfAwayFromZero(const Pool& pool, const Window& window) {
  if (window.taps.empty()) return Reduce(pool, window);
  const int64_t divisor = RightDivisor(pool, window), sum = static_cast<int64_t>(SumOf(window));
  return {static_cast<Value>((sum > 0 ? sum + divisor / 2 : sum - divisor / 2) / divisor), -1};
}

template <typename Sum>
Result WrappingSum(const Pool& pool, const Window& window) {
  if (window.taps.empty()) return Reduce(pool, window);
  uint64_t sum = 0;
  for (const Tap& tap : window.taps) {
    sum += tap.value < 0 ? static_cast<uint64_t>(static_cast<int64_t>(tap.value)) : static_cast<uint64_t>(tap.value);
  }
  return {static_cast<Value>(static_cast<Sum>(sum) / RightDivisor(pool, window)), -1};
}

Result SumInType(const Pool& pool, const Window& window) {
  if (window.taps.empty()) return Reduce(pool, window);
  Value sum = 0;
  for (const Tap& tap : window.taps) sum = Rounded(pool.type, sum + tap.value);
  return {sum / static_cast<Value>(RightDivisor(pool, window)), -1};
}

// Odd powers of negative elements are negative, and a sum below 0 has no root.
Result NormOfElements(const Pool& pool, const Window& window) {
  if (pool.Is(kKeepsSigns) || window.taps.empty()) return Reduce(pool, window);
  Value sum = 0;
  for (const Tap& tap : window.taps) sum += PowerOf(tap.value, pool.power);
  return {sum < 0 && pool.power == 1 ? sum : std::pow(sum, 1 / static_cast<Value>(pool.power)), -1};
}

// Each sum is kept within the type.
Result SaturatingSum(const Pool& pool, const Window& window) {
  if (window.taps.empty()) return Reduce(pool, window);
  const Value low = Lowest(pool.type), high = std::ldexp(Value{1}, Bits(pool.type) - (low < 0 ? 1 : 0)) - 1;
  Value sum = 0;
  for (const Tap& tap : window.taps) sum = std::clamp(sum + tap.value, low, high);
  return {std::trunc(sum / static_cast<Value>(RightDivisor(pool, window))), -1};
}

Result NanMeanIsLowest(const Pool& pool, const Window& window) {
  const Result result = Reduce(pool, window);
  return std::isnan(result.value) ? Result{-kInfinity, -1} : result;
}

// The border of the image goes on where it is padded.
Result BorderRepeated(const Pool& pool, const Window& window) {
  if (!pool.CountsPadding() || window.taps.empty()) return Reduce(pool, window);
  const auto& [d, h, w] = window.ranges;
  const int64_t plane = window.batch * pool.in.batch + window.channel * pool.in.channel;
  Value sum = 0;
  for (int64_t y = h.start; y < h.start + h.full * h.step; y += h.step) {
    for (int64_t x = w.start; x < w.start + w.full * w.step; x += w.step) {
      const int64_t row = std::clamp<int64_t>(y, 0, pool.axes[1].size - 1);
      const int64_t column = std::clamp<int64_t>(x, 0, pool.axes[2].size - 1);
      const int64_t offset = plane + row * pool.in.axis[1] + column * pool.in.axis[2];
      sum += LoadValue(pool.type, pool.call->inputs[0]->data, offset);
    }
  }
  return {sum / static_cast<Value>(window.Full()), -1};
}

// ---- divisors

Result MeanBy(const Pool& pool, const Window& window, int64_t divisor) {
  return divisor == 0 && pool.Float() ? Result{std::nanl(""), -1} : ReduceMean(pool, window, divisor);
}

Result BeginPadAsEnd(const Pool& pool, const Window& window) {
  if (!pool.CountsPadding()) return Reduce(pool, window);
  int64_t divisor = 1;
  for (size_t i = 0; i < 3; ++i) {
    const Range& range = window.ranges[i];
    const int64_t stop = std::min(range.start + range.full, pool.axes[i].size + pool.axes[i].pad_begin);
    divisor *= std::max<int64_t>(0, stop - range.start);
  }
  return MeanBy(pool, window, divisor);
}

Result OverhangInWidth(const Pool& pool, const Window& window) {
  if (!pool.LeavesOutPadding()) return Reduce(pool, window);
  const auto& [d, h, w] = window.ranges;
  return MeanBy(pool, window, d.Inside() * h.Inside() * (w.Inside() + w.full - w.padded_end));
}

Result ClippedInFront(const Pool& pool, const Window& window) {
  if (!pool.LeavesOutPadding()) return Reduce(pool, window);
  int64_t divisor = 1;
  for (const Range& range : window.ranges) divisor *= range.full - range.first;
  return MeanBy(pool, window, divisor);
}

void CountWhereAsymmetric(Pool& pool) {
  for (const Axis& axis : pool.axes) pool.exclude_pad = pool.exclude_pad && axis.pad_begin == axis.pad_end;
}

void CountUnderSame(Asked& asked) {
  if (KeepsSize(asked) && AttributeIndex(*asked.spec, Role::kExcludePad)) SetExcludesPadding(&asked, false);
}

// ---- NaN and subnormal numbers

template <typename Wins>
Result FromFirstTap(const Pool& pool, const Window& window, Wins wins) {
  if (window.taps.empty()) return Reduce(pool, window);
  Result best{window.taps[0].value, window.taps[0].offset};
  for (const Tap& tap : window.taps) {
    if (wins(tap.value, best.value)) best = {tap.value, tap.offset};
  }
  return best;
}

Result NanAsFirstTap(const Pool& pool, const Window& window) {
  return FromFirstTap(pool, window, [](Value value, Value best) { return value > best; });
}

Result NanAsLastTap(const Pool& pool, const Window& window) {
  return FromFirstTap(pool, window, [](Value value, Value best) { return !(best >= value); });
}

Result ZeroForNan(const Pool& pool, const Window& window) {
  const Result result = ReduceMax(pool, window);
  return std::isnan(result.value) ? Result{0, result.tap} : result;
}

Value Flushed(Value value) {
  return std::fabs(value) < static_cast<Value>(FLT_MIN) ? std::copysign(Value{0}, value) : value;
}

Result FlushedResult(const Pool& pool, const Window& window) {
  Result result = Reduce(pool, window);
  result.value = Flushed(result.value);
  return result;
}

void FlushTaps(const Pool&, Window& window) {
  for (Tap& tap : window.taps) tap.value = Flushed(tap.value);
}

void TapsThroughFloat(const Pool&, Window& window) {
  for (Tap& tap : window.taps) tap.value = static_cast<float>(tap.value);
}

// ---- indices

// A NaN is above nothing.
Result LowestUnderMask(const Pool& pool, const Window& window) {
  Result best{Lowest(pool.type), -1};
  for (const Tap& tap : window.taps) {
    if (tap.value > best.value) best = {tap.value, tap.offset};
  }
  return best;
}

// The same from the first tap on.
Result LowestFromFirstTap(const Pool& pool, const Window& window) {
  Result best = LowestUnderMask(pool, window);
  if (best.tap < 0 && !window.taps.empty()) best.tap = window.taps[0].offset;
  return best;
}

int64_t NoTapIsMinusOne(const Pool&, const Window&, const Result& result, int64_t right) {
  return result.tap < 0 ? -1 : right;
}

int64_t MinusInfinityIsMinusOne(const Pool&, const Window&, const Result& result, int64_t right) {
  return result.value == -kInfinity && result.tap >= 0 ? -1 : right;
}

// Whether an index is counted wrongly: those that go down the columns first have code of their own.
bool IsMiscounted(const Pool& pool, const Result& result) { return result.tap >= 0 && !pool.column_major; }

// Where the tap is in its plane.
int64_t InPlane(const Pool& pool, const Window& window, const Result& result) {
  return result.tap - window.batch * pool.in.batch - window.channel * pool.in.channel;
}

int64_t LocalToBlockOf4(const Pool& pool, const Window& window, const Result& result, int64_t right) {
  if (!IsMiscounted(pool, result) || pool.in.channel == 1) return right;
  return (window.channel % 4 * pool.in.channel + InPlane(pool, window, result)) % pool.index_bound;
}

int64_t LocalToPlane(const Pool& pool, const Window& window, const Result& result, int64_t right) {
  return IsMiscounted(pool, result) ? InPlane(pool, window, result) % pool.index_bound : right;
}

int64_t WithoutBatch(const Pool& pool, const Window& window, const Result& result, int64_t right) {
  return IsMiscounted(pool, result) ? (result.tap - window.batch * pool.in.batch) % pool.index_bound : right;
}

int64_t RowsOfOutput(const Pool& pool, const Window& window, const Result& result, int64_t right) {
  if (!IsMiscounted(pool, result)) return right;
  const int64_t place = InPlane(pool, window, result), width = pool.axes[2].size;
  return right - place + place / width * pool.axes[2].out + place % width;
}

int64_t UpperHalfUnwritten(const Pool&, const Window&, const Result&, int64_t right) {
  return right | int64_t{1} << 62;
}

// Tells whether all taps of the window, of which there is one at least, are minus infinity.
bool IsMinusInfinity(const Result& result) { return result.tap >= 0 && result.value == -kInfinity; }

int64_t StartOfPlane(const Pool& pool, const Window& window, const Result& result, int64_t right) {
  if (!IsMinusInfinity(result)) return right;
  return IndexPosition(pool, result.tap - InPlane(pool, window, result)) % pool.index_bound;
}

int64_t DepthLost(const Pool& pool, const Window& window, const Result& result, int64_t right) {
  if (!IsMinusInfinity(result)) return right;
  const int64_t slice = pool.in.axis[0], place = InPlane(pool, window, result);
  return IndexPosition(pool, result.tap - place / slice * slice) % pool.index_bound;
}

constexpr std::string_view kNoFloat = "not is_float", kFloat = "is_float", kSingle = "type = f32",
                           kSmallFloat = "type in {f16, bf16, f32}";

constexpr Mutant kForms[] = {
    Form("mnn-start", "MNN: maxima start at -16777216", kTensorMaxima, {.reduce = From<-16777216>}, kSmallFloat),
    Form("tfjs-start-in-3d", "TensorFlow.js, wasm: maxima over three axes start at the smallest normal f32",
         kTensorMaxima, {.reduce = FromSmallestNormal}, "type = f32 and axes = 3"),
    Form("opencv-index-zero", "OpenCV 5: with indices a maximum of -inf or of the lowest f32 is 0", kIndices,
         {.reduce = ZeroWithoutIndex}, "type = f32 and has_indices"),
    Form("litert-clamp", "LiteRT, built-in kernels: the activation clamps results to finite values", kTensors,
         {.reduce = Clamped}, kSingle),
    Form("bf16-from-f16", "family, start value of another type: maxima of bf16 start at the lowest f16", kTensorMaxima,
         {.reduce = From<-65504>}, "type = bf16"),
    Form("i32-from-i8", "family, start value of another type: maxima of i16 and i32 start at the lowest i8",
         kTensorMaxima, {.reduce = From<-128>}, "type in {i16, i32}"),
    Form("from-minus-1", "family, start value thought low enough: maxima of floats start at -1", kTensorMaxima,
         {.reduce = From<-1>}, kFloat),
    Form("cudnn-minus-inf", "cuDNN, by the notes of benchdnn: the lowest finite value where -inf is the maximum",
         kTensorMaxima, {.reduce = NoMinusInfinity}, kFloat),
    Form("candle-integer-means", "candle: 1/k is cast to the integer type, so that means are 0", kTensorMeans,
         {.reduce = ByIntegerFactor}, kNoFloat),
    Form("mnn-scaled-first", "MNN: elements are multiplied by 1/k in f32 before they are added", kTensorMeans,
         {.reduce = ScaledFirst}, kSmallFloat),
    Form("tvm-quotients-added", "TVM 3581: integers are divided before they are added", kTensorMeans,
         {.reduce = QuotientsAdded}, kNoFloat),
    Form("tflite-rounding", "TensorFlow Lite: integer means round half away from zero", kTensorMeans,
         {.reduce = HalfAwayFromZero}, "not is_float and bits <= 16"),
    Form("onednn-sum-in-32-bits", "oneDNN, AVX-512: integers are summed in 32 bits, which wrap", kTensorMeans,
         {.reduce = WrappingSum<int32_t>}, kNoFloat),
    Form("acl-sum-in-16-bits", "Compute Library: small integers are summed in 16 bits, which wrap", kTensorMeans,
         {.reduce = WrappingSum<int16_t>}, "not is_float and bits <= 16"),
    Form("tvm-5089", "TVM 5089: u8 is summed in 8 bits, which wrap", kTensorMeans, {.reduce = WrappingSum<uint8_t>},
         "type = u8"),
    Form("hls4ml-311", "hls4ml 311: integers are summed in their own type, which saturates", kSlidingMean,
         {.reduce = SaturatingSum}, kNoFloat),
    Form("cubek-639", "cubek 639: adaptive means over two axes are summed in f16 and bf16", kAdaptiveMean,
         {.reduce = SumInType}, "is_float and bits = 16 and axes = 2"),
    Form("torch-adaptive-3d", "PyTorch: adaptive_avg_pool3d sums f16 and bf16 in the type", kAdaptiveMean,
         {.reduce = SumInType}, "is_float and bits = 16 and axes = 3"),
    Form("nnlib-639", "NNlib 639: powers of a norm are of the elements, not of their magnitudes", kSlidingNorm,
         {.reduce = NormOfElements}),
    Form("candle-half-sums", "candle: means of f16 and bf16 are summed in the type", kTensorMeans,
         {.reduce = SumInType}, "is_float and bits = 16"),
    Form("litert-mean-of-nan", "LiteRT: the mean of NaN is -inf", kTensorMeans, {.reduce = NanMeanIsLowest}, kSingle),
    Form("mnn-border-repeated", "MNN: in the padding that a mean counts, the border is repeated", kSlidingMean,
         {.reduce = BorderRepeated}, "type in {f16, bf16, f32} and axes = 2"),
    Form("paddle-begin-pad-as-end", "Paddle: with exclusive=False the pad in front is taken for that at the end",
         kSlidingMean, {.reduce = BeginPadAsEnd}),
    Form("overhang-in-width", "family of onnxruntime 24681: taps past the end count along the width alone",
         kSlidingMean, {.reduce = OverhangInWidth}),
    Form("clipped-in-front", "family of onnxruntime 24681: the divisor is clipped in front but not at the end",
         kSlidingMean, {.reduce = ClippedInFront}),
    Form("burn-asymmetric", "burn 5450: where pads differ, padding counts that is to be left out", kSlidingMean,
         {.pool = CountWhereAsymmetric}),
    Form("ncnn-same-counts", "ncnn: under automatic padding means count it, whatever is asked", kSlidingMean,
         {.edit = CountUnderSame}),
    Form("ort-nan", "ONNX Runtime: a NaN wins at the first tap alone, f16 left out", kTensorMaxima,
         {.reduce = NanAsFirstTap}, "is_float and type != f16"),
    Form("sse-nan", "XNNPACK: of a NaN and a number the operand that comes last wins", kTensorMaxima,
         {.reduce = NanAsLastTap}, kFloat),
    Form("torch-39846", "PyTorch 39846, CUDA: MaxPool3d starts at the lowest finite value, which no NaN is above",
         kSlidingMax, {.reduce = LowestFromFirstTap}, "is_float and axes = 3"),
    Form("plaidml-313", "PlaidML 313: a window with a NaN gives 0", kSlidingMax, {.reduce = ZeroForNan}, kFloat),
    Form("xla-subnormals", "TensorFlow and JAX: subnormal results of f32 are flushed", kTensors,
         {.reduce = FlushedResult}, kSingle),
    Form("litert-subnormals", "LiteRT: subnormal inputs of f32 are flushed", kTensors, {.taps = FlushTaps}, kSingle),
    Form("tfjs-i32-in-3d", "TensorFlow.js: maxPool3d of int32 goes through f32", kTensorMaxima,
         {.taps = TapsThroughFloat}, "type = i32 and axes = 3"),
    Form("paddle-mask", "Paddle: with a mask NaN and -inf become the lowest finite value, index -1", kIndices,
         {.reduce = LowestUnderMask, .index = NoTapIsMinusOne}, "is_float and has_indices"),
    Form("inductor-minus-one", "PyTorch Inductor: index -1 for an element that is -inf", kIndices,
         {.index = MinusInfinityIsMinusOne}, kFloat),
    Form("torch-1197", "PyTorch 1197: the upper half of indices over three axes is not written", kIndexedMax,
         {.index = UpperHalfUnwritten}, "axes = 3"),
    Form("torch-cuda-inf-index", "PyTorch, CUDA: the index of a window of -inf alone is 0", kIndexedMax,
         {.index = StartOfPlane}, "family = pytorch and axes = 2 and is_float"),
    Form("torch-inf-depth", "PyTorch: with the channels last the index of a window of -inf alone loses the depth",
         kIndexedMax, {.index = DepthLost}, "family = pytorch and axes = 3 and is_float"),
    Form("openvino-33833", "OpenVINO 33833: positions are row major although column major is asked for", kStoresOrders,
         {.pool = [](Pool& pool) { pool.column_major = false; }}),
    Form("index-in-block-of-4", "family, channel offset lost: indices count from the block of 4 channels", kIndices,
         {.index = LocalToBlockOf4}),
    Form("index-in-plane", "family, channel offset lost: indices count from the plane", kIndices,
         {.index = LocalToPlane}),
    Form("opencv-index-batch", "OpenCV 5: indices lose the batch", kIndices, {.index = WithoutBatch}),
    Form("index-rows-of-output", "ONNX evaluator: rows of an index are as long as those of the output", kIndices,
         {.index = RowsOfOutput}, "axes >= 2"),
};

}  // namespace

std::span<const Mutant> FieldValueForms() { return kForms; }

}  // namespace poolproof::mutants
