// For tests: one problem per pure mutant on which it is wrong, from cases.txt.
#pragma once

#include <string_view>
#include <vector>

namespace poolproof::mutants {

struct Case {
  std::string_view mutant;
  std::string_view line;  // a problem line
};
std::vector<Case> Cases();

}  // namespace poolproof::mutants
