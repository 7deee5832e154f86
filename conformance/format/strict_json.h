// The one strict reader of JSON: nesting and keys are bounded before the stack and time are, and a key that occurs
// twice is an error instead of a silent choice.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

#include <nlohmann/json.hpp>

#include "conformance/format/error.h"

namespace poolproof {

using Json = nlohmann::ordered_json;

inline constexpr size_t kMaxNesting = 32;
inline constexpr size_t kMaxKeys = 2000;  // of one object

// `text`, which a program has written, as a value. Bytes that are no UTF-8 are read as U+FFFD. On failure nothing, and
// in `error` the reason without file and full stop: "no JSON: stopped at byte 7", "the key \"n\" occurs twice".
std::optional<Json> ParseStrictly(std::string_view text, Error* error);

// `text`, the contents of `file`, which people write, as a value. Bytes that are no UTF-8 are an error, and a number
// that is no integer of 64 bits is kept as it is written: IsWrittenNumber(), NumberText(). On failure nothing, and in
// `error` the file, the line and column or the JSON pointer, and the reason.
std::optional<Json> ParseDocument(const std::string& file, std::string_view text, Error* error);

// Whether ParseDocument() has kept `value` as text: a number with a fraction or an exponent, or outside of 64 bits.
inline bool IsWrittenNumber(const Json& value) { return value.is_binary(); }
// Any number as the document writes it, but for an integer's "-0", which is "0".
std::string NumberText(const Json& number);

// `text` as a JSON string, in quotes; bytes that are no UTF-8 become U+FFFD.
std::string JsonQuoted(std::string_view text);

}  // namespace poolproof
