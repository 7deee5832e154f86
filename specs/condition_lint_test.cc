// The conditions under which a clause counts as exercised. That their names and words exist is checked where the specs
// are read; that each holds for some problem, by `conformance coverage`.
#include <gtest/gtest.h>

#include "conformance/cases/names.h"

namespace poolproof {
namespace {

// Whether a clause is exercised by the problem because it is this example.
bool ExercisesAsExample(const Problem& problem, const std::string& example) {
  const Specs& specs = BuiltInSpecs();
  Occasion occasion;
  occasion.example = example;
  const ProblemSubject plain(*specs.names, problem), named(*specs.names, problem, occasion);
  for (const Document& document : specs.documents) {
    for (const Clause& clause : document.clauses) {
      if (clause.exercised_when->Holds(named) && !clause.exercised_when->Holds(plain)) return true;
    }
  }
  return false;
}

TEST(ConditionLint, EveryExampleExercisesAClause) {
  for (const OperatorSpec& spec : BuiltInSpecs().operators) {
    for (const Example& example : spec.examples) {
      Error error;
      const std::optional<Problem> problem = ParseLine(BuiltInSpecs(), example.line, &error);
      ASSERT_TRUE(problem) << error.message;
      EXPECT_TRUE(ExercisesAsExample(*problem, example.id)) << spec.id << " " << example.id;
    }
  }
}

TEST(ConditionLint, EveryClauseIsAboutAnOperator) {
  for (const Document& document : BuiltInSpecs().documents) {
    for (const Clause& clause : document.clauses) EXPECT_FALSE(clause.operators.empty()) << clause.id;
  }
}

}  // namespace
}  // namespace poolproof
