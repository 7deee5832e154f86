// Geometry and memory of the interleaved kernel (interleaved-inl.h), and what its lanes have: planes, or, where there
// are few of them, parts of planes, so that few lanes are idle. Nothing here depends on the instruction set.
#ifndef POOLPROOF_OPTIMIZED_KERNELS_INTERLEAVED_SHAPE_H_
#define POOLPROOF_OPTIMIZED_KERNELS_INTERLEAVED_SHAPE_H_

#include <algorithm>
#include <cstdint>

#include "optimized/core/executor.h"
#include "optimized/core/plan.h"
#include "optimized/kernels/rows.h"

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

// Each plane has `parts` lanes, and each lane `count` of the steps [begin, end) that the output of a plane is made of:
// its rows, or coordinates along one axis. Those of the last one may begin before the one above it ends.
struct Lanes {
  // The rows of whole planes.
  explicit Lanes(const Plan& plan) : Lanes(plan, plan.axis[2].out, 0, RowsOf(plan), RowsOf(plan)) {}
  Lanes(const Plan& plan, int64_t elements, int64_t from, int64_t to, int64_t size)
      : planes(plan), unit(elements), begin(from), end(to), count(size), parts((to - from + size - 1) / size) {}

  const Plan& planes;  // what is pooled, as a whole
  int64_t unit;        // elements of a step
  int64_t begin, end, count, parts;

  // The first step of a part of a plane, and where it is in the elements of the output.
  int64_t StepOfPart(int64_t part) const { return begin + std::min(part * count, end - begin - count); }
  int64_t OutOfPart(int64_t part) const { return StepOfPart(part) * unit; }
  // Output rows that a lane has, maybe in part.
  int64_t Rows() const { return std::max<int64_t>(1, count * unit / planes.axis[2].out); }

 private:
  static int64_t RowsOf(const Plan& plan) { return plan.axis[0].out * plan.axis[1].out; }
};

// Where the results of `count` lanes from `first` on begin in the output.
void FillBegins(const Lanes& lanes, int64_t first, int64_t count, int64_t* begins);

// Which lanes of a group are suspicious in which rows: a bit for each.
class Suspects {
 public:
  Suspects(int64_t rows, int slot, Scratch& scratch) : rows_(rows), lanes_(scratch.Get<uint32_t>(slot, rows)) {
    Clear();
  }
  void Add(int64_t row, uint32_t lanes) {
    lanes_[row] |= lanes;
    any_ = true;
  }
  uint32_t At(int64_t row) const { return lanes_[row]; }
  bool Any() const { return any_; }
  void Clear() {
    std::fill_n(lanes_, rows_, 0u);
    any_ = false;
  }
  // Of output rows of `count` lanes from `first` on: calls pool(plane, d, h) for each, after which there are none.
  template <class F>
  void Repair(const Lanes& lanes, int64_t first, int64_t count, const F& pool) {
    if (!any_) return;
    const int64_t height = lanes.planes.axis[1].out, width = lanes.planes.axis[2].out;
    int64_t last = -1;  // parts of a row have it in common
    for (int64_t row = 0; row < rows_; ++row) {
      for (int64_t k = 0; k < count && lanes_[row] >> k != 0; ++k) {
        if ((lanes_[row] >> k & 1) == 0) continue;
        const int64_t at = lanes.OutOfPart((first + k) % lanes.parts) / width + row;
        const int64_t plane = (first + k) / lanes.parts, place = plane * lanes.planes.OutPlane() / width + at;
        if (place != last) pool(plane, at / height, at % height);
        last = place;
      }
    }
    Clear();
  }

 private:
  const int64_t rows_;
  uint32_t* const lanes_;
  bool any_ = false;
};

// Coordinates along axis `axis` of the output, which is not adaptive, of which all lanes are alike, as if those were
// planes of their own: `plan` is that of a lane, of as many planes as there are.
struct Zone {
  Plan plan;
  Lanes lanes;
  int axis;
  // Where `count` lanes from `first` on begin in the input.
  void FillBegins(int64_t first, int64_t count, int64_t* begins) const;
};

// The zones of a plan, which are one if lanes are planes. Otherwise they are windows that are not clipped, those before
// and those behind.
class Zones {
 public:
  // lanes: at a time.
  Zones(const Plan& plan, int64_t lanes);
  // Calls pool(zone) for each.
  template <class F>
  void For(const F& pool) const {
    if (size_ == 0) return pool(Zone{plan_, Lanes(plan_), axis_});
    if (begin_ > 0) pool(Make(0, begin_, begin_));
    pool(Make(begin_, end_, size_));
    if (const int64_t out = plan_.axis[axis_].out; end_ < out) pool(Make(end_, out, out - end_));
  }

 private:
  double Time(int64_t parts, int64_t in, int64_t out) const;
  // Coordinates [from, to), `size` for each lane.
  Zone Make(int64_t from, int64_t to, int64_t size) const;

  const Plan& plan_;
  const int64_t lanes_;
  int axis_ = 0;                        // along which planes are parted
  int64_t in_unit_ = 1, out_unit_ = 1;  // elements of the input and the output for each coordinate
  int64_t begin_ = 0, end_ = 0;         // windows that are not clipped
  int64_t size_ = 0;                    // how many a lane has; 0: planes are whole
};

}  // namespace poolproof::optimized

#endif  // POOLPROOF_OPTIMIZED_KERNELS_INTERLEAVED_SHAPE_H_
