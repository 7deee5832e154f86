// The built-in specs, for the tests of their contents.
#ifndef POOLPROOF_SPECS_BUILT_IN_H_
#define POOLPROOF_SPECS_BUILT_IN_H_

#include <gtest/gtest.h>

#include "conformance/spec/spec.h"

namespace poolproof {

inline const Specs& BuiltIn() {
  static const Specs specs = [] {
    Error error;
    std::optional<Specs> loaded = LoadSpecs("", &error);
    if (!loaded) ADD_FAILURE() << error.message;
    return loaded.value_or(Specs());
  }();
  return specs;
}

// Calls visit(clause id, what names it) for every place of an operator that names a clause.
template <typename Visit>
void ForEachClauseReference(const OperatorSpec& spec, const Visit& visit) {
  for (const Function& function : spec.functions) visit(function.clause, function.name);
  for (const InputSpec& input : spec.inputs) visit(input.clause, input.name);
  for (const OutputSpec& output : spec.outputs) {
    visit(output.clause, output.name);
    visit(output.value_clause, output.name);
  }
  for (const AttributeSpec& attribute : spec.attributes) visit(attribute.clause, attribute.name);
  for (const Example& example : spec.examples) visit(example.clause, example.id);
  for (const InvalidCall& call : spec.invalid_calls) visit(call.clause, call.rule);
}

}  // namespace poolproof

#endif  // POOLPROOF_SPECS_BUILT_IN_H_
