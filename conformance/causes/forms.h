// Wrong backends that are no mutants, by what they are about.
#pragma once

#include <span>

#include "conformance/causes/mutant.h"

namespace poolproof::mutants {

// Those of field.txt imitate what a library did; `title` names the library, or the report, and says what was wrong.
constexpr Mutant Form(std::string_view id, std::string_view title, unsigned operators, Hooks hooks,
                      std::string_view where = {}) {
  return {.id = id, .title = title, .effect = "", .operators = operators, .where = where, .hooks = hooks};
}

std::span<const Mutant> FieldValueForms();
std::span<const Mutant> FieldWindowForms();

// Operators of tensors, which all libraries have.
inline constexpr unsigned kTensorMaxima = kSlidingMax | kAdaptiveMax, kTensorMeans = kSlidingMean | kAdaptiveMean,
                          kTensors = kSliding | kAdaptive;

}  // namespace poolproof::mutants
