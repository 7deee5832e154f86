#include "optimized/kernels/interleaved_shape.h"

#include <algorithm>
#include <cstdlib>
#include <limits>

#include "optimized/kernels/kernels.h"
#include "optimized/kernels/rows.h"

namespace poolproof::optimized {
namespace {

// Elements of each plane that are brought together at a time, and windows that are stored together: a vector each, so
// that both, and the rows between them, stay in the first-level cache.
constexpr int64_t kElements = 192, kWindows = 64, kMostWindows = 512;

// Fills from[j] with the first element that window j or a later one has. Returns how many elements from there on are
// kept at most until window j is pooled.
int64_t FillFrom(const Axis& axis, const Span* spans, int64_t* from) {
  int64_t first = axis.in;
  for (int64_t j = axis.out - 1; j >= 0; --j) {
    if (spans[j].taps > 0) first = std::min(first, spans[j].first);
    from[j] = first;
  }
  int64_t end = 0, most = 1;
  for (int64_t j = 0; j < axis.out; ++j) {
    end = std::max(end, End(axis, spans[j]));
    most = std::max(most, end - from[j]);
  }
  return most;
}

// Elements from the first tap of a window to its last one, at most.
int64_t Reach(const Axis& axis) {
  int64_t reach = 0;
  const bool fits = !__builtin_mul_overflow(axis.kernel - 1, axis.dilation, &reach);
  return fits && reach < axis.in ? reach + 1 : axis.in;
}

// How window `next`, the one behind `here`, is nested with it. Few taps are joined again sooner.
Nested NestedOf(const Axis& axis, Span here, Span next) {
  constexpr int64_t kFew = 3;
  if (axis.adaptive || axis.kernel <= kFew || here.taps == 0 || next.taps == 0 || here.taps == next.taps)
    return Nested::kNone;
  if (here.first == next.first) return next.taps > here.taps ? Nested::kGrow : Nested::kNone;
  return End(axis, here) == End(axis, next) && here.taps > next.taps ? Nested::kShrink : Nested::kNone;
}

// The runs of the segment's windows, with elements counted from its first.
int64_t FillRuns(const Axis& axis, const Span* spans, const RowSegment& segment, WindowRun* runs) {
  int64_t count = 0;
  for (int64_t j = segment.begin; j < segment.end;) {
    const Span span = spans[j];
    WindowRun run = {1, span.first - segment.first, 0, span.taps};
    int64_t end = j + 1;
    if (end < segment.end) {
      run.stride = spans[end].first - span.first;
      run.more = std::abs(spans[end].taps - span.taps);
      run.nested = NestedOf(axis, span, spans[end]);
    }
    const auto follows = [&](Span here, Span next) {
      if (run.nested == Nested::kNone) return next.taps == span.taps && next.first - here.first == run.stride;
      return NestedOf(axis, here, next) == run.nested && std::abs(next.taps - here.taps) == run.more;
    };
    while (end < segment.end && follows(spans[end - 1], spans[end])) ++end;
    run.count = end - j;
    runs[count++] = run;
    j = end;
  }
  return count;
}

RowSegment MakeSegment(const Axis& axis, const Span* spans, int64_t begin, int64_t end, bool whole) {
  RowSegment segment = {begin, end, 0, axis.in, nullptr, 0};
  if (whole) return segment;
  segment.first = axis.in;
  segment.last = 0;
  for (int64_t j = begin; j < end; ++j) {
    if (spans[j].taps == 0) continue;
    segment.first = std::min(segment.first, spans[j].first);
    segment.last = std::max(segment.last, End(axis, spans[j]));
  }
  if (segment.last == 0) segment.first = 0;
  return segment;
}

// Windows of a segment such that they see about kElements.
int64_t WindowsOfSegment(const Axis& axis) {
  if (axis.in <= kElements) return std::min(axis.out, kMostWindows);
  if (axis.adaptive) return std::clamp<int64_t>(kElements * axis.out / axis.in, 1, kMostWindows);
  const int64_t windows = (kElements - Reach(axis)) / axis.stride + 1;
  return std::clamp<int64_t>(windows, std::min<int64_t>(16, axis.out), std::min(axis.out, kMostWindows));
}

// Whether what is kept of a group of planes stays in proportion, and tables have few entries for each of them.
bool Takes(const Plan& plan) {
  constexpr int64_t kCells = 1 << 16, kMostOut = 1 << 20;
  const Axis &d = plan.axis[0], &h = plan.axis[1], &w = plan.axis[2];
  if (plan.inner != 1 || plan.InPlane() > std::numeric_limits<int32_t>::max()) return false;
  if (d.out > kMostOut || h.out > kMostOut || w.out > kMostOut || plan.OutPlane() > kMostOut) return false;
  const int64_t windows = std::min(w.out, kMostWindows);
  return Reach(h) <= kCells / windows && Reach(d) <= kCells / windows / std::min(h.out, kCells);
}

// Nanoseconds that another zone takes.
constexpr double kZone = 800;

// Windows that are pooled together, from window `begin` on and before `end`.
RowBatch BatchAt(const Axis& axis, const Span* spans, int64_t begin, int64_t end) {
  RowBatch batch = {begin, 1, 0, Nested::kNone, 0};
  if (begin + 1 >= end) return batch;
  const Span here = spans[begin], next = spans[begin + 1];
  batch.nested = NestedOf(axis, here, next);
  if (batch.nested != Nested::kNone) {
    batch.more = std::abs(next.taps - here.taps);
    const auto follows = [&](Span a, Span b) {
      return NestedOf(axis, a, b) == batch.nested && std::abs(b.taps - a.taps) == batch.more;
    };
    while (begin + batch.count < end && follows(spans[begin + batch.count - 1], spans[begin + batch.count])) {
      ++batch.count;
    }
    return batch;
  }
  const int64_t stride = next.first - here.first, shift = SharedShift(here.taps, stride, axis.dilation);
  if (shift == 0 || next.taps != here.taps) return batch;
  int64_t alike = 2;
  while (alike < 4 && begin + alike < end && spans[begin + alike].taps == here.taps &&
         spans[begin + alike].first == here.first + alike * stride) {
    ++alike;
  }
  batch.count = alike == 4 && here.taps > 3 * shift ? 4 : 2;
  batch.shift = shift;
  return batch;
}

}  // namespace

void InterleavedShape::MakeBatches(const Axis& axis, Scratch& scratch) {
  RowBatch* const all = scratch.Get<RowBatch>(kFlagSlot, axis.out);
  batches = all;
  batch_count = 0;
  int64_t more = 0;  // rows from the end of the first window of a batch to that of its last one, where none is nested
  for (int64_t h = 0; h < axis.out;) {
    const int64_t block = h / out_rows * out_rows;  // those that are stored together
    const RowBatch batch = BatchAt(axis, high, h, std::min(axis.out, block + out_rows));
    all[batch_count++] = batch;
    if (batch.nested == Nested::kNone) more = std::max(more, (batch.count - 1) * batch.shift * axis.dilation);
    h += batch.count;
  }
  // All rows of a batch are pooled along themselves before it is.
  kept += more;
}

InterleavedShape::InterleavedShape(const Plan& plan, Scratch& scratch) {
  const Axis &d = plan.axis[0], &h = plan.axis[1], &w = plan.axis[2];
  Span* const spans = scratch.Get<Span>(kSpanSlot, d.out + h.out + w.out);
  d.FillSpans(spans);
  h.FillSpans(spans + d.out);
  w.FillSpans(spans + d.out + h.out);
  deep = spans;
  high = spans + d.out;
  wide = high + h.out;
  const int64_t windows = WindowsOfSegment(w);
  whole_rows = windows == w.out;
  segment_count = (w.out + windows - 1) / windows;
  segments = scratch.Get<RowSegment>(kCellSlot, segment_count);
  WindowRun* const runs = scratch.Get<WindowRun>(kPickSlot, w.out);
  most_windows = windows;
  most_elements = 1;
  for (int64_t s = 0; s < segment_count; ++s) {
    const int64_t begin = s * windows;
    segments[s] = MakeSegment(w, wide, begin, std::min(begin + windows, w.out), whole_rows);
    segments[s].runs = runs + begin;
    segments[s].run_count = FillRuns(w, wide, segments[s], runs + begin);
    most_elements = std::max(most_elements, segments[s].Elements());
  }
  int64_t* const from = scratch.Get<int64_t>(kListSlot, d.out + h.out);
  deep_from = from;
  high_from = from + d.out;
  one_slice = Reach(d) == 1;
  one_row = plan.IsFlat() && h.in == 1 && h.out == 1 && high[0].taps == 1;
  chunk = whole_rows ? std::clamp<int64_t>(kElements / w.in, 1, h.in) : 1;
  kept_slices = FillFrom(d, deep, from);
  kept = FillFrom(h, high, from + d.out) + chunk;
  out_rows = whole_rows ? std::clamp<int64_t>(kWindows / w.out, 1, h.out) : 1;
  // Windows that share taps: what one has read, the others need not read again.
  constexpr int64_t kTogether = 4;
  const bool shared = !h.adaptive && SharedShift(h.kernel, h.stride, h.dilation) > 0;
  if (whole_rows && shared) out_rows = std::min(h.out, RoundUp(out_rows, kTogether));
  MakeBatches(h, scratch);
}

bool IsOneWindow(const Plan& plan) {
  for (const Axis& axis : plan.axis) {
    if (axis.out != 1 || axis.SpanAt(0).taps != axis.in) return false;
  }
  return true;
}

InterleavedShape FoldedShape(const Plan& plan, Scratch& scratch) {
  const Axis& w = plan.axis[2];
  InterleavedShape shape(plan, scratch);
  const int64_t fit = std::min(2 * kElements / w.in, kMostWindows / w.out);
  if (shape.whole_rows) shape.out_rows = std::clamp<int64_t>(fit, 1, plan.axis[0].out * plan.axis[1].out);
  return shape;
}

bool InterleavedTakes(Pooling pooling, const Plan& plan) {
  if (!Takes(plan)) return false;
  const Axis &d = plan.axis[0], &h = plan.axis[1], &w = plan.axis[2];
  if (pooling == Pooling::kMax) {
    if (plan.index_type == 0) return true;
    return plan.index_bound >= plan.InPlane() && NoneEmpty(d) && NoneEmpty(h) && NoneEmpty(w);
  }
  if (plan.quotient == Quotient::kNearest) return true;
  const bool is_long = plan.divisor == Divisor::kGiven && plan.given_divisor >> kLongTapBits > 0;
  switch (BytesOf(plan.type)) {
    case 1: return SumBits(plan) <= 24;
    case 8: return SumBits(plan) <= 64 + kLongTapBits && !is_long;
    default: return SumBits(plan) <= 53;
  }
}

bool FoldedTakes(Pooling pooling, const Plan& plan) {
  // Sums of 64-bit integers may overflow, which interleaved looks for.
  const bool is_long = plan.quotient != Quotient::kNearest && BytesOf(plan.type) == 8;
  return plan.index_type == 0 && !is_long && InterleavedTakes(pooling, plan);
}

// Nanoseconds for lanes that are this number of parts of planes, with these numbers of coordinates of input and output.
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
  in_unit_ = (axis_ == 0 ? plan.axis[1].in : 1) * (axis_ <= 1 ? plan.axis[2].in : 1);
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

Lanes Zones::Make(int64_t from, int64_t to, int64_t size) const {
  Lanes lanes(plan_);
  lanes.axis = axis_;
  lanes.begin = from;
  lanes.end = to;
  lanes.count = size;
  lanes.parts = (to - from + size - 1) / size;
  lanes.in_unit = in_unit_;
  lanes.out_unit = out_unit_;
  const Axis& whole = plan_.axis[axis_];
  const int64_t before = std::max<int64_t>(0, -whole.Begin(from)), first = whole.Begin(from) + before;
  Axis& part = lanes.plan.axis[axis_];
  part.out = size;
  part.pad = before;
  part.in = std::min(whole.in - first, (size - 1) * whole.stride + whole.Reach() + 1 - before);
  return lanes;
}

}  // namespace poolproof::optimized
