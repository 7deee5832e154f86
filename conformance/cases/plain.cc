#include "conformance/cases/plain.h"

#include <algorithm>
#include <cassert>

#include "conformance/cases/geometry.h"

namespace poolproof {

int64_t IntoRange(const AttributeSpec& spec, int64_t value) {
  const int64_t lowest = spec.valid_min.value_or(spec.min.value_or(value));
  return std::clamp(value, lowest, std::max(lowest, spec.max.value_or(INT64_MAX)));
}

bool IsUnrestricted(const Function& function) {
  return !function.kernel_width && !function.kernel_height && !function.channels && !function.stride &&
         function.padding == Function::Padding::kAny;
}

Problem PlainProblem(const OperatorSpec& spec, const Function& function, poolproof_element_type type, int rank) {
  assert(rank >= RanksOf(spec, function).least && rank <= RanksOf(spec, function).most);
  Problem problem;
  problem.spec = &spec;
  problem.function = &function;
  problem.type = type;
  for (int i = 0; i < rank; ++i) problem.shape.push_back(4);
  const Layout layout = LayoutOf(function);
  if (layout.batch >= 0) problem.shape[0] = 1;
  problem.shape[static_cast<size_t>(layout.channels)] = function.channels.value_or(2);
  for (size_t i = 0; i < spec.attributes.size(); ++i) {
    const AttributeSpec& attribute = spec.attributes[i];
    if (!attribute.required && attribute.required_unless.empty()) continue;
    AttributeValue& value = problem.attributes[i];
    value.present = true;
    value.integer = IntoRange(attribute, 0);
    if (attribute.type == AttributeType::kWord) value.word = attribute.words.front();
    if (attribute.type == AttributeType::kIntList) {
      for (int axis = 0; axis < problem.SpatialRank(); ++axis) {
        value.list.push_back(IntoRange(attribute, 0));
      }
    }
  }
  if (problem.HasSizes()) {
    for (int axis = 0; axis < problem.SpatialRank(); ++axis) problem.sizes.push_back(2);
  }
  return problem;
}

void FitSizes(Problem* problem, const IntList& extra) {
  for (int axis = 0; axis < problem->SpatialRank(); ++axis) {
    const int64_t eff = EffectiveKernel(*problem, axis);
    int64_t least = eff;
    if (PadsCount(*problem)) {
      least -= AxisValue(*problem, Role::kPadBegin, axis, 0) + AxisValue(*problem, Role::kPadEnd, axis, 0);
    }
    if (problem->spec->kernel_within_input) least = std::max(least, eff);
    SetSpatialSize(problem, axis, std::max<int64_t>(1, least) + extra[static_cast<size_t>(axis)]);
  }
}

}  // namespace poolproof
