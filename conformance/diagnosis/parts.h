// Tells failures of several causes apart by where they are.
#pragma once

#include <algorithm>
#include <span>
#include <vector>

#include "conformance/diagnosis/rule.h"

namespace poolproof {

// The parts of what fails, counted from 0: a problem is of the first whose rule holds for it, and where none does, of
// the part `others`.
struct Parts {
  std::vector<Rule> rules;
  size_t others = 0;

  size_t Count() const { return std::max(rules.size(), others + 1); }
  size_t Of(const Features& problem) const;
};

// Each part of `failing` lies in a place with far fewer problems of `right`, for its size, than the place of all; a few
// that lie in none belong to the largest. One part where there are no such places.
Parts FindParts(std::span<const Features> failing, std::span<const Features> right);

}  // namespace poolproof
