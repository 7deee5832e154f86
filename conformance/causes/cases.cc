#include "conformance/causes/cases.h"

namespace poolproof::mutants {
namespace {

constexpr std::string_view kText =
#include "mutant_cases.inc"
    ;

}  // namespace

std::vector<Case> Cases() {
  std::vector<Case> cases;
  for (std::string_view rest = kText; !rest.empty();) {
    const size_t end = rest.find('\n');
    const std::string_view line = rest.substr(0, end);
    rest.remove_prefix(end == std::string_view::npos ? rest.size() : end + 1);
    const size_t space = line.find(' ');
    if (line.starts_with('#') || space == std::string_view::npos) continue;
    cases.push_back({line.substr(0, space), line.substr(space + 1)});
  }
  return cases;
}

}  // namespace poolproof::mutants
