#include "optimized/kernels/pool.h"

#include "optimized/kernels/kernel_table.h"

namespace poolproof::optimized {
namespace {

// Adaptive windows that are all of the same few elements as fixed ones, which there are more ways for.
Plan FixEvenAxes(const Plan& plan) {
  constexpr int64_t kWidest = 4;
  Plan fixed = plan;
  for (Axis& axis : fixed.axis) {
    const int64_t kernel = axis.in / axis.out;
    if (!axis.adaptive || axis.in % axis.out != 0 || kernel > kWidest) continue;
    axis = {.in = axis.in, .out = axis.out, .kernel = kernel, .stride = kernel};
  }
  return fixed;
}

void Pool(Pooling pooling, const Plan& given, const Buffers& buffers, Executor& executor) {
  const Plan plan = FixEvenAxes(given);
  SelectKernel(pooling, plan).run(plan, buffers, executor);
}

}  // namespace

void MaxPool(const Plan& plan, const Buffers& buffers, Executor& executor) {
  Pool(Pooling::kMax, plan, buffers, executor);
}

void AveragePool(const Plan& plan, const Buffers& buffers, Executor& executor) {
  Pool(Pooling::kMean, plan, buffers, executor);
}

}  // namespace poolproof::optimized
