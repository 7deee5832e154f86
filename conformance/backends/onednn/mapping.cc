#include "conformance/backends/onednn/mapping.h"

#include <array>

namespace poolproof::onednn {
namespace {

using adapter::Axis;
using adapter::PoolCall;
using adapter::Rule;
using dnnl::memory;

bool PadReachesKernel(const Axis& axis) { return axis.pad_begin >= axis.kernel || axis.FloorPadEnd() >= axis.kernel; }

constexpr Rule kRules[] = {
    {"adaptive pooling", "oneDNN has no adaptive pooling primitive",
     [](const PoolCall& call) { return call.op->adaptive; }},
    {"element type f64, i16, u16, u32, i64 or u64", "oneDNN 2 has no such memory data type",
     [](const PoolCall& call) { return DataType(call.type) == memory::data_type::undef; }},
    {"a mean that excludes padding, with a pad that reaches the kernel",
     "oneDNN rejects average windows that can lie in padding alone",
     [](const PoolCall& call) { return !call.Max() && call.exclude_pad && call.AnyAxis(PadReachesKernel); }},
};

memory::dims Spatial(const PoolCall& call, int64_t Axis::* field, int64_t minus = 0) {
  memory::dims out;
  for (int i = 0; i < call.Spatial(); ++i) {
    out.push_back(call.axes[static_cast<size_t>(i)].*field - minus);
  }
  return out;
}

memory::dims PaddingEnd(const PoolCall& call) {
  memory::dims out;
  for (int i = 0; i < call.Spatial(); ++i) {
    out.push_back(call.axes[static_cast<size_t>(i)].FloorPadEnd());
  }
  return out;
}

dnnl::algorithm Algorithm(const PoolCall& call) {
  if (call.Max()) return dnnl::algorithm::pooling_max;
  return call.exclude_pad ? dnnl::algorithm::pooling_avg_exclude_padding : dnnl::algorithm::pooling_avg_include_padding;
}

}  // namespace

std::span<const Rule> Rules() { return kRules; }

memory::data_type DataType(poolproof_element_type type) {
  switch (type) {
    case POOLPROOF_F32: return memory::data_type::f32;
    case POOLPROOF_F16: return memory::data_type::f16;
    case POOLPROOF_BF16: return memory::data_type::bf16;
    case POOLPROOF_I8: return memory::data_type::s8;
    case POOLPROOF_U8: return memory::data_type::u8;
    case POOLPROOF_I32: return memory::data_type::s32;
    default: return memory::data_type::undef;
  }
}

memory::dims InputDims(const PoolCall& call) { return {call.dims.begin(), call.dims.begin() + call.rank}; }

memory::dims OutputDims(const PoolCall& call) {
  memory::dims dims = InputDims(call);
  for (size_t i = 2; i < dims.size(); ++i) dims[i] = call.axes[i - 2].out;
  return dims;
}

memory::format_tag Tag(Layout layout, int spatial) {
  using tag = memory::format_tag;
  static constexpr std::array<std::array<tag, 3>, 4> kTags = {{{tag::ncw, tag::nchw, tag::ncdhw},
                                                               {tag::nwc, tag::nhwc, tag::ndhwc},
                                                               {tag::nCw8c, tag::nChw8c, tag::nCdhw8c},
                                                               {tag::nCw16c, tag::nChw16c, tag::nCdhw16c}}};
  return kTags[static_cast<size_t>(layout)][static_cast<size_t>(spatial - 1)];
}

dnnl::pooling_v2_forward::desc Descriptor(const PoolCall& call, Layout layout) {
  const memory::data_type type = DataType(call.type);
  const memory::format_tag tag = Tag(layout, call.Spatial());
  // Only training fills the workspace, which is where the indices are.
  const auto kind = call.op->indices ? dnnl::prop_kind::forward_training : dnnl::prop_kind::forward_inference;
  return {kind,
          Algorithm(call),
          memory::desc(InputDims(call), type, tag),
          memory::desc(OutputDims(call), type, tag),
          Spatial(call, &Axis::stride),
          Spatial(call, &Axis::kernel),
          Spatial(call, &Axis::dilation, 1),
          Spatial(call, &Axis::pad_begin),
          PaddingEnd(call)};
}

}  // namespace poolproof::onednn
