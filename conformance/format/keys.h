// Lines of a results file as structures: the declaration of their keys reads and writes them.
//
//   struct Note {
//     std::string reason;
//     static constexpr char kWhat[] = "a note";
//     template <typename Self, typename Keys>
//     static bool ForEachKey(Self& note, Keys&& keys) {
//       return keys("reason", note.reason, Need::kRequired);
//     }
//   };
#pragma once

#include <fmt/format.h>

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

#include "conformance/format/strict_json.h"
#include "conformance/format/text.h"
#include "conformance/format/verdict.h"

namespace poolproof {

enum class Need : uint8_t {
  kRequired,
  kOptional,  // not written where it is empty
  kImplied,   // by another key: optional, and not written
};

// Values of one kind. On failure false, and a reason without place and full stop.
bool ReadValue(const char* name, const Json& from, std::string* to, Error* error);
bool ReadValue(const char* name, const Json& from, uint64_t* to, Error* error);
bool ReadValue(const char* name, const Json& from, uint32_t* to, Error* error);
bool ReadValue(const char* name, const Json& from, double* to, Error* error);
bool ReadValue(const char* name, const Json& from, bool* to, Error* error);
bool ReadValue(const char* name, const Json& from, Verdict* to, Error* error);
bool ReadValue(const char* name, const Json& from, VerdictCounts* to, Error* error);
bool IsObject(const char* name, const Json& from, Error* error);
bool IsArray(const char* name, const Json& from, Error* error);

// The end of a sentence about a value: "x" on one line and not too long.
std::string QuoteValue(std::string_view value);

// Text as JSON. Bytes that are not UTF-8 are replaced.
void AppendQuoted(std::string_view text, std::string* out);

template <typename Line>
concept HasKeys = requires { Line::kWhat; };

// Reads the keys of one object.
class KeyReader {
 public:
  KeyReader(const Json& object, const char* what, Error* error) : object_(object), what_(what), error_(error) {}

  template <typename Value>
  bool operator()(const char* name, Value& value, Need need) {
    const auto it = object_.find(name);
    if (it != object_.end()) return Read(name, *it, value);
    return need != Need::kRequired || Fail(fmt::format("{} without \"{}\"", what_, name), error_);
  }

 private:
  template <typename Value>
  bool Read(const char* name, const Json& from, Value& to) {
    if constexpr (HasKeys<Value>) {
      return IsObject(name, from, error_) && Value::ForEachKey(to, KeyReader(from, Value::kWhat, error_));
    } else {
      return ReadValue(name, from, &to, error_);
    }
  }
  template <typename Value>
  bool Read(const char* name, const Json& from, std::optional<Value>& to) {
    return Read(name, from, to.emplace());
  }
  template <typename Value>
  bool Read(const char* name, const Json& from, std::map<std::string, Value>& to) {
    if (!IsObject(name, from, error_)) return false;
    for (const auto& [key, value] : from.items()) {
      if (!Read(key.c_str(), value, to[key])) return false;
    }
    return true;
  }
  template <typename Value>
  bool Read(const char* name, const Json& from, std::vector<Value>& to) {
    if (!IsArray(name, from, error_)) return false;
    for (const Json& value : from) {
      if (!Read(name, value, to.emplace_back())) return false;
    }
    return true;
  }

  const Json& object_;
  const char* const what_;
  Error* const error_;
};

// Appends one object.
class KeyWriter {
 public:
  explicit KeyWriter(std::string* out) : out_(*out) { out_ += '{'; }
  ~KeyWriter() { out_ += '}'; }
  KeyWriter(const KeyWriter&) = delete;
  KeyWriter& operator=(const KeyWriter&) = delete;

  template <typename Value>
  bool operator()(std::string_view name, const Value& value, Need need) {
    if (need == Need::kImplied || (need == Need::kOptional && IsEmpty(value))) return true;
    Name(name);
    Write(value);
    return true;
  }

 private:
  template <typename Value>
  static bool IsEmpty(const Value& value) {
    if constexpr (std::is_arithmetic_v<Value>) return value == Value{};
    if constexpr (requires { value.has_value(); }) return !value.has_value();
    if constexpr (requires { value.empty(); }) return value.empty();
    return false;
  }

  void Name(std::string_view name) {
    if (out_.back() != '{') out_ += ',';
    AppendQuoted(name, &out_);
    out_ += ':';
  }

  void Write(const std::string& value) { AppendQuoted(value, &out_); }
  void Write(uint64_t value) { out_ += fmt::format_int(value).c_str(); }
  void Write(uint32_t value) { out_ += fmt::format_int(value).c_str(); }
  void Write(double value) { out_ += NumberText(value); }
  void Write(Verdict value) { AppendQuoted(Facts(value).name, &out_); }
  void Write(const VerdictCounts& counts) {
    KeyWriter keys(&out_);
    for (size_t v = 0; v < kVerdictCount; ++v) {
      keys(Facts(static_cast<Verdict>(v)).name, counts.n[v], Need::kOptional);
    }
  }
  template <HasKeys Value>
  void Write(const Value& value) {
    Value::ForEachKey(value, KeyWriter(&out_));
  }
  template <typename Value>
  void Write(const std::optional<Value>& value) {
    Write(*value);
  }
  template <typename Value>
  void Write(const std::map<std::string, Value>& values) {
    KeyWriter keys(&out_);
    for (const auto& [key, value] : values) keys(key, value, Need::kRequired);
  }
  template <typename Value>
  void Write(const std::vector<Value>& values) {
    out_ += '[';
    for (const Value& value : values) {
      if (out_.back() != '[') out_ += ',';
      Write(value);
    }
    out_ += ']';
  }

  std::string& out_;
};

// A whole line, without its newline. On failure false, and a reason without place and full stop.
template <HasKeys Line>
bool ReadKeys(const Json& object, Line* line, Error* error) {
  *line = Line();
  return Line::ForEachKey(*line, KeyReader(object, Line::kWhat, error));
}

// Appends a line with its newline.
template <HasKeys Line>
void AppendLine(const Line& line, std::string* out) {
  Line::ForEachKey(line, KeyWriter(out));
  *out += '\n';
}

}  // namespace poolproof
