// For tests of the oracle: random calls with their data, and random readings of the documents.
#pragma once

#include <algorithm>
#include <cstddef>
#include <span>
#include <utility>
#include <vector>

#include "conformance/cases/choices.h"
#include "conformance/cases/fill.h"
#include "conformance/cases/generate.h"
#include "conformance/judge/oracle.h"

namespace poolproof {

// A problem with its input, which the oracle computes under one set of readings after the other.
class TestCall {
 public:
  explicit TestCall(Problem made) : problem(std::move(made)) {
    call.Bind(problem);
    input_.resize(std::max<size_t>(call.inputs[0].size_bytes, 1));
    FillInput(problem, input_.data());
    call.inputs[0].data = input_.data();
  }
  TestCall(const TestCall&) = delete;
  TestCall& operator=(const TestCall&) = delete;

  const Result& Compute(const reference::Readings& readings, Expected* expected) {
    expected->Compute(call, readings, false);
    return expected->result();
  }
  reference::ElementJudgement Judge(const reference::Readings& readings, size_t output, int64_t element,
                                    const void* got) const {
    return reference::FindOperator(call.call.op)->judge(call.call, readings, output, element, got);
  }

  const Problem problem;
  Call call;

 private:
  std::vector<std::byte> input_;
};

// Problems that are computed many times have few elements.
inline Problem SmallProblem(std::span<const Callable> callables, Choices& choices) {
  constexpr int64_t kMostElements = 1000;
  while (true) {
    Problem problem = RandomProblem(callables, choices);
    if (problem.Elements() <= kMostElements) return problem;
  }
}

// A problem of the operators that `suits`.
template <typename Suits>
std::vector<Callable> CallablesThat(const Suits& suits) {
  std::vector<Callable> callables = AllCallables(BuiltInSpecs());
  std::erase_if(callables, [&](const Callable& callable) { return !suits(*callable.spec); });
  return callables;
}

// Any reading of everything; usually close to a profile.
inline reference::Readings AnyReadings(Choices& choices) {
  reference::Readings readings = reference::FindProfile(choices.Of(reference::ProfileNames()))->readings;
  for (size_t i = 0; i < reference::kEntryCount; ++i) {
    const auto entry = static_cast<reference::Entry>(i);
    if (choices.Percent(25)) {
      readings[entry] = static_cast<uint8_t>(choices.Below(reference::ComputableReadings(entry)));
    }
  }
  return readings;
}

}  // namespace poolproof
