#include "conformance/format/reader.h"
#include "conformance/format/text.h"

namespace poolproof {
namespace {

const Json* Find(const Json& object, const char* key) {
  if (!object.is_object()) return nullptr;
  const auto it = object.find(key);
  return it == object.end() ? nullptr : &*it;
}

}  // namespace

std::string AsText(const Json& value) {
  if (value.is_string()) return value.get<std::string>();
  if (value.is_null()) return "";
  return value.dump(-1, ' ', false, Json::error_handler_t::replace);
}

std::string ShortenedJson(const Json& value, size_t limit) {
  return EscapeForTerminal(Shorten(value.dump(-1, ' ', false, Json::error_handler_t::replace), limit));
}

std::string StringOr(const Json& object, const char* key) {
  const Json* value = Find(object, key);
  return value == nullptr ? "" : AsText(*value);
}

int64_t IntOr(const Json& object, const char* key) {
  const Json* value = Find(object, key);
  return value != nullptr && value->is_number_integer() ? value->get<int64_t>() : 0;
}

double NumberOr(const Json& object, const char* key) {
  const Json* value = Find(object, key);
  return value != nullptr && value->is_number() ? value->get<double>() : 0;
}

bool BoolOr(const Json& object, const char* key) {
  const Json* value = Find(object, key);
  return value != nullptr && value->is_boolean() && value->get<bool>();
}

const Json& ObjectOr(const Json& object, const char* key) {
  static const Json empty = Json::object();
  const Json* value = Find(object, key);
  return value != nullptr && value->is_object() ? *value : empty;
}

const Json& ArrayOr(const Json& object, const char* key) {
  static const Json empty = Json::array();
  const Json* value = Find(object, key);
  return value != nullptr && value->is_array() ? *value : empty;
}

std::vector<std::string> StringsOf(const Json& object, const char* key) {
  std::vector<std::string> strings;
  for (const Json& value : ArrayOr(object, key)) strings.push_back(AsText(value));
  return strings;
}

std::vector<int64_t> IntsOf(const Json& object, const char* key) {
  std::vector<int64_t> numbers;
  for (const Json& value : ArrayOr(object, key)) {
    numbers.push_back(value.is_number_integer() ? value.get<int64_t>() : 0);
  }
  return numbers;
}

}  // namespace poolproof
