// The names that conditions of wrong backends have for a call: those of docs/expressions.md that a backend can know.
#pragma once

#include <string_view>

#include "conformance/backend.h"
#include "conformance/expression/expression.h"

namespace poolproof::mutants {

const expression::Vocabulary& CallNames();

// Any call, as it is given: pads are those of the attributes, whatever automatic padding makes of them. `out` has a
// value where the outputs are described.
class CallSubject : public expression::Subject {
 public:
  explicit CallSubject(const poolproof_call& call) : call_(call) {}
  expression::Value ValueOf(size_t name, int axis) const override;
  int Axes() const override;
  bool IsGiven(size_t) const override { return false; }
  bool Has(size_t, std::string_view) const override { return false; }

 private:
  const poolproof_call& call_;
};

}  // namespace poolproof::mutants
