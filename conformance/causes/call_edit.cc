#include "conformance/causes/call_edit.h"

#include <utility>

namespace poolproof::mutants {

CallEdit::CallEdit(const poolproof_call& call) : call_(call) {
  for (size_t i = 0; i < call.attribute_count; ++i) {
    const poolproof_attribute& from = *call.attributes[i];
    attributes_.push_back(from);
    const bool list = from.kind == POOLPROOF_INT_LIST && from.integers != nullptr;
    const int64_t* begin = list ? from.integers : nullptr;
    lists_.emplace_back(begin, list ? begin + from.count : begin);
  }
  for (size_t i = 0; i < call.input_count; ++i) inputs_.push_back(*call.inputs[i]);
}

const poolproof_attribute* CallEdit::Find(std::string_view name) const {
  for (const poolproof_attribute& attribute : attributes_) {
    if (attribute.name == name) return &attribute;
  }
  return nullptr;
}

poolproof_attribute* CallEdit::Find(std::string_view name) {
  return const_cast<poolproof_attribute*>(std::as_const(*this).Find(name));
}

std::vector<int64_t>* CallEdit::List(std::string_view name) {
  const poolproof_attribute* attribute = Find(name);
  if (attribute == nullptr || attribute->kind != POOLPROOF_INT_LIST) return nullptr;
  return &lists_[static_cast<size_t>(attribute - attributes_.data())];
}

std::vector<std::string_view> CallEdit::ListNames() const {
  std::vector<std::string_view> names;
  for (const poolproof_attribute& attribute : attributes_) {
    if (attribute.kind == POOLPROOF_INT_LIST) names.emplace_back(attribute.name);
  }
  return names;
}

int64_t* CallEdit::Integer(std::string_view name) {
  poolproof_attribute* attribute = Find(name);
  if (attribute == nullptr) return nullptr;
  const bool integer = attribute->kind == POOLPROOF_INT || attribute->kind == POOLPROOF_BOOL;
  return integer ? &attribute->integer : nullptr;
}

std::string_view CallEdit::Word(std::string_view name) const {
  const poolproof_attribute* attribute = Find(name);
  const bool word = attribute != nullptr && attribute->kind == POOLPROOF_WORD && attribute->word;
  return word ? attribute->word : "";
}

poolproof_attribute& CallEdit::Add(const char* name, poolproof_attribute_kind kind) {
  poolproof_attribute attribute{};
  attribute.struct_size = sizeof(attribute);
  attribute.name = name;
  attribute.kind = kind;
  attributes_.push_back(attribute);
  lists_.emplace_back();
  return attributes_.back();
}

void CallEdit::SetWord(const char* name, const char* word) {
  poolproof_attribute* attribute = Find(name);
  if (attribute == nullptr) attribute = &Add(name, POOLPROOF_WORD);
  attribute->kind = POOLPROOF_WORD;
  attribute->word = word;
}

void CallEdit::SetList(const char* name, std::vector<int64_t> values) {
  if (Find(name) == nullptr) Add(name, POOLPROOF_INT_LIST);
  if (std::vector<int64_t>* list = List(name)) *list = std::move(values);
}

void CallEdit::Remove(std::string_view name) {
  const poolproof_attribute* attribute = Find(name);
  if (attribute == nullptr) return;
  const auto at = attribute - attributes_.data();
  attributes_.erase(attributes_.begin() + at);
  lists_.erase(lists_.begin() + at);
}

void CallEdit::Rename(std::string_view name, const char* new_name) {
  if (poolproof_attribute* attribute = Find(name)) attribute->name = new_name;
}

void CallEdit::Swap(std::string_view a, std::string_view b) {
  poolproof_attribute* first = Find(a);
  poolproof_attribute* second = Find(b);
  if (first != nullptr && second != nullptr) std::swap(first->name, second->name);
}

int CallEdit::SpatialRank() const { return inputs_.empty() ? 0 : inputs_[0].rank - 2; }

const poolproof_call& CallEdit::Call() {
  attribute_pointers_.clear();
  for (size_t i = 0; i < attributes_.size(); ++i) {
    if (attributes_[i].kind == POOLPROOF_INT_LIST) {
      attributes_[i].integers = lists_[i].data();
      attributes_[i].count = lists_[i].size();
    }
    attribute_pointers_.push_back(&attributes_[i]);
  }
  input_pointers_.clear();
  for (const poolproof_tensor& input : inputs_) input_pointers_.push_back(&input);
  call_.attributes = attribute_pointers_.data();
  call_.attribute_count = attribute_pointers_.size();
  call_.inputs = input_pointers_.data();
  return call_;
}

}  // namespace poolproof::mutants
