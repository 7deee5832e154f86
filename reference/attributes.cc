#include "reference/attributes.h"

#include <algorithm>
#include <cassert>
#include <string>

#include "reference/reject.h"

namespace poolproof::reference {
namespace {

std::string_view KindName(poolproof_attribute_kind kind) {
  switch (kind) {
    case POOLPROOF_INT: return "an integer";
    case POOLPROOF_INT_LIST: return "a list of integers";
    case POOLPROOF_BOOL: return "a boolean";
    case POOLPROOF_WORD: return "a word";
    default: return "of no known kind";
  }
}

std::string Join(std::span<const std::string_view> words) {
  std::string text;
  for (const std::string_view word : words) {
    if (!text.empty()) text += ", ";
    text += word;
  }
  return text;
}

// Most names differ in their first letter: comparing from there is quicker than measuring `text`.
bool IsSame(const char* text, std::string_view name) {
  for (const char letter : name) {
    if (*text++ != letter) return false;
  }
  return *text == '\0';
}

}  // namespace

bool Attributes::CheckNames(std::span<const std::string_view> names) {
  if (call_.attribute_count != 0 && call_.attributes == nullptr) {
    return Reject(context_, "the call counts ", call_.attribute_count, " attributes but has none");
  }
  for (size_t i = 0; i < call_.attribute_count; ++i) {
    const poolproof_attribute* attribute = call_.attributes[i];
    if (attribute == nullptr || attribute->struct_size < sizeof(poolproof_attribute) || attribute->name == nullptr) {
      return Reject(context_, "attribute number ", i, " is not filled in");
    }
    const auto name = std::find_if(names.begin(), names.end(),
                                   [&](std::string_view known) { return IsSame(attribute->name, known); });
    if (name == names.end()) {
      return Reject(context_, call_.op, " has no attribute ", attribute->name);
    }
    if (Find(*name) != attribute) return Reject(context_, "attribute ", *name, " is given twice");
  }
  return true;
}

bool Attributes::Require(std::string_view name) {
  return IsPresent(name) || Reject(context_, "required attribute ", name, " is missing");
}

bool Attributes::ReadInteger(std::string_view name, int64_t min, int64_t max, int64_t* value) {
  assert(min <= max);
  bool ok = true;
  const poolproof_attribute* attribute = FindKind(name, POOLPROOF_INT, &ok);
  if (attribute == nullptr) return ok;
  if (attribute->integer < min || attribute->integer > max) {
    return Reject(context_, "attribute ", name, " is ", attribute->integer, ", outside [", min, ", ", max, "]");
  }
  *value = attribute->integer;
  return true;
}

bool Attributes::ReadBool(std::string_view name, bool* value) {
  bool ok = true;
  const poolproof_attribute* attribute = FindKind(name, POOLPROOF_BOOL, &ok);
  if (attribute == nullptr) return ok;
  if (attribute->integer != 0 && attribute->integer != 1) {
    return Reject(context_, "attribute ", name, " is ", attribute->integer, ", not 0 or 1");
  }
  *value = attribute->integer != 0;
  return true;
}

bool Attributes::ReadPerAxis(std::string_view name, int spatial_rank, int64_t min, PerAxis* value) {
  assert(spatial_rank >= 1 && spatial_rank <= 3);
  bool ok = true;
  const poolproof_attribute* attribute = FindKind(name, POOLPROOF_INT_LIST, &ok);
  if (attribute == nullptr) return ok;
  if (attribute->count != static_cast<size_t>(spatial_rank)) {
    return Reject(context_, "attribute ", name, " has ", attribute->count, " values for an input with ", spatial_rank,
                  " spatial axes");
  }
  if (attribute->integers == nullptr) {
    return Reject(context_, "attribute ", name, " has no values");
  }
  for (size_t axis = 0; axis < attribute->count; ++axis) {
    if (attribute->integers[axis] < min) {
      return Reject(context_, "attribute ", name, " is ", attribute->integers[axis], " for spatial axis ", axis,
                    ", below ", min);
    }
    (*value)[axis] = attribute->integers[axis];
  }
  return true;
}

bool Attributes::ReadIntegers(std::string_view name, int64_t min, std::span<int64_t> values) {
  bool ok = true;
  const poolproof_attribute* attribute = FindKind(name, POOLPROOF_INT_LIST, &ok);
  if (attribute == nullptr) return ok;
  if (attribute->count != values.size() || attribute->integers == nullptr) {
    return Reject(context_, "attribute ", name, " has ", attribute->count, " values, not ", values.size());
  }
  for (size_t i = 0; i < values.size(); ++i) {
    values[i] = attribute->integers[i];
    if (values[i] < min)
      return Reject(context_, "entry ", i, " of attribute ", name, " is ", values[i], ", below ", min);
  }
  return true;
}

bool Attributes::ReadWord(std::string_view name, std::span<const std::string_view> words, int* value) {
  assert(!words.empty());
  bool ok = true;
  const poolproof_attribute* attribute = FindKind(name, POOLPROOF_WORD, &ok);
  if (attribute == nullptr) return ok;
  const std::string_view word = attribute->word == nullptr ? "" : attribute->word;
  const auto found = std::find(words.begin(), words.end(), word);
  if (found == words.end()) {
    return Reject(context_, "attribute ", name, " is \"", word, "\", none of ", Join(words));
  }
  *value = static_cast<int>(found - words.begin());
  return true;
}

const poolproof_attribute* Attributes::Find(std::string_view name) const {
  for (size_t i = 0; i < call_.attribute_count; ++i) {
    if (IsSame(call_.attributes[i]->name, name)) return call_.attributes[i];
  }
  return nullptr;
}

const poolproof_attribute* Attributes::FindKind(std::string_view name, poolproof_attribute_kind kind, bool* ok) {
  const poolproof_attribute* attribute = Find(name);
  if (attribute != nullptr && attribute->kind != kind) {
    *ok = Reject(context_, "attribute ", name, " is ", KindName(attribute->kind), ", not ", KindName(kind));
    return nullptr;
  }
  return attribute;
}

}  // namespace poolproof::reference
