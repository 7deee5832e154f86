// The taps of the windows of short rows as lanes of two vectors, for row_picks-inl.h and column_picks-inl.h. Either
// there is a vector of a row of each of two planes, and half of the lanes of the result for the windows of each, or the
// two vectors follow each other in one row, and all lanes are for its windows.
#ifndef POOLPROOF_OPTIMIZED_KERNELS_ROW_TAPS_H_
#define POOLPROOF_OPTIMIZED_KERNELS_ROW_TAPS_H_

#include <cstdint>

#include "optimized/core/plan.h"

namespace poolproof::optimized {

struct RowWindows;

// A tap of each window of a row; of windows with less taps the last one once more.
struct RowTap {
  static constexpr int64_t kLanes = 16;  // of 32 bits, in a vector of 512

  int64_t begin;  // element of the row that the vectors begin at
  // Per window: lane of the vectors, from kLanes on of the second one, and element of the row.
  alignas(64) int32_t lane[kLanes];
  alignas(64) int32_t position[kLanes];
  uint16_t inside;  // bits, the lowest for lane 0, of windows that have as many taps
};

struct RowTaps {
  static constexpr int64_t kMost = 5;

  RowTaps() = default;
  // None if windows do not fit the lanes or their taps the vectors, or one has no taps or more than kMost.
  explicit RowTaps(const Axis& width);

  int planes = 0;  // whose rows the vectors are of: 2, 1, or 0 if there are no taps
  int64_t count = 0;
  int64_t further = 0;    // the first tap that is in vectors further on, `count` if there is none
  bool furthest = false;  // whether there are more than two begins
  RowTap taps[kMost];

 private:
  bool Fill(const RowWindows& windows, int of_planes);
};

// Of a plan of lanes of 32 bits; none if the kernels do not take it, or are not worth it.
RowTaps PicksOf(const Plan& plan);

}  // namespace poolproof::optimized

#endif  // POOLPROOF_OPTIMIZED_KERNELS_ROW_TAPS_H_
