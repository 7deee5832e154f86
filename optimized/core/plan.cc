#include "optimized/core/plan.h"

#include <algorithm>
#include <cassert>
#include <limits>

namespace poolproof::optimized {

namespace {

// T: of integers that hold in * out.
template <typename T>
Span AdaptiveSpan(T j, T in, T out) {
  const int64_t first = static_cast<int64_t>(j * in / out);
  const int64_t end = static_cast<int64_t>(((j + 1) * in + out - 1) / out);
  return {first, end - first};
}

// Windows whose ends take divisions, which take longer than all the rest.
[[gnu::noinline]] Span DividedSpan(const Axis& axis, int64_t j) {
  const int64_t in = axis.in, out = axis.out, dilation = axis.dilation;
  if (axis.adaptive) {
    constexpr int64_t kShort = 1 << 15;
    if (in <= kShort && out <= kShort) {
      return AdaptiveSpan<uint32_t>(static_cast<uint32_t>(j), static_cast<uint32_t>(in), static_cast<uint32_t>(out));
    }
    return AdaptiveSpan<__int128>(j, in, out);
  }
  const int64_t begin = axis.Begin(j);
  const int64_t skipped = begin >= 0 ? 0 : (-begin + dilation - 1) / dilation;
  const int64_t reachable = begin >= in ? 0 : (in - 1 - begin) / dilation + 1;
  const int64_t end = std::min(axis.kernel, reachable);
  return {begin + skipped * dilation, std::max<int64_t>(0, end - skipped)};
}

}  // namespace

Span Axis::SpanAt(int64_t j) const {
  assert(j >= 0 && j < out);
  if (adaptive || dilation != 1) return DividedSpan(*this, j);
  const int64_t begin = Begin(j), skipped = std::max<int64_t>(0, -begin);
  const int64_t end = begin >= in ? 0 : std::min(kernel, in - begin);
  return {begin + skipped, std::max<int64_t>(0, end - skipped)};
}

void Axis::FillSpans(Span* spans) const {
  assert(spans != nullptr || out == 0);
  // Windows from `begin` to `end` lie inside.
  int64_t begin = out, end = out;
  if (!adaptive && pad >= 0) {
    const int64_t last = in - 1 - (Reach() - pad);  // of the first taps of windows that end inside, counted from -pad
    begin = std::min(out, pad / stride + (pad % stride != 0));
    end = last < 0 ? begin : std::clamp(last / stride + 1, begin, out);
  }
  for (int64_t j = 0; j < begin; ++j) spans[j] = SpanAt(j);
  for (int64_t j = begin; j < end; ++j) spans[j] = {Begin(j), kernel};
  for (int64_t j = end; j < out; ++j) spans[j] = SpanAt(j);
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
    case POOLPROOF_FX8: return 1;
    case POOLPROOF_F16:
    case POOLPROOF_BF16:
    case POOLPROOF_I16:
    case POOLPROOF_U16:
    case POOLPROOF_FX16: return 2;
    case POOLPROOF_F32:
    case POOLPROOF_I32:
    case POOLPROOF_U32: return 4;
    case POOLPROOF_F64:
    case POOLPROOF_I64:
    case POOLPROOF_U64: return 8;
    default: return 0;
  }
}

}  // namespace poolproof::optimized
