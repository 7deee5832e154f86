#include "conformance/cases/geometry.h"

#include <algorithm>
#include <cassert>
#include <limits>

#include "conformance/cases/names.h"

namespace poolproof {
namespace {

struct PlaceOfWord {
  size_t attribute, word;
};

// Where the spec says a word with this meaning.
std::optional<PlaceOfWord> FindMeaning(const OperatorSpec& spec, Meaning meaning) {
  for (size_t i = 0; i < spec.attributes.size(); ++i) {
    const std::vector<Meaning>& meanings = spec.attributes[i].meanings;
    const auto found = std::find(meanings.begin(), meanings.end(), meaning);
    if (found != meanings.end()) return PlaceOfWord{i, static_cast<size_t>(found - meanings.begin())};
  }
  return std::nullopt;
}

}  // namespace

Layout LayoutOf(const Function& function) {
  if (function.layout == "CHW") return {-1, 0, 1};
  if (function.layout == "HWC") return {-1, 2, 0};
  if (function.layout == "C...") return {-1, 0, 1};
  return {0, 1, 2};
}

bool LacksBatch(const OperatorSpec& spec, const Function& function) {
  assert(!spec.functions.empty());
  return spec.functions.front().HasBatch() && !function.HasBatch();
}

Ranks RanksOf(const OperatorSpec& spec, const Function& function) {
  const int lacks = LacksBatch(spec, function) ? 1 : 0;
  return {spec.min_rank - lacks, spec.max_rank - lacks};
}

int64_t SpatialSize(const Problem& problem, int axis) {
  assert(axis >= 0 && axis < problem.SpatialRank());
  return problem.shape[static_cast<size_t>(LayoutOf(*problem.function).spatial + axis)];
}

void SetSpatialSize(Problem* problem, int axis, int64_t size) {
  assert(axis >= 0 && axis < problem->SpatialRank());
  problem->shape[static_cast<size_t>(LayoutOf(*problem->function).spatial + axis)] = size;
}

std::optional<size_t> AttributeIndex(const OperatorSpec& spec, Role role, int axis) {
  for (size_t i = 0; i < spec.attributes.size(); ++i) {
    const AttributeSpec& attribute = spec.attributes[i];
    const bool both = attribute.role == Role::kPadBoth && (role == Role::kPadBegin || role == Role::kPadEnd);
    if (attribute.role != role && !both) continue;
    if (attribute.spatial_axis < 0 || attribute.spatial_axis == axis) return i;
  }
  return std::nullopt;
}

bool HasRole(const OperatorSpec& spec, Role role) {
  return std::any_of(spec.attributes.begin(), spec.attributes.end(),
                     [&](const AttributeSpec& attribute) { return attribute.role == role; });
}

int64_t DefaultValue(const Problem& problem, size_t attribute, int axis, int64_t fallback) {
  const AttributeSpec& spec = problem.spec->attributes[attribute];
  if (spec.default_is_kernel) return AxisValue(problem, Role::kKernel, axis, fallback);
  return spec.default_integer.value_or(fallback);
}

int64_t AxisValue(const Problem& problem, Role role, int axis, int64_t fallback) {
  const std::optional<size_t> index = AttributeIndex(*problem.spec, role, axis);
  if (!index) {
    const bool whole = role == Role::kKernel && problem.spec->whole_planes;
    return whole ? SpatialSize(problem, axis) : fallback;
  }
  const AttributeSpec& spec = problem.spec->attributes[*index];
  const AttributeValue& value = problem.attributes[*index];
  if (!value.present) return DefaultValue(problem, *index, axis, fallback);
  if (spec.type == AttributeType::kInt) return value.integer;
  assert(axis >= 0);
  return axis < value.list.size ? value.list[static_cast<size_t>(axis)] : fallback;
}

void SetAxisValue(Problem* problem, Role role, int axis, int64_t new_value) {
  const std::optional<size_t> index = AttributeIndex(*problem->spec, role, axis);
  if (!index) return;
  AttributeValue& value = problem->attributes[*index];
  value.present = true;
  if (problem->spec->attributes[*index].type == AttributeType::kInt) {
    value.integer = new_value;
    return;
  }
  assert(axis >= 0);
  while (value.list.size < problem->SpatialRank()) value.list.push_back(new_value);
  if (axis < value.list.size) value.list[static_cast<size_t>(axis)] = new_value;
}

std::string_view WordOf(const Problem& problem, Role role) {
  const std::optional<size_t> index = AttributeIndex(*problem.spec, role);
  if (!index) return {};
  const AttributeValue& value = problem.attributes[*index];
  return value.present ? std::string_view(value.word) : std::string_view(problem.spec->attributes[*index].default_word);
}

std::optional<Meaning> MeaningOf(const Problem& problem, Role role) {
  const std::optional<size_t> index = AttributeIndex(*problem.spec, role);
  if (!index) return std::nullopt;
  const AttributeSpec& spec = problem.spec->attributes[*index];
  const auto word = std::find(spec.words.begin(), spec.words.end(), WordOf(problem, role));
  const auto place = static_cast<size_t>(word - spec.words.begin());
  return place < spec.meanings.size() ? std::optional(spec.meanings[place]) : std::nullopt;
}

std::string_view WordFor(const OperatorSpec& spec, Meaning meaning) {
  const std::optional<PlaceOfWord> place = FindMeaning(spec, meaning);
  return place ? std::string_view(spec.attributes[place->attribute].words[place->word]) : std::string_view();
}

bool SetMeaning(Problem* problem, Meaning meaning) {
  const std::optional<PlaceOfWord> place = FindMeaning(*problem->spec, meaning);
  if (!place) return false;
  AttributeValue& value = problem->attributes[place->attribute];
  value.present = true;
  value.word = problem->spec->attributes[place->attribute].words[place->word];
  return true;
}

bool ExcludesPadding(const Problem& problem) {
  if (const auto meaning = MeaningOf(problem, Role::kExcludePad)) return *meaning == Meaning::kPaddingLeftOut;
  const std::optional<size_t> index = AttributeIndex(*problem.spec, Role::kExcludePad);
  if (!index) return true;
  const AttributeValue& value = problem.attributes[*index];
  return (value.present ? value.integer : problem.spec->attributes[*index].default_integer.value_or(0)) != 0;
}

void SetExcludesPadding(Problem* problem, bool excludes) {
  if (SetMeaning(problem, excludes ? Meaning::kPaddingLeftOut : Meaning::kPaddingCounts)) return;
  const std::optional<size_t> index = AttributeIndex(*problem->spec, Role::kExcludePad);
  if (!index) return;
  problem->attributes[*index].present = true;
  problem->attributes[*index].integer = excludes ? 1 : 0;
}

bool PadsCount(const Problem& problem) {
  return WordOf(problem, Role::kAutoPad).empty() || MeaningOf(problem, Role::kAutoPad) == Meaning::kPadAsGiven;
}

bool KeepsSize(const Problem& problem) {
  const std::optional<Meaning> padding = MeaningOf(problem, Role::kAutoPad);
  return padding == Meaning::kPadMoreAtEnd || padding == Meaning::kPadMoreInFront;
}

namespace {

// The padding of an axis that is chosen.
int64_t TotalPad(const Problem& problem, int axis, int64_t outputs) {
  if (!KeepsSize(problem)) return 0;
  const int64_t reached = (outputs - 1) * AxisValue(problem, Role::kStride, axis, 1) + EffectiveKernel(problem, axis);
  return std::max<int64_t>(0, reached - SpatialSize(problem, axis));
}

}  // namespace

int64_t PadBefore(const Problem& problem, int axis, int64_t outputs) {
  if (PadsCount(problem)) return AxisValue(problem, Role::kPadBegin, axis, 0);
  const bool more_in_front = MeaningOf(problem, Role::kAutoPad) == Meaning::kPadMoreInFront;
  return (TotalPad(problem, axis, outputs) + (more_in_front ? 1 : 0)) / 2;
}

int64_t PadAfter(const Problem& problem, int axis, int64_t outputs) {
  if (PadsCount(problem)) return AxisValue(problem, Role::kPadEnd, axis, 0);
  return TotalPad(problem, axis, outputs) - PadBefore(problem, axis, outputs);
}

bool MayBeAbsent(const Problem& problem, size_t attribute) {
  assert(attribute < problem.spec->attributes.size());
  const AttributeSpec& spec = problem.spec->attributes[attribute];
  if (!spec.absent_when) return !spec.required;
  return spec.absent_when->Holds(ProblemSubject(spec.absent_when->names(), problem));
}

int64_t MostPad(const OperatorSpec& spec, int64_t kernel) {
  if (spec.pad_within_half) return kernel / 2;
  return spec.pad_below_kernel ? kernel - 1 : std::numeric_limits<int64_t>::max();
}

int64_t EffectiveKernel(const Problem& problem, int axis) {
  const int64_t kernel = AxisValue(problem, Role::kKernel, axis, 1);
  return (kernel - 1) * AxisValue(problem, Role::kDilation, axis, 1) + 1;
}

}  // namespace poolproof
