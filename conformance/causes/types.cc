// Mutants that take the elements of one type for those of another.
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>

#include "conformance/causes/mutant.h"

namespace poolproof::mutants {
namespace {

bool IsInteger(const Pool& pool) { return !pool.Float(); }

// Compares taps by key(value) and gives the value of the winner.
template <typename Key>
Result MaxByKey(const Pool& pool, const Window& window, Key key) {
  if (window.taps.empty()) return ReduceMax(pool, window);
  const Tap* best = &window.taps.front();
  for (const Tap& tap : window.taps) {
    if (key(tap.value) > key(best->value)) best = &tap;
  }
  return {best->value, best->offset};
}

Result UnsignedAsSigned(const Pool& pool, const Window& window) {
  if (!IsInteger(pool) || IsSigned(pool.type)) return Reduce(pool, window);
  const Value half = std::exp2(static_cast<Value>(Bits(pool.type) - 1));
  return MaxByKey(pool, window, [&](Value x) { return x >= half ? x - 2 * half : x; });
}

Result SignedAsUnsigned(const Pool& pool, const Window& window) {
  if (!IsInteger(pool) || !IsSigned(pool.type)) return Reduce(pool, window);
  const Value range = std::exp2(static_cast<Value>(Bits(pool.type)));
  return MaxByKey(pool, window, [&](Value x) { return x < 0 ? x + range : x; });
}

// The order of the bits as a signed integer: right for positive floats, reversed for negative ones.
Result HalfBitsAsInteger(const Pool& pool, const Window& window) {
  if (pool.type != POOLPROOF_F16 && pool.type != POOLPROOF_BF16) return Reduce(pool, window);
  return MaxByKey(pool, window, [&](Value x) {
    int16_t bits = 0;
    StoreValue(pool.type, x, &bits, 0);
    return bits;
  });
}

// Rounds every tap of integers of at least `bits` bits to the float type F.
template <typename F>
void RoundIntegers(const Pool& pool, int bits, Window& window) {
  if (!IsInteger(pool) || Bits(pool.type) < bits) return;
  for (Tap& tap : window.taps) tap.value = static_cast<Value>(static_cast<F>(tap.value));
}

template <typename F>
void RoundFloats(const Pool& pool, poolproof_element_type type, Window& window) {
  if (pool.type != type) return;
  for (Tap& tap : window.taps) tap.value = static_cast<Value>(static_cast<F>(tap.value));
}

// As RoundIntegers, where conversions back end at the largest number of F that the type holds.
template <typename F>
void RoundIntegersWithin(const Pool& pool, int bits, Window& window) {
  RoundIntegers<F>(pool, bits, window);
  if (!IsInteger(pool) || Bits(pool.type) < bits) return;
  const int digits = Bits(pool.type) - (IsSigned(pool.type) ? 1 : 0);
  const Value largest =
      std::exp2(static_cast<Value>(digits)) - std::exp2(static_cast<Value>(digits - std::numeric_limits<F>::digits));
  for (Tap& tap : window.taps) tap.value = std::min(tap.value, largest);
}

// The sum, kept in the type where `wraps`, is multiplied in F by the reciprocal of the divisor.
template <typename F>
Result MeanInFloat(const Pool& pool, int bits, bool wraps, const Window& window) {
  if (!IsInteger(pool) || Bits(pool.type) < bits || window.taps.empty()) return Reduce(pool, window);
  const Value sum = wraps ? Rounded(pool.type, SumOf(window)) : SumOf(window);
  const F reciprocal = F{1} / static_cast<F>(RightDivisor(pool, window));
  return {std::nearbyint(static_cast<Value>(static_cast<F>(sum) * reciprocal)), -1};
}

// The smallest normal value of the type.
Value SmallestNormal(poolproof_element_type type) {
  switch (type) {
    case POOLPROOF_F64: return static_cast<Value>(std::numeric_limits<double>::min());
    case POOLPROOF_F16: return 0x1p-14L;
    default: return static_cast<Value>(std::numeric_limits<float>::min());
  }
}

constexpr Mutant kTypes[] = {
    {.id = "unsigned-compared-as-signed",
     .title = "unsigned integers are compared as signed ones",
     .effect = "bright pixels above half of the range lose against dark ones",
     .operators = kSlidingMax,
     .hooks = {.reduce = UnsignedAsSigned}},
    {.id = "signed-compared-as-unsigned",
     .title = "signed integers are compared as unsigned ones",
     .effect = "a negative value beats every positive one",
     .operators = kSlidingMax | kFixedPointMax,
     .hooks = {.reduce = SignedAsUnsigned}},
    {.id = "half-compared-as-integer",
     .title = "16-bit floats are compared as integers",
     .effect = "among negative f16 and bf16 values the smallest wins",
     .operators = kSlidingMax | kAdaptiveMax,
     .hooks = {.reduce = HalfBitsAsInteger}},
    {.id = "i64-through-double",
     .title = "64-bit integers pass through double",
     .effect = "values above 2^53 lose their last bits",
     .operators = kSlidingMax,
     .hooks = {.taps = [](const Pool& pool, Window& window) { RoundIntegers<double>(pool, 64, window); }}},
    {.id = "i32-through-float",
     .title = "32-bit integers pass through f32",
     .effect = "values above 2^24 lose their last bits",
     .operators = kSlidingMax,
     .hooks = {.taps = [](const Pool& pool, Window& window) { RoundIntegers<float>(pool, 32, window); }}},
    {.id = "i32-through-float-to-its-largest",
     .title = "32-bit integers pass through f32, and end at its largest number below 2^31",
     .effect = "values above 2^24 lose their last bits",
     .operators = kSlidingMax,
     .hooks = {.taps = [](const Pool& pool, Window& window) { RoundIntegersWithin<float>(pool, 32, window); }}},
    {.id = "i32-sum-through-float",
     .title = "sums of 32-bit integers pass through f32",
     .effect = "means above 2^24 lose their last bits",
     .operators = kSlidingMean,
     .hooks = {.reduce = [](const Pool& pool,
                            const Window& window) { return MeanInFloat<float>(pool, 32, false, window); }}},
    {.id = "i32-sum-wraps-and-through-float",
     .title = "32-bit integers are summed in their own type, and the sums pass through f32",
     .effect = "sums that overflow turn bright regions dark, others lose their last bits",
     .operators = kSlidingMean,
     .hooks = {.reduce = [](const Pool& pool,
                            const Window& window) { return MeanInFloat<float>(pool, 32, true, window); }}},
    {.id = "f64-through-float",
     .title = "f64 is computed in f32",
     .effect = "f64 results have the precision of f32, large ones are infinite",
     .operators = kSlidingMax | kAdaptiveMax,
     .hooks = {.taps = [](const Pool& pool, Window& window) { RoundFloats<float>(pool, POOLPROOF_F64, window); }}},
    {.id = "f32-through-bf16",
     .title = "f32 is computed in bf16",
     .effect = "f32 results keep only two or three decimal digits",
     .operators = kSlidingMax | kAdaptiveMax,
     .hooks = {.taps =
                   [](const Pool& pool, Window& window) {
                     if (pool.type != POOLPROOF_F32) return;
                     for (Tap& tap : window.taps) tap.value = Rounded(POOLPROOF_BF16, tap.value);
                   }}},
    {.id = "bf16-through-f16",
     .title = "bf16 is computed in f16",
     .effect = "bf16 values above 65504 are infinite, small ones are 0",
     .operators = kSlidingMax | kAdaptiveMax,
     .hooks = {.taps =
                   [](const Pool& pool, Window& window) {
                     if (pool.type != POOLPROOF_BF16) return;
                     for (Tap& tap : window.taps) tap.value = Rounded(POOLPROOF_F16, tap.value);
                   }}},
    {.id = "subnormals-flushed",
     .title = "subnormal numbers are flushed to zero in whole vectors, and kept in the rest of a row",
     .effect = "whether the smallest values come out as 0 changes with the width",
     .verdicts = "fail inconsistent",
     .operators = kSlidingMax | kAdaptiveMax,
     .hooks = {.taps =
                   [](const Pool& pool, Window& window) {
                     constexpr int64_t kVector = 8;
                     if (!pool.Float() || window.at[2] >= pool.axes[2].out / kVector * kVector) return;
                     const Value smallest = SmallestNormal(pool.type);
                     for (Tap& tap : window.taps) {
                       if (std::fabs(tap.value) < smallest) tap.value = 0;
                     }
                   }}},
};

}  // namespace

std::span<const Mutant> TypeMutants() { return kTypes; }

}  // namespace poolproof::mutants
