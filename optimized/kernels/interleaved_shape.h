// Geometry and memory of the interleaved kernel (interleaved-inl.h), and what its lanes have: planes, or, where there
// are few of them, parts of planes, so that few lanes are idle. Nothing here depends on the instruction set.
#pragma once

#include <algorithm>
#include <cstdint>

#include "optimized/core/executor.h"
#include "optimized/core/plan.h"
#include "optimized/kernels/rows.h"

namespace poolproof::optimized {

// How windows that are clipped follow each other: each has the taps of the one before and some behind, or lacks some of
// its first.
enum class Nested : uint8_t { kNone, kGrow, kShrink };

// Windows next to each other that have equally many taps and begin equally far apart, or, if they are nested, equally
// many more or less.
struct WindowRun {
  int64_t count;
  int64_t first;   // tap of the first of them
  int64_t stride;  // from there to the first tap of the next
  int64_t taps;    // of the first of them
  Nested nested = Nested::kNone;
  int64_t more = 0;  // taps by which neighbours that are nested differ
};

// Output rows that are pooled down together: one, or some that share taps or are nested.
struct RowBatch {
  int64_t begin, count;
  int64_t shift;  // 0, or how many taps each begins behind the one before
  Nested nested;
  int64_t more;  // taps by which neighbours that are nested differ
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
  bool one_row;                         // whether there is one row, and one window, which has it
  int64_t chunk;                        // input rows brought into the cache at a time
  int64_t kept;                         // input rows, pooled along themselves, that are kept
  int64_t kept_slices;
  int64_t out_rows;  // stored together
  const RowBatch* batches;
  int64_t batch_count;

 private:
  void MakeBatches(const Axis& axis, Scratch& scratch);
};

// Whether a plane is one window, of which it has all taps.
bool IsOneWindow(const Plan& plan);

// The shape where the rows of windows become one before they are interleaved: as many output rows as fit are stored
// together, of slices as well.
InterleavedShape FoldedShape(const Plan& plan, Scratch& scratch);

// Work that has a lane for each plane; or, of few planes, for each of `parts` parts of a plane: `count` of the
// coordinates [begin, end) along an axis of the output, of which all lanes are alike, as if they were planes of their
// own, of which `plan` is. Those of the last part may begin before the part above it ends.
struct Lanes {
  explicit Lanes(const Plan& whole) : planes(whole), plan(whole) {}

  // The plane of a lane, and its first element of the input and of the output.
  int64_t PlaneOf(int64_t lane) const { return parts == 1 ? lane : lane / parts; }
  int64_t InOf(int64_t lane) const {
    return PlaneOf(lane) * planes.InPlane() + std::max<int64_t>(0, planes.axis[axis].Begin(FirstOf(lane))) * in_unit;
  }
  int64_t OutOf(int64_t lane) const { return PlaneOf(lane) * planes.OutPlane() + FirstOf(lane) * out_unit; }
  // Where n lanes from `first` on begin in the input, and in the output.
  void FillIn(int64_t first, int64_t n, int64_t* begins) const {
    const int64_t pitch = planes.InPlane();
    for (int64_t k = 0; k < n; ++k) begins[k] = in_unit == 0 ? (first + k) * pitch : InOf(first + k);
  }
  void FillOut(int64_t first, int64_t n, int64_t* begins) const {
    const int64_t pitch = planes.OutPlane();
    for (int64_t k = 0; k < n; ++k) begins[k] = out_unit == 0 ? (first + k) * pitch : OutOf(first + k);
  }
  // Output rows that a lane has, maybe in part.
  int64_t Rows() const { return std::max<int64_t>(1, plan.OutPlane() / planes.axis[2].out); }

  const Plan& planes;
  Plan plan;
  int axis = 0;
  int64_t begin = 0, end = 1, count = 1, parts = 1;
  int64_t in_unit = 0, out_unit = 0;  // elements for each coordinate; 0 for whole planes

 private:
  int64_t FirstOf(int64_t lane) const { return begin + std::min(lane % parts * count, end - begin - count); }
};

// Zones in which all lanes are alike, pooled one at a time: planes, or windows that are not clipped, those before and
// those behind.
class Zones {
 public:
  // lanes: at a time.
  Zones(const Plan& plan, int64_t lanes);
  // Calls pool(lanes) for each.
  template <class F>
  void For(const F& pool) const {
    if (size_ == 0) return pool(Lanes(plan_));
    if (begin_ > 0) pool(Make(0, begin_, begin_));
    pool(Make(begin_, end_, size_));
    if (const int64_t out = plan_.axis[axis_].out; end_ < out) pool(Make(end_, out, out - end_));
  }

 private:
  double Time(int64_t parts, int64_t in, int64_t out) const;
  // Coordinates [from, to), `size` for each lane.
  Lanes Make(int64_t from, int64_t to, int64_t size) const;

  const Plan& plan_;
  const int64_t lanes_;
  int axis_ = 0;                        // along which planes are parted
  int64_t in_unit_ = 1, out_unit_ = 1;  // elements of the input and the output for each coordinate
  int64_t begin_ = 0, end_ = 0;         // windows that are not clipped
  int64_t size_ = 0;                    // how many a lane has; 0: planes are whole
};

}  // namespace poolproof::optimized
