// The conditions under which a clause counts as exercised: whatever they name has to exist, because
// a condition that is misspelt would hold for nothing.
#include <gtest/gtest.h>

#include <algorithm>
#include <set>

#include "conformance/cases/spec.h"
#include "reference/readings.h"

namespace poolproof {
namespace {

std::vector<const OperatorSpec*> SpecsNamed(const std::string& name) {
  std::vector<const OperatorSpec*> found;
  for (const OperatorSpec& spec : BuiltInSpecs().operators) {
    if (spec.id == name || spec.FindFunction(name) != nullptr) found.push_back(&spec);
  }
  return found;
}

void CheckAttribute(const Condition& condition, const OperatorSpec& spec) {
  const AttributeSpec* attribute = spec.FindAttribute(condition.attribute);
  ASSERT_NE(attribute, nullptr) << spec.id << ": " << condition.attribute;
  EXPECT_EQ(attribute->name, condition.attribute);
  for (const std::string& word : condition.words) {
    const bool is_bool = attribute->type == AttributeType::kBool;
    const bool known =
        is_bool ? word == "true" || word == "false"
                : std::find(attribute->words.begin(), attribute->words.end(), word) != attribute->words.end();
    EXPECT_TRUE(known) << spec.id << ", " << attribute->name << ": " << word;
  }
  const bool number = attribute->type == AttributeType::kInt || attribute->type == AttributeType::kIntList;
  EXPECT_TRUE(number || (!condition.at_least && !condition.equals)) << attribute->name;
  EXPECT_FALSE(condition.absent && attribute->required && attribute->required_unless.empty());
}

void CheckNames(const Condition& condition, const OperatorSpec& spec) {
  if (!condition.attribute.empty()) CheckAttribute(condition, spec);
  if (!condition.rule.empty()) {
    EXPECT_TRUE(std::any_of(spec.invalid_calls.begin(), spec.invalid_calls.end(),
                            [&](const InvalidCall& call) { return call.rule == condition.rule; }))
        << spec.id << ": " << condition.rule;
  }
  if (!condition.example.empty()) {
    EXPECT_TRUE(std::any_of(spec.examples.begin(), spec.examples.end(),
                            [&](const Example& e) { return e.id == condition.example; }))
        << spec.id << ": " << condition.example;
  }
  if (!condition.variant.empty()) {
    EXPECT_TRUE(std::any_of(spec.functions.begin(), spec.functions.end(),
                            [&](const Function& f) { return f.name.find(condition.variant) != std::string::npos; }))
        << spec.id << ": " << condition.variant;
  }
  for (int rank : condition.ranks) {
    EXPECT_TRUE(rank >= spec.min_rank && rank <= spec.max_rank) << spec.id << ": rank " << rank;
  }
}

// `operators` are those of the outermost condition; inner ones inherit them.
void Check(const Condition& condition, const std::vector<std::string>& operators) {
  for (const std::string& name : operators) {
    const std::vector<const OperatorSpec*> found = SpecsNamed(name);
    EXPECT_EQ(found.size(), 1u) << "operator " << name;
    for (const OperatorSpec* spec : found) CheckNames(condition, *spec);
  }
  if (!condition.touches.empty()) {
    EXPECT_TRUE(reference::FindEntry(condition.touches)) << condition.touches;
  }
  for (const Condition& inner : condition.all) Check(inner, operators);
}

TEST(ConditionLint, NamesOfConditionsExist) {
  for (const Document& document : BuiltInSpecs().documents) {
    for (const Clause& clause : document.clauses) {
      SCOPED_TRACE(clause.id);
      for (const Condition& condition : clause.exercised_by) {
        EXPECT_FALSE(condition.operators.empty());
        Check(condition, condition.operators);
      }
    }
  }
}

TEST(ConditionLint, EveryExampleExercisesAClause) {
  std::set<std::pair<std::string, std::string>> named;
  for (const Document& document : BuiltInSpecs().documents) {
    for (const Clause& clause : document.clauses) {
      for (const Condition& condition : clause.exercised_by) {
        for (const std::string& op : condition.operators) {
          named.insert({op, condition.example});
        }
      }
    }
  }
  for (const OperatorSpec& spec : BuiltInSpecs().operators) {
    for (const Example& example : spec.examples) {
      EXPECT_TRUE(named.contains({spec.id, example.id})) << spec.id << " " << example.id;
    }
  }
}

}  // namespace
}  // namespace poolproof
