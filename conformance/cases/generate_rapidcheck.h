// The generator of problems for RapidCheck: RandomProblem with shrinking. For tests only.
#pragma once

#include <rapidcheck.h>

#include <ostream>
#include <utility>
#include <vector>

#include "conformance/cases/generate.h"
#include "conformance/cases/shrink.h"
#include "conformance/cases/valid.h"

namespace poolproof {

// RapidCheck prints a counterexample with this.
inline void showValue(const Problem& problem, std::ostream& out) { out << PrintLine(problem); }

// Valid problems of all operators; `specs` outlives the generator. Shrinks stay valid. The size
// parameter of RapidCheck is of no meaning: every problem is small already.
inline rc::Gen<Problem> ProblemGenerator(const Specs& specs) {
  return [&specs](rc::Random random, int) {
    Choices choices(random.next());
    return rc::shrinkable::shrinkRecur(RandomProblem(specs, choices), [](const Problem& failing) {
      Problems simpler = SimplerProblems(failing);
      std::erase_if(simpler, [](const Problem& problem) { return !IsValid(problem); });
      return rc::seq::fromContainer(std::move(simpler));
    });
  };
}

}  // namespace poolproof
