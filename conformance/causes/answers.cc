// Mutants that accept what the documents rule out, or refuse what they allow.
#include <algorithm>
#include <cstdint>

#include "conformance/causes/mutant.h"

namespace poolproof::mutants {
namespace {

void AtLeast(CallEdit& call, std::string_view name, int64_t minimum) {
  if (std::vector<int64_t>* list = call.List(name)) {
    for (int64_t& value : *list) value = std::max(value, minimum);
  }
}

// An unknown word counts as the default.
void KnownWord(CallEdit& call, const char* name, std::initializer_list<std::string_view> words) {
  const std::string_view word = call.Word(name);
  if (!word.empty() && std::ranges::find(words, word) == words.end()) call.Remove(name);
}

// Lists get the length of the spatial rank: cut, or filled with `fill`.
void FitLength(CallEdit& call, std::string_view name, int64_t fill) {
  std::vector<int64_t>* list = call.List(name);
  if (list != nullptr && call.SpatialRank() > 0) {
    list->resize(static_cast<size_t>(call.SpatialRank()), fill);
  }
}

void AcceptLargeKernel(CallEdit& call) {
  std::vector<int64_t>* kernel = call.List("kernel");
  if (kernel == nullptr || call.Word("auto_pad").starts_with("same")) return;
  const poolproof_tensor& input = call.Inputs()[0];
  for (size_t i = 0; i < kernel->size() && static_cast<int>(i) + 2 < input.rank; ++i) {
    int64_t padded = input.dims[i + 2];
    const auto add = [&](const char* name) {
      const std::vector<int64_t>* pads = call.List(name);
      if (pads != nullptr && i < pads->size()) padded += (*pads)[i];
    };
    if (call.Word("auto_pad") != "valid") {
      add("pads_begin");
      add("pads_end");
    }
    if (padded >= 1) (*kernel)[i] = std::min((*kernel)[i], padded);
  }
}

// [N, C] is taken for [N, C, 1], and so are its attributes.
void AcceptRank2(CallEdit& call) {
  poolproof_tensor& input = call.Inputs()[0];
  if (input.rank != 2) return;
  input.rank = 3;
  input.dims[2] = 1;
  call.SetList("kernel", {1});
  call.SetList("strides", {1});
  for (const char* name : {"pads_begin", "pads_end", "dilations"}) {
    if (call.Has(name)) call.SetList(name, {name[0] == 'd' ? 1 : 0});
  }
}

void AcceptAnyAxis(CallEdit& call) {
  int64_t* axis = call.Integer("axis");
  const int64_t rank = call.SpatialRank() + 2;
  if (axis != nullptr && (*axis < -rank || *axis >= rank)) *axis = 0;
}

bool Asymmetric(const poolproof_call& call) {
  const Pool pool = ReadPool(call);
  return std::ranges::any_of(pool.axes, [](const Axis& axis) { return axis.pad_begin != axis.pad_end; });
}

// Refuses an accepted call where `refused` holds.
template <typename Refused>
poolproof_status RefuseIf(const poolproof_call& call, poolproof_status status, Refused refused) {
  return status == POOLPROOF_OK && refused(call) ? POOLPROOF_INVALID_ARGUMENT : status;
}

constexpr Mutant kAnswers[] = {
    {.id = "accepts-stride-0",
     .title = "stride 0 is accepted and taken for 1",
     .effect = "a broken model runs and gives meaningless results",
     .verdicts = "wrongly-accepted",
     .operators = kSliding,
     .hooks = {.edit = [](CallEdit& call) { AtLeast(call, "strides", 1); }}},
    {.id = "accepts-kernel-0",
     .title = "kernel 0 is accepted and taken for 1",
     .effect = "a broken model runs and gives meaningless results",
     .verdicts = "wrongly-accepted",
     .operators = kSliding,
     .hooks = {.edit = [](CallEdit& call) { AtLeast(call, "kernel", 1); }}},
    {.id = "accepts-negative-pads",
     .title = "negative pads are accepted and taken for 0",
     .effect = "a broken model runs and gives meaningless results",
     .verdicts = "wrongly-accepted",
     .operators = kSliding,
     .hooks = {.edit =
                   [](CallEdit& call) {
                     AtLeast(call, "pads_begin", 0);
                     AtLeast(call, "pads_end", 0);
                   }}},
    {.id = "accepts-unknown-word",
     .title = "an unknown rounding_type or auto_pad counts as the default",
     .effect = "a misspelled attribute goes unnoticed",
     .verdicts = "wrongly-accepted",
     .operators = kSliding,
     .hooks = {.edit =
                   [](CallEdit& call) {
                     KnownWord(call, "rounding_type", {"floor", "ceil", "ceil_torch"});
                     KnownWord(call, "auto_pad", {"explicit", "same_upper", "same_lower", "valid"});
                   }}},
    {.id = "accepts-wrong-length",
     .title = "lists of the wrong length are cut or filled up",
     .effect = "attributes of another rank go unnoticed",
     .verdicts = "wrongly-accepted",
     .operators = kSliding,
     .hooks = {.edit =
                   [](CallEdit& call) {
                     for (const char* name : {"kernel", "strides", "dilations"}) FitLength(call, name, 1);
                     for (const char* name : {"pads_begin", "pads_end"}) FitLength(call, name, 0);
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
     .operators = kIndexed,
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
     .operators = kIndexed,
     .hooks = {.after_infer =
                   [](const poolproof_call& call, poolproof_status status) {
                     return RefuseIf(call, status, [](const poolproof_call& c) {
                       const Pool pool = ReadPool(c);
                       return std::ranges::any_of(pool.axes, [](const Axis& axis) { return axis.dilation > 1; });
                     });
                   }}},
    {.id = "rejects-adaptive-enlargement",
     .title = "adaptive output sizes above the input's are refused",
     .effect = "valid models do not load",
     .verdicts = "wrongly-rejected",
     .operators = kAdaptive,
     .hooks = {.after_infer =
                   [](const poolproof_call& call, poolproof_status status) {
                     return RefuseIf(call, status, [](const poolproof_call& c) {
                       const Pool pool = ReadPool(c);
                       return std::ranges::any_of(pool.axes, [](const Axis& axis) { return axis.out > axis.size; });
                     });
                   }}},
};

}  // namespace

std::span<const Mutant> AnswerMutants() { return kAnswers; }

}  // namespace poolproof::mutants
