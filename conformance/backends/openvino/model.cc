#include "conformance/backends/openvino/model.h"

#include <algorithm>
#include <cstring>

#include "conformance/backends/openvino/ir.h"

namespace poolproof::openvino {

Core::Core(std::string device, size_t capacity)
    : library_(TheLibrary()),
      device_(std::move(device)),
      capacity_(std::max<size_t>(1, capacity)),
      core_(library_.Get(library_.core_free, library_.core_create)) {
  // The library is asked for the number of each type by a model that passes its input through.
  for (poolproof_element_type type = POOLPROOF_F64; type <= POOLPROOF_U64; ++type) {
    types_[static_cast<size_t>(type)] = Port(Read(WriteIdentityIr(type), nullptr).get(), 0).first;
  }
}

Owned<ov_model> Core::Read(const std::string& ir, const ov_tensor* weights) const {
  try {
    return library_.Get(library_.model_free, library_.core_read_model_from_memory_buffer, core_.get(), ir.data(),
                        ir.size(), weights);
  } catch (const OpenvinoError& error) {
    throw ReadError(error.what());
  }
}

Owned<ov_tensor> Core::Tensor(poolproof_element_type type, backend::Dims dims, void* data) const {
  const ov_shape shape = {static_cast<int64_t>(dims.size()), dims.data()};
  return library_.Get(library_.tensor_free, library_.tensor_create_from_host_ptr, types_[static_cast<size_t>(type)],
                      shape, data);
}

std::pair<int, backend::Dims> Core::Port(const ov_model* model, size_t output) const {
  const auto port = library_.Get(library_.output_const_port_free, library_.model_const_output_by_index, model, output);
  int type = 0;
  library_.Check(library_.port_get_element_type(port.get(), &type));
  ov_shape shape{};
  library_.Check(library_.const_port_get_shape(port.get(), &shape));
  backend::Dims dims(shape.dims, shape.dims + shape.rank);
  library_.shape_free(&shape);
  return {type, std::move(dims)};
}

std::vector<OutputShape> Core::Describe(const ov_model* model, size_t outputs) const {
  std::vector<OutputShape> shapes;
  for (size_t i = 0; i < outputs; ++i) {
    auto [type, dims] = Port(model, i);
    const auto* found = std::find(types_.begin() + 1, types_.end(), type);
    const auto known = static_cast<poolproof_element_type>(found - types_.begin());
    shapes.push_back({found == types_.end() ? 0 : known, std::move(dims)});
  }
  return shapes;
}

Owned<ov_tensor> Core::Weights(const poolproof_tensor* weights, std::vector<int64_t>* bytes) const {
  if (weights == nullptr) return {nullptr, library_.tensor_free};
  bytes->resize((weights->size_bytes + 7) / 8 + 1);
  std::memcpy(bytes->data(), weights->data, weights->size_bytes);
  return Tensor(POOLPROOF_U8, {static_cast<int64_t>(weights->size_bytes)}, bytes->data());
}

std::vector<OutputShape> Core::Shapes(const std::string& ir, size_t outputs, const poolproof_tensor* weights) const {
  std::vector<int64_t> copy;
  const Owned<ov_tensor> bytes = Weights(weights, &copy);
  return Describe(Read(ir, bytes.get()).get(), outputs);
}

std::unique_ptr<Model> Core::Make(const std::string& ir, size_t outputs, const poolproof_tensor* weights) {
  auto made = std::make_unique<Model>(
      Model{{}, {}, {nullptr, library_.compiled_model_free}, {nullptr, library_.infer_request_free}});
  const Owned<ov_tensor> bytes = Weights(weights, &made->weights);
  const Owned<ov_model> model = Read(ir, bytes.get());
  made->outputs = Describe(model.get(), outputs);
  ov_compiled_model* compiled = nullptr;
  // With one thread OpenVINO loses the error of an inference and dies in a later one:
  // repro/openvino_pool.py.
  library_.Check(library_.core_compile_model(core_.get(), model.get(), device_.c_str(), 6, &compiled,
                                             "INFERENCE_NUM_THREADS", "2", "NUM_STREAMS", "1", "EXECUTION_MODE_HINT",
                                             "ACCURACY"));
  made->compiled.reset(compiled);
  made->request =
      library_.Get(library_.infer_request_free, library_.compiled_model_create_infer_request, made->compiled.get());
  return made;
}

Model& Core::Compile(const std::string& ir, size_t outputs, const poolproof_tensor* weights) {
  std::string key = ir;
  if (weights != nullptr) key.append(static_cast<const char*>(weights->data), weights->size_bytes);
  const auto found =
      std::find_if(recent_.begin(), recent_.end(), [&](const Entry& entry) { return entry.first == key; });
  if (found != recent_.end()) {
    recent_.splice(recent_.begin(), recent_, found);
  } else {
    std::unique_ptr<Model> made = Make(ir, outputs, weights);
    if (recent_.size() >= capacity_) recent_.pop_back();
    recent_.emplace_front(std::move(key), std::move(made));
  }
  return *recent_.front().second;
}

void Core::Infer(Model& model, const backend::CallView& call) {
  ov_infer_request* request = model.request.get();
  const poolproof_tensor& in = call.Input(0);
  const Owned<ov_tensor> input = Tensor(in.element_type, call.InputDims(0), in.data);
  library_.Check(library_.infer_request_set_input_tensor_by_index(request, 0, input.get()));
  for (size_t i = 0; i < model.outputs.size(); ++i) {
    const OutputShape& shape = model.outputs[i];
    const Owned<ov_tensor> output = Tensor(shape.type, shape.dims, call.Output(i).data);
    library_.Check(library_.infer_request_set_output_tensor_by_index(request, i, output.get()));
  }
  library_.Check(library_.infer_request_infer(request));
}

}  // namespace poolproof::openvino
