// oneDNN as a backend: one pooling primitive per call, on the CPU, single-threaded.
//
// Option layout=plain|nhwc|blocked8|blocked16 says in which memory layout the primitive works;
// everything but plain costs reorders, which copy values unchanged.

#include <omp.h>

#include <oneapi/dnnl/dnnl.hpp>
#include <string>
#include <unordered_map>

#include "conformance/backends/adapter/entry.h"

namespace poolproof::onednn {
namespace {

using adapter::Axis;
using adapter::PoolCall;
using adapter::Rule;
using dnnl::memory;
using PrimitiveDesc = dnnl::pooling_v2_forward::primitive_desc;

// data_type::undef where oneDNN has no such type.
memory::data_type DataType(poolproof_element_type type) {
  switch (type) {
    case POOLPROOF_F32: return memory::data_type::f32;
    case POOLPROOF_F16: return memory::data_type::f16;
    case POOLPROOF_BF16: return memory::data_type::bf16;
    case POOLPROOF_I8: return memory::data_type::s8;
    case POOLPROOF_U8: return memory::data_type::u8;
    case POOLPROOF_I32: return memory::data_type::s32;
    default: return memory::data_type::undef;
  }
}

bool PadReachesKernel(const Axis& axis) { return axis.pad_begin >= axis.kernel || axis.FloorPadEnd() >= axis.kernel; }

constexpr Rule kRules[] = {
    {"adaptive pooling", "oneDNN has no adaptive pooling primitive",
     [](const PoolCall& call) { return call.op->adaptive; }},
    {"element type f64, i16, u16, u32, i64 or u64", "oneDNN 2 has no such memory data type",
     [](const PoolCall& call) { return DataType(call.type) == memory::data_type::undef; }},
    {"a mean that excludes padding, with a pad that reaches the kernel",
     "oneDNN rejects average windows that can lie in padding alone",
     [](const PoolCall& call) { return !call.op->max && call.exclude_pad && call.AnyAxis(PadReachesKernel); }},
};

using tag = memory::format_tag;
enum Layout : size_t { kPlain };
constexpr const char* kLayouts[] = {"plain", "nhwc", "blocked8", "blocked16"};
constexpr tag kTags[4][3] = {{tag::ncw, tag::nchw, tag::ncdhw},
                             {tag::nwc, tag::nhwc, tag::ndhwc},
                             {tag::nCw8c, tag::nChw8c, tag::nCdhw8c},
                             {tag::nCw16c, tag::nChw16c, tag::nCdhw16c}};

dnnl::algorithm Algorithm(const PoolCall& call) {
  if (call.op->max) return dnnl::algorithm::pooling_max;
  return call.exclude_pad ? dnnl::algorithm::pooling_avg_exclude_padding : dnnl::algorithm::pooling_avg_include_padding;
}

// oneDNN takes the output size from the caller and checks it against floor((in + pads - extent) /
// stride) + 1, so the end pad is Axis::FloorPadEnd. Dilation 0 is dense in oneDNN.
dnnl::pooling_v2_forward::desc Descriptor(const PoolCall& call, size_t layout) {
  const memory::data_type type = DataType(call.type);
  const tag format = kTags[layout][call.axes.size() - 1];
  memory::dims dilations, pads_end;
  for (const Axis& axis : call.axes) {
    dilations.push_back(axis.dilation - 1);
    pads_end.push_back(axis.FloorPadEnd());
  }
  // Only training fills the workspace, which is where the indices are.
  const auto kind = call.op->indices ? dnnl::prop_kind::forward_training : dnnl::prop_kind::forward_inference;
  return {kind,
          Algorithm(call),
          memory::desc(call.dims, type, format),
          memory::desc(call.OutputDims(), type, format),
          call.Each(&Axis::stride),
          call.Each(&Axis::kernel),
          dilations,
          call.Each(&Axis::pad_begin),
          pads_end};
}

[[noreturn]] void Refuse(const dnnl::error& error) {
  if (error.status == dnnl_unimplemented) {
    throw backend::Unsupported(std::string("oneDNN has no implementation: ") + error.what());
  }
  if (error.status == dnnl_invalid_arguments) {
    throw backend::InvalidArgument(std::string("oneDNN rejects the arguments: ") + error.what());
  }
  throw error;
}

class Onednn final : public adapter::PoolAdapter {
 public:
  explicit Onednn(adapter::Options* options)
      : PoolAdapter(kRules),
        layout_(options->TakeWord("layout", {std::begin(kLayouts), std::end(kLayouts)})),
        engine_(dnnl::engine::kind::cpu, 0),
        stream_(engine_) {}
  static std::span<const Rule> Rules() { return kRules; }

 protected:
  void Prepare(PoolCall* call) override try {
    omp_set_num_threads(1);
    primitive_desc_ = PrimitiveDesc(Descriptor(*call, layout_), engine_);
  } catch (const dnnl::error& error) {
    Refuse(error);
  }

  void Compute(const PoolCall& call, const void* input, void* values, void* indices) override try {
    // oneDNN only reads its input, though its type says otherwise.
    memory source = Plain(call, call.dims, DataType(call.type), const_cast<void*>(input));
    const memory plain = Plain(call, call.OutputDims(), DataType(call.type), values);
    source = Reordered(source, primitive_desc_.src_desc());
    const memory destination = layout_ == kPlain ? plain : memory(primitive_desc_.dst_desc(), engine_);
    const memory workspace = Execute(source, destination, indices != nullptr);
    if (layout_ != kPlain) Reorder(destination, plain);
    if (indices != nullptr) Store(call, workspace, indices);
  } catch (const dnnl::error& error) {
    Refuse(error);
  }

 private:
  memory Plain(const PoolCall& call, const memory::dims& dims, memory::data_type type, void* data) {
    return memory({dims, type, kTags[kPlain][call.axes.size() - 1]}, engine_, data);
  }

  void Reorder(memory from, memory to) {
    dnnl::reorder(from, to).execute(stream_, from, to);
    stream_.wait();
  }

  // `from` where it already is as `desc` says, else a copy that is.
  memory Reordered(const memory& from, const memory::desc& desc) {
    if (from.get_desc() == desc) return from;
    memory own(desc, engine_);
    Reorder(from, own);
    return own;
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

  // The workspace has the row-major tap of each maximum, in a type that oneDNN chose. For a window
  // without any input there is nothing that oneDNN could name: 0.
  void Store(const PoolCall& call, const memory& workspace, void* indices) {
    const auto type = static_cast<memory::data_type>(workspace.get_desc().data.data_type);
    const memory words = Reordered(workspace, {call.OutputDims(), type, kTags[kPlain][call.axes.size() - 1]});
    const void* taps = words.get_data_handle();
    adapter::StoreIndices(call, indices, [&](int64_t plane, int64_t cell) -> int64_t {
      const int64_t at = plane * call.OutputPlane() + cell;
      const int64_t tap = type == memory::data_type::u8 ? int64_t{static_cast<const uint8_t*>(taps)[at]}
                                                        : int64_t{static_cast<const int32_t*>(taps)[at]};
      return call.TouchesInput(cell) ? call.TapPosition(cell, tap) : 0;
    });
  }

  size_t layout_;  // position in kLayouts
  dnnl::engine engine_;
  dnnl::stream stream_;
  PrimitiveDesc primitive_desc_;  // of the call in hand
};

const char* Version() {
  static const std::string version = [] {
    const dnnl_version_t* v = dnnl_version();
    return std::to_string(v->major) + "." + std::to_string(v->minor) + "." + std::to_string(v->patch);
  }();
  return version.c_str();
}

}  // namespace
}  // namespace poolproof::onednn

POOLPROOF_ADAPTER(poolproof::onednn::Onednn, "onednn", poolproof::onednn::Version())
