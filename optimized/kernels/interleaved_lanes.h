// What the lanes of a group have: planes, or, where there are few of them, parts of planes, so that few lanes are idle.
// Nothing here depends on the instruction set.
#ifndef POOLPROOF_OPTIMIZED_KERNELS_INTERLEAVED_LANES_H_
#define POOLPROOF_OPTIMIZED_KERNELS_INTERLEAVED_LANES_H_

#include <algorithm>
#include <cstdint>

#include "optimized/core/executor.h"
#include "optimized/core/plan.h"

namespace poolproof::optimized {

// Each plane has `parts` lanes, and each lane `count` of the steps [begin, end) that the output of a plane is made of:
// its rows, or coordinates along one axis. Those of the last one may begin before the one above it ends.
struct Lanes {
  // The rows of whole planes.
  explicit Lanes(const Plan& plan) : Lanes(plan, plan.axis[0].out * plan.axis[1].out) {}
  // `size` rows for each lane.
  Lanes(const Plan& plan, int64_t size) : Lanes(plan, plan.axis[2].out, 0, plan.axis[0].out * plan.axis[1].out, size) {}
  Lanes(const Plan& plan, int64_t elements, int64_t from, int64_t to, int64_t size)
      : planes(plan), unit(elements), begin(from), end(to), count(size), parts((to - from + size - 1) / size) {}

  const Plan& planes;  // what is pooled, as a whole
  int64_t unit;        // elements of a step
  int64_t begin, end, count, parts;
  const int64_t* steps = nullptr;  // of each part, where they do not follow each other

  // The first step of a part of a plane, and where it is in the elements of the output.
  int64_t StepOfPart(int64_t part) const {
    return steps != nullptr ? steps[part] : begin + std::min(part * count, end - begin - count);
  }
  int64_t OutOfPart(int64_t part) const { return StepOfPart(part) * unit; }
  // Output rows that a lane has, maybe in part.
  int64_t Rows() const { return std::max<int64_t>(1, count * unit / planes.axis[2].out); }
};

// Where `folded` brings the rows of windows together, output rows do not depend on each other: how many a lane has,
// of `lanes` lanes at a time.
int64_t FoldedLaneRows(const Plan& plan, int64_t lanes);

// Windows along the height that are folded one by one, at most: those one below the other that are alike are one.
int64_t AlikeRows(const Axis& height);

// Coordinates along axis `axis` of the output of which all lanes are alike, as if those were planes of their own:
// `plan` is that of a lane, of as many planes as there are.
struct Zone {
  Plan plan;
  Lanes lanes;
  int axis;
  // Where part `part` begins in the elements of a plane.
  int64_t ElementOfPart(int64_t part) const;
};

// The zones of a plan, which are one if lanes are planes. Otherwise they are windows that are not clipped, those before
// and those behind, or, adaptive, windows of as many taps each.
class Zones {
 public:
  // lanes: at a time. The scratch memory is used until the last zone was.
  Zones(const Plan& plan, int64_t lanes, Scratch& scratch);
  // Calls pool(zone) for each.
  template <class F>
  void For(const F& pool) const {
    if (size_ == 0) return pool(Zone{plan_, Lanes(plan_), axis_});
    const Axis& axis = plan_.axis[axis_];
    if (axis.adaptive) {
      for (int64_t taps = FewestTaps(axis); taps <= axis.kernel; ++taps) {
        if (const Zone zone = Adaptive(taps); zone.lanes.parts > 0) pool(zone);
      }
      return;
    }
    if (begin_ > 0) pool(Fixed(0, begin_, begin_));
    pool(Fixed(begin_, end_, size_));
    if (end_ < axis.out) pool(Fixed(end_, axis.out, axis.out - end_));
  }

 private:
  // Of adaptive windows, none has fewer.
  static int64_t FewestTaps(const Axis& axis) { return std::max<int64_t>(1, axis.in / axis.out); }
  double Time(int64_t parts, int64_t in, int64_t out) const;
  void PartFixed();
  void PartAdaptive();
  // Coordinates [from, to), `size` for each lane.
  Zone Fixed(int64_t from, int64_t to, int64_t size) const;
  // Windows of so many taps, one for each lane.
  Zone Adaptive(int64_t taps) const;

  const Plan& plan_;
  const int64_t lanes_;
  int axis_ = 0;                        // along which planes are parted
  int64_t in_unit_ = 1, out_unit_ = 1;  // elements of the input and the output for each coordinate
  int64_t begin_ = 0, end_ = 0,
          size_ = 0;  // windows that are not clipped, and how many a lane has; 0: planes are whole
  int64_t* steps_ = nullptr;
};

}  // namespace poolproof::optimized

#endif  // POOLPROOF_OPTIMIZED_KERNELS_INTERLEAVED_LANES_H_
