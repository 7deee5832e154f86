// Text that comes from backends and files, made safe to show. Nothing here trusts its input.
#ifndef POOLPROOF_CONFORMANCE_FORMAT_TEXT_H_
#define POOLPROOF_CONFORMANCE_FORMAT_TEXT_H_

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace poolproof {

// `bytes` with every byte that is not part of valid UTF-8 replaced by U+FFFD.
std::string ValidUtf8(std::string_view bytes);

// Valid UTF-8 with the characters replaced that do not show or that change how others show: control
// characters by their pictures (U+2400...), direction overrides and non-characters by U+FFFD; and what
// CI systems take for commands in a log ("::error::", "##[error]") taken apart. Newline and tab stay.
// The result is legal in HTML and in XML 1.0.
std::string EscapeControls(std::string_view text);

// Visible text on one line, for a terminal or a log.
std::string EscapeForTerminal(std::string_view text);

// A word of a shell's command line, in single quotes if it needs any.
std::string ShellQuoted(std::string_view text);

// Visible text for HTML, in an element or between double quotes.
std::string EscapeHtml(std::string_view text);

// At most `limit` bytes, cut between characters, followed by how much is missing.
std::string Shorten(std::string_view text, size_t limit);

// `link` where it is an http or https address, otherwise "": nothing else may become a link.
std::string SafeLink(std::string_view link);

std::string Base64(std::string_view bytes);

// 1234567 as "1,234,567".
std::string WithCommas(uint64_t number);
// "1 case", "2 cases".
std::string Plural(uint64_t number, std::string_view noun);
// Short decimal: 0.5, 12.5, 3.4e-05.
std::string Decimal(double number);

}  // namespace poolproof

#endif  // POOLPROOF_CONFORMANCE_FORMAT_TEXT_H_
