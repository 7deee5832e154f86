// JSON text in memory, as strict as the spec files need it: numbers keep how they were written, and
// a key that occurs twice is an error instead of a silent choice.
#ifndef POOLPROOF_CONFORMANCE_CASES_JSON_H_
#define POOLPROOF_CONFORMANCE_CASES_JSON_H_

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "conformance/cases/spec.h"

namespace poolproof::json {

struct Value {
  enum class Kind : uint8_t { kNull, kBool, kNumber, kString, kArray, kObject };
  Kind kind = Kind::kNull;
  bool boolean = false;
  bool is_int64 = false;          // a number written without fraction or exponent that int64 holds
  int64_t integer = 0;            // where is_int64
  std::string text;               // the contents of a string; a number as it was written
  std::vector<Value> items;       // elements of an array, values of an object
  std::vector<std::string> keys;  // of an object, parallel to items
};

// Parses `text`. On failure `error` names `file` and the line and column, or the JSON pointer.
std::optional<Value> Parse(const std::string& file, std::string_view text, Error* error);

// `value` as a message shows it: strings in quotes, arrays and objects by their kind.
std::string Describe(const Value& value);
std::string Quote(std::string_view text);

// One step of a JSON pointer, escaped: "/a~1b".
std::string PointerStep(std::string_view key);

}  // namespace poolproof::json

#endif  // POOLPROOF_CONFORMANCE_CASES_JSON_H_
