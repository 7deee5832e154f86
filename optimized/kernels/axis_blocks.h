// The windows along one axis as parts of blocks as long as a window, after van Herk and Gil and Werman: a window is the
// end of one block and the begin of the next, or one of them.
#ifndef POOLPROOF_OPTIMIZED_KERNELS_AXIS_BLOCKS_H_
#define POOLPROOF_OPTIMIZED_KERNELS_AXIS_BLOCKS_H_

#include <algorithm>
#include <cstdint>

#include "optimized/core/plan.h"

namespace poolproof::optimized {

// Of which blocks a window has a part: the one before and the one it ends in, or only the latter's begin or end.
enum class BlockParts : uint8_t { kBoth, kBegin, kEnd };

// Neighbouring windows that end in the same block and are pooled alike.
struct BlockRun {
  int32_t count;
  int32_t block;    // coordinate of its first element
  int32_t advance;  // elements by which the begin of the block grows before each window
  int32_t first;    // coordinate of the first tap of the first window; further on by the stride with each one
  BlockParts parts;
};

struct AxisBlocks {
  static constexpr int64_t kLeast = 5;  // taps; below, it is quicker tap by tap

  AxisBlocks() = default;
  // `memory` has room for axis.out runs.
  AxisBlocks(const Axis& axis, BlockRun* memory) : in(axis.in), out(axis.out), stride(axis.stride), runs(memory) {
    if (axis.adaptive || axis.dilation > 1 || axis.kernel < kLeast) return;
    block = std::min(axis.kernel, in);
    in_place = out <= in;
    int64_t at = 0;  // what the begin of the block has grown to
    for (int64_t j = 0; j < out; ++j) {
      const Span span = axis.SpanAt(j);
      if (span.taps == 0) continue;
      if (end == 0) begin = j;
      end = j + 1;
      last_first = span.first;
      const int64_t last = span.first + span.taps - 1, here = last / block * block;
      in_place = in_place && last >= j;
      at = std::max(at, here);
      Add(span.first, here, last - at);
      at = last;
    }
  }

  int64_t in = 0, out = 0, stride = 1;
  int64_t block = 0;           // elements of a block; 0: windows are not made of blocks
  int64_t begin = 0, end = 0;  // windows that have taps
  int64_t last_first = 0;      // where the last one begins
  bool in_place = false;       // whether results may take the place of what is read
  BlockRun* runs = nullptr;
  int64_t run_count = 0;

 private:
  // A window from `first` on that ends in the block at `here`.
  void Add(int64_t first, int64_t here, int64_t advance) {
    const BlockParts parts = first < here ? BlockParts::kBoth : first == here ? BlockParts::kBegin : BlockParts::kEnd;
    if (run_count > 0) {
      BlockRun& run = runs[run_count - 1];
      const bool next = parts == BlockParts::kBegin || first == run.first + run.count * stride;
      if (next && run.block == here && run.parts == parts && run.advance == advance) {
        ++run.count;
        return;
      }
    }
    const auto narrow = [](int64_t at) { return static_cast<int32_t>(at); };
    runs[run_count++] = {1, narrow(here), narrow(advance), narrow(first), parts};
  }
};

}  // namespace poolproof::optimized

#endif  // POOLPROOF_OPTIMIZED_KERNELS_AXIS_BLOCKS_H_
