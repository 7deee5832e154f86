#include "conformance/worker/printable.h"

#include <cstdint>

#include "fmt/format.h"

namespace poolproof {
namespace {

struct Character {
  char32_t code = 0;
  size_t bytes = 0;  // 0: no UTF-8
};

Character Decode(std::string_view text) {
  const auto byte = [&](size_t i) { return static_cast<unsigned char>(text[i]); };
  const unsigned char first = byte(0);
  if (first < 0x80) return {first, 1};
  const size_t bytes = first >= 0xF0 ? 4 : first >= 0xE0 ? 3 : 2;
  if (first < 0xC2 || first > 0xF4 || text.size() < bytes) return {};
  char32_t code = first & (0xFFu >> (bytes + 1));
  for (size_t i = 1; i < bytes; ++i) {
    if ((byte(i) & 0xC0) != 0x80) return {};
    code = code << 6 | (byte(i) & 0x3F);
  }
  constexpr char32_t kLeast[] = {0, 0, 0x80, 0x800, 0x10000};
  const bool surrogate = code >= 0xD800 && code <= 0xDFFF;
  if (code < kLeast[bytes] || code > 0x10FFFF || surrogate) return {};
  return {code, bytes};
}

bool IsControl(char32_t code) {
  return code < 0x20 || (code >= 0x7F && code < 0xA0) || (code >= 0x200E && code <= 0x200F) ||  // marks of direction
         (code >= 0x2028 && code <= 0x202E) ||  // separators, embeddings, overrides
         (code >= 0x2066 && code <= 0x2069) || code == 0x061C || code == 0xFEFF;
}

std::string Escaped(char32_t code) {
  switch (code) {
    case '\n': return "\\n";
    case '\r': return "\\r";
    case '\t': return "\\t";
    default: break;
  }
  const auto number = static_cast<uint32_t>(code);
  return number < 0x100 ? fmt::format("\\x{:02x}", number) : fmt::format("\\u{:04x}", number);
}

}  // namespace

std::string Printable(std::string_view text, size_t max_bytes) {
  std::string shown;
  size_t at = 0;
  while (at < text.size() && at < max_bytes) {
    const Character character = Decode(text.substr(at));
    if (character.bytes == 0) {
      shown += fmt::format("\\x{:02x}", static_cast<unsigned char>(text[at]));
    } else if (IsControl(character.code)) {
      shown += Escaped(character.code);
    } else {
      shown += text.substr(at, character.bytes);
    }
    at += std::max<size_t>(character.bytes, 1);
  }
  return at < text.size() ? shown + "..." : shown;
}

}  // namespace poolproof
