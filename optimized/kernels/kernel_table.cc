#include "optimized/kernels/kernels.h"

#include <algorithm>
#include <cstring>

#include "optimized/kernels/rows.h"

namespace poolproof::optimized {
namespace {

bool Always(Pooling, const Plan&) { return true; }

// Whether there are so few taps that to prepare a kernel takes longer than to look at them one by one.
bool IsTiny(Pooling, const Plan& plan) {
  constexpr int64_t kTaps = 32;
  const int64_t cells = plan.OutElements();
  return cells <= kTaps && plan.KernelTaps() <= kTaps / cells;
}

// Whether every window is one element, in order, and is not divided.
bool IsCopy(Pooling, const Plan& plan) {
  const bool divides = plan.divisor == Divisor::kGiven && plan.given_divisor != 1;
  return plan.index_type == 0 && !divides && std::all_of(plan.axis, plan.axis + 3, [](const Axis& axis) {
           return !axis.adaptive && axis.kernel == 1 && axis.stride == 1 && axis.pad == 0 && axis.out == axis.in;
         });
}

bool FoldedPays(Pooling pooling, const Plan& plan) {
  const Times times = TimesOf(pooling, plan);
  return times.folded < std::min(times.interleaved, times.rows);
}

// Whether rows have so much of a vector that, with an index, `rows` is quicker than `interleaved`: of the 100 layers of
// `bench --random=1500 --seed=21` that both take, those that have take 0.66 times as long, others 1.65 times.
bool FillsVectors(const Plan& plan) {
  constexpr double kVector = 64, kEnough = 0.6;
  const auto lane = static_cast<double>(std::max<size_t>(2, BytesOf(plan.type)));
  return static_cast<double>(std::min(plan.axis[2].in, plan.axis[2].out)) * lane >= kEnough * kVector;
}

bool InterleavedPays(Pooling pooling, const Plan& plan) {
  if (!RowsTake(pooling, plan)) return true;
  if (plan.index_type != 0) return !FillsVectors(plan);
  const Times times = TimesOf(pooling, plan);
  return times.interleaved < times.rows;
}

// Calls pool(begin, end, scratch) with shares of the planes.
template <typename F>
void Share(const Plan& plan, Executor& executor, const F& pool) {
  const int64_t elements = plan.InElements() + plan.OutElements();
  executor.For(plan.outer, elements * static_cast<int64_t>(BytesOf(plan.type)), pool);
}

void RunPlain(Pooling pooling, const Plan& plan, const Buffers& buffers, Executor& executor) {
  const auto pool = pooling == Pooling::kMax ? PlainMax : PlainAverage;
  Share(plan, executor, [&](int64_t begin, int64_t end, Scratch&) { pool(plan, buffers, begin, end); });
}

void RunCopy(Pooling, const Plan& plan, const Buffers& buffers, Executor& executor) {
  const int64_t bytes = plan.InPlane() * plan.inner * static_cast<int64_t>(BytesOf(plan.type));
  const char* const in = static_cast<const char*>(buffers.in);
  char* const out = static_cast<char*>(buffers.out);
  Share(plan, executor, [&](int64_t begin, int64_t end, Scratch&) {
    std::memcpy(out + begin * bytes, in + begin * bytes, static_cast<size_t>((end - begin) * bytes));
  });
}

template <Way kWay>
void RunVectors(Pooling pooling, const Plan& given, const Buffers& buffers, Executor& executor) {
  const Plan plan = kWay == Way::kRows ? MergePlanes(given) : given;
  const auto pool = pooling == Pooling::kMax ? MaxByVectors : MeanByVectors;
  Share(plan, executor,
        [&](int64_t begin, int64_t end, Scratch& scratch) { pool(kWay, plan, buffers, begin, end, scratch); });
}

constexpr Kernel kKernels[] = {
    {"plain", Always, IsTiny, RunPlain},
    {"copy", IsCopy, Always, RunCopy},
    {"folded", FoldedTakes, FoldedPays, RunVectors<Way::kFolded>},
    {"interleaved", InterleavedTakes, InterleavedPays, RunVectors<Way::kInterleaved>},
    {"rows", RowsTake, Always, RunVectors<Way::kRows>},
};

const Kernel* g_forced = nullptr;

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

void Pool(Pooling pooling, const Plan& plan, const Buffers& buffers, Executor& executor) {
  const Plan fixed = FixEvenAxes(plan);
  SelectKernel(pooling, fixed).run(pooling, fixed, buffers, executor);
}

}  // namespace

const Kernel& SelectKernel(Pooling pooling, const Plan& plan) {
  if (g_forced != nullptr && g_forced->takes(pooling, plan)) return *g_forced;
  for (const Kernel& kernel : kKernels) {
    if (kernel.pays(pooling, plan) && kernel.takes(pooling, plan)) return kernel;  // in this order since it is quicker
  }
  return kKernels[0];
}

const Kernel& KernelOf(Pooling pooling, const Plan& plan) { return SelectKernel(pooling, FixEvenAxes(plan)); }

std::vector<std::string> KernelNames() {
  std::vector<std::string> names;
  for (const Kernel& kernel : kKernels) names.emplace_back(kernel.name);
  return names;
}

bool ForceKernel(std::string_view name) {
  const Kernel* found = nullptr;
  for (const Kernel& kernel : kKernels) found = kernel.name == name ? &kernel : found;
  if (found == nullptr && !name.empty()) return false;
  g_forced = found;
  return true;
}

void MaxPool(const Plan& plan, const Buffers& buffers, Executor& executor) {
  Pool(Pooling::kMax, plan, buffers, executor);
}

void AveragePool(const Plan& plan, const Buffers& buffers, Executor& executor) {
  Pool(Pooling::kMean, plan, buffers, executor);
}

}  // namespace poolproof::optimized
