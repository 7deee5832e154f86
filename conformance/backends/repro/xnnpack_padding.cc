// XNNPACK: windows that lie in the padding, and taps there.
//
//   g++ -std=c++17 xnnpack_padding.cc -lXNNPACK -o xnnpack_padding && ./xnnpack_padding
//
// XNNPACK fills padding by repeating the border of the input. A window of padding alone is therefore
// the nearest border element for a maximum, 0/0 clamped to -inf for a mean, and argmax names a tap in
// the padding. A NaN leaves the clamp of the output as +inf. Exits with 1 where one of these is so.

#include <xnnpack.h>

#include <cmath>
#include <cstdio>
#include <limits>
#include <vector>

namespace {

constexpr float kInfinity = std::numeric_limits<float>::infinity();

// One channel, `in` of one row, kernel 1 x 2, pads 0 and 2 at the end: the last window is empty.
std::vector<float> Pool(bool mean, std::vector<float> in) {
  const size_t width = in.size();
  in.resize(width + XNN_EXTRA_BYTES);
  std::vector<float> out(width + 1 + XNN_EXTRA_BYTES);
  xnn_operator_t op = nullptr;
  if (mean) {
    xnn_create_average_pooling2d_nhwc_f32(0, 2, 0, 0, 1, 2, 1, 1, 1, 1, 1, -kInfinity, kInfinity, 0,
                                          &op);
    xnn_setup_average_pooling2d_nhwc_f32(op, 1, 1, width, in.data(), out.data(), nullptr);
  } else {
    xnn_create_max_pooling2d_nhwc_f32(0, 2, 0, 0, 1, 2, 1, 1, 1, 1, 1, 1, 1, -kInfinity, kInfinity,
                                      0, &op);
    xnn_setup_max_pooling2d_nhwc_f32(op, 1, 1, width, in.data(), out.data(), nullptr);
  }
  xnn_run_operator(op, nullptr);
  xnn_delete_operator(op);
  out.resize(width + 1);
  return out;
}

uint32_t ArgmaxOfOnePaddedElement() {
  std::vector<float> in(1 + XNN_EXTRA_BYTES), out(1 + XNN_EXTRA_BYTES);
  std::vector<uint32_t> tap(1 + XNN_EXTRA_BYTES);
  xnn_operator_t op = nullptr;
  xnn_create_argmax_pooling2d_nhwc_f32(1, 1, 1, 1, 3, 3, 1, 1, 1, 0, &op);
  xnn_setup_argmax_pooling2d_nhwc_f32(op, 1, 1, 1, in.data(), out.data(), tap.data(), nullptr);
  xnn_run_operator(op, nullptr);
  xnn_delete_operator(op);
  return tap[0];
}

}  // namespace

int main() {
  xnn_initialize(nullptr);
  const float maximum = Pool(false, {3, 5})[2];
  const float mean = Pool(true, {3, 5})[2];
  const float nan = Pool(false, {std::nanf(""), std::nanf("")})[0];
  const uint32_t tap = ArgmaxOfOnePaddedElement();
  std::printf("maximum of an empty window %g, mean %g, maximum of NaN %g, argmax at tap %u of 9, "
              "inside the input is tap 4\n",
              static_cast<double>(maximum), static_cast<double>(mean), static_cast<double>(nan), tap);
  return maximum == -kInfinity && std::isnan(nan) && tap == 4 ? 0 : 1;
}
