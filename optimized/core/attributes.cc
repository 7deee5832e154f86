#include "optimized/core/attributes.h"

#include <algorithm>
#include <cassert>
#include <string>

namespace poolproof::optimized {
namespace {

Result Missing(std::string_view name) { return Result::Invalid("attribute " + std::string(name) + " is missing"); }

Result WrongKind(std::string_view name, const char* wanted) {
  return Result::Invalid("attribute " + std::string(name) + " must be " + wanted);
}

Result OutOfRange(std::string_view name, int64_t value, const std::string& range) {
  return Result::Invalid("attribute " + std::string(name) + " is " + std::to_string(value) + ", must be " + range);
}

// Stops at the first letter that differs, mostly the first of all; no length is needed for that.
bool Matches(std::string_view name, const char* text) {
  size_t i = 0;
  while (i < name.size() && text[i] == name[i]) ++i;
  return i == name.size() && text[i] == '\0';
}

}  // namespace

const poolproof_attribute* Attributes::Find(std::string_view name) const {
  for (size_t i = 0; i < call_.attribute_count; ++i) {
    if (Matches(name, call_.attributes[i]->name)) return call_.attributes[i];
  }
  return nullptr;
}

Result Attributes::CheckNames(std::span<const std::string_view> names) const {
  for (size_t i = 0; i < call_.attribute_count; ++i) {
    const char* text = call_.attributes[i]->name;
    const auto name =
        std::find_if(names.begin(), names.end(), [&](std::string_view known) { return Matches(known, text); });
    if (name == names.end()) {
      return Result::Invalid(std::string(call_.op) + " has no attribute " + text);
    }
    if (Find(*name) != call_.attributes[i]) {
      return Result::Invalid(std::string("attribute ") + text + " is given twice");
    }
  }
  return Result::Ok();
}

Result Attributes::List(std::string_view name, int count, int64_t min, const int64_t* default_value,
                        int64_t* values) const {
  assert(count >= 1 && values != nullptr);
  const poolproof_attribute* attribute = Find(name);
  if (attribute == nullptr) {
    if (default_value == nullptr) return Missing(name);
    std::fill_n(values, count, *default_value);
    return Result::Ok();
  }
  if (attribute->kind != POOLPROOF_INT_LIST) return WrongKind(name, "a list of integers");
  if (attribute->count != static_cast<size_t>(count)) {
    return Result::Invalid("attribute " + std::string(name) + " has " + std::to_string(attribute->count) +
                           " values, must have " + std::to_string(count) + ", one per spatial axis");
  }
  for (int i = 0; i < count; ++i) {
    values[i] = attribute->integers[i];
    if (values[i] < min) return OutOfRange(name, values[i], ">= " + std::to_string(min));
  }
  return Result::Ok();
}

Result Attributes::Word(std::string_view name, std::initializer_list<std::string_view> words, int* index) const {
  assert(words.size() > 0);
  const poolproof_attribute* attribute = Find(name);
  if (attribute == nullptr) return Result::Ok();
  if (attribute->kind != POOLPROOF_WORD) return WrongKind(name, "a word");
  const std::string_view word = attribute->word;
  const auto found = std::find(words.begin(), words.end(), word);
  if (found == words.end()) {
    return Result::Invalid("attribute " + std::string(name) + " is \"" + std::string(word) +
                           "\", which is not one of its words");
  }
  *index = static_cast<int>(found - words.begin());
  return Result::Ok();
}

Result Attributes::Int(std::string_view name, int64_t min, int64_t max, bool required, int64_t* value) const {
  assert(min <= max);
  const poolproof_attribute* attribute = Find(name);
  if (attribute == nullptr) return required ? Missing(name) : Result::Ok();
  if (attribute->kind != POOLPROOF_INT) return WrongKind(name, "an integer");
  if (attribute->integer < min || attribute->integer > max) {
    return OutOfRange(name, attribute->integer, "in [" + std::to_string(min) + ", " + std::to_string(max) + "]");
  }
  *value = attribute->integer;
  return Result::Ok();
}

Result Attributes::Bool(std::string_view name, bool required, bool* value) const {
  const poolproof_attribute* attribute = Find(name);
  if (attribute == nullptr) return required ? Missing(name) : Result::Ok();
  if (attribute->kind != POOLPROOF_BOOL) return WrongKind(name, "a boolean");
  if (attribute->integer != 0 && attribute->integer != 1) {
    return OutOfRange(name, attribute->integer, "0 or 1");
  }
  *value = attribute->integer != 0;
  return Result::Ok();
}

}  // namespace poolproof::optimized
