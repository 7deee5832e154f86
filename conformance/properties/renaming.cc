// One computation under several names: versions of an operator, layouts, specializations, adaptive
// pooling with sizes that divide.
#include <algorithm>
#include <iterator>

#include "conformance/cases/choices.h"
#include "conformance/cases/fill.h"
#include "conformance/cases/fill_value.h"
#include "conformance/cases/generate.h"
#include "conformance/cases/geometry.h"
#include "conformance/cases/plain.h"
#include "conformance/properties/compare.h"
#include "conformance/properties/draw.h"
#include "conformance/properties/list.h"

namespace poolproof {
namespace {

bool Contains(const std::vector<std::string>& words, const std::string& word) {
  return std::find(words.begin(), words.end(), word) != words.end();
}

// The function of `spec` that takes everything and has the layout and the type; nullptr without
// one.
const Function* FindFree(const OperatorSpec& spec, std::string_view layout, poolproof_element_type type) {
  for (const Function& function : spec.functions) {
    const bool has_type = std::find(function.types.begin(), function.types.end(), type) != function.types.end();
    if (IsUnrestricted(function) && function.layout == layout && has_type) return &function;
  }
  return nullptr;
}

bool SameKind(const OperatorSpec& a, const OperatorSpec& b) {
  return &a != &b && a.inputs.size() == b.inputs.size() && !a.outputs.empty() && !b.outputs.empty() &&
         a.outputs[0].compare == b.outputs[0].compare;
}

// `problem` as a call of `spec`, attribute by attribute by name; nothing where one is missing
// there.
std::optional<Problem> AsCallOf(const OperatorSpec& spec, const Problem& problem) {
  const Function* function = FindFree(spec, problem.function->layout, problem.type);
  if (function == nullptr) return std::nullopt;
  Problem renamed = problem;
  renamed.spec = &spec;
  renamed.function = function;
  renamed.attributes = {};
  for (size_t i = 0; i < problem.spec->attributes.size(); ++i) {
    const AttributeValue& value = problem.attributes[i];
    if (!value.present) continue;
    const AttributeSpec* attribute = spec.FindAttribute(problem.spec->attributes[i].name);
    if (attribute == nullptr) return std::nullopt;
    const bool word = attribute->type == AttributeType::kWord;
    if (word && !Contains(attribute->words, value.word)) return std::nullopt;
    renamed.attributes[static_cast<size_t>(attribute - spec.attributes.data())] = value;
  }
  return renamed;
}

void DrawVersions(const Specs& specs, uint64_t seed, std::vector<Problem>* problems) {
  const auto suits = [&](const OperatorSpec& spec) {
    return std::any_of(specs.operators.begin(), specs.operators.end(),
                       [&](const OperatorSpec& other) { return SameKind(spec, other); });
  };
  const auto first = DrawProblem(specs, seed, suits, Unchanged);
  if (!first) return;
  std::vector<Problem> made = {*first};
  for (const OperatorSpec& other : specs.operators) {
    if (!SameKind(*first->spec, other)) continue;
    if (auto renamed = AsCallOf(other, *first)) made.push_back(std::move(*renamed));
  }
  if (made.size() > 1) AppendIfValid(std::move(made), problems);
}

std::string CheckRenamedEqual(const Round& round) {
  for (size_t i = 1; i < round.problems.size(); ++i) {
    const std::string difference = Difference(round, 0, i);
    if (difference.empty()) continue;
    return round.problems[0].function->name + " and " + round.problems[i].function->name + " disagree: " + difference;
  }
  return "";
}

// A fixed pool whose kernel and stride are `factor` per axis.
std::optional<Problem> FixedLike(const OperatorSpec& spec, const Problem& adaptive, const IntList& factor) {
  const Function* function = FindFree(spec, adaptive.function->layout, adaptive.type);
  if (function == nullptr || spec.whole_planes || spec.outputs[0].compare != adaptive.spec->outputs[0].compare) {
    return std::nullopt;
  }
  Problem fixed = PlainProblem(spec, *function, adaptive.type, adaptive.shape.size);
  if (fixed.HasSizes()) return std::nullopt;
  fixed.shape = adaptive.shape;
  fixed.fill = adaptive.fill;
  fixed.seed = adaptive.seed;
  for (int axis = 0; axis < fixed.SpatialRank(); ++axis) {
    SetAxisValue(&fixed, Role::kKernel, axis, factor[static_cast<size_t>(axis)]);
    SetAxisValue(&fixed, Role::kStride, axis, factor[static_cast<size_t>(axis)]);
  }
  // Adaptive indices count inside a plane.
  if (CountsWholeTensor(spec)) fixed.outputs = 1;
  if (const auto axis = AttributeIndex(spec, Role::kAxis)) {
    fixed.attributes[*axis].present = true;
    fixed.attributes[*axis].integer = LayoutOf(*function).spatial;
  }
  return fixed;
}

void DrawDivisible(const Specs& specs, uint64_t seed, std::vector<Problem>* problems) {
  Choices choices(~seed);
  const auto suits = [](const OperatorSpec& spec) { return spec.inputs.size() > 1; };
  IntList factor;
  const auto adaptive = DrawProblem(specs, seed, suits, [&](Problem* problem) {
    factor = {};
    for (int axis = 0; axis < problem->SpatialRank(); ++axis) {
      factor.push_back(choices.Between(1, 4));
      int64_t& size = problem->sizes[static_cast<size_t>(axis)];
      size = std::min<int64_t>(size, 4);
      SetSpatialSize(problem, axis, size * factor[static_cast<size_t>(axis)]);
    }
    return true;
  });
  if (!adaptive) return;
  std::vector<Problem> made = {*adaptive};
  for (const OperatorSpec& spec : specs.operators) {
    if (auto fixed = FixedLike(spec, *adaptive, factor)) made.push_back(std::move(*fixed));
  }
  if (made.size() > 1) AppendIfValid(std::move(made), problems);
}

// Where flat position `i` of a tensor in layout `from` lies in layout `to`.
int64_t Transposed(const Layout& from, const Layout& to, const int64_t* dims, int64_t i) {
  const auto dim = [&](int d) { return dims[d]; };
  int64_t position[3];  // channel, then the two spatial axes
  int64_t sizes[3] = {dim(from.channels), dim(from.spatial), dim(from.spatial + 1)};
  const int order[3] = {from.channels, from.spatial, from.spatial + 1};
  int64_t rest = i;
  for (int d = 2; d >= 0; --d) {
    const auto role = std::find(std::begin(order), std::end(order), d) - std::begin(order);
    position[role] = rest % dim(d);
    rest /= dim(d);
  }
  int64_t flat = 0;
  for (int d = 0; d < 3; ++d) {
    const int role = d == to.channels ? 0 : d == to.spatial ? 1 : 2;
    flat = flat * sizes[role] + position[role];
  }
  return flat;
}

void DrawLayouts(const Specs& specs, uint64_t seed, std::vector<Problem>* problems) {
  const auto suits = [](const OperatorSpec& spec) {
    return std::ranges::any_of(spec.functions, &Function::IsMliLayout);
  };
  const auto first = DrawProblem(specs, seed, suits, Unchanged);
  if (!first || !first->IsMliLayout()) return;
  std::vector<Problem> made = {*first};
  const std::vector<Number> values = InputValues(*first);
  const Layout from = LayoutOf(*first->function);
  for (const Function& function : first->spec->functions) {
    if (function.layout == first->function->layout || !IsUnrestricted(function)) continue;
    if (FindFree(*first->spec, function.layout, first->type) != &function) continue;
    const Layout to = LayoutOf(function);
    Problem other = *first;
    other.function = &function;
    const auto at = [](int d) { return static_cast<size_t>(d); };
    other.shape[at(to.channels)] = first->shape[at(from.channels)];
    for (int axis = 0; axis < 2; ++axis) {
      other.shape[at(to.spatial + axis)] = first->shape[at(from.spatial + axis)];
    }
    std::vector<Number> moved(values.size());
    for (size_t i = 0; i < values.size(); ++i) {
      const int64_t j = Transposed(from, to, first->shape.begin(), static_cast<int64_t>(i));
      moved[static_cast<size_t>(j)] = values[i];
    }
    made.push_back(WithData(std::move(other), std::move(moved)));
  }
  if (made.size() > 1) AppendIfValid(std::move(made), problems);
}

std::string CheckLayouts(const Round& round) {
  const Layout from = LayoutOf(*round.problems[0].function);
  const poolproof_tensor& first = round.answers[0].outputs[0];
  if (first.rank != 3) return "the output has not rank 3";
  for (size_t i = 1; i < round.problems.size(); ++i) {
    const Layout to = LayoutOf(*round.problems[i].function);
    const std::string difference =
        Difference(round, 0, i, [&](int64_t element) { return Transposed(from, to, first.dims, element); });
    if (!difference.empty()) return difference;
  }
  return "";
}

// The same values as a batch of one.
void DrawWithoutBatch(const Specs& specs, uint64_t seed, std::vector<Problem>* problems) {
  const auto lacks = [](const OperatorSpec& spec, const Function& function) { return LacksBatch(spec, function); };
  const auto suits = [&](const OperatorSpec& spec) {
    return std::ranges::any_of(spec.functions, [&](const Function& function) { return lacks(spec, function); });
  };
  const auto first =
      DrawProblem(specs, seed, suits, [&](Problem* problem) { return lacks(*problem->spec, *problem->function); });
  if (!first) return;
  Problem batch = *first;
  batch.function = FindFree(*first->spec, first->spec->functions.front().layout, first->type);
  if (batch.function == nullptr) return;
  batch.shape = {};
  batch.shape.push_back(1);
  for (const int64_t size : first->shape) batch.shape.push_back(size);
  const std::vector<Number> values = InputValues(*first);
  AppendIfValid({WithData(*first, values), WithData(std::move(batch), values)}, problems);
}

void DrawSpecialization(const Specs& specs, uint64_t seed, std::vector<Problem>* problems) {
  std::vector<std::pair<const OperatorSpec*, const Function*>> special;
  for (const OperatorSpec& spec : specs.operators) {
    for (const Function& function : spec.functions) {
      if (spec.FindFunction(function.generic) != nullptr) special.emplace_back(&spec, &function);
    }
  }
  if (special.empty()) return;
  Choices choices(fill::Mix64(seed));
  const auto& [spec, function] = choices.Of(special);
  const Problem first = RandomProblem(*spec, *function, choices);
  Problem generic = first;
  generic.function = spec->FindFunction(function->generic);
  AppendIfValid({first, generic}, problems);
}

}  // namespace

void AddRenamingProperties(std::vector<Property>* properties) {
  properties->push_back({"versions-agree", "Versions of an operator agree where both know the attributes", DrawVersions,
                         nullptr, CheckRenamedEqual});
  properties->push_back({"adaptive-divisible", "Adaptive sizes that divide the input are a fixed pool", DrawDivisible,
                         nullptr, CheckRenamedEqual});
  properties->push_back({"layouts-agree", "Layouts agree after transposing", DrawLayouts, nullptr, CheckLayouts});
  properties->push_back({"batch-left-out", "Without a batch the result is that of a batch of one", DrawWithoutBatch,
                         nullptr, CheckRenamedEqual});
  properties->push_back({"specialization-agrees", "A specialization returns what the generic function does",
                         DrawSpecialization, nullptr, CheckRenamedEqual});
}

}  // namespace poolproof
