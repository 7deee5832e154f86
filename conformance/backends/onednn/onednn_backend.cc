// oneDNN as a backend: one pooling primitive per call, on the CPU, single-threaded.
//
// Option layout=plain|nhwc|blocked8|blocked16 says in which memory layout the primitive works;
// everything but plain costs reorders, which copy values unchanged.

#include <omp.h>

#include <memory>
#include <oneapi/dnnl/dnnl.hpp>
#include <string>

#include "conformance/backends/adapter/entry.h"
#include "conformance/backends/onednn/mapping.h"
#include "conformance/backends/onednn/workspace.h"

namespace poolproof::onednn {
namespace {

using adapter::Answer;
using adapter::PoolCall;
using dnnl::memory;
using PrimitiveDesc = dnnl::pooling_v2_forward::primitive_desc;

Answer FromError(const dnnl::error& error) {
  if (error.status == dnnl_unimplemented) {
    return adapter::Unsupported(std::string("oneDNN has no implementation: ") + error.what());
  }
  if (error.status == dnnl_invalid_arguments) {
    return adapter::Invalid(std::string("oneDNN rejects the arguments: ") + error.what());
  }
  return {POOLPROOF_INTERNAL_ERROR, error.what()};
}

class OnednnAdapter final : public adapter::PoolAdapter {
 public:
  explicit OnednnAdapter(Layout layout)
      : PoolAdapter(Rules()), layout_(layout), engine_(dnnl::engine::kind::cpu, 0), stream_(engine_) {}

 protected:
  Answer Prepare(PoolCall* call) override {
    omp_set_num_threads(1);
    try {
      primitive_desc_ = PrimitiveDesc(Descriptor(*call, layout_), engine_);
    } catch (const dnnl::error& error) {
      return FromError(error);
    }
    return {};
  }

  Answer Compute(const PoolCall& call, const void* input, void* values, void* indices) override {
    try {
      memory source = FromPlain(call, input);
      memory destination = Destination(call, values);
      memory workspace = Execute(source, destination, indices != nullptr);
      if (layout_ != Layout::kPlain) Reorder(destination, PlainOutput(call, values));
      if (indices != nullptr) StoreWorkspace(call, workspace, indices);
    } catch (const dnnl::error& error) {
      return FromError(error);
    }
    return {};
  }

 private:
  memory Plain(const PoolCall& call, const memory::dims& dims, memory::data_type type, void* data) {
    return memory({dims, type, Tag(Layout::kPlain, call.Spatial())}, engine_, data);
  }

  memory PlainOutput(const PoolCall& call, void* values) {
    return Plain(call, OutputDims(call), DataType(call.type), values);
  }

  void Reorder(memory from, memory to) {
    dnnl::reorder(from, to).execute(stream_, from, to);
    stream_.wait();
  }

  // The input in the layout of the primitive. oneDNN only reads it, though its type says otherwise.
  memory FromPlain(const PoolCall& call, const void* input) {
    memory plain = Plain(call, InputDims(call), DataType(call.type), const_cast<void*>(input));
    if (layout_ == Layout::kPlain) return plain;
    memory own(primitive_desc_.src_desc(), engine_);
    Reorder(plain, own);
    return own;
  }

  memory Destination(const PoolCall& call, void* values) {
    if (layout_ == Layout::kPlain) return PlainOutput(call, values);
    return memory(primitive_desc_.dst_desc(), engine_);
  }

  // Returns the workspace, empty where there is none.
  memory Execute(const memory& source, const memory& destination, bool workspace) {
    memory words;
    std::unordered_map<int, memory> arguments = {{DNNL_ARG_SRC, source}, {DNNL_ARG_DST, destination}};
    if (workspace) {
      words = memory(primitive_desc_.workspace_desc(), engine_);
      arguments.insert({DNNL_ARG_WORKSPACE, words});
    }
    dnnl::pooling_v2_forward(primitive_desc_).execute(stream_, arguments);
    stream_.wait();
    return words;
  }

  void StoreWorkspace(const PoolCall& call, memory words, void* indices) {
    const auto type = static_cast<memory::data_type>(words.get_desc().data.data_type);
    const memory::desc plain(OutputDims(call), type, Tag(Layout::kPlain, call.Spatial()));
    if (words.get_desc() != plain) {
      memory own(plain, engine_);
      Reorder(words, own);
      words = own;
    }
    if (type == memory::data_type::u8) {
      StoreIndices(call, static_cast<const uint8_t*>(words.get_data_handle()), indices);
    } else {
      StoreIndices(call, static_cast<const int32_t*>(words.get_data_handle()), indices);
    }
  }

  Layout layout_;
  dnnl::engine engine_;
  dnnl::stream stream_;
  PrimitiveDesc primitive_desc_;  // of the call in hand
};

struct Onednn {
  static const char* Name() { return "onednn"; }
  static const char* Version() {
    static const std::string version = [] {
      const dnnl_version_t* v = dnnl_version();
      return std::to_string(v->major) + "." + std::to_string(v->minor) + "." + std::to_string(v->patch);
    }();
    return version.c_str();
  }
  static std::span<const adapter::Rule> Rules() { return onednn::Rules(); }
  static std::unique_ptr<adapter::Adapter> Make(adapter::Options* options) {
    const size_t layout = options->TakeWord("layout", {"plain", "nhwc", "blocked8", "blocked16"});
    return std::make_unique<OnednnAdapter>(static_cast<Layout>(layout));
  }
};

}  // namespace
}  // namespace poolproof::onednn

POOLPROOF_ADAPTER(poolproof::onednn::Onednn)
