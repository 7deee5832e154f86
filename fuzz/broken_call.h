// Calls that no problem line can say: of wrong kinds, counts, names and descriptions.
#pragma once

#include <array>
#include <string>

#include "conformance/cases/choices.h"
#include "conformance/cases/problem.h"

namespace poolproof::fuzz {

// The call of a problem, of which some things are not as the problem has them. It stays a call that
// a caller can make: pointers and struct sizes are right, arrays are as long as their counts say.
class BrokenCall {
 public:
  BrokenCall(const Problem& problem, Choices& choices);
  BrokenCall(const BrokenCall&) = delete;
  BrokenCall& operator=(const BrokenCall&) = delete;

  // Changes what run gets to see: the outputs or the memory. The outputs are described.
  void BreakMemory(Choices& choices);
  // Leaves a pointer or a struct size unset, which the ABI rules out and the oracle refuses.
  void BreakPointers(Choices& choices);

  poolproof_call call{};
  std::array<poolproof_tensor, kMaxInputs> inputs{};
  std::array<poolproof_tensor, kMaxOutputs + 1> outputs{};

 private:
  void BreakAttribute(Choices& choices);
  void BreakValue(poolproof_attribute* attribute, Choices& choices);
  void BreakInput(poolproof_tensor* tensor, Choices& choices);
  void BreakSizes(Choices& choices);
  void BreakCounts(Choices& choices);

  Call intact_;
  std::string op_;
  std::array<poolproof_attribute, kMaxAttributes + 1> attributes_{};
  std::array<std::array<int64_t, POOLPROOF_MAX_RANK>, kMaxAttributes + 1> integers_{};
  std::array<const poolproof_attribute*, kMaxAttributes + 1> attribute_pointers_{};
  std::array<const poolproof_tensor*, kMaxInputs> input_pointers_{};
  std::array<poolproof_tensor*, kMaxOutputs + 1> output_pointers_{};
  int64_t sizes_[POOLPROOF_MAX_RANK]{};
};

}  // namespace poolproof::fuzz
