// The promise of Context::touched: an entry that is not in it has no influence on the outcome.
#include <gtest/gtest.h>

#include <array>
#include <cstring>

#include "conformance/cases/geometry.h"
#include "conformance/judge/test_call.h"

namespace poolproof {
namespace {

using reference::Entry;
using reference::Readings;

struct Tally {
  std::array<int, reference::kEntryCount> touched{};
  std::array<int, reference::kEntryCount> decisive{};  // ... and another reading changed the outcome
};

// Whether a caller could not tell two results apart, bit for bit.
bool SameOutcome(const Result& a, const Result& b) {
  if (a.status != b.status) return false;
  if (a.status != POOLPROOF_OK) return true;
  if (!SameShapes(a, b)) return false;
  for (size_t i = 0; i < a.output_count; ++i) {
    if (std::memcmp(a.outputs[i].data, b.outputs[i].data, a.outputs[i].size_bytes) != 0) return false;
  }
  return true;
}

// Computes under every other reading of one entry at a time; an untouched one must not matter.
void CheckEntries(TestCall& test, const Readings& readings, Tally* tally) {
  static Expected expected, other;
  const Result& want = test.Compute(readings, &expected);
  for (size_t i = 0; i < reference::kEntryCount; ++i) {
    const auto entry = static_cast<Entry>(i);
    bool decisive = false;
    for (uint8_t r = 0; r < reference::ComputableReadings(entry); ++r) {
      if (r == readings[entry]) continue;
      Readings changed = readings;
      changed[entry] = r;
      decisive |= !SameOutcome(test.Compute(changed, &other), want);
    }
    const bool touched = expected.touched().Has(entry);
    ASSERT_TRUE(touched || !decisive) << EntryId(entry) << " in " << PrintLine(test.problem);
    tally->touched[i] += touched ? 1 : 0;
    tally->decisive[i] += decisive ? 1 : 0;
  }
}

// Steps over one edge of what is allowed: a value below the least one or far above, an absent attribute, a dimension
// of 0, given or asked for.
void BreakRule(Problem* problem, Choices& choices) {
  if (problem->sizes.size > 0 && choices.Percent(20)) {
    problem->sizes[choices.Below(problem->sizes.size)] = 0;
    return;
  }
  const size_t count = problem->spec->attributes.size();
  const size_t i = choices.Below(count + problem->shape.size);
  if (i >= count) {
    problem->shape[i - count] = 0;
    return;
  }
  const AttributeSpec& spec = problem->spec->attributes[i];
  AttributeValue& value = problem->attributes[i];
  const int64_t values[] = {spec.valid_min.value_or(spec.min.value_or(0)) - 1, value.integer + 3};
  const int64_t number = choices.Of(values);
  if (spec.type == AttributeType::kInt && choices.Percent(70)) {
    value.present = true;
    value.integer = number;
  } else if (spec.type == AttributeType::kIntList && choices.Percent(70)) {
    const auto axes = static_cast<uint64_t>(problem->SpatialRank());
    SetAxisValue(problem, spec.role, static_cast<int>(choices.Below(axes)), number);
  } else {
    value = AttributeValue();
  }
}

TEST(Touched, EntriesThatAreNotTouchedDoNotMatter) {
  const std::vector<Callable> callables = AllCallables(BuiltInSpecs());
  Tally tally;
  for (uint64_t seed = 0; seed < 12000; ++seed) {
    Choices choices(seed);
    Problem problem = SmallProblem(callables, choices);
    if (choices.Percent(15)) BreakRule(&problem, choices);
    TestCall test(std::move(problem));
    CheckEntries(test, AnyReadings(choices), &tally);
    if (HasFatalFailure()) return;
  }
  for (size_t i = 0; i < reference::kEntryCount; ++i) {
    const auto entry = static_cast<Entry>(i);
    // Needs an index bound above 2^31, a tensor too large to be filled here: see reference/index_test.cc.
    if (entry == Entry::kIndexOverflow) continue;
    // One operator alone has it, and few random calls divide by less than 0: see demand_test.cc.
    if (entry == Entry::kTorchDivisorRange) continue;
    RecordProperty(std::string(EntryId(entry)),
                   std::to_string(tally.decisive[i]) + " of " + std::to_string(tally.touched[i]));
    const bool can_matter = reference::ComputableReadings(entry) > 1;
    EXPECT_GT(can_matter ? tally.decisive[i] : tally.touched[i], 0) << EntryId(entry);
  }
}

}  // namespace
}  // namespace poolproof
