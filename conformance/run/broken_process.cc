#include "conformance/run/broken_process.h"

namespace poolproof {
namespace {

enum class Answer { kNone, kError, kOther };

// A refusal says nothing of the process: it takes no device to refuse.
Answer AnswerOf(const CaseResult& result, int placement) {
  if (result.event != Event::kNone || placement >= result.placements) return Answer::kNone;
  if (result.infer_status == POOLPROOF_INTERNAL_ERROR) return Answer::kError;
  if (!result.ran) return Answer::kNone;
  const poolproof_status status = result.run_status[static_cast<size_t>(placement)];
  return status == POOLPROOF_INTERNAL_ERROR ? Answer::kError : Answer::kOther;
}

bool Answered(const CaseResult& result, Answer answer) {
  bool any = false;
  for (int p = 0; p < kMaxPlacements; ++p) any = any || AnswerOf(result, p) == answer;
  return any;
}

}  // namespace

bool AnswersInternalError(const CaseResult& result) { return Answered(result, Answer::kError); }
bool WasRun(const CaseResult& result) { return Answered(result, Answer::kOther); }

std::optional<Break> FindBreak(std::span<const CaseResult> results) {
  std::optional<Break> found;
  std::optional<size_t> before;
  for (int p = 0; p < kMaxPlacements; ++p) {
    for (size_t i = 0; i < results.size(); ++i) {
      const size_t at = p == 1 ? results.size() - 1 - i : i;
      const Answer answer = AnswerOf(results[at], p);
      if (answer == Answer::kNone) continue;
      if (answer == Answer::kOther) found.reset();
      if (answer == Answer::kError && !found) found = Break{at, before == at ? std::nullopt : before};
      before = at;
    }
  }
  return found;
}

}  // namespace poolproof
