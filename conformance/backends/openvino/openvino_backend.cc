// OpenVINO as a backend: each call becomes a model of one layer, read from an IR and compiled.
//
// Options:
//   device=CPU              any device of the installation
//   dilations=omitted       the IR has the attributes of the call, no more (default)
//   dilations=written       MaxPool-8 and -14 without dilations get their documented default, 1
//   cache=256               compiled models kept

#include <memory>
#include <string>

#include "conformance/backends/adapter/entry.h"
#include "conformance/backends/openvino/ir.h"
#include "conformance/backends/openvino/model.h"

namespace poolproof::openvino {
namespace {

using adapter::Answer;

size_t Bytes(const OutputShape& shape) {
  size_t bytes = adapter::ElementSize(shape.type);
  for (const int64_t dim : shape.dims) bytes *= static_cast<size_t>(dim);
  return bytes;
}

class OpenvinoAdapter final : public adapter::Adapter {
 public:
  OpenvinoAdapter(std::string device, bool write_dilations, size_t cache)
      : core_(std::move(device), cache), write_dilations_(write_dilations) {}

  Answer InferShapes(const poolproof_call& call) override {
    std::vector<OutputShape> shapes;
    const Answer answer = Guard(call, [&] {
      const std::string ir = WriteIr(call, write_dilations_);
      if (call.inputs[0]->size_bytes > kMostCompiled) {
        shapes = core_.Shapes(ir, call.output_count, Sizes(call));
      } else {
        shapes = core_.Compile(ir, call.output_count, Sizes(call)).outputs;
      }
    });
    for (size_t i = 0; answer.Ok() && i < call.output_count; ++i) {
      poolproof_tensor* output = call.outputs[i];
      output->element_type = shapes[i].type;
      output->rank = static_cast<int32_t>(shapes[i].dims.size());
      std::copy(shapes[i].dims.begin(), shapes[i].dims.end(), output->dims);
      output->size_bytes = Bytes(shapes[i]);
      output->frac_bits = 0;
    }
    return answer;
  }

  Answer Run(const poolproof_call& call) override {
    Model* model = nullptr;
    Answer answer =
        Guard(call, [&] { model = &core_.Compile(WriteIr(call, write_dilations_), call.output_count, Sizes(call)); });
    if (!answer.Ok()) return answer;
    for (size_t i = 0; i < call.output_count; ++i) {
      const size_t needed = Bytes(model->outputs[i]);
      if (call.outputs[i]->size_bytes < needed) {
        return adapter::Invalid("output " + std::to_string(i) + " has room for " +
                                std::to_string(call.outputs[i]->size_bytes) + " bytes; needed are " +
                                std::to_string(needed));
      }
    }
    try {
      core_.Infer(*model, call);
    } catch (const OpenvinoError& error) {
      return adapter::Invalid(std::string("OpenVINO does not infer the layer: ") + error.what());
    }
    return answer;
  }

 private:
  // A compiled model has memory for its tensors. Above this, shapes are asked of the model alone.
  static constexpr size_t kMostCompiled = size_t{1} << 28;

  static const poolproof_tensor* Sizes(const poolproof_call& call) {
    return call.input_count > 1 ? call.inputs[1] : nullptr;
  }

  // Calls `body` for a call that can be written as an IR. What OpenVINO refuses to read breaks a
  // rule; what it reads but the device does not compile is not supported.
  template <typename Body>
  static Answer Guard(const poolproof_call& call, const Body& body) {
    if (!IsVersionedName(call.op)) {
      return adapter::Unsupported(std::string("OpenVINO has no operator ") + call.op);
    }
    if (TypeName(call.inputs[0]->element_type).empty()) {
      return adapter::Unsupported("OpenVINO has no fixed-point element types");
    }
    try {
      body();
    } catch (const ReadError& error) {
      return adapter::Invalid(std::string("OpenVINO does not read the layer: ") + error.what());
    } catch (const OpenvinoError& error) {
      return adapter::Unsupported(std::string("OpenVINO does not compile the layer: ") + error.what());
    }
    return {};
  }

  Core core_;
  bool write_dilations_;
};

struct Openvino {
  static const char* Name() { return "openvino"; }

  static const char* Version() {
    static const std::string version = [] {
      try {
        const Library& library = TheLibrary();
        ov_version raw{};
        library.Check(library.get_openvino_version(&raw));
        std::string text = raw.build_number;
        library.version_free(&raw);
        return text;
      } catch (const OpenvinoError&) {
        return std::string("not installed");  // create says why
      }
    }();
    return version.c_str();
  }

  // Everything is passed on to OpenVINO, which says itself what it does not support.
  static std::span<const adapter::Rule> Rules() { return {}; }

  static std::unique_ptr<adapter::Adapter> Make(adapter::Options* options) {
    const std::string device = options->Take("device", "CPU");
    const bool write = options->TakeWord("dilations", {"omitted", "written"}) == 1;
    const std::string cache = options->Take("cache", "256");
    return std::make_unique<OpenvinoAdapter>(device, write, std::stoul(cache));
  }
};

}  // namespace
}  // namespace poolproof::openvino

POOLPROOF_ADAPTER(poolproof::openvino::Openvino)
