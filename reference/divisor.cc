#include "reference/divisor.h"

namespace poolproof::reference {
namespace {

bool HasPads(const Plan& plan) {
  for (const Axis& axis : plan.axes) {
    if (axis.pad_begin != 0 || axis.pad_end != 0) return true;
  }
  return false;
}

// Taps in the input or its padding. Those past the padded end, where rounding up has put the last
// window, are counted or not.
int64_t IncludingPads(const Plan& plan, const OutputPosition& at, Context& context) {
  const auto& [d, h, w] = plan.axes;
  const int64_t full = d.kernel * h.kernel * w.kernel;
  const int64_t clipped = d.TapsInPadded(at.d) * h.TapsInPadded(at.h) * w.TapsInPadded(at.w);
  if (clipped == full) return full;
  context.touched.Add(Entry::kAvgOverhang);
  return context.readings.Is(Entry::kAvgOverhang, AvgOverhang::kCounted) ? full : clipped;
}

}  // namespace

int64_t DivisorOf(const Plan& plan, const OutputPosition& at, const WindowTaps& taps, Context& context) {
  if (plan.divisor > 0) return plan.divisor;
  const int64_t inside = taps.Count();
  if (plan.exclude_pad) return inside;
  if (HasPads(plan) || !plan.open_without_pads) return IncludingPads(plan, at, context);
  // No padding to include: only an overhang can be more than the taps inside.
  if (context.readings.Is(Entry::kAvgIncludeWithoutPads, AvgIncludeWithoutPads::kExcluded)) {
    Context as_overhang{context.readings, {}, {}};
    if (IncludingPads(plan, at, as_overhang) != inside) {
      context.touched.Add(Entry::kAvgIncludeWithoutPads);
    }
    return inside;
  }
  const int64_t including = IncludingPads(plan, at, context);
  if (including != inside) context.touched.Add(Entry::kAvgIncludeWithoutPads);
  return including;
}

}  // namespace poolproof::reference
