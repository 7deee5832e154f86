#include "conformance/cases/spec.h"

#include <algorithm>

namespace poolproof {

const AttributeSpec* OperatorSpec::FindAttribute(std::string_view name_or_key) const {
  for (const AttributeSpec& attribute : attributes) {
    if (attribute.name == name_or_key || attribute.key == name_or_key) return &attribute;
  }
  return nullptr;
}

const Function* OperatorSpec::FindFunction(std::string_view name) const {
  for (const Function& function : functions) {
    if (function.name == name) return &function;
  }
  return nullptr;
}

bool IsMaximum(const OperatorSpec& spec) { return !spec.outputs.empty() && spec.outputs[0].compare == Compare::kExact; }

bool CountsWholeTensor(const OperatorSpec& spec) {
  return std::any_of(spec.outputs.begin(), spec.outputs.end(),
                     [](const OutputSpec& output) { return output.whole_tensor; });
}

bool IsMean(const OperatorSpec& spec) { return !spec.outputs.empty() && spec.outputs[0].compare == Compare::kMean; }

const OperatorSpec* Specs::FindOperator(std::string_view function) const {
  for (const OperatorSpec& spec : operators) {
    if (spec.FindFunction(function) != nullptr) return &spec;
  }
  return nullptr;
}

std::vector<std::string> Specs::FunctionNames() const {
  std::vector<std::string> all;
  for (const OperatorSpec& spec : operators) {
    for (const Function& function : spec.functions) all.push_back(function.name);
  }
  return all;
}

const Clause* Specs::FindClause(std::string_view id) const {
  for (const Document& document : documents) {
    if (!id.starts_with(document.id)) continue;
    for (const Clause& clause : document.clauses) {
      if (clause.id == id) return &clause;
    }
  }
  return nullptr;
}

const LedgerEntry* Specs::FindLedger(std::string_view id) const {
  for (const LedgerEntry& entry : ledger) {
    if (entry.id == id) return &entry;
  }
  return nullptr;
}

}  // namespace poolproof
