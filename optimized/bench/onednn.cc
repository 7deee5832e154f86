// oneDNN: plain layout, and the layout it chooses itself.
#include <omp.h>

#include <dnnl.hpp>
#include <memory>
#include <unordered_map>

#include "optimized/bench/contestant.h"

namespace poolproof::optimized {
namespace {

using dnnl::memory;

memory::data_type TypeOf(poolproof_element_type type) {
  switch (type) {
    case POOLPROOF_F32: return memory::data_type::f32;
    case POOLPROOF_BF16: return memory::data_type::bf16;
    case POOLPROOF_F16: return memory::data_type::f16;
    case POOLPROOF_I8: return memory::data_type::s8;
    case POOLPROOF_U8: return memory::data_type::u8;
    default: return memory::data_type::undef;
  }
}

memory::format_tag PlainTag(size_t rank) {
  return rank == 3 ? memory::format_tag::ncw : rank == 4 ? memory::format_tag::nchw : memory::format_tag::ncdhw;
}

// Blocks as long as a vector of f32, as its kernels want them.
memory::format_tag BlockedTag(const Workload& w) {
  static const bool avx512 = __builtin_cpu_supports("avx512f");
  switch (w.dims.size()) {
    case 3: return avx512 ? memory::format_tag::nCw16c : memory::format_tag::nCw8c;
    case 4: return avx512 ? memory::format_tag::nChw16c : memory::format_tag::nChw8c;
    default: return avx512 ? memory::format_tag::nCdhw16c : memory::format_tag::nCdhw8c;
  }
}

memory::format_tag ChannelsLastTag(const Workload& w) {
  return w.dims.size() == 3   ? memory::format_tag::nwc
         : w.dims.size() == 4 ? memory::format_tag::nhwc
                              : memory::format_tag::ndhwc;
}

dnnl::engine& Engine() {
  static dnnl::engine engine(dnnl::engine::kind::cpu, 0);
  return engine;
}

class Onednn : public Contestant {
 public:
  // Throws dnnl::error where oneDNN does not have the workload.
  Onednn(const Workload& w, const void* input, memory::format_tag tag) : stream_(Engine()) {
    const memory::data_type type = TypeOf(w.type);
    memory::dims out_dims = {w.dims[0], w.dims[1]};
    for (const int64_t size : w.OutSizes()) out_dims.push_back(size);
    const memory::dims pads(w.pads.begin(), w.pads.end());
    memory::dims dilations;
    for (const int64_t d : w.dilations) dilations.push_back(d - 1);
    memory::dims end = pads;
    for (size_t i = 0; i < end.size(); ++i) {
      end[i] = (out_dims[2 + i] - 1) * w.strides[i] + (w.kernel[i] - 1) * w.dilations[i] + 1 - w.dims[2 + i] - pads[i];
    }
    const memory::desc in(w.dims, type, tag), out(out_dims, type, tag);
    const auto algorithm = w.pool == Pool::kMax ? dnnl::algorithm::pooling_max
                           : w.exclude_pad      ? dnnl::algorithm::pooling_avg_exclude_padding
                                                : dnnl::algorithm::pooling_avg_include_padding;
    const auto kind = w.index ? dnnl::prop_kind::forward_training : dnnl::prop_kind::forward_inference;
    const dnnl::pooling_v2_forward::desc desc(kind, algorithm, in, out, w.strides, w.kernel, dilations, pads, end);
    const dnnl::pooling_v2_forward::primitive_desc primitive(desc, Engine());
    forward_ = dnnl::pooling_v2_forward(primitive);
    source_ = memory(in, Engine());
    target_ = memory(out, Engine());
    plain_target_ = memory({out_dims, type, PlainTag(w.dims.size())}, Engine());
    const memory plain({w.dims, type, PlainTag(w.dims.size())}, Engine(), const_cast<void*>(input));
    dnnl::reorder(plain, source_).execute(stream_, const_cast<memory&>(plain), source_);
    stream_.wait();
    arguments_ = {{DNNL_ARG_SRC, source_}, {DNNL_ARG_DST, target_}};
    if (w.index) arguments_[DNNL_ARG_WORKSPACE] = memory(primitive.workspace_desc(), Engine());
  }
  void Run() override {
    forward_.execute(stream_, arguments_);
    stream_.wait();
  }
  const void* Values() override {
    dnnl::reorder(target_, plain_target_).execute(stream_, target_, plain_target_);
    stream_.wait();
    return plain_target_.get_data_handle();
  }

 private:
  dnnl::stream stream_;
  dnnl::pooling_v2_forward forward_;
  memory source_, target_, plain_target_;
  std::unordered_map<int, memory> arguments_;
};

std::unique_ptr<Contestant> Enter(const Workload& w, const void* input, memory::format_tag tag) {
  const bool fixed = w.pool == Pool::kMax || w.pool == Pool::kAverage;
  if (!fixed || TypeOf(w.type) == memory::data_type::undef) return nullptr;
  omp_set_num_threads(BenchmarkThreads());
  try {
    return std::make_unique<Onednn>(w, input, tag);
  } catch (const dnnl::error&) {
    return nullptr;
  }
}

std::unique_ptr<Contestant> EnterPlain(const Workload& w, const void* input) {
  return Enter(w, input, PlainTag(w.dims.size()));
}

std::unique_ptr<Contestant> EnterBlocked(const Workload& w, const void* input) {
  return Enter(w, input, BlockedTag(w));
}

std::unique_ptr<Contestant> EnterChannelsLast(const Workload& w, const void* input) {
  return Enter(w, input, ChannelsLastTag(w));
}

}  // namespace

std::vector<Entrant> OnednnEntrants() {
  return {{"oneDNN", Role::kPeer, EnterPlain},
          {"oneDNN blocked", Role::kAnyLayout, EnterBlocked},
          {"oneDNN channels last", Role::kAnyLayout, EnterChannelsLast}};
}

}  // namespace poolproof::optimized
