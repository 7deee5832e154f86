// Geometry that the row kernels share; nothing here depends on the instruction set.
//
// A plane is pooled one output row at a time: the input rows of the window are combined lane by lane into
// one scratch row (vertical step), which is combined along itself (horizontal step). The scratch row
// has identity elements at both sides, so that neither step knows of borders.
//
// Vectors are loaded and stored whole. Past the end of a row lies the next row, whose elements are masked
// away when read and overwritten when written, since rows are written in order; only the last rows of a
// tensor go through a copy, so nothing outside the tensors is ever touched.
#pragma once

#include <algorithm>
#include <cstdint>
#include <cstring>

#include "optimized/core/executor.h"
#include "optimized/core/plan.h"

namespace poolproof::optimized {

// Lanes of the widest vector of any target: scratch rows have this much room to spare.
inline constexpr int64_t kMaxLanes = 64;
// Elements that may be read past the end of an input row.
inline constexpr int64_t kReadSlack = 2 * kMaxLanes;

// Slots of Scratch.
enum ScratchSlot {
  kTailSlot,
  kStagingSlot,
  kRowSlot,
  kPhaseSlot,
  kPointerSlot,
  kSpanSlot,
  kWorkSlot,
  kListSlot,
  kFlagSlot,
  kBlockSlot,
  kCellSlot,
  kGroupSlot,
  kGroupOutSlot,
  kWideSlot,
  kWindowSlot,
  kSumSlot,
  kFlatSlot,
  kPickSlot,
  kScratchSlots
};
static_assert(kScratchSlots <= Scratch::kSlots);

inline int64_t RoundUp(int64_t n, int64_t multiple) { return (n + multiple - 1) / multiple * multiple; }

// How the scratch row is combined along itself.
enum class Horizontal : uint8_t {
  kShift,   // stride 1: the output row is the scratch row combined with shifted copies of itself
  kSplit,   // inner == 1, stride 2: the same with elements at even places and those at odd ones apart
  kPhases,  // inner == 1, larger stride: every stride-th element is brought together first
  kCells,   // inner > 1 or adaptive: cell by cell, vectors over `inner`
};

// Scratch rows and steps along the width. Places are in elements; place 0 is the first padding element.
struct RowShape {
  // vector: lanes of 64 bytes. cells: cell by cell, whatever the plan; then rows need no padding, and the plan need not
  // be sensible.
  RowShape(const Plan& plan, int64_t vector, bool cells = false);

  // Whether windows are two neighbours, two apart and without padding.
  bool IsPairs() const {
    return horizontal == Horizontal::kSplit && taps == 2 && step == 1 && left == 0 && 2 * out_lanes <= in_lanes;
  }
  // Where place `at` is in a scratch row,
  int64_t InRow(int64_t at) const {
    return horizontal == Horizontal::kSplit ? origin + at % 2 * odd + at / 2 : origin + at;
  }
  // and where those that begin there are combined along themselves.
  int64_t InPhases(int64_t at) const {
    return horizontal == Horizontal::kPhases ? at % stride * phase_length + at / stride : InRow(at);
  }

  Horizontal horizontal;
  int64_t in_lanes;   // elements of an input row
  int64_t out_lanes;  // elements of an output row
  int64_t left;       // identity elements before the row
  int64_t stride;     // in elements of inner == 1, 1 where there is a single window
  int64_t step;       // distance of taps, in elements
  int64_t taps;       // kernel width
  int64_t inner;
  int64_t origin;  // where place 0 is in a scratch row, such that the first element of the input is aligned
  int64_t odd;     // kSplit: from place 0 to place 1
  int64_t length;  // elements of a scratch row, room for whole vectors included
  int64_t phase_length;
};

// A window along the height.
struct HeightWindow {
  Span span;
  int64_t run;  // windows from here on that are the same, each `stride` below the one before
};
// All of them; `windows` has room for axis.out.
void FillHeightWindows(const Axis& axis, HeightWindow* windows);

// Past the last tap.
inline int64_t End(const Axis& axis, Span span) {
  return span.taps == 0 ? 0 : span.first + (span.taps - 1) * axis.dilation + 1;
}

// How many taps a window begins behind the one before, of windows that share more than half of their taps with the
// next; 0 of others.
inline int64_t SharedShift(int64_t taps, int64_t stride, int64_t dilation) {
  const bool shares = taps > 3 && stride > 0 && stride % dilation == 0 && 2 * (stride / dilation) < taps;
  return shares ? stride / dilation : 0;
}

// Calls f(row) with each row of a window, counted from the first one of the plane.
template <class F>
inline void ForWindowRows(const Plan& plan, Span deep, Span high, const F& f) {
  const Axis &depth = plan.axis[0], &height = plan.axis[1];
  for (int64_t d = 0, slice = deep.first; d < deep.taps; ++d, slice += depth.dilation) {
    int64_t row = slice * height.in + high.first;
    for (int64_t h = 0; h < high.taps; ++h, row += height.dilation) f(row);
  }
}

// Whether every window along an axis has a tap inside the input.
bool NoneEmpty(const Axis& axis);

// Whether windows are of two or three neighbours, or, with an index, of five, along rows and one below the other, or of
// one row, and none is empty: then `rows` pools them in registers (direct-inl.h). With an index, nothing else does.
bool HasNearWindows(const Plan& plan);

// Whether rows have a vector, of any target.
bool HasLongRows(const Plan& plan);

// Rows of the largest window.
int64_t MostWindowRows(const Plan& plan);

// Whether the scratch row stays in proportion to the tensor; false for windows that are mostly padding.
bool RowsAreSensible(const Plan& plan);

// Planes whose windows end where they do, one below the other, are one plane: a few of them are taken
// together where they are small.
Plan MergePlanes(const Plan& plan);

// Input rows that may be read in whole vectors, up to kReadSlack elements past their end.
template <typename T>
class SafeRows {
 public:
  SafeRows(const void* in, int64_t total, int64_t row_lanes, Scratch& scratch)
      : in_(static_cast<const T*>(in)), tail_begin_(total - row_lanes - kReadSlack) {
    if (tail_begin_ < 0) tail_begin_ = 0;
    const int64_t count = total - tail_begin_;
    T* tail = scratch.Get<T>(kTailSlot, count + kReadSlack);
    std::memcpy(tail, in_ + tail_begin_, static_cast<size_t>(count) * sizeof(T));
    std::memset(tail + count, 0, kReadSlack * sizeof(T));
    tail_ = tail;
  }
  // The row that begins at element `offset` of the tensor.
  const T* At(int64_t offset) const { return offset >= tail_begin_ ? tail_ + (offset - tail_begin_) : in_ + offset; }
  // How many of `rows` windows, with rows from element `first` to `last`, each `step` elements below the one before,
  // may have their pointers counted on from those of the first one.
  int64_t Together(int64_t first, int64_t last, int64_t step, int64_t rows) const {
    if (first >= tail_begin_ || rows == 1) return rows;
    return last >= tail_begin_ ? 1 : std::min(rows, (tail_begin_ - 1 - last) / step + 1);
  }

 private:
  const T* in_;
  int64_t tail_begin_;
  const T* tail_;
};

// Output rows that may be written in whole vectors, past their end: those near the end of the range
// go to a copy first. Rows are written in order.
template <typename T>
class SafeOutput {
 public:
  SafeOutput(void* out, int64_t end, int64_t row_lanes, T* staging)
      : out_(static_cast<T*>(out)),
        direct_end_(end - row_lanes - kMaxLanes),
        row_lanes_(row_lanes),
        staging_(staging) {}
  static int64_t StagingLanes(int64_t row_lanes) { return row_lanes + kMaxLanes; }

  // How many of `rows` rows from the one at `offset` on may be written together.
  int64_t Together(int64_t offset, int64_t rows) const {
    return offset > direct_end_ ? 1 : std::min(rows, (direct_end_ - offset) / row_lanes_ + 1);
  }
  bool IsStaged(int64_t offset) const { return offset > direct_end_; }
  T* Begin(int64_t offset) { return IsStaged(offset) ? staging_ : out_ + offset; }
  void End(int64_t offset) {
    if (IsStaged(offset)) {
      std::memcpy(out_ + offset, staging_, static_cast<size_t>(row_lanes_) * sizeof(T));
    }
  }

 private:
  T* out_;
  int64_t direct_end_;
  int64_t row_lanes_;
  T* staging_;
};

}  // namespace poolproof::optimized
