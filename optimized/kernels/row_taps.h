// The windows of short rows as lanes of two vectors, for row_picks-inl.h.
#ifndef POOLPROOF_OPTIMIZED_KERNELS_ROW_TAPS_H_
#define POOLPROOF_OPTIMIZED_KERNELS_ROW_TAPS_H_

#include <cstdint>

#include "optimized/core/plan.h"

namespace poolproof::optimized {

// A tap of each window of a row; of windows with less taps the last one once more.
struct RowTap {
  static constexpr int64_t kLanes = 16;  // of 32 bits, in a vector of 512

  int64_t begin;                         // of the vectors that it is in, counted from the begin of the row
  alignas(64) int32_t lane[kLanes];      // of the first vector, or from kLanes on of the second one
  alignas(64) int32_t position[kLanes];  // in the row
};

struct RowTaps {
  static constexpr int64_t kMost = 5;

  // planes: 2 if there is a vector of each of two planes and their windows are half of the lanes each, 1 if the vectors
  // follow each other in a row.
  RowTaps(const Axis& width, int planes);

  int64_t count = 0;  // 0 if windows do not fit the lanes, their taps the vectors, or there are more or none
  RowTap taps[kMost];
};

}  // namespace poolproof::optimized

#endif  // POOLPROOF_OPTIMIZED_KERNELS_ROW_TAPS_H_
