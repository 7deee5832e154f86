#include "conformance/backends/openvino/model.h"

#include <algorithm>
#include <cstring>
#include <utility>

#include "conformance/backends/openvino/ir.h"

namespace poolproof::openvino {
namespace {

Owned<ov_core> MakeCore(const Library& library) {
  ov_core* core = nullptr;
  library.Check(library.core_create(&core));
  return {core, library.core_free};
}

}  // namespace

Core::Core(std::string device, size_t capacity)
    : library_(TheLibrary()),
      device_(std::move(device)),
      capacity_(std::max<size_t>(1, capacity)),
      core_(MakeCore(library_)) {
  LearnTypes();
}

// The library is asked for the number of each type by a model that passes its input through.
void Core::LearnTypes() {
  for (poolproof_element_type type = POOLPROOF_F64; type <= POOLPROOF_U64; ++type) {
    const Owned<ov_model> model = Read(WriteIdentityIr(type), nullptr);
    ov_output_const_port* port = nullptr;
    library_.Check(library_.model_const_output_by_index(model.get(), 0, &port));
    const Owned<ov_output_const_port> owned(port, library_.output_const_port_free);
    library_.Check(library_.port_get_element_type(port, &types_[static_cast<size_t>(type)]));
  }
}

Owned<ov_model> Core::Read(const std::string& ir, const ov_tensor* weights) const {
  ov_model* model = nullptr;
  try {
    library_.Check(library_.core_read_model_from_memory_buffer(core_.get(), ir.data(), ir.size(), weights, &model));
  } catch (const OpenvinoError& error) {
    throw ReadError(error.what());
  }
  return {model, library_.model_free};
}

Owned<ov_tensor> Core::Tensor(poolproof_element_type type, const int64_t* dims, int32_t rank, void* data) const {
  std::array<int64_t, POOLPROOF_MAX_RANK> copy{};
  std::copy(dims, dims + rank, copy.begin());
  ov_tensor* tensor = nullptr;
  library_.Check(library_.tensor_create_from_host_ptr(types_[static_cast<size_t>(type)], ov_shape{rank, copy.data()},
                                                      data, &tensor));
  return {tensor, library_.tensor_free};
}

OutputShape Core::Describe(const ov_model* model, size_t output) const {
  ov_output_const_port* port = nullptr;
  library_.Check(library_.model_const_output_by_index(model, output, &port));
  const Owned<ov_output_const_port> owned(port, library_.output_const_port_free);
  int type = 0;
  library_.Check(library_.port_get_element_type(port, &type));
  ov_shape shape{};
  library_.Check(library_.const_port_get_shape(port, &shape));
  OutputShape described;
  described.dims.assign(shape.dims, shape.dims + shape.rank);
  library_.shape_free(&shape);
  const auto* found = std::find(types_.begin() + 1, types_.end(), type);
  if (found != types_.end()) {
    described.type = static_cast<poolproof_element_type>(found - types_.begin());
  }
  return described;
}

Owned<ov_tensor> Core::Weights(const poolproof_tensor* weights, std::vector<int64_t>* bytes) const {
  if (weights == nullptr) return {nullptr, library_.tensor_free};
  bytes->resize((weights->size_bytes + 7) / 8 + 1);
  std::memcpy(bytes->data(), weights->data, weights->size_bytes);
  const auto size = static_cast<int64_t>(weights->size_bytes);
  return Tensor(POOLPROOF_U8, &size, 1, bytes->data());
}

std::vector<OutputShape> Core::Shapes(const std::string& ir, size_t outputs, const poolproof_tensor* weights) const {
  std::vector<int64_t> copy;
  const Owned<ov_tensor> bytes = Weights(weights, &copy);
  const Owned<ov_model> model = Read(ir, bytes.get());
  std::vector<OutputShape> shapes;
  for (size_t i = 0; i < outputs; ++i) shapes.push_back(Describe(model.get(), i));
  return shapes;
}

std::unique_ptr<Model> Core::Make(const std::string& ir, size_t outputs, const poolproof_tensor* weights) {
  auto made = std::make_unique<Model>(
      Model{{}, {}, {nullptr, library_.compiled_model_free}, {nullptr, library_.infer_request_free}});
  const Owned<ov_tensor> bytes = Weights(weights, &made->weights);
  const Owned<ov_model> model = Read(ir, bytes.get());
  for (size_t i = 0; i < outputs; ++i) made->outputs.push_back(Describe(model.get(), i));
  ov_compiled_model* compiled = nullptr;
  // With one thread OpenVINO loses the error of an inference and dies in a later one:
  // repro/openvino_pool.py.
  library_.Check(library_.core_compile_model(core_.get(), model.get(), device_.c_str(), 6, &compiled,
                                             "INFERENCE_NUM_THREADS", "2", "NUM_STREAMS", "1", "EXECUTION_MODE_HINT",
                                             "ACCURACY"));
  made->compiled.reset(compiled);
  ov_infer_request* request = nullptr;
  library_.Check(library_.compiled_model_create_infer_request(compiled, &request));
  made->request.reset(request);
  return made;
}

Model& Core::Compile(const std::string& ir, size_t outputs, const poolproof_tensor* weights) {
  std::string key = ir;
  if (weights != nullptr) key.append(static_cast<const char*>(weights->data), weights->size_bytes);
  const auto found = by_key_.find(key);
  if (found != by_key_.end()) {
    recent_.splice(recent_.begin(), recent_, found->second);
    return *recent_.front().second;
  }
  std::unique_ptr<Model> made = Make(ir, outputs, weights);
  if (recent_.size() >= capacity_) {
    by_key_.erase(recent_.back().first);
    recent_.pop_back();
  }
  recent_.emplace_front(key, std::move(made));
  by_key_[std::move(key)] = recent_.begin();
  return *recent_.front().second;
}

void Core::Infer(Model& model, const poolproof_call& call) {
  ov_infer_request* request = model.request.get();
  const poolproof_tensor& in = *call.inputs[0];
  const Owned<ov_tensor> input = Tensor(in.element_type, in.dims, in.rank, in.data);
  library_.Check(library_.infer_request_set_input_tensor_by_index(request, 0, input.get()));
  for (size_t i = 0; i < model.outputs.size(); ++i) {
    const OutputShape& shape = model.outputs[i];
    const Owned<ov_tensor> output =
        Tensor(shape.type, shape.dims.data(), static_cast<int32_t>(shape.dims.size()), call.outputs[i]->data);
    library_.Check(library_.infer_request_set_output_tensor_by_index(request, i, output.get()));
  }
  library_.Check(library_.infer_request_infer(request));
}

}  // namespace poolproof::openvino
