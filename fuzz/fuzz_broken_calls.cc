// Calls that are filled in wrongly: the oracle and the fast implementation refuse the same ones,
// each with a sentence, in infer_shapes as in run, and accept the same ones.
#include <algorithm>

#include "conformance/cases/fill.h"
#include "fuzz/agreement.h"
#include "fuzz/broken_call.h"
#include "fuzz/harness.h"
#include "fuzz/own_instance.h"
#include "fuzz/problem_from_bytes.h"
#include "optimized/core/backend.h"
#include "reference/reference.h"

namespace {

using poolproof::fuzz::BrokenCall;

poolproof_instance* Instance() {
  static poolproof_instance* instance = poolproof::fuzz::NewOwnInstance();
  return instance;
}

[[noreturn]] void Fail(const char* where, const poolproof::Problem& problem, poolproof_status status,
                       poolproof_status expected, const std::string& refusal) {
  const char* error = poolproof::optimized::Backend().last_error(Instance());
  poolproof::fuzz::Fail(problem, where + (": " + poolproof::fuzz::Answers(status, error, expected, refusal)));
}

// A refusal comes with a sentence.
bool Agree(poolproof_status status, poolproof_status expected, const std::string& refusal) {
  const bool says_why = *poolproof::optimized::Backend().last_error(Instance()) != '\0';
  return status == expected && says_why == (status != POOLPROOF_OK) && refusal.empty() == (expected == POOLPROOF_OK);
}

// Memory of one side.
struct Memory {
  poolproof::GuardedMemory input, outputs[poolproof::kMaxOutputs];

  void Attach(const poolproof::Problem& problem, BrokenCall* broken) {
    const auto bytes = static_cast<size_t>(problem.Elements()) * poolproof::reference::ElementSize(problem.type);
    broken->inputs[0].size_bytes = bytes;
    broken->inputs[0].data = input.Get(bytes, poolproof::Placement::kAtBegin);
    FillInput(problem, broken->inputs[0].data);
    for (size_t i = 0; i < broken->call.output_count; ++i) {
      broken->outputs[i].data = outputs[i].Get(broken->outputs[i].size_bytes, poolproof::Placement::kAtBegin);
    }
  }
};

// The oracle alone refuses what the ABI rules out, whatever else the call says.
void RefusesPointers(const poolproof::Problem& problem, uint64_t seed) {
  poolproof::Choices choices(seed);
  BrokenCall broken(problem, choices);
  broken.BreakPointers(choices);
  poolproof::reference::Context context;
  const poolproof_status status = poolproof::reference::InferShapes(broken.call, context);
  if ((status == POOLPROOF_OK) != context.error.empty()) {
    Fail("oracle", problem, status, status, context.error);
  }
}

// Whether the documents leave open that a call which has touched these entries is refused.
bool MayRefuse(const poolproof::reference::EntrySet& touched) {
  using poolproof::reference::Entry;
  return touched.Has(Entry::kMliReleaseChecks) || touched.Has(Entry::kZeroSize) || touched.Has(Entry::kIndexOverflow);
}

void Run(const poolproof::Problem& problem, BrokenCall* want, BrokenCall* got, uint64_t seed) {
  static Memory wanted, gotten;
  // The memory is that of the problem, so its shape and type have to be as well.
  if (want->inputs[0].element_type != problem.type || want->inputs[0].rank != problem.shape.size ||
      !std::equal(problem.shape.begin(), problem.shape.end(), want->inputs[0].dims) ||
      !poolproof::IsQuick(problem, want->call)) {
    return;
  }
  poolproof::Choices first(seed), second(seed);
  wanted.Attach(problem, want);
  gotten.Attach(problem, got);
  want->BreakMemory(first);
  got->BreakMemory(second);
  poolproof::reference::Context context;
  const poolproof_status expected = poolproof::reference::Run(want->call, context);
  if (MayRefuse(context.touched)) return;
  const poolproof_status status = poolproof::optimized::Backend().run(Instance(), &got->call);
  if (!Agree(status, expected, context.error)) {
    Fail("run", problem, status, expected, context.error);
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using namespace poolproof;  // NOLINT: a C function
  const Problem& problem = fuzz::RecentProblem(data, size);
  const uint64_t seed = fuzz::HashOf(data, size);
  if (seed % 8 == 0) RefusesPointers(problem, seed);
  Choices first(seed), second(seed);
  BrokenCall want(problem, first), got(problem, second);
  reference::Context context;
  const poolproof_status expected = reference::InferShapes(want.call, context);
  if (MayRefuse(context.touched)) return 0;
  const poolproof_status status = optimized::Backend().infer_shapes(Instance(), &got.call);
  const bool described = status == POOLPROOF_OK;
  if (!Agree(status, expected, context.error) || (described && !fuzz::SameOutputs(want.call, got.call))) {
    Fail("infer_shapes", problem, status, expected, context.error);
  }
  if (described) Run(problem, &want, &got, seed + 1);
  return 0;
}
