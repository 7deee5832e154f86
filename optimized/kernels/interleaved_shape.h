// Geometry and memory of the interleaved kernel (interleaved-inl.h); nothing here depends on the instruction set.
#ifndef POOLPROOF_OPTIMIZED_KERNELS_INTERLEAVED_SHAPE_H_
#define POOLPROOF_OPTIMIZED_KERNELS_INTERLEAVED_SHAPE_H_

#include <cstdint>

#include "optimized/core/executor.h"
#include "optimized/core/plan.h"

namespace poolproof::optimized {

// Windows next to each other that have equally many taps and begin equally far apart.
struct WindowRun {
  int64_t count;
  int64_t first;   // tap of the first of them
  int64_t stride;  // from there to the first tap of the next
  int64_t taps;
};

// Windows of a row that are pooled at a time, and the elements that they see. All of them where rows are not long.
struct RowSegment {
  int64_t begin, end;   // windows
  int64_t first, last;  // elements [first, last)
  const WindowRun* runs;
  int64_t run_count;
  int64_t Windows() const { return end - begin; }
  int64_t Elements() const { return last - first; }
};

struct InterleavedShape {
  InterleavedShape(const Plan& plan, Scratch& scratch);

  const Span *deep, *high, *wide;  // windows along each axis
  // The first element that this window or a later one has: with a dilation, a later one may begin before.
  const int64_t *deep_from, *high_from;
  RowSegment* segments;
  int64_t segment_count;
  int64_t most_windows, most_elements;  // of a segment
  bool whole_rows;                      // whether a row is one segment: then rows are one after the other
  bool one_slice;                       // whether no window has more than one slice
  bool whole_windows;                   // whether no windows share rows, and the rows of some fit in the cache
  bool one_row;                         // whether there is one row, and one window, which has it
  int64_t chunk;                        // input rows brought into the cache at a time
  int64_t kept;                         // input rows, pooled along themselves, that are kept
  int64_t kept_slices;
  int64_t out_rows;  // stored together
};

// Whether a plane is one window, of which it has all taps.
bool IsOneWindow(const Plan& plan);

// The shape where the rows of windows become one before they are interleaved: as many output rows as fit are stored
// together, of slices as well.
InterleavedShape FoldedShape(const Plan& plan, Scratch& scratch);

}  // namespace poolproof::optimized

#endif  // POOLPROOF_OPTIMIZED_KERNELS_INTERLEAVED_SHAPE_H_
