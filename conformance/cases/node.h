// Strict navigation in a JSON document: every read checks the type, every object checks that it
// holds nothing unknown. The first error wins and later reads give defaults, so that readers need no
// error handling of their own; they are asked once, at the end, whether an error was found.
#pragma once

#include <functional>
#include <initializer_list>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "conformance/cases/spec.h"
#include "conformance/format/error.h"
#include "conformance/format/strict_json.h"

namespace poolproof {

// Where the first error is kept. An empty message: none so far.
struct FirstError {
  std::string file;
  Error error;
  bool Found() const { return !error.message.empty(); }
};

// `value` as a message shows it: strings in quotes, arrays and objects by their kind.
std::string Describe(const Json& value);

// A value of a document and where it stands. Nodes refer to their parent, so they live no longer than it does.
class Node {
 public:
  Node(const Json& value, FirstError* first_error) : value_(&value), first_error_(first_error) {}

  const Json& value() const { return *value_; }
  Json::json_pointer Pointer() const;
  // Reports "FILE, POINTER: reason".
  void Fail(const std::string& reason) const;

  std::string AsString() const;
  bool AsBool() const;
  int64_t AsInteger() const;  // int64; a fraction or a value outside is an error
  int AsSmallInteger() const;
  Number AsNumber() const;  // a JSON number, or "nan", "inf", "-inf"
  poolproof_element_type AsElementType() const;
  // The number that belongs to the string.
  template <typename T>
  T AsChoice(std::initializer_list<std::pair<std::string_view, T>> choices) const {
    return AsChoice(std::span(choices.begin(), choices.size()));
  }

  template <typename T>
  T AsChoice(std::span<const std::pair<std::string_view, T>> choices) const {
    std::string known;
    for (const auto& [word, choice] : choices) {
      if (value_->is_string() && value_->get_ref<const std::string&>() == word) return choice;
      known += (known.empty() ? "" : ", ") + JsonQuoted(word);
    }
    Fail(Describe(*value_) + " is not one of " + known);
    return choices.front().second;
  }

  template <typename T>
  std::vector<T> AsList(const std::function<T(const Node&)>& read) const {
    std::vector<T> list;
    if (!value_->is_array()) {
      Fail(Describe(*value_) + " is not an array");
      return list;
    }
    list.reserve(value_->size());
    for (size_t i = 0; i < value_->size(); ++i) list.push_back(read(Child((*value_)[i], i)));
    return list;
  }
  std::vector<std::string> AsStrings() const;
  std::vector<int64_t> AsIntegers() const;
  std::vector<poolproof_element_type> AsElementTypes() const;

 private:
  friend class Object;
  Node Child(const Json& value, size_t index) const;

  const Json* value_;
  FirstError* first_error_;
  const Node* parent_ = nullptr;
  size_t index_ = 0;  // in the parent, of an object too: its keys keep their order
};

// An object that is read key by key. The destructor reports keys that were not asked for, and keys
// that are missing.
class Object {
 public:
  explicit Object(const Node& node);
  ~Object();
  Object(const Object&) = delete;
  Object& operator=(const Object&) = delete;

  // The value of `key`; absent, and an error, where there is none.
  std::optional<Node> Required(std::string_view key);
  std::optional<Node> Optional(std::string_view key);
  bool Has(std::string_view key) const;

  // *out = (node.*as)() where the key is there.
  template <typename T>
  void Read(std::string_view key, T (Node::*as)() const, T* out) {
    if (const std::optional<Node> node = Required(key)) *out = ((*node).*as)();
  }
  template <typename T, typename Out>
  void ReadOptional(std::string_view key, T (Node::*as)() const, Out* out) {
    if (const std::optional<Node> node = Optional(key)) *out = ((*node).*as)();
  }
  template <typename T>
  void ReadList(std::string_view key, T (*read)(const Node&), std::vector<T>* out) {
    if (const std::optional<Node> node = Required(key)) *out = node->AsList<T>(read);
  }
  template <typename T>
  void ReadOptionalList(std::string_view key, T (*read)(const Node&), std::vector<T>* out) {
    if (const std::optional<Node> node = Optional(key)) *out = node->AsList<T>(read);
  }

 private:
  const Node& node_;
  std::vector<std::string_view> asked_;
  std::string missing_;
};

}  // namespace poolproof
