// Which cases of a plan are chosen: by words that name them, or by a condition (docs/expressions.md).
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "conformance/cases/spec.h"

namespace poolproof {

struct PlannedCase;

class CaseFilter {
 public:
  // An empty text chooses everything. Words that all have to match are families, operators, element types, sections,
  // ids and KEY=VALUE of the problem line; * and ? are wildcards, !WORD excludes. What has a comparison with blanks
  // around it, or another sign or word of the language, is a condition; `error` says what is wrong with it.
  static std::optional<CaseFilter> Parse(const Specs& specs, std::string_view text, Error* error);

  bool Matches(const PlannedCase& planned) const;

 private:
  std::vector<std::string> words_;
  std::optional<expression::Expression> condition_;
};

// Names of the families of these specs, and of those that are built in without reading any, sorted.
std::vector<std::string> FamiliesOf(const Specs& specs);
std::vector<std::string> BuiltInFamilies();

// Leaves out other families than those of the list, which commas separate, as well; nothing where it names one that
// there is not.
std::optional<std::string> WithFamilies(const Specs& specs, const std::string& filter, std::string_view list,
                                        Error* error);

// Leaves a section out as well.
std::string WithoutSection(const std::string& filter, std::string_view section);

}  // namespace poolproof
