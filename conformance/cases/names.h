// The names that conditions and formulas have for a problem (docs/expressions.md): the attributes of the operators by
// their documents' names, and what is common to all of them.
#pragma once

#include <span>
#include <string_view>

#include "conformance/cases/problem.h"
#include "conformance/expression/expression.h"
#include "reference/readings.h"

namespace poolproof {

// Facts of a planned problem apart from its line.
struct Occasion {
  std::span<const std::string_view> touched;  // ledger entries on which the result depends
  std::string_view rule;                      // invalid call: the rule that it breaks
  std::string_view example;                   // documented example: its id
  std::string_view section;                   // of the plan
  reference::Readings readings;               // of the ledger's entries
};

// Those of `operators` and `ledger`, which may move or go afterwards.
expression::Vocabulary NamesOf(const std::vector<OperatorSpec>& operators, const std::vector<LedgerEntry>& ledger = {});
inline expression::Vocabulary NamesOf(const Specs& specs) { return NamesOf(specs.operators, specs.ledger); }

// The word of `op`: the name of the first function; where names of others do not begin with it, the id of the spec.
std::string_view OperatorWord(const OperatorSpec& spec);

// A problem as expressions over the vocabulary `names` see it. Nothing is copied.
class ProblemSubject : public expression::Subject {
 public:
  // `output`: the first one, as the oracle describes it; without it, names of outputs have no value.
  ProblemSubject(const expression::Vocabulary& names, const Problem& problem, const Occasion& occasion = {},
                 const poolproof_tensor* output = nullptr)
      : names_(names), problem_(problem), occasion_(occasion), output_(output) {}

  expression::Value ValueOf(size_t name, int axis) const override;
  int Axes() const override;
  bool IsGiven(size_t name) const override;
  bool Has(size_t name, std::string_view word) const override;

 private:
  expression::Value AttributeAt(std::string_view name, int axis) const;

  const expression::Vocabulary& names_;
  const Problem& problem_;
  const Occasion occasion_;
  const poolproof_tensor* const output_;
};

}  // namespace poolproof
