// Results of a benchmark run: the table and the JSON file.
//
// The JSON file is an object
//   {"poolproof_benchmark": 1, "threads": 1, "cpu": "...", "workloads": [
//     {"workload": "max 1x64x112x112 k3 s2 p1", "layout": "nchw", "bytes": 4014080,
//      "ours_us": 130.1, "ours_2_threads_us": 0, "ours_without_index_us": 0, "memcpy_us": 129.9,
//      "memcpy_index_us": 0, "memcpy_values_us": 0, "plain_us": 4100.2,
//      "peers": {"oneDNN": 364.0}, "any_layout": {"XNNPACK": 142.0},
//      "excluded": ["PyTorch: value 3 is 1, ours is 2"]}, ...]}
// Times are in microseconds per call: medians, of processor time where there is one thread, or with --random minima.
// `bytes` are input read plus outputs written. Where the workload has an index, `ours_without_index_us` is the time of
// its values alone, and `memcpy_index_us` that of copying as many bytes as the index has, and `memcpy_values_us` that
// of all others. `peers` work on the plain layout, `any_layout` in one of their own, reordering not counted. `excluded`
// names those whose output is not ours. A time of 0 was not measured.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "optimized/bench/contestant.h"

namespace poolproof::optimized {

struct Timing {
  std::string name;
  Role role;
  double microseconds;       // of the processor where there is one thread, else by the clock
  double wall;               // by the clock
  bool has_indices = false;  // gives positions in our type
};

struct Outcome {
  std::string workload;
  int64_t bytes = 0;
  std::vector<Timing> times;
  std::vector<std::string> excluded;

  // Time of the fastest in the role; 0 if there is none.
  double Fastest(Role role) const;
  // Times that our own is faster by the clock with two threads than with one; 0 if that was not measured.
  double Scaling() const;
};

void PrintHeader();
void PrintOutcome(const Outcome& outcome);
bool WriteJson(const std::vector<Outcome>& outcomes, int threads, const std::string& path);

}  // namespace poolproof::optimized
