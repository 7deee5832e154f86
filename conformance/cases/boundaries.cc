#include "conformance/cases/boundaries.h"

#include <algorithm>
#include <functional>
#include <iterator>

#include "conformance/cases/choices.h"
#include "conformance/cases/fill.h"
#include "conformance/cases/generate.h"
#include "conformance/cases/geometry.h"
#include "conformance/cases/pairwise.h"
#include "conformance/cases/plain.h"
#include "conformance/cases/pool_axis.h"
#include "conformance/cases/valid.h"

namespace poolproof {
namespace {

constexpr int kPerSpecialization = 6;
// Values above this are set on one axis only, to keep the input small.
constexpr int64_t kSmallValue = 5;
// Strides above this get an input of two windows at most.
constexpr int64_t kSmallStride = 16;

// One thing to vary: how many values it has and what value number v does to a problem. `row`
// numbers the combination, to vary what is left open.
struct Parameter {
  size_t count = 1;
  std::function<void(Problem* problem, size_t v, size_t row)> apply;
};

std::vector<int64_t> Boundaries(const AttributeSpec& spec) {
  std::vector<int64_t> values;
  for (int64_t value : spec.boundaries) {
    if (value == IntoRange(spec, value)) values.push_back(value);
  }
  if (!values.empty()) return values;
  const int64_t first = IntoRange(spec, 0);
  return {first, first + 1, first + 2};
}

void ApplyNumber(Problem* problem, size_t attribute, const std::vector<int64_t>& values, size_t v, size_t row) {
  AttributeValue& value = problem->attributes[attribute];
  value.present = true;
  if (problem->spec->attributes[attribute].type == AttributeType::kInt) {
    value.integer = values[v];
    return;
  }
  // One axis has the value; the others have it too, or the next ones, so that mixed-up axes show.
  const int rank = problem->SpatialRank();
  value.list.size = 0;
  for (int axis = 0; axis < rank; ++axis) {
    const bool lead = axis == static_cast<int>(row) % rank;
    const size_t other = row % 2 == 0 ? v : (v + static_cast<size_t>(axis) + 1) % values.size();
    value.list.push_back(lead || values[other] <= kSmallValue ? values[lead ? v : other] : values.front());
  }
}

void ApplyAxis(Problem* problem, size_t attribute, size_t v) {
  const int64_t rank = problem->shape.size;
  const int64_t values[] = {0, -rank, rank - 1, -1, 1, 2};
  problem->attributes[attribute].present = true;
  problem->attributes[attribute].integer = values[v];
}

// Absence, where the document ever allows it, is the last value.
Parameter AttributeParameter(const OperatorSpec& spec, size_t i) {
  const AttributeSpec& attribute = spec.attributes[i];
  Parameter parameter;
  std::function<void(Problem*, size_t, size_t)> set;
  if (attribute.type == AttributeType::kWord) {
    parameter.count = attribute.words.size();
    set = [i, &attribute](Problem* problem, size_t v, size_t) {
      problem->attributes[i].present = true;
      problem->attributes[i].word = attribute.words[v];
    };
  } else if (attribute.type == AttributeType::kBool) {
    parameter.count = 2;
    set = [i](Problem* problem, size_t v, size_t) {
      problem->attributes[i].present = true;
      problem->attributes[i].integer = static_cast<int64_t>(v);
    };
  } else if (attribute.range_is_rank) {
    parameter.count = 6;
    set = [i](Problem* problem, size_t v, size_t) { ApplyAxis(problem, i, v); };
  } else {
    const std::vector<int64_t> values = Boundaries(attribute);
    parameter.count = values.size();
    set = [i, values](Problem* problem, size_t v, size_t row) { ApplyNumber(problem, i, values, v, row); };
  }
  const size_t absent = parameter.count;
  if (!attribute.required || !attribute.required_unless.empty()) ++parameter.count;
  parameter.apply = [i, absent, set](Problem* problem, size_t v, size_t row) {
    if (v == absent) {
      problem->attributes[i] = AttributeValue();
    } else {
      set(problem, v, row);
    }
  };
  return parameter;
}

// Moves what the rules of the documents exclude to the nearest thing that they allow.
void Repair(Problem* problem) {
  const OperatorSpec& spec = *problem->spec;
  for (size_t i = 0; i < spec.attributes.size(); ++i) {
    if (problem->attributes[i].present || MayBeAbsent(*problem, i)) continue;
    AttributeParameter(spec, i).apply(problem, 0, 0);
  }
  if (MostPad(spec, 1) > 0) return;
  for (Role role : {Role::kPadBegin, Role::kPadEnd}) {
    for (int axis = 0; axis < problem->SpatialRank(); ++axis) {
      const int64_t kernel = AxisValue(*problem, Role::kKernel, axis, 1);
      const int64_t pad = AxisValue(*problem, role, axis, 0);
      SetAxisValue(problem, role, axis, std::min(pad, MostPad(spec, kernel)));
    }
  }
}

// Input just large enough, one more, one more window, or wider; not the same on every axis.
void ApplyExtra(Problem* problem, size_t v, size_t row) {
  IntList extra;
  for (int axis = 0; axis < problem->SpatialRank(); ++axis) {
    const int64_t stride = AxisValue(*problem, Role::kStride, axis, 1);
    const int64_t extras[] = {0, 1, stride, stride > kSmallStride ? 2 : 2 * stride + 1};
    const size_t other = (v + (row % 3 == 0 ? 0 : static_cast<size_t>(axis))) % 4;
    extra.push_back(extras[other]);
  }
  FitSizes(problem, extra);
}

void ApplySizes(Problem* problem, size_t v, size_t row) {
  problem->sizes.size = 0;
  for (int axis = 0; axis < problem->SpatialRank(); ++axis) {
    SetSpatialSize(problem, axis, 4 + static_cast<int64_t>((row + static_cast<size_t>(axis)) % 4));
    const int64_t size = SpatialSize(*problem, axis);
    const int64_t sizes[] = {1, size / 2, size, size + 3, size - 1};
    problem->sizes.push_back(sizes[(v + (row % 2 == 0 ? 0 : static_cast<size_t>(axis))) % 5]);
  }
}

// The functions with a batch, or those without one.
class BoundaryPlan {
 public:
  BoundaryPlan(const OperatorSpec& spec, bool batch) : spec_(spec) {
    for (const Function& function : spec.functions) {
      if (!IsUnrestricted(function) || function.HasBatch() != batch) continue;
      for (poolproof_element_type type : function.types) calls_.push_back({&function, type});
    }
    // The first two make the plain problem that the others change.
    counts_ = {calls_.size(), static_cast<size_t>(spec.max_rank - spec.min_rank + 1)};
    for (size_t i = 0; i < spec.attributes.size(); ++i) {
      if (spec.attributes[i].role != Role::kDivisor) Add(AttributeParameter(spec, i));
    }
    Add({FillNames().size(), [](Problem* problem, size_t v, size_t row) {
           problem->fill = FillNames()[v];
           problem->seed = row;
         }});
    if (spec.inputs.size() > 1) {
      Add({5, ApplySizes});
      Add({2,
           [](Problem* problem, size_t v, size_t) { problem->sizes_type = v == 0 ? POOLPROOF_I64 : POOLPROOF_I32; }});
    } else {
      Add({4, [](Problem* problem, size_t v, size_t row) {
             Repair(problem);
             ApplyExtra(problem, v, row);
           }});
    }
  }

  Problems All() const {
    Problems problems;
    if (calls_.empty()) return problems;
    const std::vector<std::vector<size_t>> rows = CoverPairs(counts_);
    for (size_t row = 0; row < rows.size(); ++row) {
      Problem problem = Make(rows[row], row);
      if (IsValid(problem)) problems.push_back(std::move(problem));
    }
    return problems;
  }

 private:
  struct TypedCall {
    const Function* function;
    poolproof_element_type type;
  };

  void Add(Parameter parameter) {
    counts_.push_back(parameter.count);
    parameters_.push_back(std::move(parameter));
  }

  Problem Make(const std::vector<size_t>& values, size_t row) const {
    const TypedCall& call = calls_[values[0]];
    Problem problem = PlainProblem(spec_, *call.function, call.type,
                                   RanksOf(spec_, *call.function).least + static_cast<int>(values[1]));
    problem.shape[static_cast<size_t>(LayoutOf(*call.function).channels)] = 1 + static_cast<int64_t>(row % 3);
    if (LayoutOf(*call.function).batch >= 0) problem.shape[0] = 1 + static_cast<int64_t>(row % 2);
    const bool fixed_point = call.type == POOLPROOF_FX8 || call.type == POOLPROOF_FX16;
    if (fixed_point) problem.frac_bits = static_cast<int32_t>(row % 8);
    for (size_t i = 0; i < parameters_.size(); ++i) {
      parameters_[i].apply(&problem, values[i + 2], row);
    }
    Repair(&problem);
    return problem;
  }

  const OperatorSpec& spec_;
  std::vector<TypedCall> calls_;
  std::vector<size_t> counts_;
  std::vector<Parameter> parameters_;
};

// Rounded up, a window that is larger than the padded input by less than a stride has one position: along one axis at a
// time, by each way of rounding up.
void AddBeyond(const OperatorSpec& spec, const Function& function, poolproof_element_type type, Problems* out) {
  constexpr int64_t kKernel = 5;
  for (const Meaning meaning : {Meaning::kRoundUp, Meaning::kRoundUpInside}) {
    for (const auto& [stride, excess] : {std::pair<int64_t, int64_t>{2, 1}, {3, 1}, {3, 2}}) {
      const size_t row = out->size();
      Problem problem = PlainProblem(spec, function, type, RankInTurn(spec, function, row));
      if (!SetMeaning(&problem, meaning)) continue;
      const int beyond = static_cast<int>(row / 2) % problem.SpatialRank();
      for (int axis = 0; axis < problem.SpatialRank(); ++axis) {
        const int64_t pad = static_cast<int64_t>(row / 3) % 2;
        SetPoolAxis(&problem, axis, {kKernel, stride, pad, 0, 1});
        SetSpatialSize(&problem, axis, axis == beyond ? kKernel - pad - excess : kKernel + axis);
      }
      problem.fill = FillNames()[row % FillNames().size()];
      problem.seed = row;
      if (IsValid(problem)) out->push_back(std::move(problem));
    }
  }
}

// Every other problem once more with a divisor of its own, which would hide what the rest does to that of the window.
void AddDivisors(const OperatorSpec& spec, Problems* problems) {
  const std::optional<size_t> divisor = AttributeIndex(spec, Role::kDivisor);
  if (!divisor) return;
  const std::vector<int64_t> values = Boundaries(spec.attributes[*divisor]);
  const size_t count = problems->size();
  for (size_t row = 0; row < count; row += 2) {
    Problem problem = (*problems)[row];
    problem.attributes[*divisor].present = true;
    problem.attributes[*divisor].integer = values[row / 2 % values.size()];
    if (IsValid(problem)) problems->push_back(std::move(problem));
  }
}

Problems FreeProblems(const OperatorSpec& spec, bool batch) {
  Problems problems = BoundaryPlan(spec, batch).All();
  AddDivisors(spec, &problems);
  for (const Function& function : spec.functions) {
    if (!IsUnrestricted(function) || function.HasBatch() != batch) continue;
    for (const poolproof_element_type type : function.types) AddBeyond(spec, function, type, &problems);
  }
  return problems;
}

}  // namespace

Problems BoundaryProblems(const OperatorSpec& spec) {
  Problems problems = FreeProblems(spec, true), others = FreeProblems(spec, false);
  std::move(others.begin(), others.end(), std::back_inserter(problems));
  for (const Function& function : spec.functions) {
    if (IsUnrestricted(function)) continue;
    for (uint64_t i = 0; i < kPerSpecialization; ++i) {
      Choices choices(i);
      problems.push_back(RandomProblem(spec, function, choices));
    }
  }
  return problems;
}

}  // namespace poolproof
