#include "conformance/diagnosis/clause.h"

#include "conformance/cases/geometry.h"

namespace poolproof {
namespace {

// The clause of the attribute with this role, of its word where that has one of its own; empty where there is none.
std::string ClauseOfRole(const Specs& specs, const Problem& problem, Role role) {
  const auto index = AttributeIndex(*problem.spec, role, 0);
  if (!index) return "";
  const AttributeSpec& attribute = problem.spec->attributes[*index];
  if (attribute.type != AttributeType::kWord) return attribute.clause;
  const std::string of_word = attribute.clause + "-" + std::string(WordOf(problem, role));
  return specs.FindClause(of_word) == nullptr ? attribute.clause : of_word;
}

// The clause of the word that decides how large the output is: of auto_pad unless the pads count as
// given, otherwise of the rounding.
std::string ClauseOfSize(const Specs& specs, const Problem& problem) {
  return ClauseOfRole(specs, problem, PadsCount(problem) ? Role::kRounding : Role::kAutoPad);
}

// The first clause that the entry names of the operator's own document, or of any.
std::string ClauseOfOpenPoint(const Specs& specs, const OperatorSpec& spec, const Choice& choice) {
  const LedgerEntry* entry = specs.FindLedger(reference::EntryId(choice.entry));
  if (entry == nullptr || entry->clauses.empty()) return "";
  for (const std::string& clause : entry->clauses) {
    if (clause.starts_with(spec.document + "/")) return clause;
  }
  return entry->clauses[0];
}

}  // namespace

std::string ClauseOf(const Specs& specs, const PlannedCase& planned, const Judgement& judgement) {
  if (planned.example != nullptr) return planned.example->clause;
  if (planned.invalid != nullptr) return planned.invalid->clause;
  const OperatorSpec& spec = *planned.problem.spec;
  if (!judgement.deviations.empty()) return ClauseOfOpenPoint(specs, spec, judgement.deviations[0]);
  if (judgement.output >= spec.outputs.size()) return "";
  const OutputSpec& output = spec.outputs[judgement.output];
  if (judgement.difference == Difference::kValue) return output.value_clause;
  if (judgement.difference != Difference::kShape) return "";
  const std::string size = ClauseOfSize(specs, planned.problem);
  return size.empty() ? output.clause : size;
}

std::string ClauseOfCause(const Specs& specs, const Problem& problem, const Cause& cause) {
  return cause.role ? ClauseOfRole(specs, problem, *cause.role) : "";
}

}  // namespace poolproof
