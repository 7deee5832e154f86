// From what a backend did to a verdict.
#pragma once

#include <array>
#include <string>
#include <vector>

#include "conformance/format/verdict.h"
#include "conformance/judge/explain.h"
#include "conformance/worker/lane.h"

namespace poolproof {

struct Judgement {
  Verdict verdict = Verdict::kMissing;
  std::string message;             // one sentence; empty for pass
  std::vector<Choice> deviations;  // kDeviates
  std::string deviation_text;      // kDeviates by a printed example: "example-1-value=printed"
  std::vector<Evidence> evidence;  // on open points
  // All explanations where there are several; `deviations` and `evidence` are the chosen one's.
  std::vector<Candidate> candidates;
  double ulp = 0;
  Difference difference = Difference::kNone;  // kFail
  size_t output = 0;                          // kFail by value: the first wrong element
  int64_t element = 0;
};

// Makes `candidate` the explanation of a case that passes or deviates.
void Choose(const reference::Readings& selected, const Candidate& candidate, Judgement* judgement);

// The backend's own words behind what it answered, " (out of memory)"; empty where it said nothing.
std::string Said(const CaseResult& result);

// The expectation of one case.
struct Expectation {
  const Expected* expected = nullptr;
  const Example* example = nullptr;  // a documented example, or nullptr
  const InvalidCall* invalid = nullptr;
  reference::EntrySet demanded{};  // silences of which only the selected reading passes
  bool prove = false;              // see Explainer::Explain
};

using reference::Selection;

// One per thread.
class Judge {
 public:
  Judgement Decide(const Problem& problem, Call& call, const Expectation& expectation, const CaseResult& result);

  // The backend's answer in placement `placement` as a Result.
  static Result Answer(const Call& call, const CaseResult& result, int placement);

 private:
  bool DecideEvent(const CaseResult& result, Judgement* judgement);
  bool DecideStatus(const CaseResult& result, const Result& answer, Judgement* judgement);
  bool DecideDescription(const CaseResult& result, const Result& want, const Result& answer, Judgement* judgement);
  bool DecideUnwritten(const Problem& problem, const CaseResult& result, const Result& answer, Judgement* judgement);
  bool DecideRepeatability(const Problem& problem, const Call& call, const CaseResult& result, const Result& answer,
                           Judgement* judgement);
  void DecideMismatch(const Problem& problem, Call& call, const Expectation& expectation, const Result& answer,
                      Judgement* judgement);
  bool MatchesPrinted(const Example& example, const Result& answer, Judgement* judgement);

  Explainer explainer_;
  Expected printed_;
};

}  // namespace poolproof
