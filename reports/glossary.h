// The words that are ours, explained: templates/glossary.json has each one once.
#pragma once

#include <string>
#include <string_view>

#include "conformance/format/strict_json.h"

namespace poolproof::reports {

// {"words": [{"word", "anchor", "meaning"}]} in alphabetical order.
Json GlossaryView();

// `html`, text without tags, in which each word of ours, or its plural, is a link to its place in the
// glossary and says what it means when pointed at.
std::string Explained(std::string_view html);

}  // namespace poolproof::reports
