#include <algorithm>

#include "conformance/cases/boundaries.h"

namespace poolproof {
namespace {

// The text of fuzz/regressions.txt.
constexpr std::string_view kText =
#include "regressions.inc"
    ;

// Takes the first line off `text`.
std::string_view TakeLine(std::string_view* text) {
  const size_t end = std::min(text->find('\n'), text->size());
  const std::string_view line = text->substr(0, end);
  text->remove_prefix(std::min(end + 1, text->size()));
  return line;
}

}  // namespace

std::vector<Regression> Regressions() {
  std::vector<Regression> regressions;
  std::string report;
  for (std::string_view text = kText; !text.empty();) {
    const std::string_view line = TakeLine(&text);
    if (line.empty()) {
      report.clear();
    } else if (line.starts_with("# ")) {
      report = line.substr(2);
    } else {
      regressions.push_back({report, std::string(line)});
    }
  }
  return regressions;
}

}  // namespace poolproof
