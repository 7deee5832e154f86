// PyTorch: indices of adaptive max pooling in bf16 above 256.
//
//   g++ -std=c++17 torch_bf16_indices.cc -ltorch_cpu -lc10 -o torch_bf16_indices
//   ./torch_bf16_indices
//
// A plane of 10 x 27 whose maximum is at 263. bf16 holds integers exactly up to 256 only, and the
// index goes through it. Exits with 1 where the index is another one.

#include <ATen/core/Tensor.h>
#include <ATen/ops/adaptive_max_pool2d.h>
#include <ATen/ops/zeros.h>

#include <cstdio>

int main() {
  at::Tensor x = at::zeros({1, 1, 10, 27}, at::kFloat);
  x.data_ptr<float>()[263] = 1;
  const auto [values, indices] = at::adaptive_max_pool2d(x.to(at::kBFloat16), {1, 1});
  const int64_t index = *indices.data_ptr<int64_t>();
  std::printf("the maximum is at 263, PyTorch says %lld\n", static_cast<long long>(index));
  return index == 263 ? 0 : 1;
}
