#include "conformance/format/glob.h"

#include <cstddef>

namespace poolproof {

bool GlobMatches(std::string_view pattern, std::string_view text) {
  // Where the last "*" stands, and the byte of the text up to which it is taken to reach.
  size_t p = 0, t = 0, star = std::string_view::npos, reached = 0;
  while (t < text.size()) {
    if (p < pattern.size() && pattern[p] == '*') {
      star = p++;
      reached = t;
    } else if (p < pattern.size() && (pattern[p] == '?' || pattern[p] == text[t])) {
      ++p;
      ++t;
    } else if (star != std::string_view::npos) {
      p = star + 1;
      t = ++reached;
    } else {
      return false;
    }
  }
  return pattern.find_first_not_of('*', p) == std::string_view::npos;
}

}  // namespace poolproof
