// The few functions of OpenVINO's C library that are needed, loaded at run time, so that the
// adapter builds without OpenVINO and takes whichever version is installed.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <stdexcept>

extern "C" {
struct ov_core;
struct ov_model;
struct ov_compiled_model;
struct ov_infer_request;
struct ov_tensor;
struct ov_output_const_port;
struct ov_version {
  const char* build_number;
  const char* description;
};
struct ov_shape {
  int64_t rank;
  int64_t* dims;
};
}

// X(result, name without "ov_", parameters), as in openvino/c/*.h. Element types are int here: their
// numbers changed between releases, so they are learned from the library (see model.h). The number in
// core_compile_model is that of the words behind it: key, value, key, value.
#define POOLPROOF_OPENVINO_FUNCTIONS(X)                                                                           \
  X(int, get_openvino_version, (ov_version*))                                                                     \
  X(void, version_free, (ov_version*))                                                                            \
  X(const char*, get_last_err_msg, ())                                                                            \
  X(void, free, (const char*))                                                                                    \
  X(int, core_create, (ov_core**))                                                                                \
  X(void, core_free, (ov_core*))                                                                                  \
  X(int, core_read_model_from_memory_buffer, (const ov_core*, const char*, size_t, const ov_tensor*, ov_model**)) \
  X(int, core_compile_model, (const ov_core*, const ov_model*, const char*, size_t, ov_compiled_model**, ...))    \
  X(void, model_free, (ov_model*))                                                                                \
  X(int, model_const_output_by_index, (const ov_model*, size_t, ov_output_const_port**))                          \
  X(void, output_const_port_free, (ov_output_const_port*))                                                        \
  X(int, port_get_element_type, (const ov_output_const_port*, int*))                                              \
  X(int, const_port_get_shape, (const ov_output_const_port*, ov_shape*))                                          \
  X(void, shape_free, (ov_shape*))                                                                                \
  X(int, tensor_create_from_host_ptr, (int, ov_shape, void*, ov_tensor**))                                        \
  X(void, tensor_free, (ov_tensor*))                                                                              \
  X(void, compiled_model_free, (ov_compiled_model*))                                                              \
  X(int, compiled_model_create_infer_request, (const ov_compiled_model*, ov_infer_request**))                     \
  X(int, infer_request_set_input_tensor_by_index, (ov_infer_request*, size_t, const ov_tensor*))                  \
  X(int, infer_request_set_output_tensor_by_index, (ov_infer_request*, size_t, const ov_tensor*))                 \
  X(int, infer_request_infer, (ov_infer_request*))                                                                \
  X(void, infer_request_free, (ov_infer_request*))

namespace poolproof::openvino {

// The message of OpenVINO when a function of it fails.
class OpenvinoError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

// Owners of the library's objects.
template <typename Object>
using Owned = std::unique_ptr<Object, void (*)(Object*)>;

struct Library {
#define POOLPROOF_MEMBER(result, name, parameters) result(*name) parameters;
  POOLPROOF_OPENVINO_FUNCTIONS(POOLPROOF_MEMBER)
#undef POOLPROOF_MEMBER

  // Throws OpenvinoError with the library's own message where `status` is not OK.
  void Check(int status) const;

  // Returns what `function` writes to its last parameter. Throws OpenvinoError where it fails.
  template <typename Object, typename Function, typename... Arguments>
  Owned<Object> Get(void (*release)(Object*), Function function, Arguments... arguments) const {
    Object* object = nullptr;
    Check(function(arguments..., &object));
    return {object, release};
  }
};

// The library named by the environment variable POOLPROOF_OPENVINO_LIBRARY, else the one found when
// this adapter was configured, else libopenvino_c.so. Throws OpenvinoError if it does not load.
const Library& TheLibrary();

}  // namespace poolproof::openvino
