// Wrong backends that are no mutants, by what they are about.
#pragma once

#include <array>
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
std::span<const Mutant> FieldPaddingForms();
std::span<const Mutant> FieldTapForms();
std::span<const Mutant> FieldRefusalForms();
// All of field.txt.
inline std::array<std::span<const Mutant>, 5> FieldForms() {
  return {FieldValueForms(), FieldWindowForms(), FieldPaddingForms(), FieldTapForms(), FieldRefusalForms()};
}

// Operators of tensors, which all libraries have.
inline constexpr unsigned kTensorMaxima = kSlidingMax | kAdaptiveMax, kTensorMeans = kSlidingMean | kAdaptiveMean,
                          kTensors = kSliding | kAdaptive;

}  // namespace poolproof::mutants
