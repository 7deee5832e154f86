#include "conformance/cases/node.h"

#include <algorithm>
#include <limits>
#include <optional>

#include "conformance/cases/decimal.h"

namespace poolproof {

using json::Describe;
using json::Quote;
using json::Value;

std::string Node::Pointer() const {
  if (parent_ == nullptr) return "";
  const Value& parent = parent_->value();
  const std::string step =
      parent.kind == Value::Kind::kObject ? json::PointerStep(parent.keys[index_]) : "/" + std::to_string(index_);
  return parent_->Pointer() + step;
}

void Node::Fail(const std::string& reason) const {
  if (first_error_->Found()) return;
  const std::string pointer = Pointer();
  first_error_->error.message = first_error_->file + ", " + (pointer.empty() ? "top level" : pointer) + ": " + reason;
}

Node Node::Element(size_t index) const {
  Node element(value_->items[index], first_error_);
  element.parent_ = this;
  element.index_ = index;
  return element;
}

std::string Node::AsString() const {
  if (!IsString()) {
    Fail(Describe(*value_) + " is not a string");
  } else if (value_->text.empty()) {
    Fail("the string is empty; leave the key out instead");
  }
  return value_->text;
}

bool Node::AsBool() const {
  if (value_->kind != Value::Kind::kBool) Fail(Describe(*value_) + " is not true or false");
  return value_->boolean;
}

int64_t Node::AsInteger() const {
  if (value_->is_int64) return value_->integer;
  const bool digits = value_->kind == Value::Kind::kNumber && value_->text.find_first_of(".eE") == std::string::npos;
  Fail(Describe(*value_) + (digits ? " is outside int64" : " is not an integer"));
  return 0;
}

int Node::AsSmallInteger() const {
  const int64_t value = AsInteger();
  if (value < -1000 || value > 1000) Fail(Describe(*value_) + " is outside [-1000, 1000]");
  return static_cast<int>(std::clamp<int64_t>(value, -1000, 1000));
}

Number Node::AsNumber() const {
  using Limits = std::numeric_limits<Number>;
  if (IsString()) {
    if (value_->text == "nan") return Limits::quiet_NaN();
    if (value_->text == "inf") return Limits::infinity();
    if (value_->text == "-inf") return -Limits::infinity();
  }
  if (value_->kind != Value::Kind::kNumber) {
    Fail(Describe(*value_) + " is not a number; what is not finite is \"nan\", \"inf\" or \"-inf\"");
    return 0;
  }
  const std::optional<Number> number = ReadDecimal(value_->text);
  if (!number) Fail(value_->text + " is outside the range of numbers");
  return number.value_or(0);
}

poolproof_element_type Node::AsElementType() const {
  const poolproof_element_type type = IsString() ? ParseElementType(value_->text) : 0;
  if (type == 0) Fail(Describe(*value_) + " is not an element type");
  return type;
}

std::vector<std::string> Node::AsStrings() const {
  return AsList<std::string>([](const Node& node) { return node.AsString(); });
}

std::vector<int64_t> Node::AsIntegers() const {
  return AsList<int64_t>([](const Node& node) { return node.AsInteger(); });
}

std::vector<poolproof_element_type> Node::AsElementTypes() const {
  return AsList<poolproof_element_type>([](const Node& node) { return node.AsElementType(); });
}

Object::Object(const Node& node) : node_(node) {
  if (node.value().kind != Value::Kind::kObject) {
    node.Fail(Describe(node.value()) + " is not an object");
  }
}

// An unknown key is reported before a missing one: mostly it is the missing one, misspelt.
Object::~Object() {
  for (const std::string& key : node_.value().keys) {
    if (std::find(asked_.begin(), asked_.end(), key) != asked_.end()) continue;
    std::string known;
    for (std::string_view name : asked_) known += (known.empty() ? "" : ", ") + Quote(name);
    node_.Fail("the key " + Quote(key) + " is unknown; known here are " + known);
  }
  if (!missing_.empty()) node_.Fail("the key " + Quote(missing_) + " is missing");
}

bool Object::Has(std::string_view key) const {
  const auto& keys = node_.value().keys;
  return std::find(keys.begin(), keys.end(), key) != keys.end();
}

std::optional<Node> Object::Optional(std::string_view key) {
  asked_.push_back(key);
  const auto& keys = node_.value().keys;
  const auto found = std::find(keys.begin(), keys.end(), key);
  if (found == keys.end()) return std::nullopt;
  return node_.Element(static_cast<size_t>(found - keys.begin()));
}

std::optional<Node> Object::Required(std::string_view key) {
  std::optional<Node> node = Optional(key);
  if (!node && missing_.empty()) missing_ = key;
  return node;
}

}  // namespace poolproof
