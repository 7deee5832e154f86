// The right result of one window.
#include <algorithm>
#include <cmath>
#include <limits>

#include "conformance/causes/pool.h"

namespace poolproof::mutants {
namespace {

// Integers are summed exactly: a window has fewer than 2^63 taps of 64 bits.
using Wide = __int128;

Wide IntegerSum(const Window& window) {
  Wide sum = 0;
  for (const Tap& tap : window.taps) sum += static_cast<Wide>(tap.value);
  return sum;
}

// Twice the mean, truncated and kept in 32 bits, then halved to nearest, ties to even.
Value MliMean(Wide sum, int64_t taps, poolproof_element_type type) {
  const Wide limit = std::numeric_limits<int32_t>::max();
  const Wide doubled = std::clamp<Wide>(2 * sum, -limit - 1, limit);
  const Wide truncated = doubled / taps;
  const Value half = static_cast<Value>(truncated) / 2;
  const Value top = type == POOLPROOF_FX8 ? 127 : 32767;
  return std::clamp(std::nearbyint(half), -top - 1, top);
}

}  // namespace

Value SumOf(const Window& window) {
  Value sum = 0;
  for (const Tap& tap : window.taps) sum += tap.value;
  return sum;
}

Value PowerOf(Value value, int64_t power) {
  Value result = 1;
  for (; power > 0; power /= 2, value *= value) {
    if (power % 2 == 1) result *= value;
  }
  return result;
}

Value PowerIn(const Pool& pool, Value value) {
  return PowerOf(pool.Is(kKeepsSigns) ? value : std::fabs(value), pool.power);
}

Value RootIn(const Pool& pool, Value sum) {
  const Value root = std::pow(std::fabs(sum), 1 / static_cast<Value>(pool.power));
  return sum < 0 ? -root : root;
}

Result ReduceMax(const Pool& pool, const Window& window) {
  Result best;
  best.value = pool.Float() ? -std::numeric_limits<Value>::infinity() : Lowest(pool.type);
  for (const Tap& tap : window.taps) {
    if (std::isnan(tap.value)) return {tap.value, tap.offset};
    if (best.tap < 0 || tap.value > best.value) best = {tap.value, tap.offset};
  }
  return best;
}

Result ReduceMean(const Pool& pool, const Window& window, int64_t divisor) {
  if (divisor == 0) return {0, -1};
  if (pool.Float()) return {SumOf(window) / static_cast<Value>(divisor), -1};
  const Wide sum = IntegerSum(window);
  if (pool.Is(kFixedPoint)) return {MliMean(sum, divisor, pool.type), -1};
  const Wide truncated = sum / divisor;
  // By a divisor that is less than the number of taps it need not fit.
  if (pool.divisor != 0) return {static_cast<Value>(static_cast<int64_t>(truncated)), -1};
  return {static_cast<Value>(truncated), -1};
}

int64_t RightDivisor(const Pool& pool, const Window& window) {
  if (pool.divisor != 0) return pool.divisor;
  return pool.Is(kSlidingMean) && pool.CountsPadding() ? window.Full() : window.Inside();
}

Result ReduceNorm(const Pool& pool, const Window& window) {
  Value largest = 0, sum = 0, infinite = 0;
  for (const Tap& tap : window.taps) {
    if (std::isnan(tap.value)) return {tap.value, -1};
    largest = std::max(largest, std::fabs(tap.value));
    if (std::isinf(tap.value)) infinite += PowerIn(pool, tap.value);
  }
  if (std::isinf(largest)) return {infinite, -1};
  if (largest == 0) return {largest, -1};
  for (const Tap& tap : window.taps) sum += PowerIn(pool, tap.value / largest);
  return {largest * RootIn(pool, sum), -1};
}

Result Reduce(const Pool& pool, const Window& window) {
  if (pool.Is(kSlidingNorm)) return ReduceNorm(pool, window);
  if (!pool.Is(kMeans)) return ReduceMax(pool, window);
  return ReduceMean(pool, window, RightDivisor(pool, window));
}

}  // namespace poolproof::mutants
