#include "conformance/format/case_line.h"

#include <algorithm>
#include <charconv>

namespace poolproof {
namespace {

// Takes `part` off the front of `line`.
bool Skip(std::string_view part, std::string_view* line) {
  if (!line->starts_with(part)) return false;
  line->remove_prefix(part.size());
  return true;
}

// Takes printable ASCII without escapes and the quote that ends it.
bool SkipText(std::string_view* line, std::string* text) {
  for (size_t i = 0; i < line->size(); ++i) {
    const char c = (*line)[i];
    if (c == '"') {
      text->assign(*line, 0, i);
      line->remove_prefix(i + 1);
      return true;
    }
    if (c < ' ' || c > '~' || c == '\\') return false;
  }
  return false;
}

// A whole number as JSON writes it: no sign, no leading zero.
bool SkipNumber(std::string_view* line, uint64_t* number) {
  const bool zero = line->starts_with('0');
  const auto [end, status] = std::from_chars(line->data(), line->data() + line->size(), *number);
  const size_t digits = static_cast<size_t>(end - line->data());
  if (status != std::errc() || digits == 0 || (zero && digits > 1)) return false;
  line->remove_prefix(digits);
  return true;
}

}  // namespace

std::string_view CaseLine::op() const { return std::string_view(line).substr(0, line.find(' ')); }

std::string_view CaseLine::type() const {
  const std::string_view rest = std::string_view(line).substr(std::min(op().size() + 1, line.size()));
  return rest.substr(0, rest.find(' '));
}

bool ReadCaseLine(const Json& value, CaseLine* c, Error* error) {
  if (!ReadKeys(value, c, error)) return false;
  if (!value.contains("line")) c->line = c->id;
  return true;
}

bool ReadPlainLine(std::string_view line, CaseLine* c) {
  if (!c->plain) *c = CaseLine();
  c->plain = false;
  if (!Skip("{\"n\":", &line) || !SkipNumber(&line, &c->n) || !Skip(",\"id\":\"", &line) || !SkipText(&line, &c->id)) {
    return false;
  }
  const bool named = Skip(",\"line\":\"", &line);
  if (named && !SkipText(&line, &c->line)) return false;
  if (!Skip(",\"section\":\"", &line) || !SkipText(&line, &c->section) || line != ",\"verdict\":\"pass\"}") {
    return false;
  }
  if (!named) c->line = c->id;
  c->plain = true;
  return true;
}

}  // namespace poolproof
