// Mutants that look at the wrong taps: attributes misread, windows misplaced, offsets lost.
#include <algorithm>
#include <utility>

#include "conformance/causes/mutant.h"

namespace poolproof::mutants {
namespace {

// Leaves lists alone that hold a value below `minimum`: those are to be refused.
bool IsValid(const IntList* list, int64_t minimum) {
  return list != nullptr && list->size > 0 && *std::min_element(list->begin(), list->end()) >= minimum;
}

void FirstForAll(Asked& asked, Role role) {
  IntList* list = ListOf(asked, role);
  if (IsValid(list, 1)) std::fill_n(list->value.begin(), list->size, (*list)[0]);
}

// A dilated window that begins before the input begins at its edge instead, and ends where it should: its taps are
// others then, and fewer.
void BeginAtEdge(const Pool& pool, size_t i, int64_t, Range& range) {
  const Axis& axis = pool.axes[i];
  if (axis.dilation < 2 || range.start >= 0) return;
  const int64_t last = range.start + (axis.kernel - 1) * axis.dilation;
  range.start = 0;
  range.full = last < 0 ? 0 : last / axis.dilation + 1;
  range.Clip(axis);
}

// The last elements that do not fill a vector of four along the innermost axis are computed from a
// vector that starts one element too early.
void TailTooEarly(const Pool& pool, size_t i, int64_t at, Range& range) {
  if (i != 2 || pool.axes[2].out < 4 || at < pool.axes[2].out / 4 * 4) return;
  --range.start;
  range.Clip(pool.axes[2]);
}

void SkipLastTap(const Pool& pool, size_t i, int64_t, Range& range) {
  if (i == 2 && range.Inside() > 2 && range.end == range.full) {
    range.end = range.full - 1;
  }
  (void)pool;
}

void ClampToInput(const Pool& pool, size_t i, int64_t, Range& range) {
  const Axis& axis = pool.axes[i];
  if (range.start < 0) {
    range.start = 0;
  } else if (range.start + (range.full - 1) * range.step >= axis.size) {
    range.start = std::max<int64_t>(0, axis.size - 1 - (range.full - 1) * range.step);
  } else {
    return;
  }
  range.Clip(axis);
}

// As ClampToInput, of windows that reach past the end alone.
void MoveInFromEnd(const Pool& pool, size_t i, int64_t, Range& range) {
  const int64_t past = range.start + (range.full - 1) * range.step + 1 - pool.axes[i].size;
  if (past <= 0 || range.start <= 0) return;
  range.start = std::max<int64_t>(0, range.start - past);
  range.Clip(pool.axes[i]);
}

constexpr Mutant kWindows[] = {
    {.id = "onnxruntime-29637",
     .title = "a dilated window that begins in the padding begins at the edge of the input instead",
     .effect = "values and indices at the left and upper border are wrong for dilation above 1",
     .link = "https://github.com/microsoft/onnxruntime/issues/29637",
     .operators = kDilates,
     .role = Role::kDilation,
     .hooks = {.range = BeginAtEdge}},
    {.id = "pads-swapped",
     .title = "the pads of the axes are exchanged",
     .effect = "height is padded by what width asks for",
     .verdicts = "fail wrongly-rejected",
     .operators = kSliding,
     .role = Role::kPadBegin,
     .hooks = {.edit =
                   [](Asked& asked) {
                     ReverseAxes(asked, Role::kPadBegin);
                     ReverseAxes(asked, Role::kPadEnd);
                   }}},
    {.id = "pads-begin-end-swapped",
     .title = "the pads at the beginning and at the end are exchanged",
     .effect = "the output is shifted where the padding is not symmetric",
     .verdicts = "fail wrongly-rejected",
     .operators = kSliding,
     .role = Role::kPadBegin,
     .hooks = {.edit = [](Asked& asked) { Exchange(asked, Role::kPadBegin, Role::kPadEnd); }}},
    {.id = "pads-end-as-begin",
     .title = "the pads at the beginning are used at both ends",
     .effect = "shape and border are wrong where the padding is not symmetric",
     .verdicts = "fail wrongly-rejected",
     .operators = kSliding,
     .role = Role::kPadEnd,
     .hooks = {.edit =
                   [](Asked& asked) {
                     const IntList* begin = ListOf(asked, Role::kPadBegin);
                     IntList* end = ListOf(asked, Role::kPadEnd);
                     const bool valid = IsValid(begin, 0) && IsValid(end, 0) && begin->size == end->size;
                     if (valid) *end = *begin;
                   }}},
    {.id = "kernel-reversed",
     .title = "the kernel's axes are exchanged",
     .effect = "a window 3 high and 1 wide is taken for one 1 high and 3 wide",
     .verdicts = "fail wrongly-rejected",
     .operators = kSliding,
     .role = Role::kKernel,
     .hooks = {.edit = [](Asked& asked) { ReverseAxes(asked, Role::kKernel); }}},
    {.id = "strides-reversed",
     .title = "the strides of the axes are exchanged",
     .effect = "shapes are wrong where the strides differ",
     .verdicts = "fail wrongly-rejected",
     .operators = kSliding,
     .role = Role::kStride,
     .hooks = {.edit = [](Asked& asked) { ReverseAxes(asked, Role::kStride); }}},
    {.id = "stride-of-first-axis",
     .title = "the stride of the first axis is used for all",
     .effect = "shapes are wrong where the strides differ",
     .verdicts = "fail wrongly-rejected",
     .operators = kSliding,
     .role = Role::kStride,
     .hooks = {.edit = [](Asked& asked) { FirstForAll(asked, Role::kStride); }}},
    {.id = "dilation-of-first-axis",
     .title = "the dilation of the first axis is used for all",
     .effect = "windows are spread wrongly where the dilations differ",
     .verdicts = "fail wrongly-rejected",
     .operators = kDilates,
     .role = Role::kDilation,
     .hooks = {.edit = [](Asked& asked) { FirstForAll(asked, Role::kDilation); }}},
    {.id = "dilation-ignored",
     .title = "dilations are ignored",
     .effect = "windows are dense, outputs larger than asked for",
     .verdicts = "fail wrongly-accepted",
     .operators = kDilates,
     .role = Role::kDilation,
     .hooks = {.edit = [](Asked& asked) { Remove(asked, Role::kDilation); }}},
    {.id = "dilation-counts-gaps",
     .title = "dilation counts the gaps between taps",
     .effect = "dilation 1 leaves out every other pixel",
     .verdicts = "fail wrongly-rejected",
     .operators = kDilates,
     .role = Role::kDilation,
     .hooks = {.edit =
                   [](Asked& asked) {
                     IntList* list = ListOf(asked, Role::kDilation);
                     for (size_t i = 0; list != nullptr && i < list->size; ++i) ++(*list)[i];
                   }}},
    {.id = "dilation-only-in-shape",
     .title = "dilation enters the shape but not the taps",
     .effect = "the output has the right shape and the values of dense windows",
     .operators = kDilates,
     .role = Role::kDilation,
     .hooks = {.pool =
                   [](Pool& pool) {
                     for (Axis& axis : pool.axes) axis.dilation = 1;
                   }}},
    {.id = "padding-shifts-nothing",
     .title = "begin padding enters the shape but not the position of the windows",
     .effect = "the output is shifted by the padding",
     .operators = kSliding,
     .role = Role::kPadBegin,
     .hooks = {.pool =
                   [](Pool& pool) {
                     for (Axis& axis : pool.axes) {
                       axis.pad_end += axis.pad_begin;
                       axis.pad_begin = 0;
                     }
                   }}},
    {.id = "windows-moved-inside",
     .title = "windows that reach into the padding are moved inside the input",
     .effect = "border outputs see pixels that their window does not cover",
     .operators = kSliding,
     .role = Role::kPadBegin,
     .hooks = {.range = ClampToInput}},
    {.id = "windows-moved-in-from-end",
     .title = "windows that reach past the end are moved inside the input",
     .effect = "outputs at the right and lower border see pixels that their window does not cover",
     .operators = kSliding,
     .role = Role::kPadEnd,
     .hooks = {.range = MoveInFromEnd}},
    {.id = "channel-offset-lost",
     .title = "every channel is computed from the first one",
     .effect = "all channels of an image are equal",
     .hooks = {.pool = [](Pool& pool) { pool.in.channel = 0; }}},
    {.id = "batch-offset-lost",
     .title = "every image of a batch is computed from the first one",
     .effect = "all images of a batch are equal",
     .operators = kSliding | kAdaptive,
     .hooks = {.pool = [](Pool& pool) { pool.in.batch = 0; }}},
    {.id = "tail-window-shifted",
     .title = "the columns after the last full vector are computed one element too far left",
     .effect = "widths that are no multiple of the vector length have wrong last columns",
     .hooks = {.range = TailTooEarly}},
    {.id = "last-tap-skipped",
     .title = "the last tap of kernels wider than two is skipped",
     .effect = "the right column of each window does not take part",
     .role = Role::kKernel,
     .hooks = {.range = SkipLastTap}},
};

}  // namespace

std::span<const Mutant> WindowMutants() { return kWindows; }

}  // namespace poolproof::mutants
