// The kernels, in the order in which they are asked. README.md says which takes what, and why.
#ifndef POOLPROOF_OPTIMIZED_KERNELS_KERNEL_TABLE_H_
#define POOLPROOF_OPTIMIZED_KERNELS_KERNEL_TABLE_H_

#include <string>
#include <string_view>
#include <vector>

#include "optimized/core/executor.h"
#include "optimized/core/plan.h"

namespace poolproof::optimized {

enum class Pooling : uint8_t { kMax, kMean };

struct Kernel {
  const char* name;
  bool (*takes)(const Plan& plan);  // whether the answer is right
  bool (*pays)(const Plan& plan);   // of those it takes, whether no kernel further down is faster
  void (*run)(const Plan& plan, const Buffers& buffers, Executor& executor);
};

// The first that takes the plan and pays, or the one that is forced, if it takes the plan.
const Kernel& SelectKernel(Pooling pooling, const Plan& plan);

// Each name once.
std::vector<std::string> KernelNames();
// From now on every plan that the named kernel takes is its own, in the whole process; "" for none. False, and nothing
// changed, for a name that is not in KernelNames().
bool ForceKernel(std::string_view name);

}  // namespace poolproof::optimized

#endif  // POOLPROOF_OPTIMIZED_KERNELS_KERNEL_TABLE_H_
