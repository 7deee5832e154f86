#include "conformance/format/strict_json.h"

#include <fmt/format.h>

#include <vector>

#include "conformance/format/text.h"

namespace poolproof {
namespace {

// Builds a value from the events of the parser. A handler that returns false stops the parser.
class Builder {
 public:
  using number_integer_t = Json::number_integer_t;
  using number_unsigned_t = Json::number_unsigned_t;
  using number_float_t = Json::number_float_t;
  using string_t = Json::string_t;
  using binary_t = Json::binary_t;

  explicit Builder(std::string* reason) : reason_(reason) {}

  Json TakeRoot() { return std::move(root_); }

  bool null() { return Add(nullptr); }
  bool boolean(bool value) { return Add(value); }
  bool number_integer(number_integer_t value) { return Add(value); }
  bool number_unsigned(number_unsigned_t value) { return Add(value); }
  bool number_float(number_float_t value, const string_t&) { return Add(value); }
  bool string(string_t& value) { return Add(std::move(value)); }
  bool binary(binary_t&) { return false; }  // JSON text has none

  bool start_object(size_t) { return Open(Json::object()); }
  bool start_array(size_t) { return Open(Json::array()); }
  bool end_object() { return Close(); }
  bool end_array() { return Close(); }

  bool key(string_t& name) {
    Json& object = *open_.back();
    if (object.contains(name)) {
      return Fail(fmt::format("the key \"{}\" occurs twice", EscapeControls(Shorten(name, 80))));
    }
    if (object.size() == kMaxKeys) return Fail(fmt::format("more than {} keys in one object", kMaxKeys));
    key_ = std::move(name);
    return true;
  }

  bool parse_error(size_t position, const std::string&, const nlohmann::json::exception&) {
    return Fail(fmt::format("no JSON: stopped at byte {}", position));
  }

 private:
  bool Fail(std::string reason) {
    *reason_ = std::move(reason);
    return false;
  }

  // Only the innermost container grows, so pointers to the outer ones stay good.
  Json* Put(Json value) {
    if (open_.empty()) {
      root_ = std::move(value);
      return &root_;
    }
    Json& into = *open_.back();
    if (into.is_array()) {
      into.push_back(std::move(value));
      return &into.back();
    }
    // The key is known to be new.
    auto& object = into.get_ref<Json::object_t&>();
    object.Container::emplace_back(std::move(key_), std::move(value));
    return &object.back().second;
  }

  bool Add(Json value) {
    Put(std::move(value));
    return true;
  }

  bool Open(Json value) {
    if (open_.size() == kMaxNesting) {
      return Fail(fmt::format("nested more than {} levels deep", kMaxNesting));
    }
    open_.push_back(Put(std::move(value)));
    return true;
  }

  bool Close() {
    open_.pop_back();
    return true;
  }

  std::string* const reason_;
  Json root_;
  std::string key_;
  std::vector<Json*> open_;
};

bool IsAscii(std::string_view text) {
  for (const char c : text) {
    if (static_cast<unsigned char>(c) >= 0x80) return false;
  }
  return true;
}

}  // namespace

std::optional<Json> ParseStrictly(std::string_view text, std::string* reason) {
  std::string valid;
  if (!IsAscii(text)) text = valid = ValidUtf8(text);
  Builder builder(reason);
  if (!Json::sax_parse(text.begin(), text.end(), &builder)) return std::nullopt;
  return builder.TakeRoot();
}

}  // namespace poolproof
