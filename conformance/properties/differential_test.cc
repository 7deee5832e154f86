// The optimized backend agrees with the reference.
#include <gtest/gtest.h>

#include <limits>
#include <map>
#include <string>
#include <vector>

#include "conformance/cases/choices.h"
#include "conformance/cases/generate.h"
#include "conformance/properties/differential_compare.h"
#include "optimized/core/target.h"

namespace poolproof {
namespace {

// Compares random problems and expects that every operator and type was really computed.
void ExpectAgreement(Comparer& comparer, uint64_t seed, uint64_t problems, const std::vector<std::string>& targets) {
  const std::vector<Callable> callables = AllCallables(BuiltInSpecs());
  std::map<std::string_view, int> computed;
  for (uint64_t i = 0; i < problems; ++i) {
    const Problem problem = RandomProblem(callables, seed, i);
    ASSERT_EQ(comparer.Compare(problem, targets), "") << PrintLine(problem);
    if (comparer.expected() != POOLPROOF_OK) continue;
    ++computed[problem.function->name];
    ++computed[ElementTypeName(problem.type)];
  }
  for (const Callable& callable : callables) {
    if (callable.function->required) {
      EXPECT_GT(computed[callable.function->name], 0) << callable.function->name;
    }
  }
  for (int type = POOLPROOF_F64; type <= POOLPROOF_FX16; ++type) {
    const auto name = ElementTypeName(static_cast<poolproof_element_type>(type));
    EXPECT_GT(computed[name], 0) << name;
  }
}

TEST(Differential, AgreesOnEveryTarget) {
  Comparer comparer({});
  ExpectAgreement(comparer, 1, 6000, optimized::Targets());
  optimized::SelectTarget("");
}

// Which zero is the maximum depends on the order of comparisons, also beside windows with NaN.
TEST(Differential, TakesTheSameZeroOnEveryTarget) {
  Comparer comparer({});
  std::vector<Callable> callables = AllCallables(BuiltInSpecs());
  std::erase_if(callables, [](const Callable& callable) { return !IsMaximum(*callable.spec); });
  Choices choices(4);
  int compared = 0;
  while (compared < 5000) {
    Problem problem = RandomProblem(callables, choices);
    if (!IsFloat(problem.type) || problem.Elements() > 4000) continue;
    ++compared;
    for (int64_t n = problem.Elements(); n > 0; --n) {
      const Number zero = choices.Percent(50) ? -0.0L : 0.0L;
      const Number other = choices.Below(300) == 0 ? std::numeric_limits<Number>::quiet_NaN() : -1.0L;
      problem.data.push_back(choices.Percent(25) ? other : zero);
    }
    ASSERT_EQ(comparer.Compare(problem, optimized::Targets()), "") << PrintLine(problem);
  }
  optimized::SelectTarget("");
}

// Among them some that are large enough for a share per thread.
TEST(Differential, AgreesOnThreads) {
  Comparer comparer({"threads=3"});
  ExpectAgreement(comparer, 2, 3000, {});
}

}  // namespace
}  // namespace poolproof
