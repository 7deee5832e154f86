#include "conformance/backends/xnnpack/mapping.h"

#include <limits>

namespace poolproof::xnnpack {
namespace {

using adapter::Axis;
using adapter::PoolCall;
using adapter::Rule;

constexpr float kInfinity = std::numeric_limits<float>::infinity();

bool HasType(const PoolCall& call) {
  if (!call.Max() || call.op->indices) return call.type == POOLPROOF_F32;
  return call.type == POOLPROOF_F32 || call.type == POOLPROOF_F16 || call.type == POOLPROOF_I8 ||
         call.type == POOLPROOF_U8;
}

bool Padded(const Axis& axis) { return axis.pad_begin > 0 || axis.pad_end > 0 || axis.NeededEnd() > 0; }

constexpr Rule kRules[] = {
    {"adaptive pooling", "XNNPACK has none", [](const PoolCall& call) { return call.op->adaptive; }},
    {"rank 5", "XNNPACK pools over two spatial axes at most", [](const PoolCall& call) { return call.rank == 5; }},
    {"element type other than f32, f16, i8 and u8 for a maximum, f32 for a mean or with indices",
     "XNNPACK has no such operator", [](const PoolCall& call) { return !HasType(call); }},
    {"a kernel of one element", "XNNPACK rejects it as meaningless",
     [](const PoolCall& call) { return !call.AnyAxis([](const Axis& axis) { return axis.kernel > 1; }); }},
    {"a mean that counts padding", "XNNPACK divides by the number of taps inside the input",
     [](const PoolCall& call) { return !call.Max() && !call.exclude_pad && call.AnyAxis(Padded); }},
    {"indices with strides other than the kernel, or with dilations",
     "argmax pooling has neither strides nor dilations of its own",
     [](const PoolCall& call) {
       return call.op->indices &&
              call.AnyAxis([](const Axis& axis) { return axis.stride != axis.kernel || axis.dilation != 1; });
     }},
    {"indices where floor drops the last partial window", "argmax pooling rounds up",
     [](const PoolCall& call) {
       return call.op->indices && call.AnyAxis([](const Axis& axis) { return axis.NeededEnd() < axis.pad_end; });
     }},
};

Side ToSide(const Axis& axis) {
  return {static_cast<size_t>(axis.in),
          static_cast<size_t>(axis.out),
          static_cast<uint32_t>(axis.kernel),
          static_cast<uint32_t>(axis.stride),
          static_cast<uint32_t>(axis.dilation),
          static_cast<uint32_t>(axis.pad_begin),
          static_cast<uint32_t>(axis.FloorPadEnd())};
}

xnn_status CreateArgmax(const Nhwc& s, xnn_operator_t* op) {
  return xnn_create_argmax_pooling2d_nhwc_f32(s.height.pad_begin, s.width.pad_end, s.height.pad_end, s.width.pad_begin,
                                              s.height.kernel, s.width.kernel, s.channels, s.channels, s.channels, 0,
                                              op);
}

xnn_status CreateAverage(const Nhwc& s, xnn_operator_t* op) {
  return xnn_create_average_pooling2d_nhwc_f32(s.height.pad_begin, s.width.pad_end, s.height.pad_end, s.width.pad_begin,
                                               s.height.kernel, s.width.kernel, s.height.stride, s.width.stride,
                                               s.channels, s.channels, s.channels, -kInfinity, kInfinity, 0, op);
}

// The four maxima differ in the type of their output bounds only.
template <typename Function, typename Bound>
xnn_status CreateMax(Function function, Bound lowest, Bound highest, const Nhwc& s, xnn_operator_t* op) {
  return function(s.height.pad_begin, s.width.pad_end, s.height.pad_end, s.width.pad_begin, s.height.kernel,
                  s.width.kernel, s.height.stride, s.width.stride, s.height.dilation, s.width.dilation, s.channels,
                  s.channels, s.channels, lowest, highest, 0, op);
}

xnn_status CreateMaxOfType(poolproof_element_type type, const Nhwc& s, xnn_operator_t* op) {
  switch (type) {
    case POOLPROOF_I8: return CreateMax(xnn_create_max_pooling2d_nhwc_s8, int8_t{-128}, int8_t{127}, s, op);
    case POOLPROOF_U8: return CreateMax(xnn_create_max_pooling2d_nhwc_u8, uint8_t{0}, uint8_t{255}, s, op);
    case POOLPROOF_F16: return CreateMax(xnn_create_max_pooling2d_nhwc_f16, -kInfinity, kInfinity, s, op);
    default: return CreateMax(xnn_create_max_pooling2d_nhwc_f32, -kInfinity, kInfinity, s, op);
  }
}

}  // namespace

std::span<const Rule> Rules() { return kRules; }

Nhwc ToNhwc(const PoolCall& call) {
  Nhwc shape;
  shape.batch = static_cast<size_t>(call.dims[0]);
  shape.channels = static_cast<size_t>(call.dims[1]);
  if (call.Spatial() == 2) shape.height = ToSide(call.axes[0]);
  shape.width = ToSide(call.axes[static_cast<size_t>(call.Spatial()) - 1]);
  return shape;
}

Operator Create(const PoolCall& call, const Nhwc& shape, xnn_status* status) {
  xnn_operator_t op = nullptr;
  if (call.op->indices) {
    *status = CreateArgmax(shape, &op);
  } else if (call.Max()) {
    *status = CreateMaxOfType(call.type, shape, &op);
  } else {
    *status = CreateAverage(shape, &op);
  }
  return Operator(op);
}

xnn_status Setup(const PoolCall& call, const Nhwc& shape, xnn_operator_t op, const void* input, void* output,
                 uint32_t* indices) {
  const auto bind = [&](auto function, auto* typed_output) {
    return function(op, shape.batch, shape.height.in, shape.width.in,
                    static_cast<decltype(typed_output)>(const_cast<void*>(input)), typed_output, nullptr);
  };
  if (call.op->indices) {
    return xnn_setup_argmax_pooling2d_nhwc_f32(op, shape.batch, shape.height.in, shape.width.in,
                                               static_cast<const float*>(input), static_cast<float*>(output), indices,
                                               nullptr);
  }
  if (!call.Max()) {
    return bind(xnn_setup_average_pooling2d_nhwc_f32, static_cast<float*>(output));
  }
  switch (call.type) {
    case POOLPROOF_I8: return bind(xnn_setup_max_pooling2d_nhwc_s8, static_cast<int8_t*>(output));
    case POOLPROOF_U8: return bind(xnn_setup_max_pooling2d_nhwc_u8, static_cast<uint8_t*>(output));
    case POOLPROOF_F16: return bind(xnn_setup_max_pooling2d_nhwc_f16, output);
    default: return bind(xnn_setup_max_pooling2d_nhwc_f32, static_cast<float*>(output));
  }
}

}  // namespace poolproof::xnnpack
