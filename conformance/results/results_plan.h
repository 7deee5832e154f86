// A results file read together with the plan that its header describes.
#pragma once

#include <functional>
#include <memory>
#include <string>

#include "conformance/cases/plan.h"
#include "conformance/format/reader.h"
#include "conformance/results/case_lists.h"

namespace poolproof {

// The cases of a plan, in order.
class CasesOfPlan {
 public:
  // `runnable_only`: without those that are too large to be run, of which there are no vectors.
  CasesOfPlan(Plan plan, bool runnable_only) : plan_(std::move(plan)), runnable_only_(runnable_only) {}
  // The next case; nothing at the end.
  const PlannedCase* Peek();
  // Goes on to the case after it; Last() is the one that was left.
  void Next() { found_ = false; }
  const PlannedCase& Last() const { return planned_; }
  // Goes on to a case, which has to be the next one. On failure false, and a reason without place and full stop.
  bool Take(const CaseLine& c, Error* error);
  const Plan& plan() const { return plan_; }

 private:
  Plan plan_;
  const bool runnable_only_;
  uint64_t next_ = 0;
  bool found_ = false;  // planned_ is the next case
  PlannedCase planned_;
};

// The plan of a run, from its header. Nothing, and a sentence without file, where this program does
// not make that plan: another version, other specs, an option out of range.
std::unique_ptr<CasesOfPlan> PlanOfResults(const Specs& specs, const Json& header, Error* error);

// A reader that refuses a file whose cases are not just those of its plan, and hands out those that have no line
// in their places.
class PlannedReader {
 public:
  using Item = ResultsReader::Item;

  // Opens `path` and reads its header. A header of another version or other specs is refused only
  // where `required`; then nothing is known of the plan. On failure one sentence.
  bool Open(const Specs& specs, const std::string& path, bool required, Error* error);
  // kCase, kGroup, kFooter, kEnd or kRefused. Where the plan is unknown, only cases that have a line.
  Item Next(Error* error);

  const Json& header() const { return header_; }
  // The last line, which is kGroup or kFooter.
  ResultsReader& reader() { return reader_; }
  const CaseLine& current() const { return case_; }
  // Why the plan is unknown, without file and full stop; empty: it is known.
  const std::string& unknown() const { return unknown_; }
  // Where it is known: the case of the plan, and the plan.
  const PlannedCase& planned() const { return planned_->Last(); }
  const Plan& plan() const { return planned_->plan(); }

 private:
  enum class Step : uint8_t { kCase, kNone, kRefused };

  bool ReadLists(Error* error);
  Step NextCase(Error* error);
  Step TakeListed(Error* error);
  Step TakeUnlisted(Error* error);
  bool CheckAllCases(Error* error);
  bool CheckPlanEnd(Error* error);

  ResultsReader reader_;
  Json header_;
  std::string unknown_;
  std::unique_ptr<CasesOfPlan> planned_;
  AlikeCases alike_;
  CasesDigest digest_;
  uint64_t cases_ = 0;       // handed out so far
  Item ahead_ = Item::kEnd;  // the line that was read last
  bool used_ = false;        // and handed out
  bool cases_over_ = false;
  CaseLine case_;
};

// Whether `path` is a complete results file with the cases of its plan, where that is known.
bool CheckResults(const Specs& specs, const std::string& path, Error* error);

// Hands each case of a results file to `take`; a file whose plan is unknown has to have a line for each.
bool EachCaseOfResults(const Specs& specs, const std::string& path, const std::function<void(const CaseLine&)>& take,
                       Error* error);
// That with these specs, which have to outlive it.
EachCase EachCaseWith(const Specs& specs);

}  // namespace poolproof
