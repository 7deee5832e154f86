// XNNPACK, which pools [N,H,W,C]. A mean in it divides by the taps inside the input.
#include <xnnpack.h>

#include <algorithm>
#include <cstring>
#include <limits>
#include <memory>
#include <vector>

#include "optimized/bench/contestant.h"
#include "optimized/bench/memory.h"
#include "optimized/core/plan.h"

namespace poolproof::optimized {
namespace {

constexpr float kInfinity = std::numeric_limits<float>::infinity();

// One axis; a missing height is of size 1.
struct Side {
  size_t in = 1;
  uint32_t kernel = 1, stride = 1, dilation = 1, pad = 0, pad_end = 0;
};

Side SideOf(const Workload& w, size_t axis) {
  Side side;
  side.in = static_cast<size_t>(w.dims[axis + 2]);
  if (w.IsAdaptive()) {
    side.kernel = side.stride = static_cast<uint32_t>(w.dims[axis + 2] / w.sizes[axis]);
    return side;
  }
  const int64_t reach = (w.OutSizes()[axis] - 1) * w.strides[axis] + (w.kernel[axis] - 1) * w.dilations[axis] + 1;
  side.kernel = static_cast<uint32_t>(w.kernel[axis]);
  side.stride = static_cast<uint32_t>(w.strides[axis]);
  side.dilation = static_cast<uint32_t>(w.dilations[axis]);
  side.pad = static_cast<uint32_t>(w.pads[axis]);
  side.pad_end = static_cast<uint32_t>(std::clamp<int64_t>(reach - w.dims[axis + 2] - w.pads[axis], 0, w.pads[axis]));
  return side;
}

// [batch][outer][inner] elements to [batch][inner][outer].
void Transpose(const char* from, size_t batch, size_t outer, size_t inner, size_t size, char* to) {
  for (size_t b = 0; b < batch; ++b) {
    for (size_t i = 0; i < inner; ++i) {
      for (size_t o = 0; o < outer; ++o, to += size) {
        std::memcpy(to, from + ((b * outer + o) * inner + i) * size, size);
      }
    }
  }
}

class Xnnpack : public Contestant {
 public:
  Xnnpack(const Workload& w, const void* input)
      : workload_(w),
        batch_(static_cast<size_t>(w.dims[0])),
        channels_(static_cast<size_t>(w.dims[1])),
        size_(BytesOf(w.type)) {
    height_ = w.SpatialRank() == 1 ? Side{} : SideOf(w, 0);
    width_ = SideOf(w, w.SpatialRank() - 1);
    const size_t in = static_cast<size_t>(w.InElements()), out = static_cast<size_t>(w.OutElements());
    input_.resize(in * size_ + XNN_EXTRA_BYTES);
    output_.resize(out * size_ + XNN_EXTRA_BYTES);
    plain_output_.resize(out * size_);
    if (w.index) taps_.resize(out);
    Transpose(static_cast<const char*>(input), batch_, channels_, height_.in * width_.in, size_, input_.data());
  }
  ~Xnnpack() override {
    if (operator_ != nullptr) xnn_delete_operator(operator_);
  }

  // False where XNNPACK does not have the workload.
  bool Ready() {
    const auto status = workload_.index ? Argmax() : IsMax() ? Max() : Average();
    return status == xnn_status_success && xnn_run_operator(operator_, nullptr) == xnn_status_success;
  }
  void Run() override { xnn_run_operator(operator_, nullptr); }
  const void* Values() override {
    const size_t pixels = static_cast<size_t>(workload_.OutElements()) / batch_ / channels_;
    Transpose(output_.data(), batch_, pixels, channels_, size_, plain_output_.data());
    return plain_output_.data();
  }

 private:
  bool IsMax() const { return workload_.pool == Pool::kMax; }

  template <typename T, typename Create, typename Setup>
  xnn_status Max(Create create, Setup setup, T lowest, T highest) {
    const xnn_status status = create(height_.pad, width_.pad_end, height_.pad_end, width_.pad, height_.kernel,
                                     width_.kernel, height_.stride, width_.stride, height_.dilation, width_.dilation,
                                     channels_, channels_, channels_, lowest, highest, 0, &operator_);
    return status == xnn_status_success ? SetUp<T>(setup) : status;
  }

  template <typename Element, typename Setup>
  xnn_status SetUp(Setup setup) {
    return setup(operator_, batch_, height_.in, width_.in, reinterpret_cast<const Element*>(input_.data()),
                 reinterpret_cast<Element*>(output_.data()), nullptr);
  }

  xnn_status Max() {
    switch (workload_.type) {
      case POOLPROOF_F32:
        return Max<float>(xnn_create_max_pooling2d_nhwc_f32, xnn_setup_max_pooling2d_nhwc_f32, -kInfinity, kInfinity);
      case POOLPROOF_I8:
        return Max<int8_t>(xnn_create_max_pooling2d_nhwc_s8, xnn_setup_max_pooling2d_nhwc_s8, -128, 127);
      case POOLPROOF_U8: return Max<uint8_t>(xnn_create_max_pooling2d_nhwc_u8, xnn_setup_max_pooling2d_nhwc_u8, 0, 255);
      default: return MaxHalf();
    }
  }

  xnn_status MaxHalf() {
    if (workload_.type != POOLPROOF_F16) return xnn_status_unsupported_parameter;
    const xnn_status status = xnn_create_max_pooling2d_nhwc_f16(
        height_.pad, width_.pad_end, height_.pad_end, width_.pad, height_.kernel, width_.kernel, height_.stride,
        width_.stride, height_.dilation, width_.dilation, channels_, channels_, channels_, -kInfinity, kInfinity, 0,
        &operator_);
    return status == xnn_status_success ? SetUp<void>(xnn_setup_max_pooling2d_nhwc_f16) : status;
  }

  xnn_status Average() {
    if (workload_.type != POOLPROOF_F32) return xnn_status_unsupported_parameter;
    const bool global = height_.kernel == height_.in && width_.kernel == width_.in;
    if (workload_.IsAdaptive() && global) {
      const xnn_status status = xnn_create_global_average_pooling_nwc_f32(channels_, channels_, channels_, -kInfinity,
                                                                          kInfinity, 0, &operator_);
      if (status != xnn_status_success) return status;
      return xnn_setup_global_average_pooling_nwc_f32(operator_, batch_, height_.in * width_.in,
                                                      reinterpret_cast<const float*>(input_.data()),
                                                      reinterpret_cast<float*>(output_.data()), nullptr);
    }
    const xnn_status status = xnn_create_average_pooling2d_nhwc_f32(
        height_.pad, width_.pad_end, height_.pad_end, width_.pad, height_.kernel, width_.kernel, height_.stride,
        width_.stride, channels_, channels_, channels_, -kInfinity, kInfinity, 0, &operator_);
    return status == xnn_status_success ? SetUp<float>(xnn_setup_average_pooling2d_nhwc_f32) : status;
  }

  xnn_status Argmax() {
    if (workload_.type != POOLPROOF_F32) return xnn_status_unsupported_parameter;
    const xnn_status status =
        xnn_create_argmax_pooling2d_nhwc_f32(height_.pad, width_.pad_end, height_.pad_end, width_.pad, height_.kernel,
                                             width_.kernel, channels_, channels_, channels_, 0, &operator_);
    if (status != xnn_status_success) return status;
    return xnn_setup_argmax_pooling2d_nhwc_f32(operator_, batch_, height_.in, width_.in,
                                               reinterpret_cast<const float*>(input_.data()),
                                               reinterpret_cast<float*>(output_.data()), taps_.data(), nullptr);
  }

  const Workload& workload_;
  const size_t batch_, channels_, size_;
  Side height_, width_;
  Memory<char> input_, output_, plain_output_;
  Memory<uint32_t> taps_;
  xnn_operator_t operator_ = nullptr;
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
