// The loop that one writes first: per output, clip the window and go through its taps. Compiled for this very
// machine with all that the compiler can do, so that what our kernels gain is not the compiler's.
#include "optimized/bench/plain_loop.h"

#include <algorithm>
#include <limits>
#include <type_traits>

#include "optimized/kernels/kernels.h"
#include "optimized/kernels/types.h"

namespace poolproof::optimized {
namespace {

struct Window {
  int64_t begin, end, step;
};

Window Clip(const Axis& axis, int64_t j) {
  if (axis.adaptive) return {j * axis.in / axis.out, ((j + 1) * axis.in + axis.out - 1) / axis.out, 1};
  int64_t begin = j * axis.stride - axis.pad;
  const int64_t end = std::min(begin + (axis.kernel - 1) * axis.dilation + 1, axis.in);
  while (begin < 0) begin += axis.dilation;
  return {begin, end, axis.dilation};
}

template <typename T>
auto Wide(T x) {
  if constexpr (std::is_class_v<T>) {
    return ToFloat(x);
  } else {
    return x;
  }
}

template <typename T>
T Narrow(float x) {
  if constexpr (std::is_same_v<T, F16>) {
    return ToF16(x);
  } else {
    return ToBF16(x);
  }
}

template <typename T>
auto Lowest() {
  using W = decltype(Wide(T{}));
  if constexpr (std::is_floating_point_v<W>) {
    return -std::numeric_limits<W>::infinity();
  } else {
    return std::numeric_limits<W>::lowest();
  }
}

// Calls output(plane begin in the input, windows, element of the output) for every output.
template <typename F>
void ForOutputs(const Plan& plan, const F& output) {
  int64_t to = 0;
  for (int64_t plane = 0; plane < plan.outer; ++plane) {
    const int64_t from = plane * plan.InPlane() * plan.inner;
    for (int64_t d = 0; d < plan.axis[0].out; ++d) {
      const Window z = Clip(plan.axis[0], d);
      for (int64_t h = 0; h < plan.axis[1].out; ++h) {
        const Window y = Clip(plan.axis[1], h);
        for (int64_t w = 0; w < plan.axis[2].out; ++w) {
          const Window x = Clip(plan.axis[2], w);
          for (int64_t c = 0; c < plan.inner; ++c) output(from + c, z, y, x, to++);
        }
      }
    }
  }
}

template <typename F>
void ForTaps(const Plan& plan, Window z, Window y, Window x, const F& tap) {
  for (int64_t d = z.begin; d < z.end; d += z.step) {
    for (int64_t h = y.begin; h < y.end; h += y.step) {
      const int64_t row = (d * plan.axis[1].in + h) * plan.axis[2].in;
      for (int64_t w = x.begin; w < x.end; w += x.step) tap(row + w);
    }
  }
}

template <typename T>
void Max(const Plan& plan, const T* in, T* out) {
  ForOutputs(plan, [&](int64_t from, Window z, Window y, Window x, int64_t to) {
    auto best = Lowest<T>();
    ForTaps(plan, z, y, x, [&](int64_t at) { best = std::max(best, Wide(in[from + at * plan.inner])); });
    if constexpr (std::is_class_v<T>) {
      out[to] = Narrow<T>(best);
    } else {
      out[to] = best;
    }
  });
}

template <typename T>
void MaxWithIndex(const Plan& plan, const T* in, T* out, int64_t* index) {
  ForOutputs(plan, [&](int64_t from, Window z, Window y, Window x, int64_t to) {
    auto best = Lowest<T>();
    int64_t position = 0;
    ForTaps(plan, z, y, x, [&](int64_t at) {
      const auto value = Wide(in[from + at * plan.inner]);
      if (value > best) {
        best = value;
        position = at;
      }
    });
    out[to] = in[from + position * plan.inner];
    index[to] = (from / plan.inner + position) % plan.index_bound;
  });
}

int64_t Taps(Window window) { return (window.end - window.begin + window.step - 1) / window.step; }

// MLI rounds the mean to nearest, halves to even, from a sum that it doubles.
template <typename Sum>
Sum Convergent(Sum sum, int64_t count) {
  const Sum t = 2 * sum / static_cast<Sum>(count);
  return (t >> 1) + ((t & 1) & (t >> 1));
}

template <typename T>
void Average(const Plan& plan, const T* in, T* out) {
  using W = decltype(Wide(T{}));
  using Sum = std::conditional_t<std::is_floating_point_v<W>, W, std::conditional_t<(sizeof(W) < 4), int32_t, int64_t>>;
  ForOutputs(plan, [&](int64_t from, Window z, Window y, Window x, int64_t to) {
    Sum sum = 0;
    ForTaps(plan, z, y, x, [&](int64_t at) { sum += static_cast<Sum>(Wide(in[from + at * plan.inner])); });
    const int64_t count = DivisorOf(plan, Taps(z) * Taps(y) * Taps(x));
    if constexpr (std::is_class_v<T>) {
      out[to] = Narrow<T>(sum / static_cast<Sum>(count));
    } else if constexpr (std::is_integral_v<T>) {
      const bool convergent = plan.quotient == Quotient::kConvergent;
      out[to] = static_cast<T>(convergent ? Convergent(sum, count) : sum / static_cast<Sum>(count));
    } else {
      out[to] = sum / static_cast<Sum>(count);
    }
  });
}

}  // namespace

void PlainLoop(const Plan& plan, bool mean, const Buffers& buffers) {
  ForType(plan.type, [&](auto type) {
    using T = decltype(type);
    const T* in = static_cast<const T*>(buffers.in);
    T* out = static_cast<T*>(buffers.out);
    if (mean) return Average(plan, in, out);
    if (plan.index_type == 0) return Max(plan, in, out);
    MaxWithIndex(plan, in, out, static_cast<int64_t*>(buffers.index));
  });
}

}  // namespace poolproof::optimized
