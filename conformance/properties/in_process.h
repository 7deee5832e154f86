// A backend in the caller's own process: for tests and fuzz harnesses, where speed and sanitizers
// matter more than isolation.
#ifndef POOLPROOF_CONFORMANCE_PROPERTIES_IN_PROCESS_H_
#define POOLPROOF_CONFORMANCE_PROPERTIES_IN_PROCESS_H_

#include <cstddef>
#include <memory>
#include <string>
#include <vector>

#include "conformance/properties/property.h"

namespace poolproof {

// Memory of one problem's tensors; reused from problem to problem.
struct TensorMemory {
  std::vector<std::byte> input;
  std::array<std::vector<std::byte>, kMaxOutputs> outputs;
};

class InProcessBackend {
 public:
  // Loads the shared object at `path` and creates an instance; nullptr and one sentence on failure.
  static std::unique_ptr<InProcessBackend> Open(const std::string& path, const std::vector<std::string>& options,
                                                Error* error);
  ~InProcessBackend();

  // infer_shapes and, where that is OK, run. The outputs of the answer lie in `memory`, which has
  // exactly the size that the tensors need. Outputs above `max_bytes`, or whose size is not that of
  // their type and shape, are not run: INTERNAL_ERROR.
  Answer Run(const Problem& problem, TensorMemory* memory, size_t max_bytes = size_t{1} << 26);
  const char* LastError() const { return backend_->last_error(instance_); }
  const poolproof_backend& Backend() const { return *backend_; }
  poolproof_instance* Instance() const { return instance_; }

 private:
  InProcessBackend() = default;

  void* library_ = nullptr;
  const poolproof_backend* backend_ = nullptr;
  poolproof_instance* instance_ = nullptr;
};

}  // namespace poolproof

#endif  // POOLPROOF_CONFORMANCE_PROPERTIES_IN_PROCESS_H_
