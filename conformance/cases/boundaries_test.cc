#include "conformance/cases/boundaries.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <set>

#include "conformance/cases/geometry.h"
#include "conformance/cases/plain.h"
#include "conformance/cases/valid.h"
#include "reference/reference.h"

namespace poolproof {
namespace {

// Choices that can be combined freely: words and flags (or their absence), types, ranks, fills.
std::map<std::string, std::string> FreeChoices(const Problem& problem) {
  std::map<std::string, std::string> choices = {{"function", problem.function->name},
                                                {"type", std::string(ElementTypeName(problem.type))},
                                                {"rank", std::to_string(problem.shape.size)},
                                                {"fill", problem.fill}};
  choices.erase("function");
  for (size_t i = 0; i < problem.spec->attributes.size(); ++i) {
    const AttributeSpec& spec = problem.spec->attributes[i];
    const AttributeValue& value = problem.attributes[i];
    if (spec.type == AttributeType::kWord) {
      choices[spec.name] = value.present ? value.word : "absent";
    } else if (spec.type == AttributeType::kBool) {
      choices[spec.name] = value.present ? std::to_string(value.integer) : "absent";
    }
  }
  return choices;
}

TEST(BoundariesTest, ProblemsAreValidAndDifferent) {
  for (const OperatorSpec& spec : BuiltInSpecs().operators) {
    std::set<std::string> lines;
    const Problems problems = BoundaryProblems(spec);
    for (const Problem& problem : problems) {
      EXPECT_TRUE(IsValid(problem)) << PrintLine(problem);
      EXPECT_LT(problem.Elements(), 1 << 18) << PrintLine(problem);
      lines.insert(PrintLine(problem));
    }
    EXPECT_GT(lines.size(), problems.size() * 9 / 10) << spec.id;
    std::printf("%s: %zu\n", spec.id.c_str(), problems.size());
  }
}

TEST(BoundariesTest, EveryPairOfFreeChoicesOccurs) {
  for (const OperatorSpec& spec : BuiltInSpecs().operators) {
    std::map<std::string, std::set<std::string>> values;
    std::set<std::string> pairs;
    for (const Problem& problem : BoundaryProblems(spec)) {
      if (!IsUnrestricted(*problem.function)) continue;
      const std::map<std::string, std::string> choices = FreeChoices(problem);
      for (const auto& [a, x] : choices) {
        values[a].insert(x);
        for (const auto& [b, y] : choices) pairs.insert(a + "=" + x + " " + b + "=" + y);
      }
    }
    for (const auto& [a, xs] : values) {
      for (const auto& [b, ys] : values) {
        if (a == b) continue;
        for (const std::string& x : xs) {
          for (const std::string& y : ys) {
            EXPECT_TRUE(pairs.contains(a + "=" + x + " " + b + "=" + y))
                << spec.id << ": " << a << "=" << x << " with " << b << "=" << y;
          }
        }
      }
    }
  }
}

TEST(BoundariesTest, EveryBoundaryWordTypeAndRankOccurs) {
  for (const OperatorSpec& spec : BuiltInSpecs().operators) {
    const Problems problems = BoundaryProblems(spec);
    for (size_t i = 0; i < spec.attributes.size(); ++i) {
      const AttributeSpec& attribute = spec.attributes[i];
      for (int64_t boundary : attribute.boundaries) {
        if (attribute.range_is_rank || boundary != IntoRange(attribute, boundary)) continue;
        EXPECT_TRUE(std::any_of(problems.begin(), problems.end(),
                                [&](const Problem& p) {
                                  const AttributeValue& value = p.attributes[i];
                                  if (!value.present) return false;
                                  if (attribute.type == AttributeType::kInt) return value.integer == boundary;
                                  return std::find(value.list.begin(), value.list.end(), boundary) != value.list.end();
                                }))
            << spec.id << " " << attribute.name << "=" << boundary;
      }
    }
    for (const Function& function : spec.functions) {
      for (poolproof_element_type type : function.types) {
        EXPECT_TRUE(std::any_of(problems.begin(), problems.end(), [&](const Problem& p) {
          return p.function == &function && p.type == type;
        })) << function.name;
      }
    }
  }
}

// Every special comes with the pads of its problem and, where the operator has words for it, with none and with such
// that the size stays.
TEST(BoundariesTest, EverySpecialOccursWithEachPadding) {
  for (const OperatorSpec& spec : BuiltInSpecs().operators) {
    std::set<std::string> seen;
    std::map<std::string, int> paddings;
    Problems problems = SpecialProblems(spec);
    for (const Problem& problem : problems) {
      EXPECT_TRUE(IsValid(problem)) << PrintLine(problem);
      EXPECT_TRUE(seen.insert(problem.function->name + " " + std::string(ElementTypeName(problem.type)) + " " +
                              std::to_string(problem.seed))
                      .second);
    }
    for (const Problem& problem : SpecialProblemsWithoutPads(spec)) {
      EXPECT_TRUE(IsValid(problem)) << PrintLine(problem);
      ++paddings[problem.function->name + (KeepsSize(problem) ? " same" : " valid")];
      EXPECT_FALSE(PadsCount(problem));
    }
    if (HasRole(spec, Role::kAutoPad)) {
      EXPECT_EQ(paddings.size(), 2u * spec.functions.size());
      for (const auto& [padding, count] : paddings) EXPECT_EQ(static_cast<size_t>(count), problems.size()) << padding;
    }
    for (const Function& function : spec.functions) {
      if (!IsUnrestricted(function)) continue;
      for (poolproof_element_type type : function.types) {
        for (int seed = IsFloat(type) ? 0 : 6; seed < 40; seed += IsFloat(type) ? 1 : 8) {
          EXPECT_TRUE(
              seen.contains(function.name + " " + std::string(ElementTypeName(type)) + " " + std::to_string(seed)));
        }
      }
    }
  }
}

TEST(BoundariesTest, RegressionsReadBack) {
  const std::vector<Regression> regressions = Regressions();
  EXPECT_GE(regressions.size(), 40u);
  for (const Regression& regression : regressions) {
    Error error;
    const std::optional<Problem> problem = ParseLine(BuiltInSpecs(), regression.line, &error);
    ASSERT_TRUE(problem) << regression.line << ": " << error.message;
    EXPECT_FALSE(regression.report.empty()) << regression.line;
    EXPECT_TRUE(IsValid(*problem)) << regression.line;
  }
}

}  // namespace
}  // namespace poolproof
