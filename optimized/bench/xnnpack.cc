// XNNPACK, which pools [N,H,W,C]. A mean in it divides by the taps inside the input.
#include <algorithm>
#include <limits>
#include <memory>
#include <vector>

#include "conformance/backends/xnnpack/operator.h"
#include "optimized/bench/contestant.h"
#include "optimized/bench/memory.h"
#include "optimized/core/plan.h"

namespace poolproof::optimized {
namespace {

constexpr float kInfinity = std::numeric_limits<float>::infinity();

using xnnpack::Kind;
using xnnpack::Side;

Side SideOf(const Workload& w, size_t axis) {
  Side side;
  side.in = static_cast<size_t>(w.dims[axis + 2]);
  side.out = static_cast<size_t>(w.OutSizes()[axis]);
  if (w.IsAdaptive()) {
    side.kernel = side.stride = static_cast<uint32_t>(w.dims[axis + 2] / w.sizes[axis]);
    return side;
  }
  const int64_t reach = (w.OutSizes()[axis] - 1) * w.strides[axis] + (w.kernel[axis] - 1) * w.dilations[axis] + 1;
  side.kernel = static_cast<uint32_t>(w.kernel[axis]);
  side.stride = static_cast<uint32_t>(w.strides[axis]);
  side.dilation = static_cast<uint32_t>(w.dilations[axis]);
  side.pad_begin = static_cast<uint32_t>(w.pads[axis]);
  side.pad_end = static_cast<uint32_t>(std::clamp<int64_t>(reach - w.dims[axis + 2] - w.pads[axis], 0, w.pads[axis]));
  return side;
}

Kind KindOf(const Workload& w) { return w.index ? Kind::kArgmax : w.pool == Pool::kMax ? Kind::kMax : Kind::kMean; }

class Xnnpack : public Contestant {
 public:
  Xnnpack(const Workload& w, const void* input)
      : pooling_{KindOf(w),
                 w.type,
                 static_cast<size_t>(w.dims[0]),
                 static_cast<size_t>(w.dims[1]),
                 w.SpatialRank() == 1 ? Side{} : SideOf(w, 0),
                 SideOf(w, w.SpatialRank() - 1)},
        size_(BytesOf(w.type)),
        global_(w.IsAdaptive() && pooling_.OutPixels() == 1) {
    const size_t in = static_cast<size_t>(w.InElements()), out = static_cast<size_t>(w.OutElements());
    input_.resize(in * size_ + XNN_EXTRA_BYTES);
    output_.resize(out * size_ + XNN_EXTRA_BYTES);
    plain_output_.resize(out * size_);
    if (w.index) taps_.resize(out);
    xnnpack::Transpose(input, pooling_.batch, pooling_.channels, pooling_.InPixels(), size_, input_.data());
  }

  // False where XNNPACK does not have the workload.
  bool Ready() {
    const auto status = global_ ? GlobalMean() : Create();
    return status == xnn_status_success && xnn_run_operator(operator_.get(), nullptr) == xnn_status_success;
  }
  void Run() override { xnn_run_operator(operator_.get(), nullptr); }
  const void* Values() override {
    xnnpack::Transpose(output_.data(), pooling_.batch, pooling_.OutPixels(), pooling_.channels, size_,
                       plain_output_.data());
    return plain_output_.data();
  }

 private:
  xnn_status Create() {
    const xnn_status status = xnnpack::Create(pooling_, &operator_);
    if (status != xnn_status_success) return status;
    return xnnpack::Setup(pooling_, operator_.get(), input_.data(), output_.data(), taps_.data());
  }

  xnn_status GlobalMean() {
    if (pooling_.type != POOLPROOF_F32) return xnn_status_unsupported_parameter;
    xnn_operator_t raw = nullptr;
    const size_t channels = pooling_.channels;
    const xnn_status status =
        xnn_create_global_average_pooling_nwc_f32(channels, channels, channels, -kInfinity, kInfinity, 0, &raw);
    operator_.reset(raw);
    if (status != xnn_status_success) return status;
    return xnn_setup_global_average_pooling_nwc_f32(raw, pooling_.batch, pooling_.InPixels(),
                                                    reinterpret_cast<const float*>(input_.data()),
                                                    reinterpret_cast<float*>(output_.data()), nullptr);
  }

  const xnnpack::Pooling pooling_;
  const size_t size_;
  const bool global_;
  Memory<char> input_, output_, plain_output_;
  Memory<uint32_t> taps_;
  xnnpack::Operator operator_;
};

// Whether XNNPACK's operators mean the same as the workload.
bool Fits(const Workload& w) {
  if (w.IsMli() || w.pool == Pool::kAdaptiveMax || w.SpatialRank() > 2) return false;
  bool padded = false, own_strides = false, uneven = false;
  for (size_t i = 0; i < w.SpatialRank(); ++i) {
    if (w.IsAdaptive()) {
      uneven |= w.dims[i + 2] % w.sizes[i] != 0;
      continue;
    }
    padded |= w.pads[i] != 0;
    own_strides |= w.strides[i] != w.kernel[i] || w.dilations[i] != 1;
  }
  if (w.index && (own_strides || padded)) return false;
  return !uneven && !(w.pool == Pool::kAverage && !w.exclude_pad && padded);
}

std::unique_ptr<Contestant> Enter(const Workload& w, const void* input) {
  if (!Fits(w) || xnn_initialize(nullptr) != xnn_status_success) return nullptr;
  auto contestant = std::make_unique<Xnnpack>(w, input);
  if (!contestant->Ready()) return nullptr;
  return contestant;
}

}  // namespace

std::vector<Entrant> XnnpackEntrants() { return {{"XNNPACK", Role::kAnyLayout, Enter}}; }

}  // namespace poolproof::optimized
