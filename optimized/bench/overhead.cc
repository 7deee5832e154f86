#include "optimized/bench/overhead.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <memory>
#include <vector>

#include "optimized/bench/contestant.h"
#include "optimized/bench/verify.h"
#include "optimized/core/backend.h"

namespace poolproof::optimized {
namespace {

constexpr double kGoal = 150;  // nanoseconds

// Fastest of many runs of `calls` calls, in nanoseconds per call.
template <typename F>
double Nanoseconds(const F& call) {
  using Clock = std::chrono::steady_clock;
  constexpr int kRuns = 200, kCalls = 500;
  double best = 1e30;
  for (int run = 0; run < kRuns; ++run) {
    const Clock::time_point start = Clock::now();
    for (int i = 0; i < kCalls; ++i) call();
    best = std::min(best, std::chrono::duration<double, std::nano>(Clock::now() - start).count() / kCalls);
  }
  return best;
}

Workload Tiny(const char* name, Pool pool, bool index) {
  Workload w;
  w.name = name;
  w.pool = pool;
  w.dims = {1, 1, 2, 2};
  w.kernel = w.strides = {2, 2};
  w.pads = {0, 0};
  w.dilations = {1, 1};
  w.index = index;
  w.exclude_pad = pool == Pool::kAverage;
  return w;
}

// The whole way: the call as a user of the backend makes it, checked each time.
double WholeCall(const Workload& w, const Memory<char>& input) {
  const poolproof_backend& backend = Backend();
  poolproof_instance* instance = nullptr;
  backend.create(nullptr, 0, &instance, nullptr, 0);
  WorkloadCall call(w);
  call.inputs[0].data = const_cast<char*>(input.data());
  call.inputs[0].size_bytes = input.size();
  std::vector<int64_t> outputs[2] = {std::vector<int64_t>(8), std::vector<int64_t>(8)};
  backend.infer_shapes(instance, &call.call);
  for (int i = 0; i < 2; ++i) call.outputs[i].data = outputs[i].data();
  const double time = Nanoseconds([&] { backend.run(instance, &call.call); });
  backend.destroy(instance);
  return time;
}

}  // namespace

void PrintOverhead() {
  fmt::print("Nanoseconds per call that pools four elements into one:\n");
  for (const Workload& w : {Tiny("maximum", Pool::kMax, false), Tiny("maximum with index", Pool::kMax, true),
                            Tiny("average", Pool::kAverage, false)}) {
    const Memory<char> input = MakeInput(w);
    const std::unique_ptr<Contestant> kernel = OwnEntrants()[0].enter(w, input.data());
    const double time = Nanoseconds([&] { kernel->Run(); });
    fmt::print("  {:20} kernel {:5.0f} of {}{}, with all checks of the call {:5.0f}\n", w.name, time, kGoal,
               time <= kGoal ? "" : " NOT MET", WholeCall(w, input));
  }
}

}  // namespace poolproof::optimized
