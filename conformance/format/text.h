// Text that comes from backends and files, made safe to show. Nothing here trusts its input.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>

namespace poolproof {

// `bytes` with every byte that is not part of valid UTF-8 replaced by U+FFFD.
std::string ValidUtf8(std::string_view bytes);

// `text` as valid UTF-8 on one line. Line ends, other control characters, marks that change the direction of writing,
// characters that no text has, and bytes that are no UTF-8 are shown as "\n", "\x1b", "\u202e". At most `max_bytes` of
// `text`, then "...". What a backend says is kept in this form.
std::string Printable(std::string_view text, size_t max_bytes = 1023);

// All of `text` in that form for a terminal or a log, where what CI systems take for commands ("::error::",
// "##[error]") is taken apart as well.
std::string EscapeForTerminal(std::string_view text);

enum class Markup : uint8_t {
  kXml,           // for a library that escapes markup: the result is legal in XML 1.0
  kHtml,          // in an element or between double quotes
  kMarkdown,      // on one line; Markdown has HTML in it, so both are escaped
  kMarkdownCode,  // in backquotes, also in a cell of a table
  kMarkdownCell,  // words of ours, which have no other markup than a "|"
};

// `text` as for a terminal, but with its line ends and tabs, so that markup shows it as what it is.
std::string EscapeMarkup(std::string_view text, Markup markup);

// A word of a shell's command line, in single quotes if it needs any.
std::string ShellQuoted(std::string_view text);

// At most `limit` bytes, cut between characters, followed by how much is missing.
std::string Shorten(std::string_view text, size_t limit);

// `link` where it is an http or https address, otherwise "": nothing else may become a link.
std::string SafeLink(std::string_view link);

std::string Base64(std::string_view bytes);

// The text with a capital letter, where it begins with a word, "the first tap ...", and not with a name, "bf16 is ...".
std::string Capitalized(std::string text);
// 1234567 as "1,234,567".
std::string WithCommas(uint64_t number);
// "1 case", "2 cases".
std::string Plural(uint64_t number, std::string_view noun);
// The word of `words`, which has one, that most resembles `word`.
std::string_view NearestWord(std::string_view word, std::span<const std::string> words);
// Likewise, but empty where none differs from `word` in less than about a third of its letters.
std::string_view SimilarWord(std::string_view word, std::span<const std::string> words);
// A number as lines of results have it, to six digits.
std::string NumberText(double number);
// Short decimal: 0.5, 12.5, 3.4e-05.
std::string Decimal(double number);

}  // namespace poolproof
