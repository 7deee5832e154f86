#include "optimized/kernels/pool.h"

#include "optimized/kernels/plain.h"

namespace poolproof::optimized {
namespace {

int64_t Work(const Plan& plan) {
  return (plan.InElements() + plan.OutElements()) * static_cast<int64_t>(BytesOf(plan.type));
}

}  // namespace

void MaxPool(const Plan& plan, const Buffers& buffers, Executor& executor) {
  executor.For(plan.outer, Work(plan), [&](int64_t begin, int64_t end, Scratch&) {
    PlainMax(plan, buffers, begin, end);
  });
}

void AveragePool(const Plan& plan, const Buffers& buffers, Executor& executor) {
  executor.For(plan.outer, Work(plan), [&](int64_t begin, int64_t end, Scratch&) {
    PlainAverage(plan, buffers, begin, end);
  });
}

}  // namespace poolproof::optimized
