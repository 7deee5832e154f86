#include "conformance/format/text.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <vector>

namespace poolproof {
namespace {

constexpr std::string_view kReplacement = "\xEF\xBF\xBD";

struct Character {
  uint32_t code = 0;
  size_t bytes = 0;  // 0: no UTF-8
};

// The character that `s`, which is not empty, begins with.
Character Decode(std::string_view s) {
  const auto byte = [&s](size_t i) { return static_cast<uint8_t>(s[i]); };
  const uint8_t lead = byte(0);
  if (lead < 0x80) return {lead, 1};
  const size_t bytes = lead >= 0xF0 ? 4 : lead >= 0xE0 ? 3 : 2;
  if (lead < 0xC2 || lead > 0xF4 || s.size() < bytes) return {};
  uint32_t code = lead & (0xFFu >> (bytes + 1));
  for (size_t i = 1; i < bytes; ++i) {
    if ((byte(i) & 0xC0) != 0x80) return {};
    code = code << 6 | (byte(i) & 0x3Fu);
  }
  // Overlong forms, surrogates and what lies past the last plane.
  constexpr std::array<uint32_t, 5> kLeast = {0, 0, 0x80, 0x800, 0x10000};
  const bool surrogate = code >= 0xD800 && code <= 0xDFFF;
  if (code < kLeast[bytes] || surrogate || code > 0x10FFFF) return {};
  return {code, bytes};
}

bool IsPlain(std::string_view text) {
  for (const char c : text) {
    if (c < ' ' || c > '~') return false;
  }
  return true;
}

// Characters that do not show or that change how others show.
bool IsHidden(uint32_t code) {
  const bool control = code < 0x20 || (code >= 0x7F && code < 0xA0) || code == 0xFEFF;
  const bool direction = (code >= 0x200E && code <= 0x200F) || (code >= 0x202A && code <= 0x202E) ||
                         (code >= 0x2066 && code <= 0x2069) || code == 0x061C;
  const bool line_end = code == 0x2028 || code == 0x2029;
  const bool no_character = (code & 0xFFFE) == 0xFFFE || (code >= 0xFDD0 && code <= 0xFDEF);
  return control || direction || line_end || no_character;
}

std::string Escape(uint32_t code) {
  switch (code) {
    case '\n': return "\\n";
    case '\r': return "\\r";
    case '\t': return "\\t";
    default: return code < 0x100 ? fmt::format("\\x{:02x}", code) : fmt::format("\\u{:04x}", code);
  }
}

// `text` with what is hidden in it or no UTF-8 shown as an escape. Line ends and tabs may stay.
std::string ShowHidden(std::string_view text, bool keep_lines) {
  if (IsPlain(text)) return std::string(text);
  std::string out;
  out.reserve(text.size());
  for (size_t i = 0; i < text.size();) {
    const Character c = Decode(text.substr(i));
    const bool kept = keep_lines && (c.code == '\n' || c.code == '\t');
    if (c.bytes == 0) {
      out += Escape(static_cast<uint8_t>(text[i]));
    } else if (IsHidden(c.code) && !kept) {
      out += Escape(c.code);
    } else {
      out += text.substr(i, c.bytes);
    }
    i += std::max<size_t>(c.bytes, 1);
  }
  return out;
}

// Takes what CI systems read as a command apart: "::error::" is one at the beginning of a line,
// "##[error]" and "##vso[task]" anywhere. "at::Tensor" may stay.
std::string BreakCiCommands(std::string_view text) {
  if (text.find("::") == text.npos && text.find("##") == text.npos) return std::string(text);
  std::string out;
  for (const char c : text) {
    const bool again = !out.empty() && out.back() == c;
    const char before = out.size() < 2 ? ' ' : out[out.size() - 2];
    if (again && (c == '#' || (c == ':' && !std::isalnum(static_cast<unsigned char>(before))))) {
      out += ' ';
    }
    out += c;
  }
  return out;
}

std::string EscapeHtml(std::string_view text) {
  std::string out;
  for (const char c : text) {
    switch (c) {
      case '&': out += "&amp;"; break;
      case '<': out += "&lt;"; break;
      case '>': out += "&gt;"; break;
      case '"': out += "&quot;"; break;
      case '\'': out += "&#39;"; break;
      default: out += c;
    }
  }
  return out;
}

std::string OnOneLine(std::string text) {
  std::replace_if(text.begin(), text.end(), [](char c) { return c == '\n' || c == '\t'; }, ' ');
  return text;
}

std::string WithBackslashes(std::string_view text, std::string_view marks) {
  std::string out;
  for (const char c : text) {
    if (marks.find(c) != marks.npos) out += '\\';
    out += c;
  }
  return out;
}

// The least number of letters put in, taken out or exchanged, or neighbours that change places, that makes `b` of `a`.
size_t Distance(std::string_view a, std::string_view b) {
  std::vector<size_t> before(b.size() + 1), last = before, row = before;
  for (size_t j = 0; j <= b.size(); ++j) row[j] = j;
  for (size_t i = 1; i <= a.size(); ++i) {
    before = last;
    last = row;
    row[0] = i;
    for (size_t j = 1; j <= b.size(); ++j) {
      row[j] = std::min({last[j] + 1, row[j - 1] + 1, last[j - 1] + (a[i - 1] == b[j - 1] ? 0 : 1)});
      const bool swapped = i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1];
      if (swapped) row[j] = std::min(row[j], before[j - 2] + 1);
    }
  }
  return row[b.size()];
}

}  // namespace

std::string ValidUtf8(std::string_view bytes) {
  std::string out;
  out.reserve(bytes.size());
  for (size_t i = 0; i < bytes.size();) {
    const size_t length = Decode(bytes.substr(i)).bytes;
    out += length == 0 ? kReplacement : bytes.substr(i, length);
    i += std::max<size_t>(length, 1);
  }
  return out;
}

std::string Printable(std::string_view text, size_t max_bytes) {
  if (text.size() <= max_bytes) return ShowHidden(text, false);
  // A character that begins within the limit is shown whole.
  size_t end = 0;
  while (end < max_bytes) end += std::max<size_t>(Decode(text.substr(end)).bytes, 1);
  return ShowHidden(text.substr(0, end), false) + (end < text.size() ? "..." : "");
}

std::string EscapeForTerminal(std::string_view text) { return BreakCiCommands(ShowHidden(text, false)); }

std::string ShellQuoted(std::string_view text) {
  constexpr std::string_view kPlain = "-_./=:,+@";
  bool plain = !text.empty();
  std::string quoted = "'";
  for (const char c : text) {
    plain = plain && (std::isalnum(static_cast<unsigned char>(c)) || kPlain.find(c) != kPlain.npos);
    quoted += c == '\'' ? "'\\''" : std::string(1, c);
  }
  return plain ? std::string(text) : quoted + "'";
}

std::string EscapeMarkup(std::string_view text, Markup markup) {
  std::string shown = BreakCiCommands(ShowHidden(text, true));
  switch (markup) {
    case Markup::kXml: return shown;
    case Markup::kHtml: return EscapeHtml(shown);
    case Markup::kMarkdown: return WithBackslashes(OnOneLine(EscapeHtml(shown)), "\\`*_[]|~@");
    case Markup::kMarkdownCode:
      // Nothing in it is markup but the backquotes themselves, and what ends the cell of a table.
      std::replace(shown.begin(), shown.end(), '`', '\'');
      std::replace(shown.begin(), shown.end(), '|', '/');
      return "`" + OnOneLine(std::move(shown)) + "`";
    case Markup::kMarkdownCell: return WithBackslashes(shown, "|");
  }
  return shown;
}

std::string Shorten(std::string_view text, size_t limit) {
  if (text.size() <= limit) return std::string(text);
  size_t end = limit;
  while (end > 0 && (static_cast<uint8_t>(text[end]) & 0xC0) == 0x80) --end;
  return fmt::format("{}… ({} more bytes)", text.substr(0, end), WithCommas(text.size() - end));
}

std::string SafeLink(std::string_view link) {
  const bool web = link.starts_with("https://") || link.starts_with("http://");
  return web && IsPlain(link) && link.find(' ') == link.npos ? std::string(link) : "";
}

std::string Base64(std::string_view bytes) {
  constexpr std::string_view kDigits = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  std::string out;
  out.reserve((bytes.size() + 2) / 3 * 4);
  for (size_t i = 0; i < bytes.size(); i += 3) {
    const size_t left = std::min<size_t>(3, bytes.size() - i);
    uint32_t bits = 0;
    for (size_t k = 0; k < 3; ++k) {
      bits = bits << 8 | (k < left ? static_cast<uint8_t>(bytes[i + k]) : 0u);
    }
    for (size_t k = 0; k < 4; ++k) {
      out += k <= left ? kDigits[bits >> (18 - 6 * k) & 63] : '=';
    }
  }
  return out;
}

std::string Capitalized(std::string text) {
  const size_t end = std::min(text.find(' '), text.size());
  const bool word = std::all_of(text.begin(), text.begin() + static_cast<std::ptrdiff_t>(end),
                                [](char c) { return c >= 'a' && c <= 'z'; });
  if (word && end > 0) text[0] = static_cast<char>(text[0] - 'a' + 'A');
  return text;
}

std::string WithCommas(uint64_t number) {
  const std::string digits = fmt::format("{}", number);
  std::string out;
  for (size_t i = 0; i < digits.size(); ++i) {
    if (i > 0 && (digits.size() - i) % 3 == 0) out += ',';
    out += digits[i];
  }
  return out;
}

std::string Plural(uint64_t number, std::string_view noun) {
  return fmt::format("{} {}{}", WithCommas(number), noun, number == 1 ? "" : "s");
}

std::string_view NearestWord(std::string_view word, std::span<const std::string> words) {
  const std::string_view begin = word.substr(0, 64);
  return *std::min_element(words.begin(), words.end(), [&](const std::string& a, const std::string& b) {
    return Distance(begin, a) < Distance(begin, b);
  });
}

std::string_view SimilarWord(std::string_view word, std::span<const std::string> words) {
  std::string_view similar;
  // Lines that a fuzzer makes are refused by the thousand: only what could be a word is compared, with words as long.
  const bool typed = std::all_of(word.begin(), word.end(), [](char c) { return c > ' ' && c <= '~'; });
  size_t least = word.size();
  for (const std::string& known : words) {
    const size_t most = (known.size() + 1) / 3;
    if (!typed || word.size() > known.size() + most || known.size() > word.size() + most) continue;
    const size_t distance = Distance(word, known);
    if (distance > most || (distance >= least && !similar.empty())) continue;
    similar = known;
    least = distance;
  }
  return similar;
}

std::string NumberText(double number) { return fmt::format("{:.6g}", number); }

std::string Decimal(double number) { return fmt::format("{:.4g}", number); }

}  // namespace poolproof
