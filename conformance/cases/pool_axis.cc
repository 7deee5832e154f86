#include "conformance/cases/pool_axis.h"

#include "conformance/cases/fill.h"
#include "conformance/cases/geometry.h"
#include "conformance/cases/plain.h"

namespace poolproof {

void SetPoolAxis(Problem* problem, int axis, const PoolAxis& window) {
  SetAxisValue(problem, Role::kKernel, axis, window.kernel);
  SetAxisValue(problem, Role::kStride, axis, window.stride);
  SetAxisValue(problem, Role::kPadBegin, axis, window.pad_begin);
  SetAxisValue(problem, Role::kPadEnd, axis, window.pad_end);
  SetAxisValue(problem, Role::kDilation, axis, window.dilation);
}

bool InRange(const OperatorSpec& spec, Role role, int64_t value) {
  for (const AttributeSpec& attribute : spec.attributes) {
    if (attribute.role == role && IntoRange(attribute, value) != value) return false;
  }
  return true;
}

int RankInTurn(const OperatorSpec& spec, const Function& function, size_t row) {
  const Ranks ranks = RanksOf(spec, function);
  return ranks.least + static_cast<int>(row % static_cast<size_t>(ranks.most - ranks.least + 1));
}

void VaryRest(Problem* problem, size_t row) {
  problem->fill = FillNames()[row % FillNames().size()];
  problem->seed = row;
  problem->outputs = problem->spec->outputs.back().optional && row % 4 == 3 ? 1 : 0;
  const std::vector<AttributeSpec>& specs = problem->spec->attributes;
  for (size_t i = 0; i < specs.size(); ++i) {
    if (specs[i].role == Role::kDivisor) continue;  // it would hide what the rest does to the divisor
    AttributeValue value;
    value.present = true;
    const size_t turn = row / (i + 1);
    if (specs[i].type == AttributeType::kBool) {
      value.integer = static_cast<int64_t>(turn % 2);
    } else if (specs[i].range_is_rank) {
      value.integer = static_cast<int64_t>(turn % 3) - 1;
    } else if (specs[i].type == AttributeType::kWord && specs[i].role != Role::kAutoPad) {
      value.word = specs[i].words[turn % specs[i].words.size()];
    } else if (specs[i].type == AttributeType::kInt && specs[i].spatial_axis < 0 && !specs[i].boundaries.empty()) {
      value.integer = specs[i].boundaries[turn % specs[i].boundaries.size()];
    } else {
      continue;
    }
    const bool absent = row % 5 == 4 && !specs[i].required;
    problem->attributes[i] = absent ? AttributeValue() : value;
  }
}

}  // namespace poolproof
