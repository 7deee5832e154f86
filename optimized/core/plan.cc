#include "optimized/core/plan.h"

#include <algorithm>
#include <limits>

namespace poolproof::optimized {

Span Axis::SpanAt(int64_t j) const {
  if (adaptive) {
    // j*in stays below 2^63 for every tensor that fits in memory, since j < out and both are sizes.
    const int64_t first = static_cast<int64_t>(static_cast<__int128>(j) * in / out);
    const int64_t end = static_cast<int64_t>((static_cast<__int128>(j + 1) * in + out - 1) / out);
    return {first, end - first};
  }
  const int64_t begin = Begin(j);
  const int64_t skipped = begin >= 0 ? 0 : (-begin + dilation - 1) / dilation;
  const int64_t reachable = begin >= in ? 0 : (in - 1 - begin) / dilation + 1;
  const int64_t end = std::min(kernel, reachable);
  return {begin + skipped * dilation, std::max<int64_t>(0, end - skipped)};
}

int64_t Plan::KernelTaps() const {
  int64_t taps = 1;
  for (const Axis& a : axis) {
    if (__builtin_mul_overflow(taps, a.kernel, &taps)) return std::numeric_limits<int64_t>::max();
  }
  return taps;
}

size_t BytesOf(poolproof_element_type type) {
  switch (type) {
    case POOLPROOF_I8:
    case POOLPROOF_U8:
    case POOLPROOF_FX8:
      return 1;
    case POOLPROOF_F16:
    case POOLPROOF_BF16:
    case POOLPROOF_I16:
    case POOLPROOF_U16:
    case POOLPROOF_FX16:
      return 2;
    case POOLPROOF_F32:
    case POOLPROOF_I32:
    case POOLPROOF_U32:
      return 4;
    case POOLPROOF_F64:
    case POOLPROOF_I64:
    case POOLPROOF_U64:
      return 8;
    default:
      return 0;
  }
}

}  // namespace poolproof::optimized
