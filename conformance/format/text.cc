#include "conformance/format/text.h"

#include <fmt/format.h>

#include <array>
#include <cctype>

namespace poolproof {
namespace {

constexpr std::string_view kReplacement = "\xEF\xBF\xBD";

// Length of the valid UTF-8 sequence that `s` begins with and its code point; 0 if there is none.
size_t Decode(std::string_view s, uint32_t* code) {
  const auto byte = [&s](size_t i) { return static_cast<uint8_t>(s[i]); };
  const uint8_t lead = byte(0);
  if (lead < 0x80) {
    *code = lead;
    return 1;
  }
  const size_t length = lead >= 0xF0 ? 4 : lead >= 0xE0 ? 3 : 2;
  if (lead < 0xC2 || lead > 0xF4 || s.size() < length) return 0;
  *code = lead & (0xFFu >> (length + 1));
  for (size_t i = 1; i < length; ++i) {
    if ((byte(i) & 0xC0) != 0x80) return 0;
    *code = *code << 6 | (byte(i) & 0x3Fu);
  }
  // Overlong forms, surrogates and what lies past the last plane.
  constexpr std::array<uint32_t, 5> kLeast = {0, 0, 0x80, 0x800, 0x10000};
  const bool surrogate = *code >= 0xD800 && *code <= 0xDFFF;
  return *code < kLeast[length] || surrogate || *code > 0x10FFFF ? 0 : length;
}

bool IsPlain(std::string_view text) {
  for (const char c : text) {
    if (c < ' ' || c > '~') return false;
  }
  return true;
}

bool IsOverride(uint32_t code) {
  return (code >= 0x202A && code <= 0x202E) || (code >= 0x2066 && code <= 0x2069) || code == 0x200E || code == 0x200F ||
         code == 0x061C;
}

void AppendEscaped(uint32_t code, std::string_view bytes, std::string* out) {
  if (code < 0x20 && code != '\n' && code != '\t') {
    *out += '\xE2';
    *out += '\x90';
    *out += static_cast<char>(0x80 + code);
  } else if (code == 0x7F) {
    *out += "\xE2\x90\xA1";
  } else if ((code >= 0x80 && code < 0xA0) || IsOverride(code) || (code & 0xFFFE) == 0xFFFE ||
             (code >= 0xFDD0 && code <= 0xFDEF)) {
    *out += kReplacement;
  } else {
    *out += bytes;
  }
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

}  // namespace

std::string ValidUtf8(std::string_view bytes) {
  std::string out;
  out.reserve(bytes.size());
  for (size_t i = 0; i < bytes.size();) {
    uint32_t code = 0;
    const size_t length = Decode(bytes.substr(i), &code);
    out += length == 0 ? kReplacement : bytes.substr(i, length);
    i += length == 0 ? 1 : length;
  }
  return out;
}

std::string EscapeControls(std::string_view text) {
  if (IsPlain(text)) return BreakCiCommands(text);
  std::string out;
  out.reserve(text.size());
  for (size_t i = 0; i < text.size();) {
    uint32_t code = 0;
    const size_t length = Decode(text.substr(i), &code);
    if (length == 0) {
      out += kReplacement;
    } else {
      AppendEscaped(code, text.substr(i, length), &out);
    }
    i += length == 0 ? 1 : length;
  }
  return BreakCiCommands(out);
}

std::string EscapeForTerminal(std::string_view text) {
  std::string out;
  for (const char c : EscapeControls(text)) {
    if (c == '\n') {
      out += "\xE2\x90\x8A";
    } else if (c == '\t') {
      out += "\xE2\x90\x89";
    } else {
      out += c;
    }
  }
  return out;
}

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

std::string EscapeHtml(std::string_view text) {
  std::string out;
  for (const char c : EscapeControls(text)) {
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

std::string Decimal(double number) { return fmt::format("{:.4g}", number); }

}  // namespace poolproof
