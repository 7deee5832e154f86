#include "conformance/format/strict_json.h"

#include <fmt/format.h>

#include <algorithm>
#include <vector>

#include "conformance/format/text.h"

namespace poolproof {
namespace {

constexpr std::string_view kBlanks = " \t\r\n";

// Bytes of a key that a message repeats.
constexpr size_t kMaxKeyShown = 80;

// The text at which the parser stopped: `token` where it is a string, since it holds more for anything else.
std::string_view StoppedAt(std::string_view read, std::string_view token) {
  if (read.empty() || read.back() == '"') return token;
  const size_t word = read.find_last_of(" \t\r\n,:[]{}") + 1;  // npos + 1 is 0
  return read.substr(std::min(word, read.size() - 1));
}

// Why the parser refused `text` at byte `position`; `inside`: within an array or object.
std::string SyntaxReason(std::string_view text, size_t position, std::string_view token, int id, bool inside) {
  constexpr int kNumberOverflow = 406;
  constexpr std::string_view kEnds = "\"}]0123456789el", kBegins = "\"{[-0123456789tfn";
  if (position > text.size()) return "the text ends too early";
  const std::string_view read = text.substr(0, position);
  token = StoppedAt(read, token);
  if (id == kNumberOverflow) return fmt::format("the number {} is too large", token);
  std::string_view earlier = read.substr(0, read.size() - std::min(read.size(), token.size()));
  earlier = earlier.substr(0, earlier.find_last_not_of(kBlanks) + 1);
  if (!inside && !earlier.empty()) return JsonQuoted(token) + " stands after its end";
  const bool value = !token.empty() && kBegins.find(token.front()) != kBegins.npos;
  const bool after = !earlier.empty() && kEnds.find(earlier.back()) != kEnds.npos;
  return JsonQuoted(token) + (value && after ? " needs a comma before it" : " cannot stand here");
}

// "line 3, column 9" of byte `position`, counted from 1.
std::string LineAndColumn(std::string_view text, size_t position) {
  const std::string_view before = text.substr(0, position == 0 ? 0 : position - 1);
  const size_t line_begin = before.rfind('\n') + 1;  // npos + 1 is 0
  return fmt::format("line {}, column {}", 1 + std::count(before.begin(), before.end(), '\n'),
                     before.size() - line_begin + 1);
}

// Builds a value from the events of the parser. A handler that returns false stops the parser.
class Builder {
 public:
  using number_integer_t = Json::number_integer_t;
  using number_unsigned_t = Json::number_unsigned_t;
  using number_float_t = Json::number_float_t;
  using string_t = Json::string_t;
  using binary_t = Json::binary_t;

  // `file` is null where `text` is no document.
  Builder(std::string_view text, const std::string* file, Error* error) : text_(text), file_(file), error_(error) {}

  Json TakeRoot() { return std::move(root_); }

  bool null() { return Add(nullptr); }
  bool boolean(bool value) { return Add(value); }
  bool number_integer(number_integer_t value) { return Add(value); }
  bool number_unsigned(number_unsigned_t value) { return Add(value); }
  bool number_float(number_float_t value, const string_t& written) {
    return Add(file_ == nullptr ? Json(value) : Json::binary({written.begin(), written.end()}));
  }
  bool string(string_t& value) { return Add(std::move(value)); }
  bool binary(binary_t&) { return false; }  // JSON text has none

  bool start_object(size_t) { return Open(Json::object()); }
  bool start_array(size_t) { return Open(Json::array()); }
  bool end_object() { return Close(); }
  bool end_array() { return Close(); }

  bool key(string_t& name) {
    Json& object = *open_.back();
    if (object.contains(name)) {
      return FailInside(fmt::format("the key {} occurs twice", JsonQuoted(Shorten(name, kMaxKeyShown))));
    }
    if (object.size() == kMaxKeys) return FailInside(fmt::format("more than {} keys in one object", kMaxKeys));
    key_ = std::move(name);
    return true;
  }

  bool parse_error(size_t position, const std::string& token, const nlohmann::json::exception& cause) {
    if (file_ == nullptr) return Fail(fmt::format("no JSON: stopped at byte {}", position), error_);
    if (text_.find_first_not_of(kBlanks) == text_.npos) return Fail(*file_ + ": the file is empty", error_);
    return Fail(fmt::format("{}, {}: not JSON: {}", *file_, LineAndColumn(text_, position),
                            SyntaxReason(text_, position, token, cause.id, !open_.empty())),
                error_);
  }

 private:
  // Names the innermost value of a document that is open.
  bool FailInside(const std::string& reason) {
    if (file_ == nullptr) return Fail(reason, error_);
    Json::json_pointer pointer;
    for (size_t i = 0; i + 1 < open_.size(); ++i) {
      const Json& value = *open_[i];
      if (value.is_array()) {
        pointer /= value.size() - 1;
      } else {
        pointer /= value.get_ref<const Json::object_t&>().back().first;
      }
    }
    const std::string place = pointer.empty() ? "top level" : pointer.to_string();
    return Fail(fmt::format("{}, {}: {}", *file_, place, reason), error_);
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
    if (open_.size() == kMaxNesting) return FailInside(fmt::format("nested more than {} levels deep", kMaxNesting));
    open_.push_back(Put(std::move(value)));
    return true;
  }

  bool Close() {
    open_.pop_back();
    return true;
  }

  const std::string_view text_;
  const std::string* const file_;
  Error* const error_;
  Json root_;
  std::string key_;
  std::vector<Json*> open_;
};

std::optional<Json> Parse(std::string_view text, const std::string* file, Error* error) {
  Builder builder(text, file, error);
  if (!Json::sax_parse(text.begin(), text.end(), &builder)) return std::nullopt;
  return builder.TakeRoot();
}

bool IsAscii(std::string_view text) {
  return std::all_of(text.begin(), text.end(), [](char c) { return static_cast<unsigned char>(c) < 0x80; });
}

}  // namespace

std::optional<Json> ParseStrictly(std::string_view text, Error* error) {
  return IsAscii(text) ? Parse(text, nullptr, error) : Parse(ValidUtf8(text), nullptr, error);
}

std::optional<Json> ParseDocument(const std::string& file, std::string_view text, Error* error) {
  return Parse(text, &file, error);
}

std::string NumberText(const Json& number) {
  if (!IsWrittenNumber(number)) return number.dump();
  const Json::binary_t& written = number.get_binary();
  return {written.begin(), written.end()};
}

std::string JsonQuoted(std::string_view text) {
  return Json(text).dump(-1, ' ', false, Json::error_handler_t::replace);
}

}  // namespace poolproof
