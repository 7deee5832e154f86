// A property that nothing can break proves nothing: for each there is a deliberately wrong backend
// that breaks it, and the table of who breaks what is printed.
#include <gtest/gtest.h>

#include <cstdio>
#include <map>
#include <set>

#include "conformance/causes/mutant.h"
#include "conformance/properties/run.h"

namespace poolproof {
namespace {

constexpr uint64_t kRounds = 60;

bool Breaks(const Property& property, InProcessBackend* backend) {
  for (uint64_t seed = 0; seed < kRounds; ++seed) {
    const RoundResult result = RunRound(property, BuiltInSpecs(), seed, backend);
    if (result.verdict.holding == Holding::kFails) return true;
  }
  return false;
}

TEST(MutantsTest, EveryPropertyIsBrokenByAMutant) {
  std::map<std::string_view, std::set<std::string_view>> breakers;
  size_t caught = 0, tried = 0;
  for (const mutants::Mutant& mutant : mutants::Mutants()) {
    if (!mutant.IsPure()) continue;  // it would take this process down
    Error error;
    const auto backend = InProcessBackend::Open(POOLPROOF_MUTANTS_PATH, {"mutant=" + std::string(mutant.id)}, &error);
    ASSERT_NE(backend, nullptr) << error.message;
    bool broken = false;
    for (const Property& property : Properties()) {
      if (!Breaks(property, backend.get())) continue;
      breakers[property.id].insert(mutant.id);
      broken = true;
    }
    ++tried;
    caught += broken;
  }
  for (const Property& property : Properties()) {
    const std::set<std::string_view>& mutants = breakers[property.id];
    std::printf("%-22s", std::string(property.id).c_str());
    for (std::string_view id : mutants) std::printf(" %s", std::string(id).c_str());
    std::printf("\n");
    EXPECT_FALSE(mutants.empty()) << property.id;
  }
  std::printf("%zu of %zu mutants break a property\n", caught, tried);
}

}  // namespace
}  // namespace poolproof
