// Shared by reading, evaluating and printing of expressions.
#pragma once

#include <algorithm>
#include <string>
#include <string_view>

#include "conformance/expression/expression.h"

namespace poolproof::expression {

inline bool IsLetter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; }
inline bool IsDigit(char c) { return c >= '0' && c <= '9'; }

// Words that the language itself uses, and which therefore are quoted where they are data. Functions are not among
// them: "floor" is one before a parenthesis alone.
inline constexpr std::string_view kReserved[] = {"and", "or",   "not",  "in",   "mod",
                                                 "if",  "then", "else", "true", "false"};

// The length of the bare word at the begin of `text`. A hyphen or a dot joins it with what follows without a blank:
// "MaxPool-8" is a word, "size - 1" is not.
inline size_t WordLength(std::string_view text) {
  size_t end = 0;
  while (end < text.size()) {
    const bool joins = (text[end] == '-' || text[end] == '.') && end > 0 && end + 1 < text.size() &&
                       (IsLetter(text[end + 1]) || IsDigit(text[end + 1]));
    if (!IsLetter(text[end]) && !(end > 0 && IsDigit(text[end])) && !joins) break;
    ++end;
  }
  return end;
}

// A word, between quotation marks where it would be read as something else bare.
inline std::string Quoted(std::string_view word, const Vocabulary& vocabulary) {
  const bool bare = !word.empty() && WordLength(word) == word.size() &&
                    std::find(std::begin(kReserved), std::end(kReserved), word) == std::end(kReserved) &&
                    std::none_of(vocabulary.begin(), vocabulary.end(), [&](const Name& n) { return n.name == word; });
  return bare ? std::string(word) : "\"" + std::string(word) + "\"";
}

// The value of the node at `place`.
Value Evaluate(const std::vector<Node>& nodes, size_t place, const Subject& subject, int axis);

}  // namespace poolproof::expression
