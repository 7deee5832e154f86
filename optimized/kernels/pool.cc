#include "optimized/kernels/pool.h"

#include "optimized/kernels/max_kernels.h"
#include "optimized/kernels/plain.h"
#include "optimized/kernels/rows.h"

namespace poolproof::optimized {
namespace {

int64_t Work(const Plan& plan) {
  return (plan.InElements() + plan.OutElements()) * static_cast<int64_t>(BytesOf(plan.type));
}

using Kernel = void (*)(const Plan&, const Buffers&, int64_t, int64_t, Scratch&);

void PlainMaxKernel(const Plan& plan, const Buffers& buffers, int64_t begin, int64_t end, Scratch&) {
  PlainMax(plan, buffers, begin, end);
}

Kernel ChooseMax(const Plan& plan) {
  if (!RowsAreSensible(plan) || plan.index_type != 0) return PlainMaxKernel;
  if (plan.type == POOLPROOF_F16 || plan.type == POOLPROOF_BF16) return MaxRowsHalf;
  switch (BytesOf(plan.type)) {
    case 1: return MaxRows8;
    case 2: return MaxRows16;
    case 4: return MaxRows32;
    default: return MaxRows64;
  }
}

}  // namespace

void MaxPool(const Plan& plan, const Buffers& buffers, Executor& executor) {
  const Kernel kernel = ChooseMax(plan);
  executor.For(plan.outer, Work(plan), [&](int64_t begin, int64_t end, Scratch& scratch) {
    kernel(plan, buffers, begin, end, scratch);
  });
}

void AveragePool(const Plan& plan, const Buffers& buffers, Executor& executor) {
  executor.For(plan.outer, Work(plan), [&](int64_t begin, int64_t end, Scratch&) {
    PlainAverage(plan, buffers, begin, end);
  });
}

}  // namespace poolproof::optimized
