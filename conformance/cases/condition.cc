#include "conformance/cases/condition.h"

#include <algorithm>

namespace poolproof {
namespace {

template <typename List, typename Value>
bool Contains(const List& list, const Value& value) {
  return std::find(list.begin(), list.end(), value) != list.end();
}

bool IsOneOf(const AttributeSpec& spec, const AttributeValue& value, const std::vector<std::string>& words) {
  if (spec.type == AttributeType::kBool) {
    return Contains(words, std::string_view(value.integer != 0 ? "true" : "false"));
  }
  return Contains(words, value.word);
}

template <typename Predicate>
bool HasElement(const AttributeSpec& spec, const AttributeValue& value, const Predicate& holds) {
  if (spec.type != AttributeType::kIntList) return holds(value.integer);
  return std::any_of(value.list.begin(), value.list.end(), holds);
}

// The attribute may be named as in the document or by its key.
bool AttributeMatches(const Condition& condition, const Problem& problem) {
  const AttributeSpec* spec = problem.spec->FindAttribute(condition.attribute);
  if (spec == nullptr) return false;
  const auto index = static_cast<size_t>(spec - problem.spec->attributes.data());
  const AttributeValue& value = problem.attributes[index];
  if (condition.absent) return !value.present;
  if (!value.present) return false;
  if (!condition.words.empty() && !IsOneOf(*spec, value, condition.words)) return false;
  if (condition.at_least &&
      !HasElement(*spec, value, [&](int64_t element) { return element >= *condition.at_least; })) {
    return false;
  }
  return !condition.equals || HasElement(*spec, value, [&](int64_t element) { return element == *condition.equals; });
}

bool OperatorMatches(const Condition& condition, const Problem& problem, const OperatorSpec* asking) {
  if (!condition.operators.empty()) {
    return Contains(condition.operators, problem.spec->id) || Contains(condition.operators, problem.function->name);
  }
  return asking == nullptr || asking == problem.spec;
}

}  // namespace

bool Matches(const Condition& condition, const Problem& problem, const Occasion& occasion, const OperatorSpec* asking) {
  if (!OperatorMatches(condition, problem, asking)) return false;
  if (!condition.attribute.empty() && !AttributeMatches(condition, problem)) return false;
  if (!condition.ranks.empty() && !Contains(condition.ranks, int{problem.shape.size})) return false;
  if (!condition.types.empty() && !Contains(condition.types, problem.type)) return false;
  if (!condition.touches.empty() && !Contains(occasion.touched, condition.touches)) return false;
  if (!condition.rule.empty() && occasion.rule != condition.rule) return false;
  if (!condition.example.empty() && occasion.example != condition.example) return false;
  for (const Condition& further : condition.all) {
    if (!Matches(further, problem, occasion, nullptr)) return false;
  }
  return condition.variant.empty() || problem.function->name.find(condition.variant) != std::string::npos;
}

}  // namespace poolproof
