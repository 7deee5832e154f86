// Results of several threads are those of one thread, bit for bit. The problem's outermost dimension grows
// until its work is divided.
#include <algorithm>
#include <cstring>
#include <vector>

#include "conformance/cases/fill.h"
#include "conformance/properties/guarded.h"
#include "fuzz/harness.h"
#include "fuzz/own_instance.h"
#include "fuzz/problem_from_bytes.h"
#include "optimized/core/backend.h"
#include "optimized/core/target.h"
#include "reference/reference.h"

namespace {

using poolproof::Problem;

constexpr int kThreads[] = {1, 2, 3, 4};
// More than a call needs for its work to be divided.
constexpr int64_t kBytes = int64_t{200} << 10;
constexpr poolproof::WorkLimit kLimit = {300000, 1000000};

Problem Enlarged(Problem problem) {
  const auto bytes = static_cast<int64_t>(poolproof::reference::ElementSize(problem.type));
  const int64_t elements = problem.Elements();
  if (elements < 1 || elements > kLimit.elements) return problem;
  problem.shape[0] *= 1 + kBytes / (bytes * elements);
  problem.data.clear();
  problem.capacity = 0;
  return problem;
}

struct Memory {
  poolproof::GuardedMemory outputs[poolproof::kMaxOutputs];
};

poolproof_status Compute(poolproof_instance* instance, poolproof::Call* call, Memory* memory) {
  for (size_t i = 0; i < call->call.output_count; ++i) {
    poolproof_tensor& output = call->outputs[i];
    output.data = memory->outputs[i].Get(output.size_bytes, poolproof::Placement::kAtBegin);
    std::memset(output.data, 0x5a, output.size_bytes);
  }
  return poolproof::optimized::Backend().run(instance, &call->call);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using namespace poolproof;  // NOLINT: a C function
  // Never destroyed: what lasts as long as the process would else be leaked at its end.
  static std::vector<poolproof_instance*>& instances = *new std::vector<poolproof_instance*>;
  static const std::vector<std::string> targets = optimized::Targets();
  static GuardedMemory input;
  static Memory one, several;
  if (instances.empty()) {
    for (int threads : kThreads) instances.push_back(fuzz::NewOwnInstance(threads));
  }
  const uint64_t hash = fuzz::HashOf(data, size);
  const Problem problem = Enlarged(fuzz::RecentProblem(data, size));
  Call call;
  call.Bind(problem);
  optimized::SelectTarget(targets[hash % targets.size()]);
  if (optimized::Backend().infer_shapes(instances[0], &call.call) != POOLPROOF_OK ||
      !IsQuick(problem, call.call, kLimit)) {
    return 0;
  }
  call.inputs[0].data = input.Get(call.inputs[0].size_bytes, poolproof::Placement::kAtBegin);
  FillInput(problem, call.inputs[0].data);
  const size_t threads = 1 + (hash >> 32) % (instances.size() - 1);
  const poolproof_status expected = Compute(instances[0], &call, &one);
  bool same = Compute(instances[threads], &call, &several) == expected;
  for (size_t i = 0; same && i < call.call.output_count; ++i) {
    same = std::memcmp(one.outputs[i].data(), several.outputs[i].data(), call.outputs[i].size_bytes) == 0;
  }
  if (!same) fuzz::Fail(problem, "another result with " + std::to_string(kThreads[threads]) + " threads");
  return 0;
}
