#include "fuzz/known_causes.h"

#include <algorithm>
#include <sstream>

#include "conformance/cases/plan.h"
#include "conformance/format/line_file.h"
#include "conformance/results/answer.h"
#include "conformance/results/baseline.h"

namespace poolproof::fuzz {

std::vector<std::string> CauseNames(const Problem& problem, AgainstOracle& comparison) {
  static Diagnostician diagnostician;
  Record record;
  const Judgement& judgement = comparison.judgement();
  record.causes = diagnostician.Diagnose(comparison.call(), comparison.oracle(), comparison.got());
  PlannedCase planned;
  planned.problem = problem;
  record.signature =
      judgement.verdict == Verdict::kInconsistent ? judgement.message : SignatureOf(planned, judgement, CaseResult());
  std::vector<std::string> names = poolproof::CauseNames(record);
  if (names.size() > 1) names.pop_back();
  return names;
}

std::optional<KnownCauses> KnownCauses::Load(const std::string& found, const std::string& baseline, Error* error) {
  KnownCauses known;
  if (!found.empty()) {
    LineFile file;
    if (!file.Open(found, error)) return std::nullopt;
    std::string_view line;
    LineFile::Got got{};
    while ((got = file.Next(&line, error)) == LineFile::Got::kLine) {
      std::istringstream words{std::string(line)};
      std::vector<std::string>& names = known.findings_.emplace_back();
      for (std::string name; std::getline(words, name, '\t');) names.push_back(name);
    }
    if (got == LineFile::Got::kError) return std::nullopt;
  }
  if (!baseline.empty() && !known.AddBaseline(baseline, error)) return std::nullopt;
  return known;
}

bool KnownCauses::AddBaseline(const std::string& path, Error* error) {
  const std::optional<BaselineFile> file = ReadBaselineFile(path, error);
  if (!file) return false;
  PlanOptions options;
  options.level = Level::kFull;
  options.random_count = 0;
  const std::optional<Plan> plan = Plan::Make(BuiltInSpecs(), options, error);
  if (!plan) return false;
  for (const BaselineBlock& block : file->blocks) {
    if (block.cause.empty() || block.HasExpired()) continue;
    findings_.push_back({block.cause});
    for (const std::string& cause : block.also) findings_.push_back({cause});
  }
  PlannedCase planned;
  for (uint64_t n = 0; n < plan->Size(); ++n) {
    if (!plan->Get(n, &planned)) continue;
    const auto listed = file->CasesOf(planned.id);
    const bool known = std::any_of(listed.begin(), listed.end(),
                                   [&](const BaselineCase& c) { return !file->blocks[c.block].HasExpired(); });
    if (known) lines_.insert(planned.line);
  }
  return true;
}

bool KnownCauses::Explain(std::span<const std::string> names) const {
  return std::any_of(findings_.begin(), findings_.end(), [&](const std::vector<std::string>& finding) {
    return std::all_of(finding.begin(), finding.end(), [&](const std::string& name) {
      return std::find(names.begin(), names.end(), name) != names.end();
    });
  });
}

}  // namespace poolproof::fuzz
