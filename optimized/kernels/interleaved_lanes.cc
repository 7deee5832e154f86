#include "optimized/kernels/interleaved_lanes.h"

#include <algorithm>

#include "optimized/kernels/interleaved_shape.h"
#include "optimized/kernels/rows.h"

namespace poolproof::optimized {
namespace {

// Nanoseconds that another zone takes.
constexpr double kZone = 800;

// The first element that a window has.
int64_t FirstElement(const Axis& axis, int64_t j) { return std::max<int64_t>(0, axis.Begin(j)); }

// Elements of a plane for each coordinate along an axis.
int64_t ElementsOf(const Plan& plan, int axis) {
  return (axis == 0 ? plan.axis[1].in : 1) * (axis <= 1 ? plan.axis[2].in : 1);
}

// Calls begin(k, plane, part) for `count` lanes from `first` on: what lane k of them is, with planes `pitch` apart.
template <class F>
void ForLanes(const Lanes& lanes, int64_t first, int64_t count, int64_t pitch, const F& begin) {
  if (lanes.parts == 1) {
    for (int64_t k = 0; k < count; ++k) begin(k, (first + k) * pitch, int64_t{0});
    return;
  }
  int64_t part = first % lanes.parts, plane = first / lanes.parts * pitch;
  for (int64_t k = 0; k < count; ++k) {
    begin(k, plane, part);
    if (++part < lanes.parts) continue;
    part = 0;
    plane += pitch;
  }
}

}  // namespace

void FillBegins(const Lanes& lanes, int64_t first, int64_t count, int64_t* begins) {
  const int64_t whole = lanes.OutOfPart(0);
  ForLanes(lanes, first, count, lanes.planes.OutPlane(), [&](int64_t k, int64_t plane, int64_t part) {
    begins[k] = plane + (part == 0 ? whole : lanes.OutOfPart(part));
  });
}

void Zone::FillBegins(int64_t first, int64_t count, int64_t* begins) const {
  const Plan& planes = lanes.planes;
  const bool is_whole = lanes.parts == 1 && lanes.begin == 0;
  const auto element = [&](int64_t part) {
    return FirstElement(planes.axis[axis], lanes.StepOfPart(part)) * ElementsOf(planes, axis);
  };
  const int64_t whole = is_whole ? 0 : element(0);
  ForLanes(lanes, first, count, planes.InPlane(),
           [&](int64_t k, int64_t plane, int64_t part) { begins[k] = plane + (part == 0 ? whole : element(part)); });
}

// Nanoseconds for lanes that are so many parts of planes, with so many coordinates of the input and of the output.
double Zones::Time(int64_t parts, int64_t in, int64_t out) const {
  constexpr double kElement = 3, kResult = 2;
  constexpr int64_t kFewest = 16;  // results that are stored together
  const int64_t groups = (plan_.outer * parts + lanes_ - 1) / lanes_;
  return static_cast<double>(groups) * (kElement * static_cast<double>(in * in_unit_) +
                                        kResult * static_cast<double>(std::max(kFewest, out * out_unit_)));
}

Zones::Zones(const Plan& plan, int64_t lanes) : plan_(plan), lanes_(lanes) {
  while (axis_ < 2 && plan.axis[axis_].out == 1 && plan.axis[axis_].in == 1) ++axis_;
  const Axis& axis = plan.axis[axis_];
  if (axis.out == 1 || plan.outer % lanes == 0 || plan.outer > 4 * lanes) return;
  // Otherwise there is nothing but clipped windows.
  if (axis.adaptive || axis.kernel > axis.in || axis.dilation > axis.in) return;
  in_unit_ = ElementsOf(plan, axis_);
  out_unit_ = plan.OutPlane() / axis.out;
  begin_ = std::min(axis.out, (axis.pad + axis.stride - 1) / axis.stride);
  const int64_t room = axis.in - 1 - axis.Reach() + axis.pad;
  end_ = room < 0 ? begin_ : std::clamp(room / axis.stride + 1, begin_, axis.out);
  const auto reach = [&](int64_t size) { return size == 0 ? 0 : (size - 1) * axis.stride + axis.Reach() + 1; };
  const int64_t behind = axis.out - end_;
  const double clipped = (begin_ > 0 ? kZone + Time(1, reach(begin_), begin_) : 0) +
                         (behind > 0 ? kZone + Time(1, reach(behind), behind) : 0);
  double least = 0.85 * Time(1, axis.in, axis.out) - clipped;
  for (const int64_t size : {512, 256, 128, 64, 48, 32, 24, 16, 12, 8, 6, 4, 3, 2, 1}) {
    if (size >= end_ - begin_) continue;
    const double taken = Time((end_ - begin_ + size - 1) / size, reach(size), size);
    if (taken >= least) continue;
    least = taken;
    size_ = size;
  }
}

Zone Zones::Make(int64_t from, int64_t to, int64_t size) const {
  Zone zone = {plan_, Lanes(plan_, out_unit_, from, to, size), axis_};
  const Axis& whole = plan_.axis[axis_];
  Axis& part = zone.plan.axis[axis_];
  part.out = size;
  part.pad = std::max<int64_t>(0, -whole.Begin(from));
  part.in = std::min(whole.in - FirstElement(whole, from), (size - 1) * whole.stride + whole.Reach() + 1 - part.pad);
  return zone;
}

}  // namespace poolproof::optimized
