#include "conformance/properties/run.h"

#include <deque>

namespace poolproof {

RoundResult RunRound(const Property& property, const Specs& specs, uint64_t seed, InProcessBackend* backend) {
  RoundResult result;
  property.make(specs, seed, &result.problems);
  std::deque<TensorMemory> memory;  // answers point into it
  std::vector<Answer> answers;
  bool all_ok = !result.problems.empty();
  const auto run_new = [&] {
    while (answers.size() < result.problems.size()) {
      memory.emplace_back();
      answers.push_back(backend->Run(result.problems[answers.size()], &memory.back()));
      all_ok &= answers.back().status == POOLPROOF_OK;
    }
  };
  run_new();
  if (all_ok && property.make_more != nullptr) {
    std::vector<Problem> more;
    property.make_more({result.problems, answers}, &more);
    result.problems.insert(result.problems.end(), more.begin(), more.end());
    run_new();
  }
  if (!result.problems.empty()) result.verdict = JudgeRound(property, {result.problems, answers});
  return result;
}

}  // namespace poolproof
