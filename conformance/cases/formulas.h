// Formulas that the documents print, computed with the numbers of a problem: the padding, the size of the output, where
// windows begin and end, the divisor of a mean, the index of a maximum.
#pragma once

#include <array>
#include <optional>
#include <string>
#include <vector>

#include "conformance/cases/problem.h"
#include "reference/readings.h"

namespace poolproof {

// `names`, and behind them those that formulas alone have: `at`, `tap`, and what other formulas give.
expression::Vocabulary FormulaNamesOf(expression::Vocabulary names);

// Compiles the text of the formula. Returns false and sets `error` where the text is no formula, or names a result that
// depends on this one. `names`, those of FormulaNamesOf, have to outlive the formula.
bool Compile(const expression::Vocabulary& names, Formula* formula, Error* error);

// One window and one of its taps.
struct WindowPlace {
  std::array<int64_t, 3> at{};  // output position of the window on each spatial axis
  int64_t tap = 0;              // flat position in the input
};

// The place of the window of output element `element`, at a tap of 0.
WindowPlace PlaceOf(const Problem& problem, const poolproof_tensor& output, int64_t element);

// The formulas of all clauses that speak of a problem, under these readings. Specs and problem have to outlive it.
class Formulas {
 public:
  struct Printed {
    const Formula* formula;
    const Clause* clause;
  };

  Formulas(const Specs& specs, const Problem& problem, const reference::Readings& readings);

  const std::vector<Printed>& All() const { return all_; }
  // None where the formula has no value. `axis`: spatial, from 0.
  std::optional<int64_t> ValueOf(const Formula& formula, int axis, const WindowPlace& place) const;
  // "size of axis 1: ceil((6 + 1 + 1 - 3) / 2) + 1 = 4 (maxpool-8/explicit-ceil)"
  std::string TextOf(const Printed& printed, int axis, const WindowPlace& place) const;
  // Such texts of what is from `first` to `last`, axis by axis.
  std::vector<std::string> Texts(Gives first, Gives last, const WindowPlace& place) const;

 private:
  class Subject;

  const Specs& specs_;
  const Problem& problem_;
  const reference::Readings readings_;
  std::vector<Printed> all_;
};

// One sentence with a blank before it for each axis of `got` that has another size than in `want`, outputs of one
// rank: " Size of axis 1: ceil((6 + 1 + 1 - 3) / 2) + 1 = 4 (maxpool-8/explicit-ceil)." Empty where no formula says it.
std::string WhySizesAre(const Specs& specs, const Problem& problem, const reference::Readings& readings,
                        const poolproof_tensor& want, const poolproof_tensor& got);

// Such sentences for the window of an element of `want`: where it begins and ends, and what it is divided by.
std::string WhyWindowIs(const Specs& specs, const Problem& problem, const reference::Readings& readings,
                        const poolproof_tensor& want, int64_t element);

}  // namespace poolproof
