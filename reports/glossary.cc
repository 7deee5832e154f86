#include <fmt/format.h>

#include <algorithm>
#include <cctype>

#include "conformance/format/reader.h"
#include "conformance/format/text.h"
#include "reports/templates.h"

namespace poolproof::reports {
namespace {

// Word to meaning.
const Json& Glossary() {
  Error unused;  // it is a file of ours
  static const Json words = ParseStrictly(TemplateText("glossary.json"), &unused).value();
  return words;
}

std::string Anchor(std::string word) {
  std::replace(word.begin(), word.end(), ' ', '-');
  return "glossary-" + word;
}

// The entry for a word as it stands in a text, "Readings": "reading".
std::string EntryOf(std::string_view text) {
  std::string word(text);
  for (char& c : word) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  if (!Glossary().contains(word) && word.ends_with('s')) word.pop_back();
  return word;
}

// A link to the entry of `word`; nothing where there is none.
std::string Link(std::string_view word) {
  const std::string entry = EntryOf(word), meaning = StringOr(Glossary(), entry.c_str());
  if (meaning.empty()) return "";
  return fmt::format("<a class=\"term\" href=\"#{}\" title=\"{}\">{}</a>", Anchor(entry),
                     EscapeMarkup(meaning, Markup::kHtml), word);
}

bool IsLetter(char c) { return std::isalpha(static_cast<unsigned char>(c)) != 0; }

}  // namespace

Json GlossaryView() {
  Json words = Json::array();
  for (const auto& [word, meaning] : Glossary().items()) {
    words.push_back({{"word", word}, {"anchor", Anchor(word)}, {"meaning", AsText(meaning)}});
  }
  return {{"words", words}};
}

std::string Explained(std::string_view html) {
  std::string out = Link(html);
  if (!out.empty()) return out;
  for (size_t at = 0, end = 0; at < html.size(); at = end) {
    while (end < html.size() && IsLetter(html[end]) == IsLetter(html[at])) ++end;
    const std::string_view part = html.substr(at, end - at);
    const std::string link = Link(part);
    out += link.empty() ? std::string(part) : link;
  }
  return out;
}

}  // namespace poolproof::reports
