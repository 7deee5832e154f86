#include "conformance/properties/in_process.h"

#include <dlfcn.h>

#include <algorithm>
#include <cstring>

#include "conformance/cases/fill.h"

namespace poolproof {
namespace {

// Bytes by which an output may be larger or smaller than needed.
constexpr int64_t kMaxCapacity = 1 << 20;

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

size_t WithCapacity(size_t bytes, Capacity capacity, size_t output) {
  capacity.more[output] = std::min(capacity.more[output], kMaxCapacity);
  return static_cast<size_t>(capacity.Room(output, static_cast<int64_t>(bytes)));
}

}  // namespace

bool InProcessBackend::Create(const std::vector<std::string>& options, Error* error) {
  std::vector<const char*> words;
  for (const std::string& option : options) words.push_back(option.c_str());
  char reason[512] = "";
  if (backend_->create(words.data(), words.size(), &instance_, reason, sizeof(reason)) == POOLPROOF_OK) return true;
  instance_ = nullptr;
  return Fail(std::string("create failed: ") + reason, error);
}

std::unique_ptr<InProcessBackend> InProcessBackend::Open(const std::string& path,
                                                         const std::vector<std::string>& options, Error* error) {
  std::unique_ptr<InProcessBackend> opened(new InProcessBackend);
  // The library stays loaded: sanitizers report into it until the process ends.
  void* library = dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (library == nullptr) {
    error->message = dlerror();
    return nullptr;
  }
  void* symbol = dlsym(library, "poolproof_get_backend");
  if (symbol == nullptr) {
    error->message = path + " does not export poolproof_get_backend";
    return nullptr;
  }
  opened->backend_ = reinterpret_cast<poolproof_get_backend_fn>(symbol)(POOLPROOF_ABI_VERSION);
  if (opened->backend_ == nullptr) {
    error->message = path + " does not serve ABI version " + std::to_string(POOLPROOF_ABI_VERSION);
    return nullptr;
  }
  if (!opened->Create(options, error)) {
    error->message.insert(0, path + ": ");
    return nullptr;
  }
  return opened;
}

std::unique_ptr<InProcessBackend> InProcessBackend::Link(const poolproof_backend& backend,
                                                         const std::vector<std::string>& options, Error* error) {
  std::unique_ptr<InProcessBackend> linked(new InProcessBackend);
  linked->backend_ = &backend;
  return linked->Create(options, error) ? std::move(linked) : nullptr;
}

InProcessBackend::~InProcessBackend() {
  if (instance_ != nullptr) backend_->destroy(instance_);
}

std::string InProcessBackend::LastError() const {
  return refusal_.empty() ? backend_->last_error(instance_) : refusal_;
}

poolproof_status InProcessBackend::Infer(Call* call) {
  refusal_.clear();
  running_ = "infer_shapes";
  const poolproof_status status = backend_->infer_shapes(instance_, &call->call);
  running_ = nullptr;
  return status;
}

poolproof_status InProcessBackend::Compute(const Problem& problem, const TensorLayout& layout, Call* call,
                                           TensorMemory* memory) {
  for (size_t i = 0; i < call->call.output_count; ++i) {
    poolproof_tensor& output = call->outputs[i];
    if (!IsConsistent(output) || output.size_bytes > layout.max_bytes) {
      refusal_ = "output " + std::to_string(i) + " of " + std::to_string(output.size_bytes) +
                 " bytes is not what its type and shape need, or too large to be run";
      return POOLPROOF_INTERNAL_ERROR;
    }
    output.size_bytes = WithCapacity(output.size_bytes, problem.capacity, i);
    output.data = memory->outputs[i].Get(output.size_bytes, layout.placement, ElementSize(output.element_type));
    std::memset(output.data, static_cast<int>(layout.prefill), output.size_bytes);
  }
  const size_t bytes = call->inputs[0].size_bytes;
  std::byte* input = memory->input.Get(bytes, layout.placement);
  if (layout.input == nullptr) {
    FillInput(problem, input);
  } else if (bytes > 0) {
    std::memcpy(input, layout.input, bytes);
  }
  call->inputs[0].data = input;
  running_ = "run";
  const poolproof_status status = backend_->run(instance_, &call->call);
  running_ = nullptr;
  return status;
}

Answer InProcessBackend::Run(const Problem& problem, TensorMemory* memory, const TensorLayout& layout) {
  Answer answer;
  Call call;
  call.Bind(problem);
  answer.status = Infer(&call);
  if (answer.status == POOLPROOF_OK) answer.status = Compute(problem, layout, &call, memory);
  if (answer.status == POOLPROOF_OK) std::copy_n(call.outputs, call.call.output_count, answer.outputs.begin());
  return answer;
}

}  // namespace poolproof
