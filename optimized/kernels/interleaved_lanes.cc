#include "optimized/kernels/interleaved_lanes.h"

#include <bit>

#include "optimized/kernels/interleaved_shape.h"

namespace poolproof::optimized {
namespace {

// The first element that a window has, or would have without padding.
int64_t FirstElement(const Axis& axis, int64_t j) { return std::max<int64_t>(0, axis.Begin(j)); }

// Elements of a plane for each step along an axis.
int64_t ElementsOf(const Plan& plan, int axis) { return (axis == 0 ? plan.axis[1].in : 1) * plan.axis[2].in; }

}  // namespace

int64_t AlikeRows(const Axis& height) {
  return height.adaptive ? height.out : std::min<int64_t>(height.out, height.pad > 0 ? 3 : 1);
}

int64_t FoldedLaneRows(const Plan& plan, int64_t lanes) {
  constexpr int64_t kCall = 6;
  const Axis &h = plan.axis[1], &w = plan.axis[2];
  const int64_t rows = plan.axis[0].out * h.out, most = std::min(MostFoldedRows(plan), rows - 1);
  const int shift = std::countr_zero(static_cast<uint64_t>(lanes));
  const auto vectors = [=](int64_t n) { return (n + lanes - 1) >> shift; };
  // Vectors of elements and of results, which are moved by squares.
  const auto work = [&](int64_t parts, int64_t part) {
    return vectors(plan.outer * parts) * (vectors(part * w.in) + vectors(part * w.out)) * lanes;
  };
  // Whole planes are folded together, others one by one.
  int64_t best = rows, least = work(1, rows) - kCall * plan.outer * plan.axis[0].out * AlikeRows(h);
  for (const int64_t part : {16, 12, 8, 6, 4, 3, 2, 1}) {
    if (part > most) continue;
    const int64_t parts = (rows + part - 1) / part;
    if (work(parts, part) >= least) continue;
    best = part;
    least = work(parts, part);
  }
  return best;
}

int64_t Zone::ElementOfPart(int64_t part) const {
  if (lanes.parts == 1 && lanes.begin == 0) return 0;
  const Plan& planes = lanes.planes;
  const int axis = planes.axis[0].out > 1 ? 0 : 1;
  const int64_t row = lanes.RowOfPart(part);
  return FirstElement(planes.axis[axis], axis == 0 ? row / planes.axis[1].out : row) * ElementsOf(planes, axis);
}

Parted PartPlanes(const Plan& plan, int64_t lanes) {
  // Nanoseconds, for a vector of elements that is brought into lanes and pooled, and for another zone.
  constexpr double kElement = 3, kZone = 800;
  constexpr int64_t kMost = 32;
  const int a = plan.axis[0].out > 1 ? 0 : 1;
  const Axis& axis = plan.axis[a];
  const Parted none = {a, 0, 0, 0};
  if (axis.adaptive || (a == 1 && plan.axis[0].in > 1) || plan.outer % lanes == 0 || plan.outer > 4 * lanes)
    return none;
  const int64_t begin = std::min(axis.out, (axis.pad + axis.stride - 1) / axis.stride);
  const int64_t room = axis.in - 1 - axis.Reach() + axis.pad;
  const int64_t end = room < 0 ? begin : std::clamp(room / axis.stride + 1, begin, axis.out);
  const auto time = [&](int64_t parts, int64_t in) {
    const int64_t groups = (plan.outer * parts + lanes - 1) / lanes;
    return kElement * static_cast<double>(groups * in) * static_cast<double>(ElementsOf(plan, a));
  };
  const auto reach = [&](int64_t rows) { return rows == 0 ? 0 : (rows - 1) * axis.stride + axis.Reach() + 1; };
  const double clipped = time(1, reach(begin) + reach(axis.out - end)) +
                         kZone * static_cast<double>((begin > 0 ? 1 : 0) + (end < axis.out ? 1 : 0));
  double least = 0.85 * time(1, axis.in) - clipped;
  Parted best = none;
  for (int64_t rows = std::min(kMost, end - begin - 1); rows > 0; --rows) {
    const double taken = time((end - begin + rows - 1) / rows, reach(rows));
    if (taken >= least) continue;
    least = taken;
    best = {a, begin, end, rows};
  }
  return best;
}

Zone MakeZone(const Plan& plan, int axis, int64_t from, int64_t to, int64_t rows) {
  const int64_t unit = axis == 0 ? plan.axis[1].out : 1;
  Zone zone = {plan, Lanes(plan, from * unit, to * unit, rows * unit)};
  const Axis& whole = plan.axis[axis];
  Axis& part = zone.plan.axis[axis];
  part.out = rows;
  part.pad = std::max<int64_t>(0, -whole.Begin(from));
  part.in = std::min(whole.in - FirstElement(whole, from), (rows - 1) * whole.stride + whole.Reach() + 1 - part.pad);
  return zone;
}

}  // namespace poolproof::optimized
