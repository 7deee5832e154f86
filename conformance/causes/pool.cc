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

const poolproof_attribute* Find(const poolproof_call& call, std::string_view name) {
  for (size_t i = 0; i < call.attribute_count; ++i) {
    if (call.attributes[i]->name == name) return call.attributes[i];
  }
  return nullptr;
}

std::string_view WordOf(const poolproof_call& call, std::string_view name) {
  const poolproof_attribute* attribute = Find(call, name);
  return attribute == nullptr || attribute->word == nullptr ? "" : attribute->word;
}

int64_t IntegerOf(const poolproof_call& call, std::string_view name, int64_t otherwise) {
  const poolproof_attribute* attribute = Find(call, name);
  return attribute == nullptr ? otherwise : attribute->integer;
}

void ReadList(const poolproof_call& call, std::string_view name, Pool* pool, int64_t Axis::* member) {
  const poolproof_attribute* attribute = Find(call, name);
  if (attribute == nullptr) return;
  for (size_t i = 0; i < attribute->count && pool->FirstAxis() + i < 3; ++i) {
    pool->axes[pool->FirstAxis() + i].*member = attribute->integers[i];
  }
}

// Padding of same_upper and same_lower; none for valid.
void ResolvePads(Pool* pool) {
  if (pool->auto_pad.empty() || pool->auto_pad == "explicit") return;
  for (Axis& axis : pool->axes) {
    axis.pad_begin = axis.pad_end = 0;
    if (pool->auto_pad == "valid") continue;
    const int64_t eff = (axis.kernel - 1) * axis.dilation + 1;
    const int64_t total = std::max<int64_t>(0, (axis.out - 1) * axis.stride + eff - axis.size);
    axis.pad_begin = pool->auto_pad == "same_upper" ? total / 2 : total - total / 2;
    axis.pad_end = total - axis.pad_begin;
  }
}

Layout PlanesOf(const std::array<int64_t, 3>& extent, int64_t channels) {
  const int64_t plane = extent[0] * extent[1] * extent[2];
  return {plane * channels, plane, {extent[1] * extent[2], extent[2], 1}};
}

Layout ChannelsLast(const std::array<int64_t, 3>& extent, int64_t channels) {
  return {0, 1, {extent[1] * extent[2] * channels, extent[2] * channels, channels}};
}

void LayOut(bool channels_last, Pool* pool) {
  std::array<int64_t, 3> in{}, out{};
  for (size_t i = 0; i < 3; ++i) {
    in[i] = pool->axes[i].size;
    out[i] = pool->axes[i].out;
  }
  const auto layout = channels_last ? ChannelsLast : PlanesOf;
  pool->in = layout(in, pool->channels);
  pool->out = layout(out, pool->channels);
}

void ReadMli(const poolproof_call& call, Pool* pool) {
  const poolproof_tensor& in = *call.inputs[0];
  const poolproof_tensor& out = *call.outputs[0];
  const bool hwc = std::string_view(call.op).find("_hwc_") != std::string_view::npos;
  const int h = hwc ? 0 : 1;
  pool->spatial_rank = 2;
  pool->channels = in.dims[hwc ? 2 : 0];
  const auto get = [&](const char* name) { return IntegerOf(call, name, 0); };
  pool->axes[1] = {in.dims[h], out.dims[h],        get("kernel_height"), get("stride_height"),
                   1,          get("padding_top"), get("padding_bottom")};
  pool->axes[2] = {in.dims[h + 1],      out.dims[h + 1],     get("kernel_width"), get("stride_width"), 1,
                   get("padding_left"), get("padding_right")};
  LayOut(hwc, pool);
}

void ReadIndex(const poolproof_call& call, Pool* pool) {
  if (call.output_count < 2) return;
  const poolproof_tensor& in = *call.inputs[0];
  pool->axis = IntegerOf(call, "axis", 0);
  int64_t first = pool->axis < 0 ? pool->axis + in.rank : pool->axis;
  if (pool->Is(kAdaptive)) first = 2;
  pool->index_bound = 1;
  for (int64_t i = std::clamp<int64_t>(first, 0, in.rank); i < in.rank; ++i) {
    pool->index_bound *= in.dims[i];
  }
  pool->index_bound = std::max<int64_t>(pool->index_bound, 1);
}

void ReadOpenvino(const poolproof_call& call, Pool* pool) {
  const poolproof_tensor& in = *call.inputs[0];
  const poolproof_tensor& out = *call.outputs[0];
  pool->spatial_rank = std::clamp(in.rank - 2, 0, 3);
  pool->batches = in.dims[0];
  pool->channels = in.dims[1];
  for (size_t i = pool->FirstAxis(); i < 3; ++i) {
    const size_t from_end = 3 - i;
    pool->axes[i].size = in.dims[static_cast<size_t>(in.rank) - from_end];
    pool->axes[i].out = out.rank < pool->spatial_rank ? 0 : out.dims[static_cast<size_t>(out.rank) - from_end];
  }
  ReadList(call, "kernel", pool, &Axis::kernel);
  ReadList(call, "strides", pool, &Axis::stride);
  ReadList(call, "dilations", pool, &Axis::dilation);
  ReadList(call, "pads_begin", pool, &Axis::pad_begin);
  ReadList(call, "pads_end", pool, &Axis::pad_end);
  pool->rounding = WordOf(call, "rounding_type");
  pool->auto_pad = WordOf(call, "auto_pad");
  pool->exclude_pad = IntegerOf(call, "exclude_pad", IntegerOf(call, "exclude-pad", 1)) != 0;
  ResolvePads(pool);
  LayOut(false, pool);
  ReadIndex(call, pool);
}

// First k >= 0 with start + k * step >= bound.
int64_t FirstAtOrAfter(int64_t start, int64_t step, int64_t bound) {
  if (start >= bound) return 0;
  return (bound - start + step - 1) / std::max<int64_t>(step, 1);
}

}  // namespace

unsigned FamilyOf(std::string_view op) {
  if (op == "MaxPool-1") return kMaxPool1;
  if (op == "MaxPool-8") return kMaxPool8;
  if (op == "MaxPool-14") return kMaxPool14;
  if (op.starts_with("AvgPool-")) return kAvgPool;
  if (op.starts_with("AdaptiveMaxPool-")) return kAdaptiveMax;
  if (op.starts_with("AdaptiveAvgPool-")) return kAdaptiveAvg;
  if (op.starts_with("mli_krn_maxpool_")) return kMliMax;
  if (op.starts_with("mli_krn_avepool_")) return kMliAvg;
  return 0;
}

void Range::Clip(const Axis& axis) {
  const auto clip = [&](int64_t from, int64_t to, int64_t* begin, int64_t* stop) {
    *begin = std::min(full, FirstAtOrAfter(start, step, from));
    *stop = std::max(*begin, std::min(full, FirstAtOrAfter(start, step, to)));
  };
  clip(0, axis.size, &first, &end);
  clip(-axis.pad_begin, axis.size + axis.pad_end, &padded_first, &padded_end);
}

Pool ReadPool(const poolproof_call& call) {
  Pool pool;
  pool.call = &call;
  pool.family = FamilyOf(call.op);
  pool.type = call.inputs[0]->element_type;
  pool.rank = call.inputs[0]->rank;
  if (pool.Is(kMli)) {
    ReadMli(call, &pool);
  } else {
    ReadOpenvino(call, &pool);
  }
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
