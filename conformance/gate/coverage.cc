// `conformance coverage`: which clauses of the documents how many problems exercise, and how large
// these are.

#include <fmt/format.h>

#include <map>
#include <memory>

#include "conformance/cases/fill.h"
#include "conformance/cases/names.h"
#include "conformance/gate/command.h"
#include "conformance/gate/size_table.h"

namespace poolproof {
namespace {

struct CoverageOptions {
  uint64_t seed = 1, random = 20000;
  bool missing_only = false;
};

// Counts problems per clause; knows of each case which ledger entries its result depends on.
class Coverage {
 public:
  explicit Coverage(const Specs& specs) : specs_(specs) {}

  void Add(const PlannedCase& planned) {
    ++cases_;
    std::vector<std::string_view> touched = Touched(planned);
    sizes_.Add(planned.problem, expected_.result());
    Occasion occasion;
    occasion.touched = touched;
    if (planned.invalid != nullptr) occasion.rule = planned.invalid->rule;
    if (planned.example != nullptr) occasion.example = planned.example->id;
    const ProblemSubject subject(*specs_.names, planned.problem, occasion);
    for (const Document& document : specs_.documents) {
      for (const Clause& clause : document.clauses) {
        if (clause.exercised_when->Holds(subject)) ++counts_[clause.id];
      }
    }
  }

  // Number of clauses that no problem exercises.
  int Print(bool missing_only) const {
    int missing = 0;
    for (const Document& document : specs_.documents) {
      fmt::print("{}  {}\n", document.id, document.title);
      for (const Clause& clause : document.clauses) {
        const auto it = counts_.find(clause.id);
        const uint64_t count = it == counts_.end() ? 0 : it->second;
        missing += count == 0 ? 1 : 0;
        if (count == 0 || !missing_only) fmt::print("{:>10}  {}\n", count, clause.id);
      }
    }
    if (!missing_only) fmt::print("problems by size\n{}", sizes_.Text());
    fmt::print("{} problems, {} clauses without one\n", cases_, missing);
    return missing;
  }

 private:
  std::vector<std::string_view> Touched(const PlannedCase& planned) {
    call_.Bind(planned.problem);
    const bool infer_only = planned.problem.ShapesAlone();
    input_.resize(infer_only ? 0 : call_.inputs[0].size_bytes);
    if (!input_.empty()) FillInput(planned.problem, input_.data());
    call_.inputs[0].data = input_.data();
    expected_.Compute(call_, {}, infer_only, planned.problem.capacity);
    std::vector<std::string_view> ids;
    for (size_t e = 0; e < reference::kEntryCount; ++e) {
      const auto entry = static_cast<reference::Entry>(e);
      if (expected_.touched().Has(entry)) ids.push_back(reference::EntryId(entry));
    }
    return ids;
  }

  const Specs& specs_;
  std::map<std::string, uint64_t> counts_;
  SizeTable sizes_;
  uint64_t cases_ = 0;
  Call call_;
  Expected expected_;
  std::vector<std::byte> input_;
};

void CountAll(const CoverageOptions& options, Program& program) {
  const std::optional<Specs> specs = program.Load();
  if (!specs) return;
  PlanOptions plan_options;
  plan_options.seed = options.seed;
  plan_options.random_count = options.random;
  Error error;
  const std::optional<Plan> plan = Plan::Make(*specs, plan_options, &error);
  if (!plan) return program.Fail(kUsage, error.message);
  Coverage coverage(*specs);
  PlannedCase planned;
  for (uint64_t n = 0; n < plan->Size(); ++n) {
    if (plan->Get(n, &planned)) coverage.Add(planned);
  }
  if (coverage.Print(options.missing_only) > 0) program.exit_code = kDoesNotConform;
}

}  // namespace

void AddCoverageCommand(Command app, Program& program) {
  auto options = std::make_shared<CoverageOptions>();
  Command coverage =
      app.AddCommand("coverage", "Count the problems that exercise each clause of each document, and problems by size");
  coverage.AddOption("--random", options->random, "Number of random problems to count besides the fixed ones")
      .Checked(RandomCount())
      .ShowDefault();
  coverage.AddOption("--seed", options->seed, "Seed of the random part").Checked(Seed()).ShowDefault();
  coverage.AddFlag("--missing", options->missing_only, "Print only the clauses that no problem exercises");
  coverage.Do([&program, options] { CountAll(*options, program); });
}

}  // namespace poolproof
