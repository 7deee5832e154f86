// Tells failures of several causes apart by where they are.
#pragma once

#include <span>
#include <vector>

#include "conformance/diagnosis/rule.h"

namespace poolproof {

// Rules of places, one for each part of `failing` but the last: the first that holds for a problem says of which part
// it is, and the last part is of those for which none holds. Each part lies in a place with far fewer problems of
// `right`, for its size, than the place of all; no rules where there are no such parts.
std::vector<Rule> FindParts(std::span<const Features> failing, std::span<const Features> right);

// The part that these rules say, counted from 0.
size_t PartOf(const std::vector<Rule>& rules, const Features& problem);

}  // namespace poolproof
