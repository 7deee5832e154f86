#include "conformance/backends/openvino/library.h"

#include <dlfcn.h>

#include <cstdlib>

#ifndef POOLPROOF_OPENVINO_DEFAULT
#define POOLPROOF_OPENVINO_DEFAULT ""
#endif

namespace poolproof::openvino {
namespace {

std::string Path() {
  const char* from_environment = std::getenv("POOLPROOF_OPENVINO_LIBRARY");
  if (from_environment != nullptr && *from_environment != '\0') return from_environment;
  const char* configured = POOLPROOF_OPENVINO_DEFAULT;
  return *configured == '\0' ? "libopenvino_c.so" : configured;
}

template <typename Function>
void Load(void* handle, const char* name, Function* function) {
  *function = reinterpret_cast<Function>(dlsym(handle, name));
  if (*function == nullptr) throw OpenvinoError(std::string("OpenVINO has no function ") + name);
}

void LoadModelFunctions(void* handle, Library* library) {
  Load(handle, "ov_core_create", &library->core_create);
  Load(handle, "ov_core_free", &library->core_free);
  Load(handle, "ov_core_read_model_from_memory_buffer", &library->core_read_model_from_memory_buffer);
  Load(handle, "ov_core_compile_model", &library->core_compile_model);
  Load(handle, "ov_model_free", &library->model_free);
  Load(handle, "ov_model_const_output_by_index", &library->model_const_output_by_index);
  Load(handle, "ov_output_const_port_free", &library->output_const_port_free);
  Load(handle, "ov_port_get_element_type", &library->port_get_element_type);
  Load(handle, "ov_const_port_get_shape", &library->const_port_get_shape);
  Load(handle, "ov_shape_free", &library->shape_free);
}

void LoadRunFunctions(void* handle, Library* library) {
  Load(handle, "ov_tensor_create_from_host_ptr", &library->tensor_create_from_host_ptr);
  Load(handle, "ov_tensor_free", &library->tensor_free);
  Load(handle, "ov_compiled_model_free", &library->compiled_model_free);
  Load(handle, "ov_compiled_model_create_infer_request", &library->compiled_model_create_infer_request);
  Load(handle, "ov_infer_request_set_input_tensor_by_index", &library->infer_request_set_input_tensor_by_index);
  Load(handle, "ov_infer_request_set_output_tensor_by_index", &library->infer_request_set_output_tensor_by_index);
  Load(handle, "ov_infer_request_infer", &library->infer_request_infer);
  Load(handle, "ov_infer_request_free", &library->infer_request_free);
}

Library LoadLibrary() {
  const std::string path = Path();
  // Never closed: the library keeps threads and plugins of its own.
  void* handle = dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (handle == nullptr) throw OpenvinoError(std::string("OpenVINO does not load: ") + dlerror());
  Library library{};
  Load(handle, "ov_get_openvino_version", &library.get_openvino_version);
  Load(handle, "ov_version_free", &library.version_free);
  Load(handle, "ov_get_last_err_msg", &library.get_last_err_msg);
  Load(handle, "ov_free", &library.free_text);
  LoadModelFunctions(handle, &library);
  LoadRunFunctions(handle, &library);
  return library;
}

}  // namespace

void Library::Check(int status) const {
  if (status == 0) return;
  const char* message = get_last_err_msg();
  std::string text = message != nullptr ? message : "";
  free_text(message);
  for (char& c : text) {
    if (c == '\n') c = ' ';
  }
  throw OpenvinoError(text.empty() ? "status " + std::to_string(status) : text);
}

const Library& TheLibrary() {
  static const Library library = LoadLibrary();
  return library;
}

}  // namespace poolproof::openvino
