#include "conformance/cases/json.h"

#include <algorithm>
#include <nlohmann/json.hpp>

namespace poolproof::json {
namespace {

// Deeper nesting than any spec has; without a limit a hostile file could exhaust the stack.
constexpr size_t kMaxDepth = 32;

// Builds a Value from the events of the parser. A handler that returns false stops the parser.
class Builder {
 public:
  using number_integer_t = nlohmann::json::number_integer_t;
  using number_unsigned_t = nlohmann::json::number_unsigned_t;
  using number_float_t = nlohmann::json::number_float_t;
  using string_t = nlohmann::json::string_t;
  using binary_t = nlohmann::json::binary_t;

  Builder(const std::string& file, std::string_view text, Error* error) : file_(file), text_(text), error_(error) {}

  Value TakeRoot() { return std::move(root_); }

  bool null() {
    Add(Value());
    return true;
  }
  bool boolean(bool value) {
    Value made;
    made.kind = Value::Kind::kBool;
    made.boolean = value;
    Add(std::move(made));
    return true;
  }
  bool number_integer(number_integer_t value) { return AddInteger(value, std::to_string(value)); }
  bool number_unsigned(number_unsigned_t value) {
    if (value <= INT64_MAX) {
      return AddInteger(static_cast<int64_t>(value), std::to_string(value));
    }
    return AddNumber(std::to_string(value));
  }
  bool number_float(number_float_t, const string_t& text) { return AddNumber(text); }
  bool string(string_t& value) {
    Value made;
    made.kind = Value::Kind::kString;
    made.text = std::move(value);
    Add(std::move(made));
    return true;
  }
  bool binary(binary_t&) { return false; }  // JSON text has none

  bool start_object(size_t) { return Open(Value::Kind::kObject); }
  bool start_array(size_t) { return Open(Value::Kind::kArray); }
  bool end_object() { return Close(); }
  bool end_array() { return Close(); }
  bool key(string_t& name) {
    std::vector<std::string>& keys = open_.back()->keys;
    if (std::find(keys.begin(), keys.end(), name) != keys.end()) {
      return Fail(Pointer() + ": the key " + Quote(name) + " occurs twice");
    }
    keys.push_back(std::move(name));
    return true;
  }

  bool parse_error(size_t position, const std::string& token, const nlohmann::json::exception& cause) {
    if (text_.find_first_not_of(" \t\r\n") == text_.npos) {
      error_->message = file_ + ": the file is empty";
      return false;
    }
    const std::string_view before = text_.substr(0, position == 0 ? 0 : position - 1);
    const size_t line_begin = before.rfind('\n') + 1;  // npos + 1 is 0
    const auto line = 1 + std::count(before.begin(), before.end(), '\n');
    return Fail("line " + std::to_string(line) + ", column " + std::to_string(before.size() - line_begin + 1) +
                ": not JSON: " + Reason(position, token, cause.id));
  }

 private:
  // What the parser stopped at: `token` where it is a string, since it holds more for anything else.
  static std::string_view StoppedAt(std::string_view read, std::string_view token) {
    if (read.empty() || read.back() == '"') return token;
    const size_t word = read.find_last_of(" \t\r\n,:[]{}") + 1;  // npos + 1 is 0
    return read.substr(std::min(word, read.size() - 1));
  }

  std::string Reason(size_t position, std::string_view token, int id) const {
    constexpr int kNumberOverflow = 406;
    constexpr std::string_view kEnds = "\"}]0123456789el", kBegins = "\"{[-0123456789tfn";
    if (position > text_.size()) return "the text ends too early";
    const std::string_view read = text_.substr(0, position);
    token = StoppedAt(read, token);
    if (id == kNumberOverflow) return "the number " + std::string(token) + " is too large";
    std::string_view earlier = read.substr(0, read.size() - std::min(read.size(), token.size()));
    earlier = earlier.substr(0, earlier.find_last_not_of(" \t\r\n") + 1);
    if (open_.empty() && !earlier.empty()) return Quote(token) + " stands after its end";
    const bool value = !token.empty() && kBegins.find(token.front()) != kBegins.npos;
    const bool after = !earlier.empty() && kEnds.find(earlier.back()) != kEnds.npos;
    return Quote(token) + (value && after ? " needs a comma before it" : " cannot stand here");
  }

  bool Fail(const std::string& reason) {
    error_->message = file_ + ", " + reason;
    return false;
  }

  std::string Pointer() const {
    std::string pointer;
    for (size_t i = 0; i + 1 < open_.size(); ++i) {
      const Value& value = *open_[i];
      pointer += value.kind == Value::Kind::kObject ? PointerStep(value.keys.back())
                                                    : "/" + std::to_string(value.items.size() - 1);
    }
    return pointer.empty() ? "top level" : pointer;
  }

  Value* Add(Value value) {
    if (open_.empty()) {
      root_ = std::move(value);
      return &root_;
    }
    open_.back()->items.push_back(std::move(value));
    return &open_.back()->items.back();
  }
  bool AddInteger(int64_t value, std::string text) {
    Value made;
    made.kind = Value::Kind::kNumber;
    made.is_int64 = true;
    made.integer = value;
    made.text = std::move(text);
    Add(std::move(made));
    return true;
  }
  bool AddNumber(std::string text) {
    Value made;
    made.kind = Value::Kind::kNumber;
    made.text = std::move(text);
    Add(std::move(made));
    return true;
  }
  bool Open(Value::Kind kind) {
    if (open_.size() == kMaxDepth) {
      return Fail(Pointer() + ": nested more than " + std::to_string(kMaxDepth) + " levels deep");
    }
    Value made;
    made.kind = kind;
    open_.push_back(Add(std::move(made)));
    return true;
  }
  bool Close() {
    open_.pop_back();
    return true;
  }

  const std::string& file_;
  std::string_view text_;
  Error* error_;
  Value root_;
  std::vector<Value*> open_;  // innermost last; only that one grows, so the others stay in place
};

}  // namespace

std::optional<Value> Parse(const std::string& file, std::string_view text, Error* error) {
  Builder builder(file, text, error);
  if (!nlohmann::json::sax_parse(text.begin(), text.end(), &builder)) return std::nullopt;
  return builder.TakeRoot();
}

std::string Quote(std::string_view text) {
  using nlohmann::json;
  return json(text).dump(-1, ' ', false, json::error_handler_t::replace);
}

std::string Describe(const Value& value) {
  switch (value.kind) {
    case Value::Kind::kNull: return "null";
    case Value::Kind::kBool: return value.boolean ? "true" : "false";
    case Value::Kind::kNumber: return value.text;
    case Value::Kind::kString: return Quote(value.text);
    case Value::Kind::kArray: return "an array";
    case Value::Kind::kObject: return "an object";
  }
  return "?";
}

std::string PointerStep(std::string_view key) {
  std::string step = "/";
  for (char c : key) {
    if (c == '~') {
      step += "~0";
    } else if (c == '/') {
      step += "~1";
    } else {
      step += c;
    }
  }
  return step;
}

}  // namespace poolproof::json
