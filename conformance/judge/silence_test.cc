// The oracle's judgement of one element: what a reading of a silence gives is accepted by its name, anything else
// is not. Random calls; reference/judge_test.cc holds those that are written down.
#include <gtest/gtest.h>

#include <array>
#include <cstring>

#include "conformance/judge/test_call.h"

namespace poolproof {
namespace {

using reference::Acceptance;
using reference::ElementJudgement;
using reference::Entry;
using reference::Readings;

// Silences that change elements, not shapes.
constexpr Entry kElementSilences[] = {Entry::kTies, Entry::kNan, Entry::kAvgIntegerRounding,
                                      Entry::kMliAverageRounding};

// How many elements of `got` that differ from the expected ones were accepted as a reading of `entry`.
int Accepted(const TestCall& test, const Result& want, const Readings& readings, const Result& got, Entry entry) {
  int accepted = 0;
  for (size_t output = 0; output < got.output_count; ++output) {
    const poolproof_tensor& tensor = got.outputs[output];
    const size_t size = ElementSize(tensor.element_type);
    for (size_t at = 0; at < tensor.size_bytes; at += size) {
      const auto* bytes = static_cast<const std::byte*>(tensor.data) + at;
      if (std::memcmp(bytes, static_cast<const std::byte*>(want.outputs[output].data) + at, size) == 0) continue;
      const ElementJudgement judgement = test.Judge(readings, output, static_cast<int64_t>(at / size), bytes);
      EXPECT_NE(judgement.acceptance, Acceptance::kRejected)
          << EntryId(entry) << ", output " << output << " at " << at << ": " << PrintLine(test.problem);
      accepted += judgement.acceptance == Acceptance::kSilence && judgement.entry == entry ? 1 : 0;
    }
  }
  return accepted;
}

TEST(Silences, AcceptWhatAnotherReadingGives) {
  std::array<int, reference::kEntryCount> accepted{};
  const std::vector<Callable> callables = AllCallables(BuiltInSpecs());
  Expected expected, answered;
  for (uint64_t seed = 0; seed < 8000; ++seed) {
    Choices choices(seed);
    TestCall test(SmallProblem(callables, choices));
    const Readings readings = AnyReadings(choices);
    const Result& want = test.Compute(readings, &expected);
    if (want.status != POOLPROOF_OK) continue;
    const Entry entry = kElementSilences[seed % std::size(kElementSilences)];
    Readings other = readings;
    other[entry] = static_cast<uint8_t>(choices.Below(reference::ComputableReadings(entry)));
    const Result& got = test.Compute(other, &answered);
    accepted[static_cast<size_t>(entry)] += Accepted(test, want, readings, got, entry);
    if (HasFailure()) return;
  }
  for (const Entry entry : kElementSilences) {
    EXPECT_GT(accepted[static_cast<size_t>(entry)], 20) << EntryId(entry);
  }
}

// The bytes of a number that the input does not hold; false where it holds all that are tried.
bool FindStranger(const TestCall& test, void* bytes) {
  const poolproof_tensor& input = test.call.inputs[0];
  const size_t size = ElementSize(input.element_type);
  const auto* data = static_cast<const std::byte*>(input.data);
  for (int number = 100; number < 120; ++number) {
    if (!StoreElement(input.element_type, number, bytes, 0)) continue;
    bool held = false;
    for (size_t at = 0; at < input.size_bytes; at += size) held |= std::memcmp(data + at, bytes, size) == 0;
    if (!held) return true;
  }
  return false;
}

// One element replaced by an arbitrary one: for a maximum there is no tolerance, so what is
// accepted must be a tap of the window or what stands for none.
TEST(Silences, AcceptNoMaximumThatIsNoTap) {
  const std::vector<Callable> callables = CallablesThat(IsMaximum);
  int rejected = 0;
  Expected expected;
  for (uint64_t seed = 0; seed < 4000; ++seed) {
    Choices choices(seed);
    TestCall test(SmallProblem(callables, choices));
    const Result& want = test.Compute({}, &expected);
    ASSERT_EQ(want.status, POOLPROOF_OK) << PrintLine(test.problem);
    std::array<std::byte, 8> stranger{};
    if (want.outputs[0].size_bytes == 0 || !FindStranger(test, stranger.data())) continue;
    const size_t count = want.outputs[0].size_bytes / ElementSize(want.outputs[0].element_type);
    const auto element = static_cast<int64_t>(choices.Below(count));
    EXPECT_EQ(test.Judge({}, 0, element, stranger.data()).acceptance, Acceptance::kRejected) << PrintLine(test.problem);
    ++rejected;
  }
  EXPECT_GT(rejected, 1000);
}

}  // namespace
}  // namespace poolproof
