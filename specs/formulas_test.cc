// The output sizes that the documents' formulas give, against the oracle, for every fixed problem of the plan and many
// random ones, under every reading that a formula knows.
#include <gtest/gtest.h>

#include "conformance/cases/geometry.h"
#include "conformance/cases/names.h"
#include "conformance/cases/plan.h"
#include "reference/reference.h"

namespace poolproof {
namespace {

constexpr uint64_t kRandom = 50000;

// The documented readings, and each other one of an entry that a formula names.
std::vector<reference::Readings> ReadingsOfFormulas() {
  std::vector<reference::Readings> all(1);
  for (size_t e = 0; e < reference::kEntryCount; ++e) {
    const auto entry = static_cast<reference::Entry>(e);
    const std::string id(reference::EntryId(entry));
    bool is_named = false;
    for (const Document& document : BuiltInSpecs().documents) {
      for (const Clause& clause : document.clauses) is_named |= clause.size.find(id + " = ") != std::string::npos;
    }
    for (uint8_t r = 1; is_named && r < reference::ComputableReadings(entry); ++r) all.emplace_back()[entry] = r;
  }
  return all;
}

class Formulas : public testing::Test {
 protected:
  // The number of formulas for the problem, each of which has to give what the oracle does.
  void Check(const PlannedCase& planned, const reference::Readings& readings) {
    Call call;
    call.Bind(planned.problem);
    reference::Context context;
    context.readings = readings;
    if (reference::InferShapes(call.call, context) != POOLPROOF_OK) return;
    Occasion occasion;
    occasion.readings = readings;
    const ProblemSubject subject(*BuiltInSpecs().names, planned.problem, occasion);
    const int spatial = LayoutOf(*planned.problem.function).spatial;
    bool has_formula = false;
    for (const Document& document : BuiltInSpecs().documents) {
      for (const Clause& clause : document.clauses) {
        if (!clause.size_formula || !clause.exercised_when->Holds(subject)) continue;
        has_formula = true;
        for (int axis = 0; axis < subject.Axes(); ++axis) {
          EXPECT_EQ(clause.size_formula->NumberAt(subject, axis), call.outputs[0].dims[spatial + axis])
              << clause.id << ", axis " << axis << " of " << planned.line << "\n"
              << clause.size_formula->TextWithValues(subject, axis);
        }
      }
    }
    // MLI prints none.
    EXPECT_TRUE(has_formula || planned.problem.IsMliLayout()) << planned.line;
  }
};

TEST_F(Formulas, GiveTheSizesOfTheOracle) {
  PlanOptions options;
  options.level = Level::kFull;
  options.random_count = kRandom;
  Error error;
  const std::optional<Plan> plan = Plan::Make(BuiltInSpecs(), options, &error);
  ASSERT_TRUE(plan) << error.message;
  const std::vector<reference::Readings> all = ReadingsOfFormulas();
  EXPECT_EQ(all.size(), 8u);
  PlannedCase planned;
  for (uint64_t n = 0; n < plan->Size() && !HasFailure(); ++n) {
    if (!plan->Get(n, &planned)) continue;
    for (const reference::Readings& readings : all) Check(planned, readings);
  }
}

}  // namespace
}  // namespace poolproof
