// A results file read together with the plan that its header describes.
#ifndef POOLPROOF_CONFORMANCE_RESULTS_RESULTS_PLAN_H_
#define POOLPROOF_CONFORMANCE_RESULTS_RESULTS_PLAN_H_

#include <memory>
#include <string>

#include "conformance/cases/plan.h"
#include "conformance/format/reader.h"

namespace poolproof {

// The cases of a plan, in order.
class CasesOfPlan : public PlannedCases {
 public:
  // `runnable_only`: without those that are too large to be run, of which there are no vectors.
  CasesOfPlan(Plan plan, bool runnable_only) : plan_(std::move(plan)), runnable_only_(runnable_only) {}
  bool Next(uint64_t* n, std::string_view* id) override;
  const Plan& plan() const { return plan_; }

 private:
  Plan plan_;
  const bool runnable_only_;
  uint64_t next_ = 0;
  PlannedCase planned_;
};

// The plan of a run, from its header. Nothing, and a sentence without file, where this program does
// not make that plan: another version, other specs, an option out of range.
std::unique_ptr<CasesOfPlan> PlanOfResults(const Specs& specs, const Json& header, Error* error);

// A reader that refuses a file whose cases are not just those of its plan.
class PlannedReader {
 public:
  using Item = ResultsReader::Item;

  // Opens `path` and reads its header. A header of another version or other specs is refused only
  // where `required`; then nothing is known of the plan. On failure one sentence.
  bool Open(const Specs& specs, const std::string& path, bool required, Error* error);
  Item Next(Error* error) { return reader_.Next(&error->message); }

  const Json& header() const { return header_; }
  ResultsReader& reader() { return reader_; }
  // Where the header was required.
  const Plan& plan() const { return planned_->plan(); }

 private:
  ResultsReader reader_;
  Json header_;
  std::unique_ptr<CasesOfPlan> planned_;
};

// Whether `path` is a complete results file with the cases of its plan, where that is known.
bool CheckResults(const Specs& specs, const std::string& path, Error* error);

}  // namespace poolproof

#endif  // POOLPROOF_CONFORMANCE_RESULTS_RESULTS_PLAN_H_
