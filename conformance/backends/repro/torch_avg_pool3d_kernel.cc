// PyTorch: mean in three dimensions with a kernel that only the padded input can hold.
//
//   g++ -std=c++17 torch_avg_pool3d_kernel.cc -ltorch_cpu -lc10 -o torch_avg_pool3d_kernel
//   ./torch_avg_pool3d_kernel
//
// One element, kernel 2, padding 1. avg_pool2d accepts that, avg_pool3d does not. Exits with 1 where
// the two differ.

#include <ATen/core/Tensor.h>
#include <ATen/ops/avg_pool2d.h>
#include <ATen/ops/avg_pool3d.h>
#include <ATen/ops/zeros.h>

#include <cstdio>

int main() {
  std::printf("2-D: %lld elements\n",
              static_cast<long long>(at::avg_pool2d(at::zeros({1, 1, 1, 1}), 2, 1, 1).numel()));
  try {
    std::printf("3-D: %lld elements\n",
                static_cast<long long>(
                    at::avg_pool3d(at::zeros({1, 1, 1, 1, 1}), 2, 1, 1).numel()));
  } catch (const c10::Error& error) {
    std::printf("3-D: %s\n", error.what_without_backtrace());
    return 1;
  }
  return 0;
}
