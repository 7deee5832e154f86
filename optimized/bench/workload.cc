#include "optimized/bench/workload.h"

#include <numeric>

namespace poolproof::optimized {
namespace {

using Sizes = std::vector<int64_t>;

// A workload with the same kernel, stride, pad and dilation on all spatial axes.
Workload Even(const std::string& name, Pool pool, poolproof_element_type type, Sizes dims,
              int64_t kernel, int64_t stride, int64_t pad, int64_t dilation = 1) {
  Workload w;
  w.name = name;
  w.pool = pool;
  w.type = type;
  w.dims = std::move(dims);
  const size_t spatial = w.SpatialRank();
  w.kernel.assign(spatial, kernel);
  w.strides.assign(spatial, stride);
  w.pads.assign(spatial, pad);
  w.dilations.assign(spatial, dilation);
  return w;
}

Workload Max(const std::string& name, poolproof_element_type type, Sizes dims, int64_t kernel,
             int64_t stride, int64_t pad, int64_t dilation = 1) {
  return Even("max " + name, Pool::kMax, type, std::move(dims), kernel, stride, pad, dilation);
}

Workload MaxIndex(const std::string& name, poolproof_element_type type, Sizes dims, int64_t kernel,
                  int64_t stride, int64_t pad, int64_t dilation = 1) {
  Workload w = Even("max+i64 " + name, Pool::kMax, type, std::move(dims), kernel, stride, pad, dilation);
  w.index = true;
  return w;
}

Workload Average(const std::string& name, poolproof_element_type type, Sizes dims, int64_t kernel,
                 int64_t stride, int64_t pad, bool exclude_pad) {
  Workload w = Even((exclude_pad ? "avg exclude " : "avg include ") + name, Pool::kAverage, type,
                    std::move(dims), kernel, stride, pad);
  w.exclude_pad = exclude_pad;
  return w;
}

Workload Adaptive(const std::string& name, bool max, Sizes dims, Sizes sizes) {
  Workload w;
  w.name = (max ? "adaptive max+i64 " : "adaptive avg ") + name;
  w.pool = max ? Pool::kAdaptiveMax : Pool::kAdaptiveAverage;
  w.dims = std::move(dims);
  w.sizes = std::move(sizes);
  w.index = max;
  return w;
}

Workload Mli(const std::string& name, Pool pool, poolproof_element_type type, bool channels_last,
             Sizes dims, int64_t kernel, int64_t stride, int64_t pad) {
  Workload w = Even("mli " + name, pool, type, std::move(dims), kernel, stride, pad);
  w.channels_last = channels_last;
  return w;
}

// The rows of the table of workloads.
std::vector<Workload> TableWorkloads() {
  const auto f32 = POOLPROOF_F32;
  return {
      Max("1x64x112x112 k3 s2 p1", f32, {1, 64, 112, 112}, 3, 2, 1),
      Max("1x64x224x224 k2 s2", f32, {1, 64, 224, 224}, 2, 2, 0),
      Max("8x192x28x28 k3 s1 p1", f32, {8, 192, 28, 28}, 3, 1, 1),
      Max("1x512x20x20 k5 s1 p2", f32, {1, 512, 20, 20}, 5, 1, 2),
      Max("1x512x20x20 k9 s1 p4", f32, {1, 512, 20, 20}, 9, 1, 4),
      Max("1x512x20x20 k13 s1 p6", f32, {1, 512, 20, 20}, 13, 1, 6),
      Max("32x16x8x8 k2 s2", f32, {32, 16, 8, 8}, 2, 2, 0),
      MaxIndex("1x64x112x112 k3 s2 p1", f32, {1, 64, 112, 112}, 3, 2, 1),
      MaxIndex("8x192x28x28 k3 s1 p1", f32, {8, 192, 28, 28}, 3, 1, 1),
      MaxIndex("1x512x20x20 k5 s1 p2", f32, {1, 512, 20, 20}, 5, 1, 2),
      MaxIndex("1x512x20x20 k13 s1 p6", f32, {1, 512, 20, 20}, 13, 1, 6),
      MaxIndex("1x64x56x56 k3 s1 p2 d2", f32, {1, 64, 56, 56}, 3, 1, 2, 2),
      Max("s8 1x64x224x224 k2 s2", POOLPROOF_I8, {1, 64, 224, 224}, 2, 2, 0),
      Max("u8 1x256x56x56 k2 s2", POOLPROOF_U8, {1, 256, 56, 56}, 2, 2, 0),
      Max("bf16 1x64x112x112 k3 s2 p1", POOLPROOF_BF16, {1, 64, 112, 112}, 3, 2, 1),
      Max("f16 1x64x112x112 k3 s2 p1", POOLPROOF_F16, {1, 64, 112, 112}, 3, 2, 1),
      Max("dilated 1x64x56x56 k3 s1 p2 d2", f32, {1, 64, 56, 56}, 3, 1, 2, 2),
      Max("3-D 1x64x8x56x56 k3 s2 p1", f32, {1, 64, 8, 56, 56}, 3, 2, 1),
      Max("1-D 1x128x4096 k3 s1 p1", f32, {1, 128, 4096}, 3, 1, 1),
      Average("1x64x112x112 k3 s2 p1", f32, {1, 64, 112, 112}, 3, 2, 1, false),
      Average("1x512x20x20 k13 s1 p6", f32, {1, 512, 20, 20}, 13, 1, 6, true),
      Adaptive("8x256x14x14 to 7x7", true, {8, 256, 14, 14}, {7, 7}),
      Adaptive("1x512x13x17 to 5x7", true, {1, 512, 13, 17}, {5, 7}),
      Adaptive("1x512x13x17 to 5x7", false, {1, 512, 13, 17}, {5, 7}),
  };
}

// Other types, strides, odd sizes, tails and ranks.
std::vector<Workload> Variants() {
  const auto f32 = POOLPROOF_F32;
  const auto mli_max = Pool::kMliMax, mli_avg = Pool::kMliAverage;
  return {
      Max("1x64x57x57 k3 s3", f32, {1, 64, 57, 57}, 3, 3, 0),
      Max("1x64x113x111 k3 s2", f32, {1, 64, 113, 111}, 3, 2, 0),
      Max("f64 1x64x56x56 k3 s1 p1", POOLPROOF_F64, {1, 64, 56, 56}, 3, 1, 1),
      Max("i32 1x64x112x112 k3 s2 p1", POOLPROOF_I32, {1, 64, 112, 112}, 3, 2, 1),
      Max("i16 1x64x112x112 k3 s2 p1", POOLPROOF_I16, {1, 64, 112, 112}, 3, 2, 1),
      Max("i64 1x64x56x56 k3 s2 p1", POOLPROOF_I64, {1, 64, 56, 56}, 3, 2, 1),
      Max("s8 1x512x20x20 k13 s1 p6", POOLPROOF_I8, {1, 512, 20, 20}, 13, 1, 6),
      Max("u8 8x192x28x28 k3 s1 p1", POOLPROOF_U8, {8, 192, 28, 28}, 3, 1, 1),
      Max("bf16 8x192x28x28 k3 s1 p1", POOLPROOF_BF16, {8, 192, 28, 28}, 3, 1, 1),
      Max("3-D 1x32x16x56x56 k2 s2", f32, {1, 32, 16, 56, 56}, 2, 2, 0),
      MaxIndex("3-D 1x64x8x56x56 k3 s2 p1", f32, {1, 64, 8, 56, 56}, 3, 2, 1),
      MaxIndex("1-D 1x128x4096 k3 s1 p1", f32, {1, 128, 4096}, 3, 1, 1),
      MaxIndex("1x64x224x224 k2 s2", f32, {1, 64, 224, 224}, 2, 2, 0),
      MaxIndex("s8 1x64x112x112 k3 s2 p1", POOLPROOF_I8, {1, 64, 112, 112}, 3, 2, 1),
      MaxIndex("bf16 1x64x112x112 k3 s2 p1", POOLPROOF_BF16, {1, 64, 112, 112}, 3, 2, 1),
      MaxIndex("f64 1x64x56x56 k3 s1 p1", POOLPROOF_F64, {1, 64, 56, 56}, 3, 1, 1),
      Average("1x64x112x112 k3 s2 p1", f32, {1, 64, 112, 112}, 3, 2, 1, true),
      Average("1x64x224x224 k2 s2", f32, {1, 64, 224, 224}, 2, 2, 0, false),
      Average("1x512x20x20 k13 s1 p6", f32, {1, 512, 20, 20}, 13, 1, 6, false),
      Average("bf16 1x64x112x112 k3 s2 p1", POOLPROOF_BF16, {1, 64, 112, 112}, 3, 2, 1, true),
      Average("u8 1x64x112x112 k3 s2 p1", POOLPROOF_U8, {1, 64, 112, 112}, 3, 2, 1, true),
      Average("i64 1x64x56x56 k3 s2 p1", POOLPROOF_I64, {1, 64, 56, 56}, 3, 2, 1, true),
      Adaptive("8x256x14x14 to 7x7", false, {8, 256, 14, 14}, {7, 7}),
      Adaptive("1x2048x7x7 to 1x1", false, {1, 2048, 7, 7}, {1, 1}),
      Mli("max chw fx8 64x56x56 k3 s2 p1", mli_max, POOLPROOF_FX8, false, {64, 56, 56}, 3, 2, 1),
      Mli("max hwc fx8 56x56x64 k3 s2 p1", mli_max, POOLPROOF_FX8, true, {56, 56, 64}, 3, 2, 1),
      Mli("max hwc fx16 56x56x64 k2 s2", mli_max, POOLPROOF_FX16, true, {56, 56, 64}, 2, 2, 0),
      Mli("avg chw fx8 64x56x56 k3 s2 p1", mli_avg, POOLPROOF_FX8, false, {64, 56, 56}, 3, 2, 1),
      Mli("avg hwc fx16 56x56x64 k3 s2 p1", mli_avg, POOLPROOF_FX16, true, {56, 56, 64}, 3, 2, 1),
      Max("tiny 1x4x8x8 k2 s2", f32, {1, 4, 8, 8}, 2, 2, 0),
      Max("beyond cache 8x64x224x224 k2 s2", f32, {8, 64, 224, 224}, 2, 2, 0),
  };
}

int64_t Product(const Sizes& sizes) {
  return std::accumulate(sizes.begin(), sizes.end(), int64_t{1}, std::multiplies<>());
}

std::string MliName(const Workload& w) {
  return std::string("mli_krn_") + (w.pool == Pool::kMliMax ? "maxpool_" : "avepool_") +
         (w.channels_last ? "hwc_" : "chw_") + (w.type == POOLPROOF_FX8 ? "fx8" : "fx16");
}

std::string OperatorName(const Workload& w) {
  switch (w.pool) {
    case Pool::kMax: return w.index ? "MaxPool-8" : "MaxPool-1";
    case Pool::kAverage: return "AvgPool-1";
    case Pool::kAdaptiveMax: return "AdaptiveMaxPool-8";
    case Pool::kAdaptiveAverage: return "AdaptiveAvgPool-8";
    default: return MliName(w);
  }
}

}  // namespace

std::vector<int64_t> Workload::OutSizes() const {
  if (IsAdaptive()) return sizes;
  Sizes out;
  for (size_t i = 0; i < SpatialRank(); ++i) {
    const int64_t in = dims[IsMli() ? i + (channels_last ? 0 : 1) : i + 2];
    out.push_back((in + 2 * pads[i] - (kernel[i] - 1) * dilations[i] - 1) / strides[i] + 1);
  }
  return out;
}

int64_t Workload::InElements() const { return Product(dims); }

int64_t Workload::OutElements() const {
  const int64_t planes = IsMli() ? dims[channels_last ? 2 : 0] : dims[0] * dims[1];
  return planes * Product(OutSizes());
}

const std::vector<Workload>& Workloads() {
  static const std::vector<Workload> all = [] {
    std::vector<Workload> list = TableWorkloads();
    for (Workload& variant : Variants()) list.push_back(std::move(variant));
    return list;
  }();
  return all;
}

WorkloadCall::WorkloadCall(const Workload& w) : op_(OperatorName(w)), sizes_(w.sizes) {
  inputs[0].element_type = w.type;
  inputs[0].rank = static_cast<int32_t>(w.dims.size());
  std::copy(w.dims.begin(), w.dims.end(), inputs[0].dims);
  inputs[1] = {0, POOLPROOF_I64, 1, {static_cast<int64_t>(sizes_.size())}, sizes_.data(),
               sizes_.size() * sizeof(int64_t), 0};
  if (w.IsMli()) {
    Int("kernel_width", w.kernel[1]), Int("kernel_height", w.kernel[0]);
    Int("stride_width", w.strides[1]), Int("stride_height", w.strides[0]);
    Int("padding_left", w.pads[1]), Int("padding_right", w.pads[1]);
    Int("padding_top", w.pads[0]), Int("padding_bottom", w.pads[0]);
  } else if (!w.IsAdaptive()) {
    List("kernel", w.kernel), List("strides", w.strides);
    List("pads_begin", w.pads), List("pads_end", w.pads);
    if (w.index) List("dilations", w.dilations);
  }
  if (w.pool == Pool::kAverage) {
    attributes_.push_back({sizeof(poolproof_attribute), "exclude-pad", POOLPROOF_BOOL,
                           w.exclude_pad, nullptr, 0, nullptr});
  }
  // MaxPool-1 knows no dilation; the dilated maximum without index has no operator of its own.
  for (const poolproof_attribute& a : attributes_) attribute_pointers_.push_back(&a);
  for (size_t i = 0; i < 2; ++i) {
    inputs[i].struct_size = outputs[i].struct_size = sizeof(poolproof_tensor);
    input_pointers_[i] = &inputs[i];
    output_pointers_[i] = &outputs[i];
  }
  call = {sizeof(poolproof_call), op_.c_str(), attribute_pointers_.data(),
          attribute_pointers_.size(), input_pointers_, w.IsAdaptive() ? size_t{2} : size_t{1},
          output_pointers_, w.index ? size_t{2} : size_t{1}};
}

void WorkloadCall::Int(const char* name, int64_t value) {
  attributes_.push_back(
      {sizeof(poolproof_attribute), name, POOLPROOF_INT, value, nullptr, 0, nullptr});
}

void WorkloadCall::List(const char* name, const std::vector<int64_t>& values) {
  attributes_.push_back({sizeof(poolproof_attribute), name, POOLPROOF_INT_LIST, 0, values.data(),
                         values.size(), nullptr});
}

}  // namespace poolproof::optimized
