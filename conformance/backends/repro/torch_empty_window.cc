// PyTorch: index of a window that lies in the padding, between whose taps the input is.
//
//   g++ -std=c++17 torch_empty_window.cc -ltorch_cpu -lc10 -o torch_empty_window
//   ./torch_empty_window
//
// One input element, kernel 2, dilation 2, padding 1: the taps are at -1 and 1. PyTorch gives index 1,
// an element that does not exist; unpooling would write there. Exits with 1 where that is so.

#include <ATen/core/Tensor.h>
#include <ATen/ops/max_pool2d_with_indices.h>
#include <ATen/ops/zeros.h>

#include <cstdio>

int main() {
  const at::Tensor x = at::zeros({1, 1, 1, 1}, at::kFloat);
  const auto [values, indices] =
      at::max_pool2d_with_indices(x, {1, 2}, {1, 1}, {0, 1}, {1, 2}, false);
  const int64_t index = *indices.data_ptr<int64_t>();
  std::printf("%lld elements, value %g, index %lld\n", static_cast<long long>(x.numel()),
              static_cast<double>(*values.data_ptr<float>()), static_cast<long long>(index));
  return index >= 0 && index < x.numel() ? 0 : 1;
}
