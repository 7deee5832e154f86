// One case of a plan in this process: what it is like, what it has to give, what a cause gives.
#pragma once

#include <vector>

#include "conformance/cases/plan.h"
#include "conformance/diagnosis/fault.h"
#include "conformance/diagnosis/features.h"
#include "conformance/judge/explain.h"
#include "conformance/judge/judge.h"

namespace poolproof {

class LocalCase {
 public:
  // The features of a problem, of a plan or not.
  static Features Describe(const Problem& problem, const Selection& selection, Call* call, WordNumbers* words);

  LocalCase(const Plan& plan, const Selection& selection) : plan_(plan), selection_(selection) {}

  // Goes to case `n` and describes it; false where the plan leaves it out.
  bool Load(uint64_t n, WordNumbers* words);
  bool Load(std::string_view id, WordNumbers* words);
  const Features& features() const { return features_; }
  const PlannedCase& planned() const { return planned_; }

  // Whether `fault` has to do with the operator.
  bool AppliesTo(const Fault& fault) const;
  // Taps and elements of a case that is computed many times over, and of one that is computed a few times.
  static constexpr int64_t kWork = 200'000, kLargeWork = 20'000'000;
  bool IsWithin(int64_t most) const;
  // Computes what the case has to give; false where that would take more. Needed before what follows.
  bool Compute(int64_t most = kWork);
  // Whether a backend with this fault would answer otherwise than the oracle.
  bool ChangesAnswer(const Fault& fault);
  // And would not pass; by a reading that only bounds errors, which no answer contradicts, would pass by it alone.
  bool FailsWith(const Fault& fault);
  // Whether it would answer just this: half an AnswerDigest.
  bool ReproducesAnswer(const Fault& fault, uint64_t answer);
  // Whether it would pass, and read the entry of `reading`, "ties=last", in that way.
  bool PassesWithReading(const Fault& fault, std::string_view reading);

 private:
  bool DescribeCase(WordNumbers* words);
  const Result* Give(const Fault& fault);
  bool PassesWithAnyReading(const Result& given);

  const Plan& plan_;
  const Selection& selection_;
  PlannedCase planned_;
  Features features_{};
  Call call_;
  Expected expected_, other_;
  Result given_;
  std::vector<std::byte> input_;
  Diagnostician diagnostician_;
  Explainer explainer_;
};

}  // namespace poolproof
