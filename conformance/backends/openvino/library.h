// The few functions of OpenVINO's C library that are needed, loaded at run time, so that the
// adapter builds without OpenVINO and takes whichever version is installed.
#ifndef POOLPROOF_CONFORMANCE_BACKENDS_OPENVINO_LIBRARY_H_
#define POOLPROOF_CONFORMANCE_BACKENDS_OPENVINO_LIBRARY_H_

#include <cstddef>
#include <cstdint>
#include <memory>
#include <stdexcept>
#include <string>

extern "C" {
// As in openvino/c/*.h. Element types are int here: their numbers changed between releases, so they
// are learned from the library (see model.h).
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

namespace poolproof::openvino {

// What OpenVINO says when a function of it fails.
class OpenvinoError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

struct Library {
  int (*get_openvino_version)(ov_version*);
  void (*version_free)(ov_version*);
  const char* (*get_last_err_msg)();
  void (*free_text)(const char*);

  int (*core_create)(ov_core**);
  void (*core_free)(ov_core*);
  int (*core_read_model_from_memory_buffer)(const ov_core*, const char* text, size_t size, const ov_tensor* weights,
                                            ov_model**);
  // Followed by `property_words` strings: key, value, key, value.
  int (*core_compile_model)(const ov_core*, const ov_model*, const char* device, size_t property_words,
                            ov_compiled_model**, ...);

  void (*model_free)(ov_model*);
  int (*model_const_output_by_index)(const ov_model*, size_t, ov_output_const_port**);
  void (*output_const_port_free)(ov_output_const_port*);
  int (*port_get_element_type)(const ov_output_const_port*, int* type);
  int (*const_port_get_shape)(const ov_output_const_port*, ov_shape*);
  void (*shape_free)(ov_shape*);

  int (*tensor_create_from_host_ptr)(int type, ov_shape, void* data, ov_tensor**);
  void (*tensor_free)(ov_tensor*);

  void (*compiled_model_free)(ov_compiled_model*);
  int (*compiled_model_create_infer_request)(const ov_compiled_model*, ov_infer_request**);
  int (*infer_request_set_input_tensor_by_index)(ov_infer_request*, size_t, const ov_tensor*);
  int (*infer_request_set_output_tensor_by_index)(ov_infer_request*, size_t, const ov_tensor*);
  int (*infer_request_infer)(ov_infer_request*);
  void (*infer_request_free)(ov_infer_request*);

  // Throws OpenvinoError with the library's own message where `status` is not OK.
  void Check(int status) const;
};

// The library named by the environment variable POOLPROOF_OPENVINO_LIBRARY, else the one found when
// this adapter was configured, else libopenvino_c.so. Throws OpenvinoError if it does not load.
const Library& TheLibrary();

// Owners of the library's objects.
template <typename Object>
using Owned = std::unique_ptr<Object, void (*)(Object*)>;

}  // namespace poolproof::openvino

#endif  // POOLPROOF_CONFORMANCE_BACKENDS_OPENVINO_LIBRARY_H_
