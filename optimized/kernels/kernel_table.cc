#include "optimized/kernels/kernel_table.h"

#include <algorithm>
#include <cstring>
#include <span>

#include "optimized/kernels/kernels.h"
#include "optimized/kernels/plain.h"
#include "optimized/kernels/pool.h"
#include "optimized/kernels/rows.h"

namespace poolproof::optimized {
namespace {

int64_t Work(const Plan& plan) {
  return (plan.InElements() + plan.OutElements()) * static_cast<int64_t>(BytesOf(plan.type));
}

// Planes [begin, end).
using PlaneKernel = void (*)(const Plan&, const Buffers&, int64_t begin, int64_t end, Scratch&);

void Share(PlaneKernel kernel, const Plan& plan, const Buffers& buffers, Executor& executor) {
  executor.For(plan.outer, Work(plan),
               [&](int64_t begin, int64_t end, Scratch& scratch) { kernel(plan, buffers, begin, end, scratch); });
}

void PlainMeanKernel(const Plan& plan, const Buffers& buffers, int64_t begin, int64_t end, Scratch&) {
  PlainAverage(plan, buffers, begin, end);
}

bool IsLong(const Plan& plan) { return plan.quotient != Quotient::kNearest && BytesOf(plan.type) == 8; }

PlaneKernel ChooseMean(const Plan& plan) {
  // The others keep copies of a row in lanes of up to 8 bytes.
  constexpr int64_t kWidestRow = int64_t{1} << 26;
  if (IsLong(plan) || plan.axis[2].in > kWidestRow / plan.inner) return PlainMeanKernel;
  return plan.quotient == Quotient::kNearest || SumBits(plan) <= 53 ? MeanInRows : PlainMeanKernel;
}

// Whether every window is one element, in order.
bool IsCopy(const Plan& plan) {
  bool copy = true;
  for (const Axis& axis : plan.axis) {
    copy = copy && !axis.adaptive && axis.kernel == 1 && axis.stride == 1 && axis.pad == 0 && axis.out == axis.in;
  }
  return copy;
}

void CopyKernel(const Plan& plan, const Buffers& buffers, int64_t begin, int64_t end, Scratch&) {
  const int64_t bytes = plan.InPlane() * plan.inner * static_cast<int64_t>(BytesOf(plan.type));
  const char* from = static_cast<const char*>(buffers.in) + begin * bytes;
  std::memcpy(static_cast<char*>(buffers.out) + begin * bytes, from, static_cast<size_t>((end - begin) * bytes));
}

// Whether there are so few taps that to prepare a kernel takes longer than to look at them one by one.
bool IsTiny(const Plan& plan) {
  constexpr int64_t kTaps = 32;
  const int64_t cells = plan.OutElements();
  return cells <= kTaps && plan.KernelTaps() <= kTaps / cells;
}

void RunRowsOfMax(const Plan& given, const Buffers& buffers, Executor& executor) {
  const Plan plan = MergePlanes(given);
  Share(MaxInRows, plan, buffers, executor);
}

void RunRowsOfMean(const Plan& given, const Buffers& buffers, Executor& executor) {
  const Plan plan = MergePlanes(given);
  Share(ChooseMean(plan), plan, buffers, executor);
}

template <PlaneKernel kKernel>
void RunPlanes(const Plan& plan, const Buffers& buffers, Executor& executor) {
  Share(kKernel, plan, buffers, executor);
}

// On the calling thread: it is for few elements.
void RunPlainMax(const Plan& plan, const Buffers& buffers, Executor&) { PlainMax(plan, buffers, 0, plan.outer); }
void RunPlainMean(const Plan& plan, const Buffers& buffers, Executor&) { PlainAverage(plan, buffers, 0, plan.outer); }

bool Always(const Plan&) { return true; }
bool RowsTakeMax(const Plan& plan) { return plan.index_type == 0 || HasNearWindows(plan); }
bool PaysForMax(const Plan& plan) {
  return plan.index_type == 0 ? InterleavedIsQuickerForMax(plan) : !HasLongRows(plan) || !HasNearWindows(plan);
}
bool PaysForMean(const Plan& plan) { return IsLong(plan) || InterleavedIsQuickerForMean(plan); }

constexpr Kernel kMaxKernels[] = {
    {"plain", Always, IsTiny, RunPlainMax},
    {"folded", FoldedTakesMax, FoldedIsQuickestForMax, RunPlanes<FoldedMax>},
    {"interleaved", InterleavedTakesMax, PaysForMax, RunPlanes<InterleavedMax>},
    {"rows", RowsTakeMax, Always, RunRowsOfMax},
};
constexpr Kernel kMeanKernels[] = {
    {"plain", Always, IsTiny, RunPlainMean},
    {"copy", IsCopy, Always, RunPlanes<CopyKernel>},
    {"folded", FoldedTakesMean, FoldedIsQuickestForMean, RunPlanes<FoldedMean>},
    {"interleaved", InterleavedTakesMean, PaysForMean, RunPlanes<InterleavedMean>},
    {"rows", Always, Always, RunRowsOfMean},
};

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

std::string_view g_forced;

}  // namespace

const Kernel& SelectKernel(Pooling pooling, const Plan& plan) {
  const std::span<const Kernel> kernels =
      pooling == Pooling::kMax ? std::span<const Kernel>(kMaxKernels) : std::span<const Kernel>(kMeanKernels);
  if (!g_forced.empty()) {
    for (const Kernel& kernel : kernels) {
      if (kernel.name == g_forced && kernel.takes(plan)) return kernel;
    }
  }
  for (const Kernel& kernel : kernels) {
    if (kernel.pays(plan) && kernel.takes(plan)) return kernel;  // in this order since it takes less time
  }
  return kernels.front();
}

std::vector<std::string> KernelNames() {
  std::vector<std::string> names;
  for (const Kernel& kernel : kMeanKernels) names.emplace_back(kernel.name);
  for (const Kernel& kernel : kMaxKernels) {
    if (std::find(names.begin(), names.end(), kernel.name) == names.end()) names.emplace_back(kernel.name);
  }
  return names;
}

bool ForceKernel(std::string_view name) {
  if (name.empty()) {
    g_forced = {};
    return true;
  }
  for (const std::span<const Kernel> kernels :
       {std::span<const Kernel>(kMaxKernels), std::span<const Kernel>(kMeanKernels)}) {
    for (const Kernel& kernel : kernels) {
      if (kernel.name != name) continue;
      g_forced = kernel.name;
      return true;
    }
  }
  return false;
}

void MaxPool(const Plan& plan, const Buffers& buffers, Executor& executor) {
  const Plan fixed = FixEvenAxes(plan);
  SelectKernel(Pooling::kMax, fixed).run(fixed, buffers, executor);
}

void AveragePool(const Plan& plan, const Buffers& buffers, Executor& executor) {
  const Plan fixed = FixEvenAxes(plan);
  SelectKernel(Pooling::kMean, fixed).run(fixed, buffers, executor);
}

}  // namespace poolproof::optimized
