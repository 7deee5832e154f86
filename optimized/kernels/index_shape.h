// Geometry and scratch memory of the maximum with index; nothing here depends on the instruction set.
//
// The rows of all planes are taken as one sequence, in memory order. A chunk of rows is brought into the
// bed, a flat array where identity elements separate the rows; it is combined along itself in one
// pass that knows no rows, since a window that runs past the end of its row only meets identity
// elements. What comes out, again a flat array, is the field: the maximum of each window along its row.
// The rows of the field that a window needs are then combined into an output row.
#ifndef POOLPROOF_OPTIMIZED_KERNELS_INDEX_SHAPE_H_
#define POOLPROOF_OPTIMIZED_KERNELS_INDEX_SHAPE_H_

#include <algorithm>
#include <cstdint>

#include "optimized/kernels/rows.h"

namespace poolproof::optimized {

struct IndexShape {
  // `planes` of the plan are pooled in lanes of `lane_bytes`.
  IndexShape(const Plan& plan, int64_t planes, int64_t lane_bytes);

  // Along the width, in elements.
  int64_t in, out;
  int64_t left;    // identity elements before the row
  int64_t stride;  // 1 where there is a single window; 0 for windows of unequal size
  int64_t step;    // distance of taps
  int64_t taps;
  int64_t covered;    // so many taps are combined for all positions before windows are; a power of 4
  int64_t pitch;      // from row to row of the bed, a multiple of the stride
  int64_t out_pitch;  // from row to row of the field

  // Along the rows.
  int64_t rows;          // all there are
  int64_t plane_rows;    // of one plane
  int64_t window;        // from the first to the last row of a window, at most
  int64_t chunk;         // rows brought into the bed at a time
  int64_t capacity;      // rows of the field
  int64_t down_covered;  // 4 where as many rows are combined before windows are, otherwise 1

  int64_t deep_step;  // rows between taps along the depth
  int64_t high_step;  // and along the height

  // Elements with what whole vectors may read and write past the end.
  int64_t BedLanes() const { return chunk * pitch + left + taps * step + 4 * kMaxLanes * (stride + 1); }
  int64_t FieldLanes() const { return capacity * out_pitch + 2 * kMaxLanes; }
};

// What an output row is made of. Rows are counted from the first of the plane.
struct IndexWindow {
  IndexWindow() = default;
  IndexWindow(const Plan& plan, const IndexShape& shape, int64_t d, int64_t h);

  int64_t first = 0, last = -1;  // the rows; none if last < first
  int64_t kept = 0;              // no row before it is needed any more
  int64_t deep = 0;              // taps along the depth
  // Taps along the height, or those elements that cover them: every step-th row, and the last one.
  bool wide = false;  // whether elements cover shape.down_covered taps
  int64_t high = 0;
  int64_t step = 0, last_offset = 0;  // in rows
};

// Tables along the width. I: position lane.
template <typename I>
struct IndexTables {
  IndexTables(const Plan& plan, const IndexShape& shape, I* memory);
  static int64_t Lanes(const IndexShape& shape) {
    return (2 + (shape.stride == 0 ? shape.taps : 0)) * (shape.out + kMaxLanes) + kMaxLanes;
  }

  I* begin;      // first column of each window, may be negative
  I* inside;     // distance from there to its first tap inside, 0 if there is none
  I* multiples;  // of the stride
  I* columns;    // for windows of unequal size: column of tap t of window j at t * (out + kMaxLanes) + j
  // Windows before and from which on one may lie wholly in the padding, and whether one does.
  int64_t may_be_empty_before = 0, may_be_empty_from;
  bool some_empty = false;

 private:
  void FillColumns(const Axis& w);
};

template <typename I>
IndexTables<I>::IndexTables(const Plan& plan, const IndexShape& shape, I* memory)
    : begin(memory),
      inside(begin + shape.out + kMaxLanes),
      multiples(inside + shape.out + kMaxLanes),
      columns(multiples + kMaxLanes) {
  const Axis& w = plan.axis[2];
  may_be_empty_from = w.out;
  std::fill_n(memory, Lanes(shape), I{0});
  if (shape.stride == 0) {
    FillColumns(w);
    return;
  }
  for (int64_t i = 0; i < kMaxLanes; ++i) multiples[i] = static_cast<I>(i * shape.stride);
  for (int64_t j = 0; j < w.out; ++j) begin[j] = static_cast<I>(j * shape.stride - w.pad);
  while (may_be_empty_before < w.out && begin[may_be_empty_before] < 0) {
    const int64_t j = may_be_empty_before++;
    const Span span = w.SpanAt(j);
    if (span.taps > 0) inside[j] = static_cast<I>(span.first - begin[j]);
    some_empty |= span.taps == 0;
  }
  while (may_be_empty_from > may_be_empty_before && begin[may_be_empty_from - 1] >= w.in) {
    --may_be_empty_from;
    some_empty = true;
  }
}

// A short window repeats its last column, which never is larger than itself.
template <typename I>
void IndexTables<I>::FillColumns(const Axis& w) {
  for (int64_t j = 0; j < w.out; ++j) {
    const Span span = w.SpanAt(j);
    begin[j] = static_cast<I>(span.first);
    for (int64_t t = 0; t < w.kernel; ++t) {
      columns[t * (w.out + kMaxLanes) + j] = static_cast<I>(span.first + std::min(t, span.taps - 1));
    }
  }
}

}  // namespace poolproof::optimized

#endif  // POOLPROOF_OPTIMIZED_KERNELS_INDEX_SHAPE_H_
