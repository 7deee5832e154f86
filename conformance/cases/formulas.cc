#include "conformance/cases/formulas.h"

#include <fmt/format.h>

#include "conformance/cases/geometry.h"
#include "conformance/cases/names.h"

namespace poolproof {

std::vector<SizeFormula> SizeFormulas(const Specs& specs, const Problem& problem, const reference::Readings& readings) {
  Occasion occasion;
  occasion.readings = readings;
  const ProblemSubject subject(*specs.names, problem, occasion);
  std::vector<SizeFormula> formulas;
  for (const Document& document : specs.documents) {
    for (const Clause& clause : document.clauses) {
      if (!clause.size_formula || !clause.exercised_when->Holds(subject)) continue;
      for (int axis = 0; axis < subject.Axes(); ++axis) {
        const std::optional<int64_t> size = clause.size_formula->NumberAt(subject, axis);
        const std::string text = clause.size_formula->TextWithValues(subject, axis);
        const std::string result = size ? std::to_string(*size) : "?";
        formulas.push_back({axis, size, text == result ? text : text + " = " + result, clause.id});
      }
    }
  }
  return formulas;
}

std::string WhySizesAre(const Specs& specs, const Problem& problem, const reference::Readings& readings,
                        const poolproof_tensor& want, const poolproof_tensor& got) {
  std::string text;
  if (want.rank != got.rank) return text;
  const int spatial = LayoutOf(*problem.function).spatial;
  int told = -1;  // the first clause that gives the size of an axis is enough
  for (int axis = 0; axis < problem.SpatialRank(); ++axis) {
    if (want.dims[spatial + axis] == got.dims[spatial + axis]) continue;
    for (const SizeFormula& formula : SizeFormulas(specs, problem, readings)) {
      if (formula.axis != axis || told == axis || formula.size != want.dims[spatial + axis]) continue;
      text += fmt::format(" Size of axis {}: {} ({}).", axis, formula.text, formula.clause);
      told = axis;
    }
  }
  return text;
}

}  // namespace poolproof
