// Scratch memory of the maximum with index: combined rows of one plane, and tables along the width.
#ifndef POOLPROOF_OPTIMIZED_KERNELS_INDEX_PLANE_H_
#define POOLPROOF_OPTIMIZED_KERNELS_INDEX_PLANE_H_

#include <algorithm>
#include <cstdint>

#include "optimized/kernels/rows.h"

namespace poolproof::optimized {

// T: stored element, L: value lane, I: position lane, X: stored index.
template <typename T, typename L, typename I, typename X>
struct IndexPlane {
  struct Row {
    int64_t offset;  // into values and columns
    int64_t first;   // index of the row's first element, counted from the plane's
  };

  IndexPlane(const Plan& plan, const RowShape& shape, Scratch& scratch)
      : pitch(RoundUp(shape.out_lanes, kMaxLanes) + kMaxLanes) {
    const Axis* axis = plan.axis;
    const int64_t rows = axis[0].in * axis[1].in;
    // A flat plane needs the rows of one window only; they are reused in turn.
    const int64_t window = axis[1].adaptive ? axis[1].kernel : axis[1].Reach() + 1;
    slots = axis[0].in == 1 ? std::min(rows, window) : rows;
    Carve(plan, shape, scratch);
    FillTables(plan, shape);
  }

  int64_t SlotOf(int64_t row) const { return row < slots ? row : row % slots; }
  // No slot holds a row.
  void Forget() { std::fill_n(holds, slots, int64_t{-1}); }

  const int64_t pitch;
  int64_t slots;
  L* row;              // the input row as lanes, identity around it
  I* steps;            // beside row: distance to where its maximum came from
  L* phases;
  I* step_phases;
  L* values;           // per slot: maximum of each window along its row,
  I* columns;          // and its column
  int64_t* holds;      // per slot: the row that it holds
  uint8_t* nan;        // per slot: whether that row holds NaN
  Row* list;
  I* begin_columns;    // first column of each window, may be negative
  I* first_columns;    // first column of each window that is inside
  Span* spans;
  bool some_empty = false;
  T* staged_value;
  X* staged_index;

 private:
  void Carve(const Plan& plan, const RowShape& shape, Scratch& scratch) {
    const Axis* axis = plan.axis;
    const bool split = shape.horizontal == Horizontal::kPhases;
    const int64_t split_lanes = split ? shape.phase_length * shape.stride : 1;
    row = scratch.Get<L>(kRowSlot, shape.length);
    char* p = static_cast<char*>(scratch.Get(
        kPhaseSlot, static_cast<size_t>(shape.length + 2 * split_lanes + 2 * pitch) * sizeof(L)));
    Take(p, steps, shape.length);
    Take(p, phases, split_lanes);
    Take(p, step_phases, split_lanes);
    Take(p, begin_columns, pitch);
    Take(p, first_columns, pitch);
    values = scratch.Get<L>(kWorkSlot, slots * pitch);
    columns = scratch.Get<I>(kTransposeSlot, slots * pitch);
    const int64_t taps = std::min(axis[0].kernel, axis[0].in) * std::min(axis[1].kernel, axis[1].in);
    p = static_cast<char*>(scratch.Get(
        kPointerSlot, static_cast<size_t>(slots) * 9 + static_cast<size_t>(taps + 1) * sizeof(Row)));
    Take(p, holds, slots);
    Take(p, list, taps + 1);
    Take(p, nan, slots);
    spans = scratch.Get<Span>(kSpanSlot, axis[2].out);
    const int64_t staged = shape.out_lanes + kMaxLanes;
    p = static_cast<char*>(scratch.Get(kStagingSlot, static_cast<size_t>(staged) * (sizeof(T) + sizeof(X))));
    // The wider type first, so that both are aligned.
    if constexpr (sizeof(T) > sizeof(X)) {
      Take(p, staged_value, staged);
      Take(p, staged_index, staged);
    } else {
      Take(p, staged_index, staged);
      Take(p, staged_value, staged);
    }
  }

  template <typename P>
  static void Take(char*& p, P*& pointer, int64_t count) {
    pointer = reinterpret_cast<P*>(p);
    p += static_cast<size_t>(count) * sizeof(P);
  }

  void FillTables(const Plan& plan, const RowShape& shape) {
    const Axis& w = plan.axis[2];
    for (int64_t j = 0; j < w.out; ++j) {
      spans[j] = w.SpanAt(j);
      some_empty |= spans[j].taps == 0;
      if (shape.horizontal == Horizontal::kCells) continue;
      begin_columns[j] = static_cast<I>(w.out == 1 ? -w.pad : w.Begin(j));
      first_columns[j] = static_cast<I>(spans[j].first);
    }
    if (shape.horizontal != Horizontal::kCells) {
      std::fill(begin_columns + w.out, begin_columns + pitch, I{0});
      std::fill(first_columns + w.out, first_columns + pitch, I{0});
    }
  }
};

}  // namespace poolproof::optimized

#endif  // POOLPROOF_OPTIMIZED_KERNELS_INDEX_PLANE_H_
