// Max pooling on a GPU of NVIDIA: MaxPool-8 as in ../example_backend.cc, and the means of AvgPool-1, of f32, with explicit
// pads, rounded down. --backend-option=mistake=NAME makes one mistake of GPU code; README.md says what each earns.
#include <cuda_runtime.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <vector>

#include "conformance/backend_helper.h"

namespace {

using poolproof::backend::CallView;
using poolproof::backend::Dims;
using poolproof::backend::InvalidArgument;
using poolproof::backend::Unsupported;

constexpr int kThreads = 128;
constexpr int64_t kPause = 20'000'000, kForever = int64_t{1} << 37;  // cycles of the GPU's clock: 10 ms, over a minute
constexpr const char* kMistakes[] = {"none",        "no-synchronise-pageable", "no-synchronise-pinned", "past-device",
                                     "past-mapped", "illegal-address",         "atomic-mean",           "endless"};

void Check(cudaError_t error, const char* what) {
  if (error != cudaSuccess) throw std::runtime_error(std::string(what) + ": " + cudaGetErrorString(error));
}

// Memory of the device for as long as a call takes.
template <typename T>
class Buffer {
 public:
  explicit Buffer(int64_t count) { Check(cudaMalloc(&data_, static_cast<size_t>(count) * sizeof(T)), "cudaMalloc"); }
  ~Buffer() { cudaFree(data_); }
  Buffer(const Buffer&) = delete;
  Buffer& operator=(const Buffer&) = delete;
  T* Get() const { return data_; }

 private:
  T* data_ = nullptr;
};

struct Axis {
  int64_t size, kernel, stride, dilation, pad_begin, pad_end, out;
};
struct Window {
  Axis h, w;
  int64_t planes, bound;  // of an index
  bool exclude_pad;
  int64_t Outputs() const { return planes * h.out * w.out; }
};

// Position in the input of one tap; -1 in the padding.
__device__ int64_t Tap(const Window& s, int64_t o, int64_t tap) {
  const int64_t ow = o % s.w.out, oh = o / s.w.out % s.h.out, plane = o / s.w.out / s.h.out;
  const int64_t ih = oh * s.h.stride - s.h.pad_begin + tap / s.w.kernel * s.h.dilation;
  const int64_t iw = ow * s.w.stride - s.w.pad_begin + tap % s.w.kernel * s.w.dilation;
  const bool inside = ih >= 0 && ih < s.h.size && iw >= 0 && iw < s.w.size;
  return inside ? (plane * s.h.size + ih) * s.w.size + iw : -1;
}

__global__ void MaxPool(Window s, const float* in, float* values, int64_t* indices, int64_t outputs) {
  const int64_t o = blockIdx.x * int64_t{kThreads} + threadIdx.x;
  if (o >= outputs) return;
  int64_t best = -1;
  for (int64_t tap = 0; tap < s.h.kernel * s.w.kernel; ++tap) {
    const int64_t at = Tap(s, o, tap);
    // The first of equal ones; a NaN beats every number.
    if (at >= 0 && (best < 0 || in[at] > in[best] || (isnan(in[at]) && !isnan(in[best])))) best = at;
  }
  values[o] = best < 0 ? -INFINITY : in[best];
  indices[o] = best < 0 ? 0 : best % s.bound;
}

__device__ int64_t Divisor(const Window& s, int64_t o) {
  int64_t inside = 0;
  for (int64_t tap = 0; tap < s.h.kernel * s.w.kernel; ++tap) inside += Tap(s, o, tap) >= 0 ? 1 : 0;
  return s.exclude_pad ? inside : s.h.kernel * s.w.kernel;
}

__global__ void AvgPool(Window s, const float* in, float* values, int64_t outputs) {
  const int64_t o = blockIdx.x * int64_t{kThreads} + threadIdx.x;
  if (o >= outputs) return;
  double sum = 0;
  for (int64_t tap = 0; tap < s.h.kernel * s.w.kernel; ++tap) {
    const int64_t at = Tap(s, o, tap);
    if (at >= 0) sum += in[at];
  }
  values[o] = static_cast<float>(sum / static_cast<double>(Divisor(s, o)));
}

// A thread per tap: the order in which they come changes the sum.
__global__ void AtomicSum(Window s, const float* in, float* values, int64_t outputs) {
  const int64_t taps = s.h.kernel * s.w.kernel, at = blockIdx.x * int64_t{kThreads} + threadIdx.x;
  if (at >= outputs * taps) return;
  const int64_t from = Tap(s, at / taps, at % taps);
  if (from >= 0) atomicAdd(&values[at / taps], in[from]);
}

__global__ void Divide(Window s, float* values, int64_t outputs) {
  const int64_t o = blockIdx.x * int64_t{kThreads} + threadIdx.x;
  if (o < outputs) values[o] /= static_cast<float>(Divisor(s, o));
}

__global__ void Spin(int64_t cycles) {
  for (const int64_t begun = clock64(); clock64() - begun < cycles;) {
  }
}

__global__ void WriteAt(float* address) { *address = 1; }

unsigned Blocks(int64_t threads) { return static_cast<unsigned>((threads + kThreads - 1) / kThreads); }

Axis MakeAxis(const CallView& call, size_t axis, bool dilated) {
  Axis a = {call.Input(0).dims[2 + axis],        call.List("kernel", 2, 0)[axis],
            call.List("strides", 2, 0)[axis],    dilated ? call.List("dilations", 2, 1)[axis] : 1,
            call.List("pads_begin", 2, 0)[axis], call.List("pads_end", 2, 0)[axis], 0};
  if (a.kernel < 1 || a.stride < 1 || a.dilation < 1 || a.pad_begin < 0 || a.pad_end < 0) {
    throw InvalidArgument("kernel, strides and dilations start at 1, pads at 0");
  }
  const int64_t span = a.size + a.pad_begin + a.pad_end - ((a.kernel - 1) * a.dilation + 1);
  if (span < 0) throw InvalidArgument("the kernel is larger than the padded input");
  a.out = span / a.stride + 1;
  return a;
}

class CudaBackend {
 public:
  explicit CudaBackend(const std::vector<std::string>& options) {
    for (const std::string& option : options) {
      if (option.rfind("mistake=", 0) != 0) throw InvalidArgument("unknown option " + option);
      mistake_ = option.substr(std::strlen("mistake="));
    }
    if (std::find(std::begin(kMistakes), std::end(kMistakes), mistake_) == std::end(kMistakes)) {
      throw InvalidArgument("unknown mistake " + mistake_);
    }
    Check(cudaFree(nullptr), "cannot use the GPU");
  }

  void InferShapes(const CallView& call) {
    const bool max = call.Op() == "MaxPool-8";
    if (!max && call.Op() != "AvgPool-1") throw Unsupported("no operator " + std::string(call.Op()));
    const poolproof_tensor& input = call.Input(0);
    if (input.rank < 3 || input.rank > 5) throw InvalidArgument("the rank is not 3 to 5");
    if (input.rank != 4 || input.element_type != POOLPROOF_F32) throw Unsupported("f32 of two spatial dimensions only");
    if (call.WordOf("auto_pad", {"explicit", "same_upper", "same_lower", "valid"}) != "explicit") {
      throw Unsupported("no auto_pad");
    }
    if (call.WordOf("rounding_type", {"floor", "ceil"}) != "floor") throw Unsupported("floor only");
    if (max && call.WordOf("index_element_type", {"i64", "i32"}) != "i64") throw Unsupported("indices of i64 only");
    const Dims dims = call.InputDims(0);
    if (*std::min_element(dims.begin(), dims.end()) < 1) throw InvalidArgument("an empty input");
    call.Require({"kernel", "strides", "pads_begin", "pads_end"});
    if (!max) call.Require({"exclude-pad"});
    const Window s = MakeWindow(call);
    const Dims out = {dims[0], dims[1], s.h.out, s.w.out};
    call.DescribeOutput(0, POOLPROOF_F32, out);
    if (max) call.DescribeOutput(1, POOLPROOF_I64, out);
  }

  void Run(const CallView& call) {
    call.CheckCapacity();
    const Window s = MakeWindow(call);
    const int64_t outputs = s.Outputs(), inputs = s.planes * s.h.size * s.w.size;
    const bool max = call.Op() == "MaxPool-8";
    const Buffer<float> in(inputs), values(outputs);
    const Buffer<int64_t> indices(max ? outputs : 1);
    Check(cudaMemcpy(in.Get(), call.InputData<float>(0), static_cast<size_t>(inputs) * sizeof(float),
                     cudaMemcpyHostToDevice),
          "copy to the GPU");
    if (mistake_ == "endless") Spin<<<1, 1>>>(kForever);
    if (mistake_.rfind("no-synchronise", 0) == 0) Spin<<<1, 1>>>(kPause);
    if (max) MaxPool<<<Blocks(outputs), kThreads>>>(s, in.Get(), values.Get(), indices.Get(), outputs);
    if (!max) Means(s, in.Get(), values.Get());
    WriteElsewhere(s, values.Get());
    Check(cudaGetLastError(), "kernel");
    CopyBack(values.Get(), call.OutputData<float>(0), static_cast<size_t>(outputs) * sizeof(float));
    if (max) CopyBack(indices.Get(), call.OutputData<int64_t>(1), static_cast<size_t>(outputs) * sizeof(int64_t));
  }

 private:
  static Window MakeWindow(const CallView& call) {
    const bool max = call.Op() == "MaxPool-8";
    Window s = {MakeAxis(call, 0, max), MakeAxis(call, 1, max), call.Input(0).dims[0] * call.Input(0).dims[1], 1, false};
    if (!max) s.exclude_pad = call.Bool("exclude-pad", false);
    const int64_t axis = max ? call.Int("axis", 0) : 0;
    if (axis < -4 || axis > 3) throw InvalidArgument("axis is " + std::to_string(axis));
    const auto first = static_cast<size_t>(axis < 0 ? axis + 4 : axis);
    s.bound = poolproof::backend::ElementCount(call.Input(0).dims + first, 4 - first);
    return s;
  }

  void Means(const Window& s, const float* in, float* values) const {
    const int64_t outputs = s.Outputs();
    if (mistake_ != "atomic-mean") return AvgPool<<<Blocks(outputs), kThreads>>>(s, in, values, outputs);
    Check(cudaMemset(values, 0, static_cast<size_t>(outputs) * sizeof(float)), "cudaMemset");
    AtomicSum<<<Blocks(outputs * s.h.kernel * s.w.kernel), kThreads>>>(s, in, values, outputs);
    Divide<<<Blocks(outputs), kThreads>>>(s, values, outputs);
  }

  void WriteElsewhere(const Window& s, float* values) {
    if (mistake_ == "past-device") WriteAt<<<1, 1>>>(values + s.Outputs());
    if (mistake_ == "illegal-address" && s.h.kernel == 3) WriteAt<<<1, 1>>>(nullptr);
    if (mistake_ != "past-mapped") return;
    WriteAt<<<1, 1>>>(static_cast<float*>(Pinned(sizeof(float))) + 1);
  }

  // Memory of the host that the GPU reaches, as large as the largest call needed.
  void* Pinned(size_t bytes) {
    if (bytes <= pinned_bytes_) return pinned_;
    if (pinned_ != nullptr) Check(cudaFreeHost(pinned_), "cudaFreeHost");
    Check(cudaHostAlloc(&pinned_, bytes, cudaHostAllocMapped), "cudaHostAlloc");
    std::memset(pinned_, 0, bytes);
    pinned_bytes_ = bytes;
    return pinned_;
  }

  void CopyBack(const void* from, void* to, size_t bytes) {
    if (mistake_ == "no-synchronise-pageable") {
      Check(cudaMemcpyAsync(to, from, bytes, cudaMemcpyDeviceToHost), "copy from the GPU");
    } else if (mistake_ == "no-synchronise-pinned") {
      void* pinned = Pinned(bytes);
      Check(cudaMemcpyAsync(pinned, from, bytes, cudaMemcpyDeviceToHost), "copy from the GPU");
      std::memcpy(to, pinned, bytes);
    } else {
      Check(cudaMemcpy(to, from, bytes, cudaMemcpyDeviceToHost), "copy from the GPU");
    }
  }

  std::string mistake_ = "none";
  void* pinned_ = nullptr;
  size_t pinned_bytes_ = 0;
};

}  // namespace

POOLPROOF_EXPORT_BACKEND(CudaBackend, "cuda-example", "1.0")
