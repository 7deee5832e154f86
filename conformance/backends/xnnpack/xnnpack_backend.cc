// XNNPACK as a backend: one NHWC pooling operator per call, single-threaded, with the transposes
// from and to [N, C, spatial...] done here. Indices come from argmax pooling.

#include <stdexcept>
#include <string>
#include <vector>

#include "conformance/backends/adapter/entry.h"
#include "conformance/backends/xnnpack/operator.h"

namespace poolproof::xnnpack {
namespace {

using adapter::Axis;
using adapter::PoolCall;
using adapter::Rule;

bool HasType(const PoolCall& call) {
  if (!call.op->max || call.op->indices) return call.type == POOLPROOF_F32;
  return call.type == POOLPROOF_F32 || call.type == POOLPROOF_F16 || call.type == POOLPROOF_I8 ||
         call.type == POOLPROOF_U8;
}

bool Padded(const Axis& axis) { return axis.pad_begin > 0 || axis.pad_end > 0 || axis.NeededEnd() > 0; }

constexpr Rule kRules[] = {
    {"adaptive pooling", "XNNPACK has none", [](const PoolCall& call) { return call.op->adaptive; }},
    {"rank 5", "XNNPACK pools over two spatial axes at most",
     [](const PoolCall& call) { return call.axes.size() == 3; }},
    {"element type other than f32, f16, i8 and u8 for a maximum, f32 for a mean or with indices",
     "XNNPACK has no such operator", [](const PoolCall& call) { return !HasType(call); }},
    {"a kernel of one element", "XNNPACK rejects it as meaningless",
     [](const PoolCall& call) { return !call.AnyAxis([](const Axis& axis) { return axis.kernel > 1; }); }},
    {"a mean that counts padding", "XNNPACK divides by the number of taps inside the input",
     [](const PoolCall& call) { return !call.op->max && !call.exclude_pad && call.AnyAxis(Padded); }},
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

Pooling ToPooling(const PoolCall& call) {
  return {call.op->indices ? Kind::kArgmax
          : call.op->max   ? Kind::kMax
                           : Kind::kMean,
          call.type,
          static_cast<size_t>(call.dims[0]),
          static_cast<size_t>(call.dims[1]),
          call.axes.size() == 2 ? ToSide(call.axes[0]) : Side{},
          ToSide(call.axes.back())};
}

void Check(xnn_status status) {
  switch (status) {
    case xnn_status_success: return;
    case xnn_status_invalid_parameter: throw backend::InvalidArgument("XNNPACK says: invalid parameter");
    case xnn_status_unsupported_parameter: throw backend::Unsupported("XNNPACK says: unsupported parameter");
    case xnn_status_unsupported_hardware:
      throw backend::Unsupported("XNNPACK has no kernel of this type for this machine");
    default: throw std::runtime_error("XNNPACK failed with status " + std::to_string(static_cast<int>(status)));
  }
}

class Xnnpack final : public adapter::PoolAdapter {
 public:
  explicit Xnnpack(adapter::Options*) : PoolAdapter(kRules) {
    if (xnn_initialize(nullptr) != xnn_status_success) {
      throw std::runtime_error("XNNPACK does not initialize on this machine");
    }
  }
  static std::span<const Rule> Rules() { return kRules; }

 protected:
  void Prepare(PoolCall* call) override { Check(Create(ToPooling(*call), &operator_)); }

  void Compute(const PoolCall& call, const void* input, void* values, void* indices) override {
    const Pooling p = ToPooling(call);
    const size_t size = backend::ElementSize(call.type), planes = p.batch * p.channels;
    // XNNPACK documents that it may read XNN_EXTRA_BYTES past the end of an input.
    std::vector<std::byte> source(planes * p.InPixels() * size + XNN_EXTRA_BYTES);
    std::vector<std::byte> destination(planes * p.OutPixels() * size + XNN_EXTRA_BYTES);
    std::vector<uint32_t> taps(planes * p.OutPixels() + XNN_EXTRA_BYTES);
    Transpose(input, p.batch, p.channels, p.InPixels(), size, source.data());
    Check(Setup(p, operator_.get(), source.data(), destination.data(), taps.data()));
    Check(xnn_run_operator(operator_.get(), nullptr));
    Transpose(destination.data(), p.batch, p.OutPixels(), p.channels, size, values);
    if (indices == nullptr) return;
    std::vector<uint32_t> plain(planes * p.OutPixels());
    Transpose(taps.data(), p.batch, p.OutPixels(), p.channels, sizeof(uint32_t), plain.data());
    adapter::StoreIndices(call, indices, [&](int64_t plane, int64_t cell) {
      const auto at = static_cast<size_t>(plane * call.OutputPlane() + cell);
      return call.TapPosition(cell, plain[at], /*by_columns=*/true);
    });
  }

 private:
  Operator operator_;  // of the call in hand
};

}  // namespace
}  // namespace poolproof::xnnpack

POOLPROOF_ADAPTER(poolproof::xnnpack::Xnnpack, "xnnpack", POOLPROOF_XNNPACK_VERSION)
