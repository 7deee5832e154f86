// XNNPACK's pooling operators, which pool [batch, height, width, channels].
#pragma once

#include <xnnpack.h>

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <limits>
#include <memory>

#include "conformance/backend.h"

namespace poolproof::xnnpack {

enum class Kind : uint8_t { kMax, kArgmax, kMean };  // a mean divides by the taps inside the input

// One spatial axis; a missing height is the default.
struct Side {
  size_t in = 1, out = 1;
  uint32_t kernel = 1, stride = 1, dilation = 1, pad_begin = 0, pad_end = 0;
};

struct Pooling {
  Kind kind;
  poolproof_element_type type;
  size_t batch, channels;
  Side height, width;

  size_t InPixels() const { return height.in * width.in; }
  size_t OutPixels() const { return height.out * width.out; }
};

struct DeleteOperator {
  void operator()(xnn_operator_t op) const { xnn_delete_operator(op); }
};
using Operator = std::unique_ptr<xnn_operator, DeleteOperator>;

// Creates the operator of `p`, in `op`. XNNPACK's status where there is none; means and argmax exist for f32.
inline xnn_status Create(const Pooling& p, Operator* op) {
  constexpr float kInfinity = std::numeric_limits<float>::infinity();
  const Side &h = p.height, &w = p.width;
  xnn_operator_t raw = nullptr;
  // The four maxima differ in the type of their output bounds only.
  const auto create_max = [&](auto function, auto lowest, auto highest) {
    return function(h.pad_begin, w.pad_end, h.pad_end, w.pad_begin, h.kernel, w.kernel, h.stride, w.stride, h.dilation,
                    w.dilation, p.channels, p.channels, p.channels, lowest, highest, 0, &raw);
  };
  const auto create = [&] {
    if (p.kind == Kind::kMax) {
      switch (p.type) {
        case POOLPROOF_I8: return create_max(xnn_create_max_pooling2d_nhwc_s8, int8_t{-128}, int8_t{127});
        case POOLPROOF_U8: return create_max(xnn_create_max_pooling2d_nhwc_u8, uint8_t{0}, uint8_t{255});
        case POOLPROOF_F16: return create_max(xnn_create_max_pooling2d_nhwc_f16, -kInfinity, kInfinity);
        case POOLPROOF_F32: return create_max(xnn_create_max_pooling2d_nhwc_f32, -kInfinity, kInfinity);
        default: return xnn_status_unsupported_parameter;
      }
    }
    if (p.type != POOLPROOF_F32) return xnn_status_unsupported_parameter;
    if (p.kind == Kind::kArgmax) {
      return xnn_create_argmax_pooling2d_nhwc_f32(h.pad_begin, w.pad_end, h.pad_end, w.pad_begin, h.kernel, w.kernel,
                                                  p.channels, p.channels, p.channels, 0, &raw);
    }
    return xnn_create_average_pooling2d_nhwc_f32(h.pad_begin, w.pad_end, h.pad_end, w.pad_begin, h.kernel, w.kernel,
                                                 h.stride, w.stride, p.channels, p.channels, p.channels, -kInfinity,
                                                 kInfinity, 0, &raw);
  };
  const xnn_status status = create();
  op->reset(raw);
  return status;
}

// Binds the operator of `p` to buffers of [batch][pixel][channel], and an argmax to `taps`, one per element
// of the output: the tap of each maximum, counted down the columns of the window.
inline xnn_status Setup(const Pooling& p, xnn_operator_t op, const void* input, void* output, uint32_t* taps) {
  const auto bind = [&](auto function, auto* typed_output, auto... more) {
    return function(op, p.batch, p.height.in, p.width.in, static_cast<decltype(typed_output)>(const_cast<void*>(input)),
                    typed_output, more..., nullptr);
  };
  auto* floats = static_cast<float*>(output);
  if (p.kind == Kind::kArgmax) return bind(xnn_setup_argmax_pooling2d_nhwc_f32, floats, taps);
  if (p.kind == Kind::kMean) return bind(xnn_setup_average_pooling2d_nhwc_f32, floats);
  switch (p.type) {
    case POOLPROOF_I8: return bind(xnn_setup_max_pooling2d_nhwc_s8, static_cast<int8_t*>(output));
    case POOLPROOF_U8: return bind(xnn_setup_max_pooling2d_nhwc_u8, static_cast<uint8_t*>(output));
    case POOLPROOF_F16: return bind(xnn_setup_max_pooling2d_nhwc_f16, output);
    default: return bind(xnn_setup_max_pooling2d_nhwc_f32, floats);
  }
}

// Copies [batch][outer][inner] elements of `size` bytes to [batch][inner][outer].
inline void Transpose(const void* from, size_t batch, size_t outer, size_t inner, size_t size, void* to) {
  auto* target = static_cast<std::byte*>(to);
  for (size_t b = 0; b < batch; ++b) {
    for (size_t i = 0; i < inner; ++i) {
      for (size_t o = 0; o < outer; ++o, target += size) {
        std::memcpy(target, static_cast<const std::byte*>(from) + ((b * outer + o) * inner + i) * size, size);
      }
    }
  }
}

}  // namespace poolproof::xnnpack
