// How the documents compute the size of an output, with the numbers of a problem put in.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "conformance/cases/problem.h"
#include "reference/readings.h"

namespace poolproof {

struct SizeFormula {
  int axis = 0;                 // spatial, from 0
  std::optional<int64_t> size;  // none where the formula has no value
  std::string text;             // "ceil((6 + 1 + 1 - 3) / 2) + 1 = 4"
  std::string_view clause;      // the id of the clause that says it, which lives as long as the specs
};

// Those of every clause that speaks of the problem, under these readings, axis by axis; none where its document prints
// no formula.
std::vector<SizeFormula> SizeFormulas(const Specs& specs, const Problem& problem, const reference::Readings& readings);

// One sentence with a blank before it for each axis of `got` that has another size than in `want`, outputs of one
// rank: " Size of axis 1: ceil((6 + 1 + 1 - 3) / 2) + 1 = 4 (maxpool-8/explicit-ceil)." Empty where no formula says it.
std::string WhySizesAre(const Specs& specs, const Problem& problem, const reference::Readings& readings,
                        const poolproof_tensor& want, const poolproof_tensor& got);

}  // namespace poolproof
