// The words that are ours, explained: templates/glossary.json has each one once.
#ifndef POOLPROOF_REPORTS_GLOSSARY_H_
#define POOLPROOF_REPORTS_GLOSSARY_H_

#include <string>
#include <string_view>

#include "reports/strict_json.h"

namespace poolproof::reports {

// {"words": [{"word", "anchor", "meaning"}]} in alphabetical order.
Json GlossaryView();

// `html`, one word or its plural, as a link to its place in the glossary that says what it means when
// pointed at; as it is where the glossary does not have it.
std::string Explained(std::string_view html);

}  // namespace poolproof::reports

#endif  // POOLPROOF_REPORTS_GLOSSARY_H_
