#include "optimized/bench/workload.h"

#include <numeric>

namespace poolproof::optimized {
namespace {

using Sizes = std::vector<int64_t>;

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

WorkloadCall::WorkloadCall(const Workload& w) : op_(OperatorName(w)), sizes_(w.sizes) {
  inputs[0].element_type = w.type;
  inputs[0].rank = static_cast<int32_t>(w.dims.size());
  std::copy(w.dims.begin(), w.dims.end(), inputs[0].dims);
  inputs[1] = {
      0, POOLPROOF_I64, 1, {static_cast<int64_t>(sizes_.size())}, sizes_.data(), sizes_.size() * sizeof(int64_t), 0};
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
    attributes_.push_back(
        {sizeof(poolproof_attribute), "exclude-pad", POOLPROOF_BOOL, w.exclude_pad, nullptr, 0, nullptr});
  }
  // MaxPool-1 knows no dilation; the dilated maximum without index has no operator of its own.
  for (const poolproof_attribute& a : attributes_) attribute_pointers_.push_back(&a);
  for (size_t i = 0; i < 2; ++i) {
    inputs[i].struct_size = outputs[i].struct_size = sizeof(poolproof_tensor);
    input_pointers_[i] = &inputs[i];
    output_pointers_[i] = &outputs[i];
  }
  call = {sizeof(poolproof_call),
          op_.c_str(),
          attribute_pointers_.data(),
          attribute_pointers_.size(),
          input_pointers_,
          w.IsAdaptive() ? size_t{2} : size_t{1},
          output_pointers_,
          w.index ? size_t{2} : size_t{1}};
}

void WorkloadCall::Int(const char* name, int64_t value) {
  attributes_.push_back({sizeof(poolproof_attribute), name, POOLPROOF_INT, value, nullptr, 0, nullptr});
}

void WorkloadCall::List(const char* name, const std::vector<int64_t>& values) {
  attributes_.push_back(
      {sizeof(poolproof_attribute), name, POOLPROOF_INT_LIST, 0, values.data(), values.size(), nullptr});
}

}  // namespace poolproof::optimized
