// A complete backend to start from: MaxPool-8, f32, two spatial dimensions, explicit pads, rounding
// down. What it does not have it calls UNSUPPORTED, what the document forbids INVALID_ARGUMENT.
// README.md, beside it or in share/doc/poolproof, says how to build and judge it.
#include <algorithm>
#include <cmath>
#include <limits>

#include "conformance/backend_helper.h"

namespace {

using poolproof::backend::CallView;
using poolproof::backend::Dims;
using poolproof::backend::InvalidArgument;
using poolproof::backend::Unsupported;

// The attributes of one spatial axis and what follows from them.
struct Axis {
  int64_t size, kernel, stride, dilation, pad_begin, pad_end;
  int64_t span() const { return size + pad_begin + pad_end - ((kernel - 1) * dilation + 1); }
  int64_t out() const { return span() / stride + 1; }
};

Axis MakeAxis(const CallView& call, size_t axis) {
  // List() gives the default where the attribute is absent, and checks the length where it is not.
  const Axis a = {call.Input(0).dims[2 + axis],        call.List("kernel", 2, 0)[axis],
                  call.List("strides", 2, 0)[axis],    call.List("dilations", 2, 1)[axis],
                  call.List("pads_begin", 2, 0)[axis], call.List("pads_end", 2, 0)[axis]};
  if (a.kernel < 1 || a.stride < 1 || a.dilation < 1 || a.pad_begin < 0 || a.pad_end < 0) {
    throw InvalidArgument("kernel, strides and dilations start at 1, pads at 0");
  }
  if (a.span() < 0) throw InvalidArgument("the kernel is larger than the padded input");
  return a;
}

int64_t IndexBound(const CallView& call) {
  const int64_t axis = call.Int("axis", 0);
  if (axis < -4 || axis > 3) throw InvalidArgument("axis is " + std::to_string(axis));
  const size_t first = static_cast<size_t>(axis < 0 ? axis + 4 : axis);
  return poolproof::backend::ElementCount(call.Input(0).dims + first, 4 - first);
}

class ExampleBackend {
 public:
  explicit ExampleBackend(const std::vector<std::string>& options) {
    if (!options.empty()) throw InvalidArgument("unknown option " + options[0]);
  }

  // Says what the outputs look like, or why there are none.
  void InferShapes(const CallView& call) {
    if (call.Op() != "MaxPool-8") throw Unsupported("no operator " + std::string(call.Op()));
    const poolproof_tensor& input = call.Input(0);
    if (input.rank < 3 || input.rank > 5) throw InvalidArgument("the rank is not 3 to 5");
    if (input.rank != 4) throw Unsupported("two spatial dimensions only");
    if (input.element_type != POOLPROOF_F32) throw Unsupported("f32 only");
    if (call.WordOf("auto_pad", {"explicit", "same_upper", "same_lower", "valid"}) != "explicit") {
      throw Unsupported("no auto_pad");
    }
    if (call.WordOf("rounding_type", {"floor", "ceil"}) != "floor") throw Unsupported("floor only");
    const Dims dims = call.InputDims(0);
    if (*std::min_element(dims.begin(), dims.end()) < 1) throw InvalidArgument("an empty input");
    call.Require({"kernel", "strides", "pads_begin", "pads_end"});
    const Dims out = {dims[0], dims[1], MakeAxis(call, 0).out(), MakeAxis(call, 1).out()};
    const bool narrow = call.WordOf("index_element_type", {"i64", "i32"}) == "i32";
    if (narrow && IndexBound(call) - 1 > std::numeric_limits<int32_t>::max()) {
      throw InvalidArgument("i32 cannot hold the indices");
    }
    call.DescribeOutput(0, POOLPROOF_F32, out);
    call.DescribeOutput(1, narrow ? POOLPROOF_I32 : POOLPROOF_I64, out);
  }

  // Is called with the outputs as InferShapes described them.
  void Run(const CallView& call) {
    call.CheckCapacity();
    const Axis h = MakeAxis(call, 0), w = MakeAxis(call, 1);
    const int64_t planes = call.Input(0).dims[0] * call.Input(0).dims[1];
    const int64_t bound = IndexBound(call);
    int64_t o = 0;
    for (int64_t plane = 0; plane < planes; ++plane) {
      for (int64_t oh = 0; oh < h.out(); ++oh) {
        for (int64_t ow = 0; ow < w.out(); ++ow, ++o) {
          const int64_t at = Window(call.InputData<float>(0), h, w, plane, oh, ow);
          // A window that lies in the padding altogether has no element: minus infinity.
          call.OutputData<float>(0)[o] =
              at < 0 ? -std::numeric_limits<float>::infinity() : call.InputData<float>(0)[at];
          WriteIndex(call, o, at < 0 ? 0 : at % bound);
        }
      }
    }
  }

 private:
  // The position of the window's maximum: the first of equal ones; a NaN beats every number.
  static int64_t Window(const float* in, const Axis& h, const Axis& w, int64_t plane, int64_t oh, int64_t ow) {
    int64_t best = -1;
    for (int64_t kh = 0; kh < h.kernel; ++kh) {
      for (int64_t kw = 0; kw < w.kernel; ++kw) {
        const int64_t ih = oh * h.stride - h.pad_begin + kh * h.dilation;
        const int64_t iw = ow * w.stride - w.pad_begin + kw * w.dilation;
        if (ih < 0 || ih >= h.size || iw < 0 || iw >= w.size) continue;
        const int64_t at = (plane * h.size + ih) * w.size + iw;
        const bool new_nan = std::isnan(in[at]) && best >= 0 && !std::isnan(in[best]);
        if (best < 0 || new_nan || in[at] > in[best]) best = at;
      }
    }
    return best;
  }

  static void WriteIndex(const CallView& call, int64_t o, int64_t index) {
    if (call.Output(1).element_type == POOLPROOF_I64) {
      call.OutputData<int64_t>(1)[o] = index;
    } else {
      call.OutputData<int32_t>(1)[o] = static_cast<int32_t>(index);
    }
  }
};

}  // namespace

POOLPROOF_EXPORT_BACKEND(ExampleBackend, "example", "1.0")
