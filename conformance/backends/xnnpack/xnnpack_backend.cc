// XNNPACK as a backend: one NHWC pooling operator per call, single-threaded, with the transposes
// from and to [N, C, spatial...] done here. Indices come from argmax pooling.

#include <cstring>
#include <memory>
#include <string>
#include <vector>

#include "conformance/backends/adapter/entry.h"
#include "conformance/backends/xnnpack/mapping.h"

namespace poolproof::xnnpack {
namespace {

using adapter::Answer;
using adapter::PoolCall;

Answer FromStatus(xnn_status status) {
  switch (status) {
    case xnn_status_success: return {};
    case xnn_status_invalid_parameter: return adapter::Invalid("XNNPACK says: invalid parameter");
    case xnn_status_unsupported_parameter: return adapter::Unsupported("XNNPACK says: unsupported parameter");
    case xnn_status_unsupported_hardware:
      return adapter::Unsupported("XNNPACK has no kernel of this type for this machine");
    default:
      return {POOLPROOF_INTERNAL_ERROR, "XNNPACK failed with status " + std::to_string(static_cast<int>(status))};
  }
}

// Copies [batch][outer][inner] elements to [batch][inner][outer].
void Transpose(const std::byte* from, size_t batch, size_t outer, size_t inner, size_t size, std::byte* to) {
  for (size_t b = 0; b < batch; ++b) {
    for (size_t i = 0; i < inner; ++i) {
      for (size_t o = 0; o < outer; ++o) {
        std::memcpy(to, from + ((b * outer + o) * inner + i) * size, size);
        to += size;
      }
    }
  }
}

// Position in the input plane of tap `tap` of the window of output position `cell`. XNNPACK counts
// the taps of a window down its columns.
int64_t InputPosition(const Nhwc& shape, size_t cell, uint32_t tap) {
  const auto along = [](const Side& side, size_t out, uint32_t k) {
    return static_cast<int64_t>(out) * side.stride + k - side.pad_begin;
  };
  const int64_t y = along(shape.height, cell / shape.width.out, tap % shape.height.kernel);
  const int64_t x = along(shape.width, cell % shape.width.out, tap / shape.height.kernel);
  return y * static_cast<int64_t>(shape.width.in) + x;
}

class XnnpackAdapter final : public adapter::PoolAdapter {
 public:
  XnnpackAdapter() : PoolAdapter(Rules()) {
    if (xnn_initialize(nullptr) != xnn_status_success) {
      throw std::runtime_error("XNNPACK does not initialize on this machine");
    }
  }

 protected:
  Answer Prepare(PoolCall* call) override {
    xnn_status status = xnn_status_success;
    operator_ = Create(*call, ToNhwc(*call), &status);
    return FromStatus(status);
  }

  Answer Compute(const PoolCall& call, const void* input, void* values, void* indices) override {
    const Nhwc shape = ToNhwc(call);
    const size_t size = adapter::ElementSize(call.type);
    const size_t in_pixels = shape.height.in * shape.width.in;
    const size_t out_pixels = shape.height.out * shape.width.out;
    const size_t planes = shape.batch * shape.channels;
    // XNNPACK documents that it may read XNN_EXTRA_BYTES past the end of an input.
    std::vector<std::byte> source(planes * in_pixels * size + XNN_EXTRA_BYTES);
    std::vector<std::byte> destination(planes * out_pixels * size + XNN_EXTRA_BYTES);
    std::vector<uint32_t> taps(planes * out_pixels + XNN_EXTRA_BYTES);
    Transpose(static_cast<const std::byte*>(input), shape.batch, shape.channels, in_pixels, size, source.data());
    xnn_status status = Setup(call, shape, operator_.get(), source.data(), destination.data(), taps.data());
    if (status == xnn_status_success) status = xnn_run_operator(operator_.get(), nullptr);
    if (status != xnn_status_success) return FromStatus(status);
    Transpose(destination.data(), shape.batch, out_pixels, shape.channels, size, static_cast<std::byte*>(values));
    if (indices != nullptr) StoreIndices(call, shape, taps, indices);
    return {};
  }

 private:
  static void StoreIndices(const PoolCall& call, const Nhwc& shape, const std::vector<uint32_t>& taps, void* indices) {
    const size_t pixels = shape.height.out * shape.width.out;
    for (size_t plane = 0; plane < shape.batch * shape.channels; ++plane) {
      for (size_t cell = 0; cell < pixels; ++cell) {
        const size_t batch = plane / shape.channels, channel = plane % shape.channels;
        const uint32_t tap = taps[(batch * pixels + cell) * shape.channels + channel];
        const int64_t position = InputPosition(shape, cell, tap);
        adapter::StoreIndex(call, indices, static_cast<int64_t>(plane * pixels + cell),
                            adapter::DocumentedIndex(call, static_cast<int64_t>(plane), position));
      }
    }
  }

  Operator operator_;  // of the call in hand
};

struct Xnnpack {
  static const char* Name() { return "xnnpack"; }
  static const char* Version() { return POOLPROOF_XNNPACK_VERSION; }
  static std::span<const adapter::Rule> Rules() { return xnnpack::Rules(); }
  static std::unique_ptr<adapter::Adapter> Make(adapter::Options*) { return std::make_unique<XnnpackAdapter>(); }
};

}  // namespace
}  // namespace poolproof::xnnpack

POOLPROOF_ADAPTER(poolproof::xnnpack::Xnnpack)
