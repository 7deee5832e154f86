// For tests: one problem, answered by the reference and by a mutant in process.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "conformance/cases/problem.h"
#include "conformance/causes/mutant.h"

namespace poolproof::mutants {

// How an answer compares with the reference's.
enum class Difference { kNone, kTolerated, kSilence, kWrong };

// A problem bound to memory. Not movable: the call points into it.
class TestProblem {
 public:
  explicit TestProblem(const Problem& problem);
  TestProblem(const TestProblem&) = delete;
  TestProblem& operator=(const TestProblem&) = delete;

  // nullptr: the mutants' own computation with nothing wrong.
  Difference Compare(const Mutant* mutant);

 private:
  struct Answer {
    poolproof_status status = POOLPROOF_OK;
    std::array<poolproof_tensor, kMaxOutputs> outputs{};
    std::array<std::vector<std::byte>, kMaxOutputs> data;
  };
  template <typename InferStep, typename RunStep>
  Answer Ask(InferStep infer, RunStep run);
  Answer AskMutant(const Mutant* mutant);
  void Show(Answer& answer);
  // The judge of the reference says what is tolerated.
  Difference Judge(const poolproof_tensor& expected, size_t output, int64_t element, const void* got);
  Difference Worst(Answer& expected, Answer& got);

  Problem problem_;
  Call call_;
  std::vector<std::byte> input_;
};

}  // namespace poolproof::mutants
