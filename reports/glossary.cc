#include "reports/glossary.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>

#include "reports/reader.h"
#include "reports/templates.h"
#include "reports/text.h"

namespace poolproof::reports {
namespace {

// Word to meaning.
const Json& Glossary() {
  static const Json words = Json::parse(TemplateText("glossary.json"));
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

}  // namespace

Json GlossaryView() {
  Json words = Json::array();
  for (const auto& [word, meaning] : Glossary().items()) {
    words.push_back({{"word", word}, {"anchor", Anchor(word)}, {"meaning", AsText(meaning)}});
  }
  return {{"words", words}};
}

std::string Explained(std::string_view html) {
  const std::string word = EntryOf(html);
  const std::string meaning = Str(Glossary(), word.c_str());
  if (meaning.empty()) return std::string(html);
  return fmt::format("<a class=\"term\" href=\"#{}\" title=\"{}\">{}</a>", Anchor(word),
                     EscapeHtml(meaning), html);
}

}  // namespace poolproof::reports
