#include "conformance/properties/in_process.h"

#include <dlfcn.h>

#include "conformance/cases/fill.h"

namespace poolproof {
namespace {

// Whether the bytes that an output is said to need fit its type and shape. Memory of another size
// would be written past its end.
bool IsConsistent(const poolproof_tensor& output) {
  if (output.rank < 0 || output.rank > POOLPROOF_MAX_RANK) return false;
  size_t bytes = ElementSize(output.element_type);
  for (int32_t d = 0; d < output.rank; ++d) {
    if (output.dims[d] < 0) return false;
    if (__builtin_mul_overflow(bytes, static_cast<size_t>(output.dims[d]), &bytes)) return false;
  }
  return ElementSize(output.element_type) != 0 && bytes == output.size_bytes;
}

}  // namespace

std::unique_ptr<InProcessBackend> InProcessBackend::Open(const std::string& path,
                                                         const std::vector<std::string>& options, Error* error) {
  std::unique_ptr<InProcessBackend> opened(new InProcessBackend);
  opened->library_ = dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (opened->library_ == nullptr) {
    error->message = dlerror();
    return nullptr;
  }
  void* symbol = dlsym(opened->library_, "poolproof_get_backend");
  if (symbol == nullptr) {
    error->message = path + " does not export poolproof_get_backend";
    return nullptr;
  }
  const auto get = reinterpret_cast<poolproof_get_backend_fn>(symbol);
  opened->backend_ = get(POOLPROOF_ABI_VERSION);
  if (opened->backend_ == nullptr) {
    error->message = path + " does not serve ABI version " + std::to_string(POOLPROOF_ABI_VERSION);
    return nullptr;
  }
  std::vector<const char*> words;
  for (const std::string& option : options) words.push_back(option.c_str());
  char reason[512] = "";
  if (opened->backend_->create(words.data(), words.size(), &opened->instance_, reason, sizeof(reason)) !=
      POOLPROOF_OK) {
    opened->instance_ = nullptr;
    error->message = path + ": create failed: " + reason;
    return nullptr;
  }
  return opened;
}

// The library stays loaded: sanitizers report into it after this.
InProcessBackend::~InProcessBackend() {
  if (instance_ != nullptr) backend_->destroy(instance_);
}

Answer InProcessBackend::Run(const Problem& problem, TensorMemory* memory, size_t max_bytes) {
  Answer answer;
  Call call;
  call.Bind(problem);
  answer.status = backend_->infer_shapes(instance_, &call.call);
  if (answer.status != POOLPROOF_OK) return answer;
  memory->input.resize(call.inputs[0].size_bytes);
  memory->input.shrink_to_fit();
  FillInput(problem, memory->input.data());
  call.inputs[0].data = memory->input.data();
  for (size_t i = 0; i < call.call.output_count; ++i) {
    const size_t needed = call.outputs[i].size_bytes + static_cast<size_t>(problem.capacity);
    if (!IsConsistent(call.outputs[i]) || needed > max_bytes) {
      answer.status = POOLPROOF_INTERNAL_ERROR;
      return answer;
    }
    memory->outputs[i].assign(needed, std::byte{0xa5});
    call.outputs[i].data = memory->outputs[i].data();
    call.outputs[i].size_bytes = needed;
  }
  answer.status = backend_->run(instance_, &call.call);
  for (size_t i = 0; i < call.call.output_count; ++i) answer.outputs[i] = call.outputs[i];
  return answer;
}

}  // namespace poolproof
