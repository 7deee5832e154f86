// What the lanes of a group have: planes, or, where there are few of them, parts of planes, so that few lanes are idle.
// Nothing here depends on the instruction set.
#ifndef POOLPROOF_OPTIMIZED_KERNELS_INTERLEAVED_LANES_H_
#define POOLPROOF_OPTIMIZED_KERNELS_INTERLEAVED_LANES_H_

#include <algorithm>
#include <cstdint>

#include "optimized/core/plan.h"

namespace poolproof::optimized {

// Each plane has `parts` lanes, and each lane `rows` of the output rows [begin, end) of its plane, slices one after the
// other; those of the last one may begin before the one above it ends.
struct Lanes {
  explicit Lanes(const Plan& plan) : Lanes(plan, 0, plan.axis[0].out * plan.axis[1].out) {}
  // One lane for each plane.
  Lanes(const Plan& plan, int64_t from, int64_t to) : Lanes(plan, from, to, to - from) {}
  Lanes(const Plan& plan, int64_t from, int64_t to, int64_t count)
      : planes(plan), begin(from), end(to), rows(count), parts((to - from + count - 1) / count) {}

  const Plan& planes;  // what is pooled, as a whole
  int64_t begin, end, rows, parts;

  // The first output row of a lane, in its plane.
  int64_t FirstRow(int64_t lane) const { return RowOfPart(lane % parts); }
  int64_t RowOfPart(int64_t part) const { return begin + std::min(part * rows, end - begin - rows); }
};

// Where `folded` brings the rows of windows together, output rows do not depend on each other: how many a lane has,
// of `lanes` lanes at a time.
int64_t FoldedLaneRows(const Plan& plan, int64_t lanes);

// Windows along the height that are folded one by one, at most: those one below the other that are alike are one.
int64_t AlikeRows(const Axis& height);

// Output rows of planes of which all lanes are alike, as if those were planes of their own: `plan` is that of a lane,
// of as many planes as there are.
struct Zone {
  Plan plan;
  Lanes lanes;
  // Where part `part` begins in the elements of a plane.
  int64_t ElementOfPart(int64_t part) const;
};

// Output coordinates [begin, end) along an axis whose windows are not clipped, so many for each lane; 0 if lanes are
// better planes.
struct Parted {
  int axis;
  int64_t begin, end, rows;
};
// lanes: at a time.
Parted PartPlanes(const Plan& plan, int64_t lanes);
// Output coordinates [from, to) along that axis.
Zone MakeZone(const Plan& plan, int axis, int64_t from, int64_t to, int64_t rows);

// Calls pool(zone) for the zones of a plan, which are one if lanes are planes, and otherwise those of clipped windows,
// and that between them.
template <class F>
void ForZones(const Plan& plan, int64_t lanes, const F& pool) {
  const Parted parted = PartPlanes(plan, lanes);
  if (parted.rows == 0) return pool(Zone{plan, Lanes(plan)});
  const int64_t out = plan.axis[parted.axis].out;
  if (parted.begin > 0) pool(MakeZone(plan, parted.axis, 0, parted.begin, parted.begin));
  pool(MakeZone(plan, parted.axis, parted.begin, parted.end, parted.rows));
  if (parted.end < out) pool(MakeZone(plan, parted.axis, parted.end, out, out - parted.end));
}

}  // namespace poolproof::optimized

#endif  // POOLPROOF_OPTIMIZED_KERNELS_INTERLEAVED_LANES_H_
