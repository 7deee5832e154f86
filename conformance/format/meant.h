// The question after a word that was mistyped.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "conformance/format/text.h"

namespace poolproof {

// The end of a sentence: "; is --level meant?" where one of `words` resembles `word`, `otherwise` where none does.
template <typename Words>
std::string IsMeant(std::string_view word, const Words& words, std::string_view otherwise = "") {
  const std::vector<std::string> known(std::begin(words), std::end(words));
  const std::string_view similar = SimilarWord(word, known);
  return similar.empty() ? std::string(otherwise) : "; is " + std::string(similar) + " meant?";
}

}  // namespace poolproof
