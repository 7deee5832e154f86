#include "conformance/properties/draw.h"

#include <algorithm>
#include <iterator>

#include "conformance/cases/fill_value.h"
#include "conformance/cases/generate.h"
#include "conformance/cases/plain.h"
#include "conformance/cases/valid.h"

namespace poolproof {
namespace {

constexpr int kAttempts = 20;
constexpr std::string_view kFills[] = {"distinct", "ties", "negative", "lowest", "exact", "extreme", "random"};

}  // namespace

std::optional<size_t> IndexOutput(const OperatorSpec& spec) {
  for (size_t i = 0; i < spec.outputs.size(); ++i) {
    if (spec.outputs[i].compare == Compare::kIndex) return i;
  }
  return std::nullopt;
}

std::optional<Problem> DrawProblem(const Specs& specs, uint64_t seed, const Suits& suits, const Change& change) {
  std::vector<const Function*> functions;
  std::vector<const OperatorSpec*> owners;
  for (const OperatorSpec& spec : specs.operators) {
    if (!suits(spec)) continue;
    for (const Function& function : spec.functions) {
      if (!IsUnrestricted(function)) continue;
      functions.push_back(&function);
      owners.push_back(&spec);
    }
  }
  if (functions.empty()) return std::nullopt;
  Choices choices(fill::Mix64(seed));
  for (int attempt = 0; attempt < kAttempts; ++attempt) {
    const size_t i = choices.Below(functions.size());
    Problem problem = RandomProblem(*owners[i], *functions[i], choices);
    problem.fill = choices.Of(kFills);
    if (change(&problem) && IsValid(problem)) return problem;
  }
  return std::nullopt;
}

void LeaveOutDivisor(Problem* problem) {
  if (AttributeValue* divisor = problem->Find(Role::kDivisor)) *divisor = {};
}

Problem WithData(Problem problem, std::vector<Number> data) {
  problem.data = std::move(data);
  problem.fill = Problem().fill;
  problem.seed = 0;
  return problem;
}

void AppendIfValid(std::vector<Problem> made, std::vector<Problem>* problems) {
  const bool valid = std::all_of(made.begin(), made.end(), [](const Problem& problem) { return IsValid(problem); });
  if (valid) std::move(made.begin(), made.end(), std::back_inserter(*problems));
}

}  // namespace poolproof
