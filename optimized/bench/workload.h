// A workload that is measured: a call of one operator with everything about it.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "conformance/backend.h"

namespace poolproof::optimized {

enum class Pool { kMax, kAverage, kAdaptiveMax, kAdaptiveAverage, kMliMax, kMliAverage };

inline bool IsMean(Pool pool) {
  return pool == Pool::kAverage || pool == Pool::kAdaptiveAverage || pool == Pool::kMliAverage;
}

struct Workload {
  std::string name;
  Pool pool = Pool::kMax;
  poolproof_element_type type = POOLPROOF_F32;
  std::vector<int64_t> dims;                   // [N, C, spatial...]; MLI: [C, H, W] or [H, W, C]
  std::vector<int64_t> kernel, strides, pads;  // per spatial axis, the same pads at both ends
  std::vector<int64_t> dilations;
  bool index = false;          // maxima: int64 positions as second output
  bool exclude_pad = false;    // averages
  std::vector<int64_t> sizes;  // adaptive: output sizes
  bool channels_last = false;  // MLI HWC

  bool IsMli() const { return pool == Pool::kMliMax || pool == Pool::kMliAverage; }
  bool IsAdaptive() const { return pool == Pool::kAdaptiveMax || pool == Pool::kAdaptiveAverage; }
  size_t SpatialRank() const { return IsMli() ? 2 : dims.size() - 2; }
  // Output sizes per spatial axis, rounded down.
  std::vector<int64_t> OutSizes() const;
  int64_t InElements() const;
  int64_t OutElements() const;
};

// Every workload, those of the table first.
const std::vector<Workload>& Workloads();

// Layers of 100 to 340 MiB.
const std::vector<Workload>& OutOfCacheWorkloads();

// The operator call of a workload, owning all that it points to.
class WorkloadCall {
 public:
  explicit WorkloadCall(const Workload& workload);
  WorkloadCall(const WorkloadCall&) = delete;
  WorkloadCall& operator=(const WorkloadCall&) = delete;

  poolproof_call call{};
  poolproof_tensor inputs[2] = {}, outputs[2] = {};

 private:
  void Int(const char* name, int64_t value);
  void List(const char* name, const std::vector<int64_t>& values);

  std::string op_;
  std::vector<int64_t> sizes_;
  std::vector<poolproof_attribute> attributes_;
  std::vector<const poolproof_attribute*> attribute_pointers_;
  const poolproof_tensor* input_pointers_[2] = {};
  poolproof_tensor* output_pointers_[2] = {};
};

}  // namespace poolproof::optimized
