#include "conformance/cases/node.h"

#include <algorithm>
#include <limits>
#include <optional>

#include "conformance/cases/decimal.h"

namespace poolproof {
namespace {

// The key and the value at `index` of an object.
const Json::object_t::value_type& Member(const Json& object, size_t index) {
  return *(object.get_ref<const Json::object_t&>().begin() + static_cast<ptrdiff_t>(index));
}

bool IsNumber(const Json& value) { return value.is_number() || IsWrittenNumber(value); }

}  // namespace

std::string Describe(const Json& value) {
  if (value.is_array()) return "an array";
  if (value.is_object()) return "an object";
  if (value.is_string()) return JsonQuoted(value.get_ref<const std::string&>());
  return IsWrittenNumber(value) ? NumberText(value) : value.dump();
}

Json::json_pointer Node::Pointer() const {
  if (parent_ == nullptr) return Json::json_pointer();
  const Json& parent = parent_->value();
  return parent.is_array() ? parent_->Pointer() / index_ : parent_->Pointer() / Member(parent, index_).first;
}

void Node::Fail(const std::string& reason) const {
  if (first_error_->Found()) return;
  const std::string pointer = Pointer().to_string();
  first_error_->error.message = first_error_->file + ", " + (pointer.empty() ? "top level" : pointer) + ": " + reason;
}

Node Node::Child(const Json& value, size_t index) const {
  Node child(value, first_error_);
  child.parent_ = this;
  child.index_ = index;
  return child;
}

std::string Node::AsString() const {
  if (!value_->is_string()) {
    Fail(Describe(*value_) + " is not a string");
    return "";
  }
  std::string text = value_->get<std::string>();
  if (text.empty()) Fail("the string is empty; leave the key out instead");
  return text;
}

bool Node::AsBool() const {
  if (value_->is_boolean()) return value_->get<bool>();
  Fail(Describe(*value_) + " is not true or false");
  return false;
}

int64_t Node::AsInteger() const {
  constexpr uint64_t kMax = std::numeric_limits<int64_t>::max();
  if (value_->is_number_integer() && !(value_->is_number_unsigned() && value_->get<uint64_t>() > kMax)) {
    return value_->get<int64_t>();
  }
  const std::string text = Describe(*value_);
  const bool digits = IsNumber(*value_) && text.find_first_of(".eE") == std::string::npos;
  Fail(text + (digits ? " is outside int64" : " is not an integer"));
  return 0;
}

int Node::AsSmallInteger() const {
  const int64_t value = AsInteger();
  if (value < -1000 || value > 1000) Fail(Describe(*value_) + " is outside [-1000, 1000]");
  return static_cast<int>(std::clamp<int64_t>(value, -1000, 1000));
}

Number Node::AsNumber() const {
  using Limits = std::numeric_limits<Number>;
  if (*value_ == "nan") return Limits::quiet_NaN();
  if (*value_ == "inf") return Limits::infinity();
  if (*value_ == "-inf") return -Limits::infinity();
  if (!IsNumber(*value_)) {
    Fail(Describe(*value_) + " is not a number; what is not finite is \"nan\", \"inf\" or \"-inf\"");
    return 0;
  }
  const std::string text = NumberText(*value_);
  const std::optional<Number> number = ReadDecimal(text);
  if (!number) Fail(text + " is outside the range of numbers");
  return number.value_or(0);
}

poolproof_element_type Node::AsElementType() const {
  const poolproof_element_type type = value_->is_string() ? ParseElementType(value_->get_ref<const std::string&>()) : 0;
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
  if (!node.value().is_object()) node.Fail(Describe(node.value()) + " is not an object");
}

// An unknown key is reported before a missing one: mostly it is the missing one, misspelt.
Object::~Object() {
  for (size_t i = 0; node_.value().is_object() && i < node_.value().size(); ++i) {
    const std::string& key = Member(node_.value(), i).first;
    if (std::find(asked_.begin(), asked_.end(), key) != asked_.end()) continue;
    std::string known;
    for (std::string_view name : asked_) known += (known.empty() ? "" : ", ") + JsonQuoted(name);
    node_.Fail("the key " + JsonQuoted(key) + " is unknown; known here are " + known);
  }
  if (!missing_.empty()) node_.Fail("the key " + JsonQuoted(missing_) + " is missing");
}

bool Object::Has(std::string_view key) const { return node_.value().contains(key); }

std::optional<Node> Object::Optional(std::string_view key) {
  asked_.push_back(key);
  for (size_t i = 0; node_.value().is_object() && i < node_.value().size(); ++i) {
    const auto& [name, value] = Member(node_.value(), i);
    if (name == key) return node_.Child(value, i);
  }
  return std::nullopt;
}

std::optional<Node> Object::Required(std::string_view key) {
  std::optional<Node> node = Optional(key);
  if (!node && missing_.empty()) missing_ = key;
  return node;
}

}  // namespace poolproof
