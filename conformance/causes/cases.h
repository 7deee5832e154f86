// For tests: one problem per pure mutant on which it is wrong, from cases.txt.
#ifndef POOLPROOF_CONFORMANCE_CAUSES_CASES_H_
#define POOLPROOF_CONFORMANCE_CAUSES_CASES_H_

#include <string_view>
#include <vector>

namespace poolproof::mutants {

struct Case {
  std::string_view mutant;
  std::string_view line;  // a problem line
};
std::vector<Case> Cases();

}  // namespace poolproof::mutants

#endif  // POOLPROOF_CONFORMANCE_CAUSES_CASES_H_
