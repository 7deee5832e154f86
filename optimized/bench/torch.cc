// PyTorch: plain and channels-last tensors. Eight-bit maxima are those of quantized tensors.
#include <ATen/Parallel.h>
#include <ATen/ops/_make_per_tensor_quantized_tensor.h>
#include <ATen/ops/from_blob.h>
#include <ATen/ops/quantized_max_pool2d.h>
#include <c10/core/Allocator.h>
#include <c10/core/InferenceMode.h>

#include <cstdlib>
#include <map>
#include <memory>
#include <optional>
#include <vector>

#include "conformance/backends/torch/functions.h"
#include "optimized/bench/contestant.h"

namespace poolproof::optimized {
namespace {

// Hands freed blocks out again: a fresh page costs more than many a pooling.
class Recycler final : public c10::Allocator {
 public:
  c10::DataPtr allocate(size_t bytes) const override {
    std::vector<Block*>& free = Free()[bytes];
    Block* block;
    if (free.empty()) {
      block = static_cast<Block*>(std::aligned_alloc(64, 64 + (bytes + 63) / 64 * 64));
      block->bytes = bytes;
    } else {
      block = free.back();
      free.pop_back();
    }
    char* data = reinterpret_cast<char*>(block) + 64;
    return {data, block, &Release, c10::Device(c10::DeviceType::CPU)};
  }
  c10::DeleterFnPtr raw_deleter() const override { return nullptr; }

 private:
  struct Block {
    size_t bytes;
  };
  static std::map<size_t, std::vector<Block*>>& Free() {
    static auto* free = new std::map<size_t, std::vector<Block*>>;
    return *free;
  }
  static void Release(void* block) {
    Block* freed = static_cast<Block*>(block);
    Free()[freed->bytes].push_back(freed);
  }
};

class Torch : public Contestant {
 public:
  // Throws c10::Error where PyTorch does not have the workload.
  Torch(const Workload& w, at::ScalarType type, const void* input, bool channels_last) : workload_(w) {
    const c10::InferenceMode no_gradients;
    input_ = at::from_blob(const_cast<void*>(input), w.dims, at::TensorOptions(type));
    if (channels_last) {
      input_ =
          input_.contiguous(w.SpatialRank() == 2 ? at::MemoryFormat::ChannelsLast : at::MemoryFormat::ChannelsLast3d);
    }
    quantized_ = w.pool == Pool::kMax && !w.index && (type == at::kByte || type == at::kChar);
    if (quantized_) input_ = at::_make_per_tensor_quantized_tensor(input_, 1.0, 0);
    Run();
  }

  void Run() override {
    const c10::InferenceMode no_gradients;
    const Workload& w = workload_;
    if (quantized_) {
      values_ = at::quantized_max_pool2d(input_, w.kernel, w.strides, w.pads, w.dilations);
      return;
    }
    torch::Pooled pooled = torch::Pool(input_, {!IsMean(w.pool), w.IsAdaptive(), w.index, w.kernel, w.strides, w.pads,
                                                w.dilations, w.sizes, false, !w.exclude_pad});
    values_ = std::move(pooled.values);
    indices_ = std::move(pooled.indices);
  }

  const void* Values() override {
    plain_values_ = (quantized_ ? values_.int_repr() : values_).contiguous();
    return plain_values_.data_ptr();
  }

  // PyTorch counts from the beginning of each plane, MaxPool-8 from that of the tensor.
  const int64_t* Indices() override {
    if (!workload_.index) return nullptr;
    plain_indices_ = indices_.contiguous();
    int64_t* index = plain_indices_.data_ptr<int64_t>();
    const int64_t planes = workload_.dims[0] * workload_.dims[1];
    const int64_t in = workload_.InElements() / planes, out = workload_.OutElements() / planes;
    positions_.assign(index, index + planes * out);
    if (workload_.IsAdaptive()) return positions_.data();
    for (int64_t i = 0; i < planes * out; ++i) positions_[static_cast<size_t>(i)] += i / out * in;
    return positions_.data();
  }

 private:
  const Workload& workload_;
  bool quantized_ = false;
  at::Tensor input_, values_, indices_, plain_values_, plain_indices_;
  std::vector<int64_t> positions_;
};

void Initialize() {
  static Recycler recycler;
  static const bool once = [] {
    c10::SetAllocator(c10::DeviceType::CPU, &recycler, 255);
    at::set_num_threads(BenchmarkThreads());
    return true;
  }();
  static_cast<void>(once);
}

std::unique_ptr<Contestant> Enter(const Workload& w, const void* input, bool channels_last) {
  const std::optional<at::ScalarType> type = torch::ScalarTypeOf(w.type);
  if (w.IsMli() || !type) return nullptr;
  Initialize();
  try {
    return std::make_unique<Torch>(w, *type, input, channels_last);
  } catch (const c10::Error&) {
    return nullptr;
  }
}

std::unique_ptr<Contestant> EnterPlain(const Workload& w, const void* input) { return Enter(w, input, false); }

std::unique_ptr<Contestant> EnterChannelsLast(const Workload& w, const void* input) {
  return w.SpatialRank() == 1 ? nullptr : Enter(w, input, true);
}

}  // namespace

std::vector<Entrant> TorchEntrants() {
  return {{"PyTorch", Role::kPeer, EnterPlain}, {"PyTorch channels last", Role::kAnyLayout, EnterChannelsLast}};
}

}  // namespace poolproof::optimized
