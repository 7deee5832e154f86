// A plain average pooling as a textbook has it: AvgPool-1 of f32 and of integers up to 32 bits, two
// spatial dimensions, explicit pads. Sums of floats are kept in f32, integer means truncated.
#include <algorithm>
#include <cstdint>
#include <type_traits>

#include "conformance/backend_helper.h"

namespace {

using poolproof::backend::CallView;
using poolproof::backend::Dims;
using poolproof::backend::InvalidArgument;
using poolproof::backend::Unsupported;

struct Axis {
  int64_t size, kernel, stride, pad_begin, pad_end;
  bool ceil;
  int64_t span() const { return size + pad_begin + pad_end - kernel; }
  int64_t out() const { return (span() + (ceil ? stride - 1 : 0)) / stride + 1; }
};

Axis MakeAxis(const CallView& call, size_t axis) {
  const Axis a = {call.Input(0).dims[2 + axis],      call.List("kernel", 2, 0)[axis],
                  call.List("strides", 2, 0)[axis],  call.List("pads_begin", 2, 0)[axis],
                  call.List("pads_end", 2, 0)[axis], call.WordOf("rounding_type", {"floor", "ceil"}) == "ceil"};
  if (a.kernel < 1 || a.stride < 1 || a.pad_begin < 0 || a.pad_end < 0) {
    throw InvalidArgument("kernel and strides start at 1, pads at 0");
  }
  // Rounded up, less than a stride more still has one position.
  if (a.span() + (a.ceil ? a.stride - 1 : 0) < 0) throw InvalidArgument("the kernel is larger than the padded input");
  return a;
}

class AverageBackend {
 public:
  explicit AverageBackend(const std::vector<std::string>& options) {
    if (!options.empty()) throw InvalidArgument("unknown option " + options[0]);
  }

  void InferShapes(const CallView& call) {
    if (call.Op() != "AvgPool-1") throw Unsupported("no operator " + std::string(call.Op()));
    const poolproof_tensor& input = call.Input(0);
    if (input.rank < 3 || input.rank > 5) throw InvalidArgument("the rank is not 3 to 5");
    if (input.rank != 4) throw Unsupported("two spatial dimensions only");
    if (!Visit(input.element_type, [](auto) {})) throw Unsupported("f32 and small integers only");
    if (call.WordOf("auto_pad", {"explicit", "same_upper", "same_lower", "valid"}) != "explicit") {
      throw Unsupported("no auto_pad");
    }
    const Dims dims = call.InputDims(0);
    if (*std::min_element(dims.begin(), dims.end()) < 1) throw InvalidArgument("an empty input");
    call.Require({"kernel", "strides", "pads_begin", "pads_end", "exclude-pad"});
    call.DescribeOutput(0, input.element_type, {dims[0], dims[1], MakeAxis(call, 0).out(), MakeAxis(call, 1).out()});
  }

  void Run(const CallView& call) {
    call.CheckCapacity();
    Visit(call.Input(0).element_type, [&](auto zero) { Average<decltype(zero)>(call); });
  }

 private:
  // Calls `visit` with a zero of the type; false for types that it does not have.
  template <typename F>
  static bool Visit(poolproof_element_type type, F visit) {
    switch (type) {
      case POOLPROOF_F32: return visit(float{}), true;
      case POOLPROOF_I8: return visit(int8_t{}), true;
      case POOLPROOF_U8: return visit(uint8_t{}), true;
      case POOLPROOF_I16: return visit(int16_t{}), true;
      case POOLPROOF_U16: return visit(uint16_t{}), true;
      case POOLPROOF_I32: return visit(int32_t{}), true;
      case POOLPROOF_U32: return visit(uint32_t{}), true;
      default: return false;
    }
  }

  template <typename T>
  static void Average(const CallView& call) {
    const Axis h = MakeAxis(call, 0), w = MakeAxis(call, 1);
    const bool exclude_pad = call.Bool("exclude-pad", false);
    const int64_t planes = call.Input(0).dims[0] * call.Input(0).dims[1];
    int64_t o = 0;
    for (int64_t plane = 0; plane < planes; ++plane) {
      const T* in = call.InputData<T>(0) + plane * h.size * w.size;
      for (int64_t oh = 0; oh < h.out(); ++oh) {
        for (int64_t ow = 0; ow < w.out(); ++ow) {
          call.OutputData<T>(0)[o++] = Mean(in, h, w, oh, ow, exclude_pad);
        }
      }
    }
  }

  template <typename T>
  static T Mean(const T* in, const Axis& h, const Axis& w, int64_t oh, int64_t ow, bool exclude_pad) {
    using Sum = std::conditional_t<std::is_same_v<T, float>, float, int64_t>;
    const int64_t top = oh * h.stride - h.pad_begin, left = ow * w.stride - w.pad_begin;
    const int64_t first_y = std::max<int64_t>(top, 0), end_y = std::min(top + h.kernel, h.size);
    const int64_t first_x = std::max<int64_t>(left, 0), end_x = std::min(left + w.kernel, w.size);
    if (first_y >= end_y || first_x >= end_x) return T{0};
    Sum sum = 0;
    for (int64_t y = first_y; y < end_y; ++y) {
      for (int64_t x = first_x; x < end_x; ++x) sum += in[y * w.size + x];
    }
    const int64_t inside = (end_y - first_y) * (end_x - first_x);
    const int64_t divisor = exclude_pad ? inside : h.kernel * w.kernel;
    return static_cast<T>(sum / static_cast<Sum>(divisor));
  }
};

}  // namespace

POOLPROOF_EXPORT_BACKEND(AverageBackend, "average", "1.0")
