// A model of one layer: read, compiled for a device, ready to infer.
#pragma once

#include <array>
#include <list>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "conformance/backend_helper.h"
#include "conformance/backends/openvino/library.h"

namespace poolproof::openvino {

struct OutputShape {
  poolproof_element_type type = 0;  // 0 for a type that poolproof does not have
  backend::Dims dims;
};

// One compiled model with one infer request.
struct Model {
  std::vector<OutputShape> outputs;
  std::vector<int64_t> weights;  // bytes of the Const, which the model keeps pointing to
  Owned<ov_compiled_model> compiled;
  Owned<ov_infer_request> request;
};

// A read that OpenVINO refused: the layer breaks a rule of the operator.
class ReadError : public OpenvinoError {
 public:
  using OpenvinoError::OpenvinoError;
};

// OpenVINO's core with the models that were last used. Throws ReadError where a model cannot be
// read and OpenvinoError for everything else.
class Core {
 public:
  // Keeps up to `capacity` compiled models, at least 1. Two threads, one stream, no lower
  // precision than the model says.
  Core(std::string device, size_t capacity);

  // The compiled model of this IR with `outputs` results, whose Const, if any, has the bytes of
  // `weights`.
  Model& Compile(const std::string& ir, size_t outputs, const poolproof_tensor* weights);

  // Describes the outputs of such a model, without compiling it.
  std::vector<OutputShape> Shapes(const std::string& ir, size_t outputs, const poolproof_tensor* weights) const;

  // Runs `model` on the tensors of `call`.
  void Infer(Model& model, const backend::CallView& call);

 private:
  Owned<ov_model> Read(const std::string& ir, const ov_tensor* weights) const;
  Owned<ov_tensor> Tensor(poolproof_element_type type, backend::Dims dims, void* data) const;
  std::unique_ptr<Model> Make(const std::string& ir, size_t outputs, const poolproof_tensor* weights);
  // A tensor over a copy of the bytes of `weights` in `bytes`; null for null.
  Owned<ov_tensor> Weights(const poolproof_tensor* weights, std::vector<int64_t>* bytes) const;
  std::vector<OutputShape> Describe(const ov_model* model, size_t outputs) const;
  // The library's type and dimensions of an output.
  std::pair<int, backend::Dims> Port(const ov_model* model, size_t output) const;

  const Library& library_;
  std::string device_;
  size_t capacity_;
  Owned<ov_core> core_;
  // OpenVINO's number of each element type of backend.h.
  std::array<int, POOLPROOF_U64 + 1> types_{};

  using Entry = std::pair<std::string, std::unique_ptr<Model>>;
  std::list<Entry> recent_;  // latest first
};

}  // namespace poolproof::openvino
