// How a documented pooling call maps to a oneDNN pooling primitive, and what has no counterpart.
#ifndef POOLPROOF_CONFORMANCE_BACKENDS_ONEDNN_MAPPING_H_
#define POOLPROOF_CONFORMANCE_BACKENDS_ONEDNN_MAPPING_H_

#include <oneapi/dnnl/dnnl.hpp>
#include <span>

#include "conformance/backends/adapter/pool_call.h"
#include "conformance/backends/adapter/rule.h"

namespace poolproof::onednn {

// Memory layouts in which the primitive may be asked to work; option layout=.
enum class Layout : uint8_t { kPlain, kNhwc, kBlocked8, kBlocked16 };

std::span<const adapter::Rule> Rules();

// data_type::undef where oneDNN has no such type.
dnnl::memory::data_type DataType(poolproof_element_type type);

dnnl::memory::dims InputDims(const adapter::PoolCall& call);
dnnl::memory::dims OutputDims(const adapter::PoolCall& call);
dnnl::memory::format_tag Tag(Layout layout, int spatial);

// oneDNN takes the output size from the caller and checks it against floor((in + pads - extent) /
// stride) + 1, so padding_r is Axis::FloorPadEnd. Dilation 0 is dense in oneDNN.
dnnl::pooling_v2_forward::desc Descriptor(const adapter::PoolCall& call, Layout layout);

}  // namespace poolproof::onednn

#endif  // POOLPROOF_CONFORMANCE_BACKENDS_ONEDNN_MAPPING_H_
