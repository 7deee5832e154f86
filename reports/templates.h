// The files of templates/, compiled in.
#pragma once

#include <span>
#include <string_view>

namespace poolproof::reports {

struct TemplateFile {
  std::string_view name;  // "group.html"
  std::string_view text;
};

std::span<const TemplateFile> TemplateFiles();
// The text of the one named so, which has to exist.
std::string_view TemplateText(std::string_view name);

}  // namespace poolproof::reports
