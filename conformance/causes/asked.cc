#include "conformance/causes/asked.h"

#include <algorithm>
#include <string>
#include <unordered_map>
#include <utility>

namespace poolproof::mutants {
namespace {

// An operator by the name that is called.
struct Called {
  const OperatorSpec* spec;
  const Function* function;
  unsigned family;
};

unsigned KindOf(const OperatorSpec& spec, const Function& function) {
  const bool adaptive = std::ranges::any_of(spec.inputs, &InputSpec::sizes);
  if (function.IsMliLayout()) return IsMean(spec) ? kFixedPointMean : kFixedPointMax;
  if (adaptive) return IsMean(spec) ? kAdaptiveMean : kAdaptiveMax;
  if (IsMean(spec)) return kSlidingMean;
  if (spec.outputs[0].compare == Compare::kNorm) return kSlidingNorm;
  return spec.outputs.size() > 1 ? kIndexedMax : kPlainMax;
}

unsigned FamilyOf(const OperatorSpec& spec, const Function& function) {
  const bool inside = !WordFor(spec, Meaning::kRoundUpInside).empty();
  return KindOf(spec, function) | (inside ? unsigned{kRoundsUpInside} : 0) |
         (HasRole(spec, Role::kDilation) ? unsigned{kDilates} : 0) |
         (HasRole(spec, Role::kAxis) ? unsigned{kIndexAxis} : 0) |
         (HasRole(spec, Role::kStorageOrder) ? unsigned{kStoresOrders} : 0) |
         (HasRole(spec, Role::kDivisor) ? unsigned{kTakesDivisor} : 0) |
         (std::ranges::any_of(spec.attributes, &AttributeSpec::keeps_sign) ? unsigned{kKeepsSigns} : 0);
}

const Called* FindCalled(std::string_view op) {
  static const auto known = [] {
    std::unordered_map<std::string_view, Called> made;
    for (const OperatorSpec& spec : BuiltInSpecs().operators) {
      for (const Function& function : spec.functions) {
        made.try_emplace(function.name, Called{&spec, &function, FamilyOf(spec, function)});
      }
    }
    return made;
  }();
  const auto found = known.find(op);
  return found == known.end() ? nullptr : &found->second;
}

bool ReadDims(const poolproof_tensor& tensor, IntList* dims) {
  if (tensor.rank < 0 || tensor.rank > POOLPROOF_MAX_RANK) return false;
  for (int i = 0; i < tensor.rank; ++i) dims->push_back(tensor.dims[i]);
  return true;
}

bool ReadSizes(const poolproof_tensor& tensor, Asked* asked) {
  const bool narrow = tensor.element_type == POOLPROOF_I32, wide = tensor.element_type == POOLPROOF_I64;
  const bool list = tensor.rank == 1 && tensor.dims[0] >= 0 && tensor.dims[0] <= POOLPROOF_MAX_RANK;
  if (!list || !(narrow || wide) || (tensor.data == nullptr && tensor.dims[0] > 0)) return false;
  asked->sizes_type = tensor.element_type;
  for (int64_t i = 0; i < tensor.dims[0]; ++i) {
    asked->sizes.push_back(narrow ? static_cast<const int32_t*>(tensor.data)[i]
                                  : static_cast<const int64_t*>(tensor.data)[i]);
  }
  return true;
}

bool ReadWord(const poolproof_attribute& attribute, poolproof_attribute_kind kind, AttributeValue* value) {
  if (attribute.kind != kind || (kind == POOLPROOF_WORD && attribute.word == nullptr)) return false;
  if (kind == POOLPROOF_WORD) value->word = attribute.word;
  if (kind == POOLPROOF_INT) value->word = std::to_string(attribute.integer);
  if (kind == POOLPROOF_BOOL) value->word = attribute.integer != 0 ? "true" : "false";
  return true;
}

bool ReadValue(const poolproof_attribute& attribute, const AttributeSpec& spec, AttributeValue* value) {
  value->present = true;
  switch (spec.type) {
    case AttributeType::kInt: value->integer = attribute.integer; return attribute.kind == POOLPROOF_INT;
    case AttributeType::kBool: value->integer = attribute.integer; return attribute.kind == POOLPROOF_BOOL;
    case AttributeType::kWord: return ReadWord(attribute, spec.call_kind, value);
    case AttributeType::kIntList:
      if (attribute.kind != POOLPROOF_INT_LIST || attribute.count > POOLPROOF_MAX_RANK) return false;
      for (size_t i = 0; i < attribute.count; ++i) value->list.push_back(attribute.integers[i]);
      return true;
  }
  return false;
}

// Splits a list among the attributes that are parts of it, one after the other in the order of the spec.
bool ReadParts(const poolproof_attribute& attribute, Asked* asked, size_t* read) {
  const std::vector<AttributeSpec>& specs = asked->spec->attributes;
  const auto is_part = [&](const AttributeSpec& spec) { return spec.part_of == attribute.name; };
  const auto parts = static_cast<size_t>(std::ranges::count_if(specs, is_part));
  if (parts == 0 || attribute.kind != POOLPROOF_INT_LIST || attribute.count % parts != 0) return false;
  const size_t each = attribute.count / parts;
  const int64_t* next = attribute.integers;
  for (size_t i = 0; i < specs.size(); ++i) {
    if (!is_part(specs[i])) continue;
    if (asked->attributes[i].present || each > POOLPROOF_MAX_RANK) return false;
    asked->attributes[i].present = true;
    for (size_t k = 0; k < each; ++k) asked->attributes[i].list.push_back(*next++);
    asked->order[(*read)++] = static_cast<uint8_t>(i);
  }
  return true;
}

bool ReadAttribute(const poolproof_attribute& attribute, Asked* asked, size_t* read) {
  const std::vector<AttributeSpec>& specs = asked->spec->attributes;
  const auto spec = std::ranges::find(specs, std::string_view(attribute.name), &AttributeSpec::name);
  if (spec == specs.end() || !spec->part_of.empty()) return ReadParts(attribute, asked, read);
  const auto i = static_cast<size_t>(spec - specs.begin());
  if (asked->attributes[i].present) return false;
  asked->order[(*read)++] = static_cast<uint8_t>(i);
  return ReadValue(attribute, *spec, &asked->attributes[i]);
}

bool ReadAttributes(const poolproof_call& call, Asked* asked) {
  const std::vector<AttributeSpec>& specs = asked->spec->attributes;
  size_t read = 0;
  for (size_t i = 0; i < call.attribute_count; ++i) {
    if (!ReadAttribute(*call.attributes[i], asked, &read)) return false;
  }
  for (size_t i = 0; i < specs.size(); ++i) {
    if (!asked->attributes[i].present) asked->order[read++] = static_cast<uint8_t>(i);
  }
  return true;
}

// The given value of a role; nullptr where it is not given.
AttributeValue* Given(Asked& asked, Role role, int axis) {
  const std::optional<size_t> index = AttributeIndex(*asked.spec, role, axis);
  return index && asked.attributes[*index].present ? &asked.attributes[*index] : nullptr;
}

}  // namespace

unsigned FamilyOf(const Problem& problem) { return FamilyOf(*problem.spec, *problem.function); }

unsigned FamilyOf(std::string_view op) {
  const Called* called = FindCalled(op);
  return called == nullptr ? 0 : called->family;
}

std::optional<Asked> ReadCall(const poolproof_call& call) {
  const Called* called = call.op == nullptr ? nullptr : FindCalled(call.op);
  if (called == nullptr || call.input_count != called->spec->inputs.size()) return std::nullopt;
  if (call.output_count > called->spec->outputs.size()) return std::nullopt;
  Asked asked;
  asked.spec = called->spec;
  asked.function = called->function;
  if (call.output_count < called->spec->outputs.size()) asked.outputs = static_cast<uint8_t>(call.output_count);
  for (size_t i = 0; i < call.input_count; ++i) {
    const poolproof_tensor& input = *call.inputs[i];
    if (called->spec->inputs[i].sizes) {
      if (!ReadSizes(input, &asked)) return std::nullopt;
      continue;
    }
    if (!ReadDims(input, &asked.shape)) return std::nullopt;
    asked.type = input.element_type;
    asked.frac_bits = input.frac_bits;
  }
  if (!ReadAttributes(call, &asked)) return std::nullopt;
  return asked;
}

bool Asks(const poolproof_call& call, Role role, Meaning meaning) {
  const std::optional<Asked> asked = ReadCall(call);
  return asked && MeaningOf(*asked, role) == meaning;
}

IntList* ListOf(Asked& asked, Role role) {
  AttributeValue* value = asked.Find(role);
  return value == nullptr || !value->present ? nullptr : &value->list;
}

void ReverseAxes(Asked& asked, Role role) {
  if (IntList* list = ListOf(asked, role)) std::reverse(list->value.begin(), list->value.begin() + list->size);
  const int last = asked.SpatialRank() - 1;
  for (int axis = 0; axis < last - axis; ++axis) {
    AttributeValue* a = Given(asked, role, axis);
    AttributeValue* b = Given(asked, role, last - axis);
    if (a != nullptr && b != nullptr && a != b) std::swap(*a, *b);
  }
}

void Exchange(Asked& asked, Role a, Role b, int axis) {
  AttributeValue* first = Given(asked, a, axis);
  AttributeValue* second = Given(asked, b, axis);
  if (first != nullptr && second != nullptr) std::swap(*first, *second);
}

void Remove(Asked& asked, Role role) {
  if (AttributeValue* value = asked.Find(role)) *value = {};
}

void Replace(Asked& asked, Role role, Meaning from, Meaning to) {
  if (Given(asked, role, -1) != nullptr && MeaningOf(asked, role) == from) SetMeaning(&asked, to);
}

}  // namespace poolproof::mutants
