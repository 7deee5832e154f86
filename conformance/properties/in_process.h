// A backend in the caller's own process: for tests and fuzz harnesses, where speed and sanitizers
// matter more than isolation.
#pragma once

#include <array>
#include <cstddef>
#include <memory>
#include <string>
#include <vector>

#include "conformance/format/error.h"
#include "conformance/properties/guarded.h"
#include "conformance/properties/property.h"

namespace poolproof {

// Memory of one problem's tensors; reused from problem to problem.
struct TensorMemory {
  GuardedMemory input;
  std::array<GuardedMemory, kMaxOutputs> outputs;
};

// How the tensors of a call lie in memory, and what is in them before the call.
struct TensorLayout {
  Placement placement = Placement::kAtEnd;
  std::byte prefill{0xa5};             // every byte of the outputs
  const std::byte* input = nullptr;    // the problem's input, where it has been filled before
  size_t max_bytes = size_t{1} << 26;  // of one output; a call that needs more is not run
};

class InProcessBackend {
 public:
  // Loads the shared object at `path` and creates an instance; nullptr and one sentence on failure.
  static std::unique_ptr<InProcessBackend> Open(const std::string& path, const std::vector<std::string>& options,
                                                Error* error);
  // The same for a backend that is linked into the program.
  static std::unique_ptr<InProcessBackend> Link(const poolproof_backend& backend,
                                                const std::vector<std::string>& options, Error* error);
  ~InProcessBackend();

  // infer_shapes: describes the outputs of `call`, which is bound to a problem.
  poolproof_status Infer(Call* call);
  // run: after Infer() was OK, with the tensors in `memory`, each of exactly the size that it needs, but for the
  // problem's capacity. INTERNAL_ERROR, and nothing is run, for outputs that are too large or whose size is not that of
  // their type and shape.
  poolproof_status Compute(const Problem& problem, const TensorLayout& layout, Call* call, TensorMemory* memory);
  // Both. The outputs of the answer lie in `memory`.
  Answer Run(const Problem& problem, TensorMemory* memory, const TensorLayout& layout = {});

  // The function of a backend that is running in this process, "run"; nullptr while none is.
  static const char* Running() { return running_; }

  // Why the last call was not OK.
  std::string LastError() const;
  const poolproof_backend& Backend() const { return *backend_; }
  poolproof_instance* Instance() const { return instance_; }

 private:
  InProcessBackend() = default;
  bool Create(const std::vector<std::string>& options, Error* error);

  const poolproof_backend* backend_ = nullptr;
  poolproof_instance* instance_ = nullptr;
  std::string refusal_;                                   // why Compute() has not called run
  static inline const char* volatile running_ = nullptr;  // read by signal handlers
};

}  // namespace poolproof
