#include "conformance/format/keys.h"

#include "conformance/format/reader.h"
#include "conformance/format/text.h"

namespace poolproof {
namespace {

bool Refuse(const char* name, const Json& value, const char* kind, Error* error) {
  return Fail(fmt::format("\"{}\" is no {}: {}", QuoteValue(name), kind, QuoteValue(AsText(value))), error);
}

}  // namespace

std::string QuoteValue(std::string_view value) {
  constexpr size_t kMaxQuote = 80;  // bytes that are repeated
  return EscapeForTerminal(Shorten(value, kMaxQuote));
}

bool ReadValue(const char* name, const Json& from, std::string* to, Error* error) {
  if (!from.is_string()) return Refuse(name, from, "text", error);
  *to = from.get_ref<const std::string&>();
  return true;
}

bool ReadValue(const char* name, const Json& from, uint64_t* to, Error* error) {
  if (!from.is_number_unsigned()) return Refuse(name, from, "whole number", error);
  *to = from.get<uint64_t>();
  return true;
}

bool ReadValue(const char* name, const Json& from, uint32_t* to, Error* error) {
  uint64_t number = 0;
  if (!ReadValue(name, from, &number, error)) return false;
  if (number > UINT32_MAX) return Refuse(name, from, "whole number of 32 bits", error);
  *to = static_cast<uint32_t>(number);
  return true;
}

bool ReadValue(const char* name, const Json& from, double* to, Error* error) {
  if (!from.is_number()) return Refuse(name, from, "number", error);
  *to = from.get<double>();
  return true;
}

bool ReadValue(const char* name, const Json& from, bool* to, Error* error) {
  if (!from.is_boolean()) return Refuse(name, from, "true or false", error);
  *to = from.get<bool>();
  return true;
}

bool ReadValue(const char* name, const Json& from, Verdict* to, Error* error) {
  std::string text;
  if (!ReadValue(name, from, &text, error)) return false;
  const auto known = FindVerdict(text);
  if (known) *to = *known;
  if (!known) error->message = fmt::format("there is no verdict \"{}\"", QuoteValue(text));
  return known.has_value();
}

bool ReadValue(const char* name, const Json& from, VerdictCounts* to, Error* error) {
  if (!IsObject(name, from, error)) return false;
  for (const auto& [verdict, count] : from.items()) {
    const auto known = FindVerdict(verdict);
    if (!known || !count.is_number_unsigned()) {
      return Fail(fmt::format("\"{}\" counts \"{}\" as a verdict: {}", QuoteValue(name), QuoteValue(verdict),
                              QuoteValue(AsText(count))),
                  error);
    }
    (*to)[*known] = count.get<uint64_t>();
  }
  return true;
}

bool IsObject(const char* name, const Json& from, Error* error) {
  return from.is_object() || Refuse(name, from, "object", error);
}

bool IsArray(const char* name, const Json& from, Error* error) {
  return from.is_array() || Refuse(name, from, "array", error);
}

void AppendQuoted(std::string_view text, std::string* out) {
  // Ids and lines are printable ASCII in nearly every case; then no library is needed to quote them.
  for (const char c : text) {
    if (c < ' ' || c > '~' || c == '"' || c == '\\') {
      *out += Json(text).dump(-1, ' ', false, Json::error_handler_t::replace);
      return;
    }
  }
  out->append(1, '"').append(text).append(1, '"');
}

}  // namespace poolproof
