// The two computations that all operators come down to, and the kernels that do them, in the order in which they are
// asked. README.md says which takes what, and why.
#ifndef POOLPROOF_OPTIMIZED_KERNELS_KERNEL_TABLE_H_
#define POOLPROOF_OPTIMIZED_KERNELS_KERNEL_TABLE_H_

#include <string>
#include <string_view>
#include <vector>

#include "optimized/core/executor.h"
#include "optimized/core/plan.h"
#include "optimized/kernels/kernels.h"

namespace poolproof::optimized {

// Maximum of each window, and its position where the plan has an index type. The first NaN of a window
// in row-major order is its maximum, otherwise the first of equal values is. A window without taps
// gives minus infinity (integers: the lowest value) and index 0.
void MaxPool(const Plan& plan, const Buffers& buffers, Executor& executor);

// Mean of each window; see Divisor and Quotient. A window without taps gives 0.
void AveragePool(const Plan& plan, const Buffers& buffers, Executor& executor);

struct Kernel {
  const char* name;
  bool (*takes)(Pooling pooling, const Plan& plan);  // whether the answer is right
  bool (*pays)(Pooling pooling, const Plan& plan);   // of those it takes, whether no kernel further down is faster
  void (*run)(Pooling pooling, const Plan& plan, const Buffers& buffers, Executor& executor);
};

// The first that takes the plan and pays, or the one that is forced, if it takes the plan.
const Kernel& SelectKernel(Pooling pooling, const Plan& plan);

std::vector<std::string> KernelNames();
// From now on every plan that the named kernel takes is its own, in the whole process; "" for none. False, and nothing
// changed, for a name that is not in KernelNames().
bool ForceKernel(std::string_view name);

}  // namespace poolproof::optimized

#endif  // POOLPROOF_OPTIMIZED_KERNELS_KERNEL_TABLE_H_
