// The files of templates/, compiled in: what fills them, and the words of ours that they explain.
#pragma once

#include <span>
#include <string>
#include <string_view>

#include "conformance/format/strict_json.h"

namespace poolproof::reports {

struct TemplateFile {
  std::string_view name;  // "group.html"
  std::string_view text;
};

std::span<const TemplateFile> TemplateFiles();
// The text of the one named so, which has to exist.
std::string_view TemplateText(std::string_view name);

// Fills the template `name` with `view`. Strings that are empty count as absent; any_LIST says whether a list has
// something.
std::string Render(const std::string& name, const Json& view);

// The words that are ours, each once: {"words": [{"word", "anchor", "meaning"}]} in alphabetical order.
Json GlossaryView();
// `html`, text without tags, in which each word of ours, or its plural, is a link to its place in the
// glossary and says what it means when pointed at.
std::string Explained(std::string_view html);

}  // namespace poolproof::reports
