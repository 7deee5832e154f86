#include "conformance/cases/mutate.h"

#include <algorithm>
#include <limits>
#include <utility>

#include "conformance/cases/fill.h"
#include "conformance/cases/generate.h"
#include "conformance/cases/geometry.h"
#include "conformance/cases/number.h"
#include "conformance/cases/plain.h"
#include "reference/reference.h"

namespace poolproof {
namespace {

constexpr int kAttempts = 6;
constexpr int64_t kMaxExplicit = 64;
// Small: what a fuzzer finds in a large tensor it finds in a small one, sooner. One in sixteen is
// large enough for the unrolled loops over bytes of the widest vectors.
constexpr WorkLimit kUsual = {128, 800}, kLarge = {500, 4000};
constexpr uint64_t kOneIsLarge = 16;

bool IsValidWithin(const Problem& problem, const WorkLimit& work) {
  if (problem.Elements() > work.elements) return false;
  Call call;
  call.Bind(problem);
  reference::Context context;
  return reference::InferShapes(call.call, context) == POOLPROOF_OK && IsQuick(problem, call.call, work);
}

WorkLimit DrawLimit(Choices& choices) { return choices.Below(kOneIsLarge) == 1 ? kLarge : kUsual; }

// `draw` until its problem is small.
template <typename Draw>
Problem DrawWithin(const WorkLimit& work, const Draw& draw) {
  Problem problem = draw();
  for (int attempt = 1; attempt < kAttempts && !IsValidWithin(problem, work); ++attempt) {
    problem = draw();
  }
  return problem;
}

int64_t Near(int64_t value, Choices& choices) {
  const int64_t values[] = {value + 1, value - 1, 0, 1, 2, choices.Between(0, 9), 2 * value};
  return choices.Of(values);
}

// Breaks a rule: a list or a shape gets another length than it should have.
void ChangeLength(IntList* list, Choices& choices) {
  list->size = static_cast<uint8_t>(choices.Below(POOLPROOF_MAX_RANK + 1));
  for (size_t i = 0; i < list->size; ++i) (*list)[i] = std::max<int64_t>(1, (*list)[i]);
}

void ChangeNumber(Problem* problem, size_t i, bool keep_range, Choices& choices) {
  const AttributeSpec& spec = problem->spec->attributes[i];
  AttributeValue& value = problem->attributes[i];
  int64_t* number = &value.integer;
  if (spec.type == AttributeType::kIntList) {
    while (value.list.size < problem->SpatialRank()) value.list.push_back(IntoRange(spec, 1));
    // A shape that is too short for any axis leaves a list as empty as it was.
    if (value.list.size == 0) return ChangeLength(&value.list, choices);
    number = &value.list[choices.Below(value.list.size)];
    if (!keep_range && choices.Percent(30)) return ChangeLength(&value.list, choices);
  }
  const int64_t rank = problem->shape.size;  // 0 after a change of the shape's length
  const bool axis = keep_range && spec.range_is_rank && rank > 0;
  *number = axis ? choices.Between(-rank, rank - 1) : Near(*number, choices);
  if (keep_range && !spec.range_is_rank) *number = IntoRange(spec, *number);
}

void ChangeAttribute(Problem* problem, bool keep_range, Choices& choices) {
  if (problem->spec->attributes.empty()) return;
  const size_t i = choices.Below(problem->spec->attributes.size());
  const AttributeSpec& spec = problem->spec->attributes[i];
  AttributeValue& value = problem->attributes[i];
  if (value.present && (!keep_range || MayBeAbsent(*problem, i)) && choices.Percent(25)) {
    value = AttributeValue();
    return;
  }
  value.present = true;
  if (spec.type == AttributeType::kWord) {
    const bool unknown = spec.words.empty() || (!keep_range && choices.Percent(50));
    const bool any = unknown && spec.call_kind != POOLPROOF_BOOL;
    value.word = any ? (spec.call_kind == POOLPROOF_INT ? "2" : "word") : choices.Of(spec.words);
  } else if (spec.type == AttributeType::kBool) {
    value.integer = 1 - value.integer;
  } else {
    ChangeNumber(problem, i, keep_range, choices);
  }
}

void ChangeShape(Problem* problem, Choices& choices) {
  if (problem->shape.size == 0) return;
  int64_t& size = problem->shape[choices.Below(problem->shape.size)];
  size = std::max<int64_t>(1, choices.Percent(30) ? choices.Between(1, 70) : Near(size, choices));
  problem->data.clear();
}

// More room than the outputs need, or too little.
void ChangeCapacity(Problem* problem, bool keep_range, Choices& choices) {
  constexpr int64_t kMore[] = {0, 1, 8, 100}, kLess[] = {-1, -2, -8, -1000000};
  problem->capacity = keep_range ? choices.Of(kMore) : choices.Of(kLess);
}

void ChangeSizes(Problem* problem, Choices& choices) {
  if (problem->sizes.size == 0) return;
  int64_t& size = problem->sizes[choices.Below(problem->sizes.size)];
  size = std::max<int64_t>(1, Near(size, choices));
  problem->sizes_type = choices.Percent(50) ? POOLPROOF_I32 : POOLPROOF_I64;
}

void ChangeFill(Problem* problem, Choices& choices) {
  problem->data.clear();
  problem->fill = choices.Of(FillNames());
  problem->seed = choices.Below(10000);
}

// One element becomes a value at which implementations differ.
void ChangeElement(Problem* problem, Choices& choices) {
  const int64_t elements = problem->Elements();
  if (elements < 1 || elements > kMaxExplicit) return ChangeFill(problem, choices);
  constexpr Number kNan = std::numeric_limits<Number>::quiet_NaN(), kInf = std::numeric_limits<Number>::infinity();
  constexpr Number kSpecials[] = {kNan, kInf, -kInf, 0, -0.0L, 1, -1, 127, -128, 255, 32767, -32768, 65504, -65504};
  std::vector<Number> values = InputValues(*problem);
  const Number value = RoundToType(problem->type, choices.Of(kSpecials));
  if (!IsFloat(problem->type) && value != value) return;  // the type does not have it
  values[choices.Below(values.size())] = value;
  problem->data = std::move(values);
  problem->fill = Problem().fill;
  problem->seed = 0;
}

void ChangeName(Problem* problem, Choices& choices) {
  const Function& function = choices.Of(problem->spec->functions);
  if (function.layout.size() != problem->function->layout.size()) return;
  problem->function = &function;
  const auto& types = function.types;
  if (std::find(types.begin(), types.end(), problem->type) == types.end()) {
    problem->type = choices.Of(types);
    problem->data.clear();
  }
}

void ChangeType(Problem* problem, Choices& choices) {
  problem->type = choices.Of(problem->function->types);
  problem->data.clear();
}

void ChangeOne(Problem* problem, bool keep_range, Choices& choices) {
  switch (choices.Below(keep_range ? 10 : 12)) {
    case 0: return ChangeShape(problem, choices);
    case 1: return ChangeType(problem, choices);
    case 2: return ChangeFill(problem, choices);
    case 3: return ChangeElement(problem, choices);
    case 4: return problem->HasSizes() ? ChangeSizes(problem, choices) : ChangeAttribute(problem, keep_range, choices);
    case 5: return ChangeName(problem, choices);
    case 6: return ChangeCapacity(problem, keep_range, choices);
    case 11: return ChangeLength(&problem->shape, choices), problem->data.clear();
    default: return ChangeAttribute(problem, keep_range, choices);
  }
}

}  // namespace

bool IsQuick(const Problem& problem, const poolproof_call& call, const WorkLimit& limit) {
  if (problem.Elements() > limit.elements) return false;
  int64_t work = 1;
  for (int32_t d = 0; d < call.outputs[0]->rank; ++d) {
    if (__builtin_mul_overflow(work, call.outputs[0]->dims[d], &work)) return false;
  }
  if (work > limit.elements) return false;
  // Taps in padding cost time as well.
  for (int axis = 0; axis < problem.SpatialRank(); ++axis) {
    const int64_t kernel = AxisValue(problem, Role::kKernel, axis, 1);
    if (kernel > limit.taps) return false;
    work *= std::max<int64_t>(1, kernel);
    if (work > limit.taps) return false;
  }
  return true;
}

Problem MutateProblem(const Specs& specs, const Problem& problem, Choices& choices) {
  const WorkLimit work = DrawLimit(choices);
  if (choices.Percent(8)) {
    return DrawWithin(work, [&] { return RandomProblem(specs, choices); });
  }
  if (choices.Below(16) == 15) {
    Problem broken = problem;
    ChangeOne(&broken, false, choices);
    return broken;
  }
  for (int attempt = 0; attempt < kAttempts; ++attempt) {
    Problem changed = problem;
    for (uint64_t steps = 1 + choices.Below(3); steps > 0; --steps) {
      ChangeOne(&changed, true, choices);
    }
    if (IsValidWithin(changed, work)) return changed;
  }
  return DrawWithin(work, [&] { return RandomProblem(*problem.spec, *problem.function, choices); });
}

Problem CrossProblems(const Specs& specs, Problem a, const Problem& b, Choices& choices) {
  if (a.spec != b.spec || a.function->layout != b.function->layout) {
    return MutateProblem(specs, a, choices);
  }
  for (size_t i = 0; i < a.spec->attributes.size(); ++i) {
    const bool same_rank = a.shape.size == b.shape.size || a.spec->attributes[i].type != AttributeType::kIntList;
    if (same_rank && choices.Percent(50)) a.attributes[i] = b.attributes[i];
  }
  return IsValidWithin(a, DrawLimit(choices)) ? std::move(a) : MutateProblem(specs, b, choices);
}

}  // namespace poolproof
