#include <bit>
#include <cmath>
#include <limits>
#include <type_traits>

#include "optimized/kernels/kernels.h"
#include "optimized/kernels/types.h"

namespace poolproof::optimized {
namespace {

// The result of an empty window.
template <typename T>
T Lowest() {
  if constexpr (std::is_same_v<T, F16>) {
    return {0xFC00};
  } else if constexpr (std::is_same_v<T, BF16>) {
    return {0xFF80};
  } else if constexpr (std::is_floating_point_v<T>) {
    return -std::numeric_limits<T>::infinity();
  } else {
    return std::numeric_limits<T>::lowest();
  }
}

template <typename T>
auto Comparable(T x) {
  if constexpr (std::is_class_v<T>) {
    return ToFloat(x);
  } else {
    return x;
  }
}

// Whether `x` takes the place of the maximum so far: the first NaN stays, among equals the first.
template <typename C>
bool Replaces(C x, C maximum) {
  if constexpr (std::is_floating_point_v<C>) {
    return x > maximum || (std::isnan(x) && !std::isnan(maximum));
  } else {
    return x > maximum;
  }
}

struct Cell {
  Span span[3];
};

// Offset of the first maximum of the cell in row-major order, in elements; the cell is not empty.
template <typename T>
int64_t Position(const Plan& plan, const T* in, const Cell& cell) {
  const Axis* axis = plan.axis;
  int64_t best = -1;
  for (int64_t d = 0; d < cell.span[0].taps; ++d) {
    for (int64_t h = 0; h < cell.span[1].taps; ++h) {
      const int64_t z = cell.span[0].first + d * axis[0].dilation;
      const int64_t y = cell.span[1].first + h * axis[1].dilation;
      for (int64_t w = 0; w < cell.span[2].taps; ++w) {
        const int64_t x = cell.span[2].first + w * axis[2].dilation;
        const int64_t at = (z * axis[1].in + y) * axis[2].in + x;
        if (best < 0 || Replaces(Comparable(in[at * plan.inner]), Comparable(in[best * plan.inner]))) {
          best = at;
        }
      }
    }
  }
  return best;
}

template <typename T>
void Store(const Plan& plan, const Buffers& buffers, int64_t to, int64_t index, T value) {
  static_cast<T*>(buffers.out)[to] = value;
  if (plan.index_type == POOLPROOF_I64) static_cast<int64_t*>(buffers.index)[to] = index;
  if (plan.index_type == POOLPROOF_I32) {
    static_cast<int32_t*>(buffers.index)[to] = static_cast<int32_t>(index);
  }
}

template <typename T>
void PoolCell(const Plan& plan, const Buffers& buffers, int64_t plane, int64_t cell_index, const Cell& cell) {
  const bool empty = cell.span[0].taps == 0 || cell.span[1].taps == 0 || cell.span[2].taps == 0;
  const int64_t base = plane * plan.InPlane();
  const T* in = static_cast<const T*>(buffers.in) + base * plan.inner;
  for (int64_t c = 0; c < plan.inner; ++c) {
    const int64_t to = (plane * plan.OutPlane() + cell_index) * plan.inner + c;
    if (empty) {
      Store(plan, buffers, to, 0, Lowest<T>());
    } else {
      const int64_t at = Position(plan, in + c, cell);
      Store(plan, buffers, to, (base + at) % plan.index_bound, in[at * plan.inner + c]);
    }
  }
}

template <typename T>
void PoolRow(const Plan& plan, const Buffers& buffers, int64_t plane, int64_t d, int64_t h) {
  const Axis* axis = plan.axis;
  Cell cell = {{axis[0].SpanAt(d), axis[1].SpanAt(h), {}}};
  const int64_t first = (d * axis[1].out + h) * axis[2].out;
  for (int64_t w = 0; w < axis[2].out; ++w) {
    cell.span[2] = axis[2].SpanAt(w);
    PoolCell<T>(plan, buffers, plane, first + w, cell);
  }
}

}  // namespace

void PlainMaxRow(const Plan& plan, const Buffers& buffers, int64_t plane, int64_t d, int64_t h) {
  ForType(plan.type, [&](auto type) { PoolRow<decltype(type)>(plan, buffers, plane, d, h); });
}

void PlainMax(const Plan& plan, const Buffers& buffers, int64_t begin, int64_t end) {
  for (int64_t plane = begin; plane < end; ++plane) {
    for (int64_t d = 0; d < plan.axis[0].out; ++d) {
      for (int64_t h = 0; h < plan.axis[1].out; ++h) PlainMaxRow(plan, buffers, plane, d, h);
    }
  }
}

}  // namespace poolproof::optimized
