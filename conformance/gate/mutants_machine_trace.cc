#include <dlfcn.h>

#include "conformance/cases/run_limits.h"
#include "conformance/gate/mutants_machine.h"
#include "conformance/properties/in_process.h"

namespace poolproof {
namespace {

// Of larger problems, which take most of the time, nothing is traced: small ones come to every line but those of
// counters, which the gate comes to.
constexpr int64_t kMostTraced = 4000;

// The functions of machine.h in a library that is loaded.
struct Tracing {
  decltype(&poolproof_machine_trace) trace;
  decltype(&poolproof_machine_noted) noted;

  explicit Tracing(const std::string& library) {
    void* const handle = dlopen(library.c_str(), RTLD_NOW | RTLD_LOCAL);
    trace = reinterpret_cast<decltype(trace)>(dlsym(handle, "poolproof_machine_trace"));
    noted = reinterpret_cast<decltype(noted)>(dlsym(handle, "poolproof_machine_noted"));
    trace(true);
  }
  ~Tracing() { trace(false); }
};

void RunCase(const Problem& problem, InProcessBackend& backend, TensorMemory* memory) {
  if (!problem.ShapesAlone()) {
    backend.Run(problem, memory, {.max_bytes = size_t{kMaxRunBytes}});
    return;
  }
  Call call;
  call.Bind(problem);
  backend.Infer(&call);
}

}  // namespace

void SomeCases::Add(uint64_t n) {
  if (seen_++ % step_ != 0) return;
  kept_.push_back(n);
  if (kept_.size() < kMost) return;
  for (size_t i = 0; i < kMost / 2; ++i) kept_[i] = kept_[2 * i];
  kept_.resize(kMost / 2);
  step_ *= 2;
}

bool TraceMutants(const Plan& plan, const std::string& library, const std::vector<std::string>& options,
                  CasesOfMutants* cases, Error* error) {
  const std::unique_ptr<InProcessBackend> backend = InProcessBackend::Open(library, options, error);
  if (backend == nullptr) return false;
  const Tracing tracing(library);
  TensorMemory memory;
  PlannedCase planned;
  for (uint64_t n = 0; n < plan.Size(); ++n) {
    if (!plan.Get(n, &planned)) continue;
    if (!planned.problem.ShapesAlone() && planned.problem.Elements() > kMostTraced) continue;
    RunCase(planned.problem, *backend, &memory);
    size_t count = 0;
    const uint32_t* const noted = tracing.noted(&count);
    for (size_t i = 0; i < count; ++i) (*cases)[noted[i]].Add(n);
  }
  return true;
}

}  // namespace poolproof
