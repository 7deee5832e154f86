// The output sizes that the documents' formulas give, against the oracle, for every fixed problem of the plan and many
// random ones, under every reading that a formula knows.
#include <gtest/gtest.h>

#include "conformance/cases/formulas.h"
#include "conformance/cases/geometry.h"
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
    const int spatial = LayoutOf(*planned.problem.function).spatial;
    const std::vector<SizeFormula> formulas = SizeFormulas(BuiltInSpecs(), planned.problem, readings);
    for (const SizeFormula& formula : formulas) {
      EXPECT_EQ(formula.size, call.outputs[0].dims[spatial + formula.axis])
          << formula.clause << ", axis " << formula.axis << " of " << planned.line << "\n"
          << formula.text;
    }
    // MLI prints none.
    EXPECT_TRUE(!formulas.empty() || planned.problem.IsMliLayout()) << planned.line;
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
  EXPECT_EQ(all.size(), 9u);
  PlannedCase planned;
  for (uint64_t n = 0; n < plan->Size() && !HasFailure(); ++n) {
    if (!plan->Get(n, &planned)) continue;
    for (const reference::Readings& readings : all) Check(planned, readings);
  }
}

TEST(WhySizesAre, SaysOnceForEachAxisThatDiffers) {
  Error error;
  const auto problem = ParseLine(BuiltInSpecs(), "MaxPool-8 f32 in=1x1x5x6 k=3 s=2 pb=1 pe=1 rounding=ceil", &error);
  ASSERT_TRUE(problem) << error.message;
  poolproof_tensor want{}, got{};
  want.rank = got.rank = 4;
  for (const int64_t size : {1, 1, 3, 4}) want.dims[want.size_bytes++] = size;
  got = want;
  EXPECT_EQ(WhySizesAre(BuiltInSpecs(), *problem, {}, want, got), "");
  got.dims[3] = 3;
  EXPECT_EQ(WhySizesAre(BuiltInSpecs(), *problem, {}, want, got),
            " Size of axis 1: ceil((6 + 1 + 1 - 3) / 2) + 1 = 4 (maxpool-8/explicit-ceil).");
  got.rank = 3;
  EXPECT_EQ(WhySizesAre(BuiltInSpecs(), *problem, {}, want, got), "");
}

}  // namespace
}  // namespace poolproof
