// The question after a word that was mistyped.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "conformance/format/text.h"

namespace poolproof {

// "; is --level meant?" where one of `words` resembles `word`; otherwise "".
template <typename Words>
std::string IsMeant(std::string_view word, const Words& words) {
  const std::vector<std::string> known(std::begin(words), std::end(words));
  const std::string_view similar = SimilarWord(word, known);
  return similar.empty() ? "" : "; is " + std::string(similar) + " meant?";
}

}  // namespace poolproof
