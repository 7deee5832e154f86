// Mutants that accept what the documents rule out, or refuse what they allow.
#include <algorithm>
#include <cstdint>

#include "conformance/causes/mutant.h"

namespace poolproof::mutants {
namespace {

void AtLeast(Asked& asked, Role role, int64_t minimum) {
  IntList* list = ListOf(asked, role);
  for (size_t i = 0; list != nullptr && i < list->size; ++i) (*list)[i] = std::max((*list)[i], minimum);
}

// An unknown word counts as the default.
void AcceptUnknownWord(Asked& asked) {
  for (size_t i = 0; i < asked.spec->attributes.size(); ++i) {
    const AttributeSpec& spec = asked.spec->attributes[i];
    const bool known = std::ranges::find(spec.words, asked.attributes[i].word) != spec.words.end();
    if (!spec.meanings.empty() && !known) asked.attributes[i] = {};
  }
}

// Lists get the length of the spatial rank: cut, or filled with `fill`.
void FitLength(Asked& asked, Role role, int64_t fill) {
  IntList* list = ListOf(asked, role);
  const int rank = asked.SpatialRank();
  if (list == nullptr || rank <= 0) return;
  while (list->size < rank) list->push_back(fill);
  list->size = static_cast<uint8_t>(rank);
}

void AcceptLargeKernel(Asked& asked) {
  IntList* kernel = ListOf(asked, Role::kKernel);
  if (kernel == nullptr || KeepsSize(asked)) return;
  const bool padded = MeaningOf(asked, Role::kAutoPad) != Meaning::kPadNone;
  for (int axis = 0; axis < std::min<int>(kernel->size, asked.SpatialRank()); ++axis) {
    const int64_t pads = AxisValue(asked, Role::kPadBegin, axis, 0) + AxisValue(asked, Role::kPadEnd, axis, 0);
    const int64_t size = SpatialSize(asked, axis) + (padded ? pads : 0);
    int64_t& value = (*kernel)[static_cast<size_t>(axis)];
    if (size >= 1) value = std::min(value, size);
  }
}

// [N, C] is taken for [N, C, 1], and so are its attributes.
void AcceptRank2(Asked& asked) {
  if (asked.shape.size != 2) return;
  asked.shape.push_back(1);
  for (const Role role : {Role::kKernel, Role::kStride, Role::kDilation, Role::kPadBegin, Role::kPadEnd}) {
    IntList* list = ListOf(asked, role);
    const bool pads = role == Role::kPadBegin || role == Role::kPadEnd;
    if (list == nullptr) continue;
    *list = {};
    list->push_back(pads ? 0 : 1);
  }
}

void AcceptAnyAxis(Asked& asked) {
  AttributeValue* axis = asked.Find(Role::kAxis);
  const int64_t rank = asked.shape.size;
  if (axis != nullptr && (axis->integer < -rank || axis->integer >= rank)) axis->integer = 0;
}

bool Asymmetric(const poolproof_call& call) {
  const Pool pool = ReadPool(call);
  return std::ranges::any_of(pool.axes, [](const Axis& axis) { return axis.pad_begin != axis.pad_end; });
}

bool IsDilated(const Axis& axis) { return axis.dilation > 1; }
bool IsEnlarged(const Axis& axis) { return axis.out > axis.size; }
bool HasRemainder(const Axis& axis) { return axis.out > 0 && axis.size % axis.out != 0; }

// Refuses a call of which some axis is as `kIs` says.
template <bool (*kIs)(const Axis&)>
poolproof_status RefuseIfAnyAxis(const poolproof_call& call, poolproof_status status) {
  return RefuseIf(call, status, [](const poolproof_call& c) {
    const Pool pool = ReadPool(c);
    return std::ranges::any_of(pool.axes, kIs);
  });
}

constexpr Mutant kAnswers[] = {
    {.id = "accepts-stride-0",
     .title = "stride 0 is accepted and taken for 1",
     .effect = "a broken model runs and gives meaningless results",
     .verdicts = "wrongly-accepted",
     .operators = kSliding,
     .role = Role::kStride,
     .hooks = {.edit = [](Asked& asked) { AtLeast(asked, Role::kStride, 1); }}},
    {.id = "accepts-kernel-0",
     .title = "kernel 0 is accepted and taken for 1",
     .effect = "a broken model runs and gives meaningless results",
     .verdicts = "wrongly-accepted",
     .operators = kSliding,
     .role = Role::kKernel,
     .hooks = {.edit = [](Asked& asked) { AtLeast(asked, Role::kKernel, 1); }}},
    {.id = "accepts-negative-pads",
     .title = "negative pads are accepted and taken for 0",
     .effect = "a broken model runs and gives meaningless results",
     .verdicts = "wrongly-accepted",
     .operators = kSliding,
     .hooks = {.edit =
                   [](Asked& asked) {
                     AtLeast(asked, Role::kPadBegin, 0);
                     AtLeast(asked, Role::kPadEnd, 0);
                   }}},
    {.id = "accepts-unknown-word",
     .title = "an unknown word counts as the default",
     .effect = "a misspelled attribute goes unnoticed",
     .verdicts = "wrongly-accepted",
     .operators = kSliding,
     .hooks = {.edit = AcceptUnknownWord}},
    {.id = "accepts-wrong-length",
     .title = "lists of the wrong length are cut or filled up",
     .effect = "attributes of another rank go unnoticed",
     .verdicts = "wrongly-accepted",
     .operators = kSliding,
     .hooks = {.edit =
                   [](Asked& asked) {
                     for (const Role role : {Role::kKernel, Role::kStride, Role::kDilation}) FitLength(asked, role, 1);
                     for (const Role role : {Role::kPadBegin, Role::kPadEnd}) FitLength(asked, role, 0);
                   }}},
    {.id = "accepts-kernel-beyond-input",
     .title = "a kernel larger than the padded input is cut",
     .effect = "a model for larger images runs and gives other results than it was trained for",
     .verdicts = "wrongly-accepted",
     .operators = kSliding,
     .hooks = {.edit = AcceptLargeKernel}},
    {.id = "accepts-rank-2",
     .title = "input without spatial axes is accepted",
     .effect = "a broken model runs and gives meaningless results",
     .verdicts = "wrongly-accepted",
     .operators = kSliding,
     .hooks = {.edit = AcceptRank2}},
    {.id = "accepts-any-axis",
     .title = "an axis out of range counts as 0",
     .effect = "indices are relative to another dimension than the caller believes",
     .verdicts = "wrongly-accepted",
     .operators = kIndexAxis,
     .hooks = {.edit = AcceptAnyAxis}},
    {.id = "rejects-asymmetric-pads",
     .title = "pads that differ at begin and end are refused",
     .effect = "valid models do not load",
     .verdicts = "wrongly-rejected",
     .operators = kSliding,
     .hooks = {.after_infer = [](const poolproof_call& call,
                                 poolproof_status status) { return RefuseIf(call, status, Asymmetric); }}},
    {.id = "rejects-dilation",
     .title = "dilation above 1 is refused",
     .effect = "valid models do not load",
     .verdicts = "wrongly-rejected",
     .operators = kDilates,
     .hooks = {.after_infer = RefuseIfAnyAxis<IsDilated>}},
    {.id = "rejects-adaptive-enlargement",
     .title = "adaptive output sizes above the input's are refused",
     .effect = "valid models do not load",
     .verdicts = "wrongly-rejected",
     .operators = kAdaptive,
     .hooks = {.after_infer = RefuseIfAnyAxis<IsEnlarged>}},
    {.id = "rejects-given-divisor",
     .title = "a divisor that is given is refused",
     .effect = "valid models do not load",
     .verdicts = "wrongly-rejected",
     .operators = kTakesDivisor,
     .role = Role::kDivisor,
     .hooks = {.after_infer =
                   [](const poolproof_call& call, poolproof_status status) {
                     return RefuseIf(call, status, [](const poolproof_call& c) { return ReadPool(c).divisor != 0; });
                   }}},
    {.id = "rejects-adaptive-remainders",
     .title = "adaptive output sizes are refused unless they divide the input's",
     .effect = "models run for some sizes of images alone",
     .verdicts = "wrongly-rejected",
     .operators = kAdaptive,
     .hooks = {.after_infer = RefuseIfAnyAxis<HasRemainder>}},
};

}  // namespace

std::span<const Mutant> AnswerMutants() { return kAnswers; }

}  // namespace poolproof::mutants
