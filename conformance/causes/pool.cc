#include "conformance/causes/pool.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>

#include "reference/element.h"
#include "reference/reference.h"

namespace poolproof::mutants {
namespace {

using reference::VisitElementType;

// The pads that automatic padding chooses.
void ResolvePads(const Problem& problem, Pool* pool) {
  if (PadsCount(problem)) return;
  for (size_t i = pool->FirstAxis(); i < 3; ++i) {
    Axis& axis = pool->axes[i];
    axis.pad_begin = PadBefore(problem, static_cast<int>(i - pool->FirstAxis()), axis.out);
    const int64_t reached = (axis.out - 1) * axis.stride + (axis.kernel - 1) * axis.dilation + 1;
    axis.pad_end = KeepsSize(problem) ? std::max<int64_t>(0, reached - axis.size) - axis.pad_begin : 0;
  }
}

Steps PlanesOf(const std::array<int64_t, 3>& extent, int64_t channels) {
  const int64_t plane = extent[0] * extent[1] * extent[2];
  return {plane * channels, plane, {extent[1] * extent[2], extent[2], 1}};
}

Steps ChannelsLast(const std::array<int64_t, 3>& extent, int64_t channels) {
  return {0, 1, {extent[1] * extent[2] * channels, extent[2] * channels, channels}};
}

void FindSteps(bool channels_last, Pool* pool) {
  std::array<int64_t, 3> in{}, out{};
  for (size_t i = 0; i < 3; ++i) {
    in[i] = pool->axes[i].size;
    out[i] = pool->axes[i].out;
  }
  const auto steps = channels_last ? ChannelsLast : PlanesOf;
  pool->in = steps(in, pool->channels);
  pool->out = steps(out, pool->channels);
}

void ReadAxes(const Problem& problem, const Layout& layout, const poolproof_tensor& out, Pool* pool) {
  const int lost = problem.shape.size - out.rank;  // dimensions that the output is described without
  for (int axis = 0; axis < pool->spatial_rank; ++axis) {
    const int place = layout.spatial + axis - lost;
    Axis& read = pool->axes[pool->FirstAxis() + static_cast<size_t>(axis)];
    const auto value = [&](Role role, int64_t fallback) { return AxisValue(problem, role, axis, fallback); };
    read = {.size = SpatialSize(problem, axis),
            .out = place < 0 ? 0 : out.dims[place],
            .kernel = value(Role::kKernel, 1),
            .stride = value(Role::kStride, 1),
            .dilation = value(Role::kDilation, 1),
            .pad_begin = value(Role::kPadBegin, 0),
            .pad_end = value(Role::kPadEnd, 0)};
  }
}

int64_t Dim(const Problem& problem, int place) { return place < 0 ? 1 : problem.shape[static_cast<size_t>(place)]; }

// The integer or truth of an attribute that there is once; by default that of the spec.
int64_t SingleValue(const Problem& problem, Role role, int64_t otherwise) {
  const std::optional<size_t> index = AttributeIndex(*problem.spec, role);
  if (!index) return otherwise;
  const AttributeValue& value = problem.attributes[*index];
  return value.present ? value.integer : problem.spec->attributes[*index].default_integer.value_or(otherwise);
}

void ReadIndex(const Problem& problem, int first_spatial, Pool* pool) {
  if (problem.OutputCount() < 2) return;
  pool->axis = SingleValue(problem, Role::kAxis, 0);
  int64_t first = pool->axis < 0 ? pool->axis + pool->rank : pool->axis;
  if (!HasRole(*problem.spec, Role::kAxis)) first = CountsWholeTensor(*problem.spec) ? 0 : first_spatial;
  pool->index_bound = 1;
  for (int64_t i = std::clamp<int64_t>(first, 0, pool->rank); i < pool->rank; ++i) {
    pool->index_bound *= problem.shape[static_cast<size_t>(i)];
  }
  pool->index_bound = std::max<int64_t>(pool->index_bound, 1);
}

}  // namespace

// By the documented reading all coordinates are turned round.
int64_t IndexPosition(const Pool& pool, int64_t tap) {
  if (!pool.column_major || tap < 0) return tap;
  const auto& [d, h, w] = pool.axes;
  const int64_t plane = d.size * h.size * w.size, outer = tap / plane, at = tap % plane;
  const int64_t spatial = at / w.size / h.size + d.size * (at / w.size % h.size + h.size * (at % w.size));
  return outer / pool.channels + pool.batches * (outer % pool.channels + pool.channels * spatial);
}

namespace {

// First k >= 0 with start + k * step >= bound.
int64_t FirstAtOrAfter(int64_t start, int64_t step, int64_t bound) {
  if (start >= bound) return 0;
  return (bound - start + step - 1) / std::max<int64_t>(step, 1);
}

}  // namespace

void Range::Clip(const Axis& axis) {
  const auto clip = [&](int64_t from, int64_t to, int64_t* begin, int64_t* stop) {
    *begin = std::min(full, FirstAtOrAfter(start, step, from));
    *stop = std::max(*begin, std::min(full, FirstAtOrAfter(start, step, to)));
  };
  clip(0, axis.size, &first, &end);
  clip(-axis.pad_begin, axis.size + axis.pad_end, &padded_first, &padded_end);
}

Pool ReadPool(const poolproof_call& call) {
  const Asked asked = ReadCall(call).value();
  const Layout layout = LayoutOf(*asked.function);
  Pool pool;
  pool.call = &call;
  pool.family = FamilyOf(asked);
  pool.type = asked.type;
  pool.rank = asked.shape.size;
  pool.spatial_rank = std::clamp(asked.SpatialRank(), 0, 3);
  pool.batches = Dim(asked, layout.batch);
  pool.channels = Dim(asked, layout.channels);
  pool.rounding = MeaningOf(asked, Role::kRounding);
  pool.exclude_pad = ExcludesPadding(asked);
  pool.whole_planes = asked.spec->whole_planes;
  pool.power = SingleValue(asked, Role::kPower, 2);
  pool.divisor = SingleValue(asked, Role::kDivisor, 0);
  pool.column_major = MeaningOf(asked, Role::kStorageOrder) == Meaning::kColumnMajor;
  ReadAxes(asked, layout, *call.outputs[0], &pool);
  ResolvePads(asked, &pool);
  FindSteps(layout.ChannelsLast(), &pool);
  ReadIndex(asked, layout.spatial, &pool);
  return pool;
}

Value LoadValue(poolproof_element_type type, const void* data, int64_t i) {
  return VisitElementType(type, [&](auto e) {
    using E = decltype(e);
    return static_cast<Value>(E::Load(static_cast<const typename E::Stored*>(data)[i]));
  });
}

void StoreValue(poolproof_element_type type, Value value, void* data, int64_t i) {
  VisitElementType(type, [&](auto e) {
    using E = decltype(e);
    auto* stored = static_cast<typename E::Stored*>(data) + i;
    if constexpr (E::kIsFloat) {
      *stored = E::Round(value);
    } else if (value < 0) {
      const Value low = std::max(value, static_cast<Value>(std::numeric_limits<int64_t>::min()));
      *stored = static_cast<typename E::Stored>(static_cast<int64_t>(low));
    } else {
      const Value high = std::min(value, static_cast<Value>(std::numeric_limits<uint64_t>::max()));
      const uint64_t bits = std::isnan(value) ? 0 : static_cast<uint64_t>(high);
      *stored = static_cast<typename E::Stored>(bits);
    }
  });
}

Value Rounded(poolproof_element_type type, Value value) {
  uint64_t bytes = 0;
  StoreValue(type, value, &bytes, 0);
  return LoadValue(type, &bytes, 0);
}

Value Lowest(poolproof_element_type type) {
  return VisitElementType(type, [](auto e) {
    using E = decltype(e);
    return static_cast<Value>(E::Load(E::kLowest));
  });
}

bool IsSigned(poolproof_element_type type) { return Lowest(type) < 0; }

int Bits(poolproof_element_type type) { return static_cast<int>(reference::ElementSize(type)) * 8; }

}  // namespace poolproof::mutants
