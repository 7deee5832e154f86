// PyTorch: adaptive mean of f16 in three dimensions.
//
//   g++ -std=c++17 torch_f16_mean.cc -ltorch_cpu -lc10 -o torch_f16_mean && ./torch_f16_mean
//
// The mean of 60000 and 60000 is 60000. It is summed in f16, where the sum is infinite. Exits with 1
// where that is so.

#include <ATen/core/Tensor.h>
#include <ATen/ops/adaptive_avg_pool3d.h>
#include <ATen/ops/full.h>

#include <cstdio>

int main() {
  const at::Tensor x = at::full({1, 1, 2, 2, 4}, 60000.0f, at::kFloat).to(at::kHalf);
  const at::Tensor mean = at::adaptive_avg_pool3d(x, {1, 1, 2}).to(at::kFloat);
  std::printf("the mean is 60000, PyTorch says %g\n", static_cast<double>(*mean.data_ptr<float>()));
  return *mean.data_ptr<float>() > 59000 && *mean.data_ptr<float>() < 61000 ? 0 : 1;
}
