// OpenVINO as a backend: each call becomes a model of one layer, read from an IR and compiled.
//
// Options:
//   device=CPU              any device of the installation
//   dilations=omitted       the IR has the attributes of the call, no more (default)
//   dilations=written       MaxPool-8, MaxPool-14 and AvgPool-16 without dilations get their documented default, 1
//   cache=256               compiled models kept

#include <string>

#include "conformance/backends/adapter/entry.h"
#include "conformance/backends/openvino/ir.h"
#include "conformance/backends/openvino/model.h"

namespace poolproof::openvino {
namespace {

using backend::CallView;

class Openvino {
  // A compiled model has memory for its tensors. Above this, in bytes, shapes are asked of the model alone.
  static constexpr size_t kMostCompiled = size_t{1} << 28;

  // Calls `body` with the IR of the call, and its second input or null. What OpenVINO refuses to read
  // breaks a rule; what it reads but the device does not compile is not supported.
  template <typename Body>
  auto Guard(const CallView& call, const Body& body) {
    if (!IsVersionedName(call.Op())) {
      throw backend::Unsupported("OpenVINO has no operator " + std::string(call.Op()));
    }
    if (TypeName(call.Input(0).element_type).empty()) {
      throw backend::Unsupported("OpenVINO has no fixed-point element types");
    }
    try {
      return body(WriteIr(call, write_dilations_), call.InputCount() > 1 ? &call.Input(1) : nullptr);
    } catch (const ReadError& error) {
      throw backend::InvalidArgument(std::string("OpenVINO does not read the layer: ") + error.what());
    } catch (const OpenvinoError& error) {
      throw backend::Unsupported(std::string("OpenVINO does not compile the layer: ") + error.what());
    }
  }

 public:
  explicit Openvino(adapter::Options* options)
      : core_(options->Take("device", "CPU"), std::stoul(options->Take("cache", "256"))),
        write_dilations_(options->TakeWord("dilations", {"omitted", "written"}) == 1) {}

  // Everything is passed on to OpenVINO, which says itself what it does not support.
  static std::span<const adapter::Rule> Rules() { return {}; }

  void InferShapes(const CallView& call) {
    const auto shapes = Guard(call, [&](const std::string& ir, const poolproof_tensor* sizes) {
      return call.Input(0).size_bytes > kMostCompiled ? core_.Shapes(ir, call.OutputCount(), sizes)
                                                      : core_.Compile(ir, call.OutputCount(), sizes).outputs;
    });
    for (size_t i = 0; i < shapes.size(); ++i) call.DescribeOutput(i, shapes[i].type, shapes[i].dims);
  }

  void Run(const CallView& call) {
    Model* model = Guard(call, [&](const std::string& ir, const poolproof_tensor* sizes) {
      return &core_.Compile(ir, call.OutputCount(), sizes);
    });
    call.CheckCapacity();
    try {
      core_.Infer(*model, call);
    } catch (const OpenvinoError& error) {
      throw backend::InvalidArgument(std::string("OpenVINO does not infer the layer: ") + error.what());
    }
  }

 private:
  Core core_;
  bool write_dilations_;
};

const char* Version() {
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

}  // namespace
}  // namespace poolproof::openvino

POOLPROOF_ADAPTER(poolproof::openvino::Openvino, "openvino", poolproof::openvino::Version())
