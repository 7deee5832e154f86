// Header and footer of the results file (conformance/format/FORMAT.md).
#pragma once

#include <nlohmann/json_fwd.hpp>

#include "conformance/cases/plan.h"
#include "conformance/results/run_result.h"
#include "conformance/worker/lane.h"

namespace poolproof {

// The request of a run, as far as its results depend on it.
struct RunRequest {
  PlanOptions plan;
  LaneOptions lane;
  int jobs = 1;
  std::string profile = reference::DefaultProfile();
  std::map<std::string, std::string> reading_overrides;  // ledger id -> reading
  Selection selection;                                   // of the two
};

// The readings of a profile with overrides; both demand the readings of silences that they name. A
// sentence where a name is unknown.
std::optional<Selection> SelectReadings(const std::string& profile, const std::map<std::string, std::string>& overrides,
                                        Error* error);
// Those that a run was judged by, from its header.
std::optional<Selection> SelectReadings(const nlohmann::ordered_json& header, Error* error);

nlohmann::ordered_json MakeHeader(const Specs& specs, const RunRequest& request, const BackendInfo& backend);
// Adds the problems that led the random part, at the end of a run at level fuzz.
void AddCorpus(const Plan& plan, nlohmann::ordered_json* header);
nlohmann::ordered_json MakeGroup(const Specs& specs, const CauseGroup& group);
nlohmann::ordered_json MakeFooter(const RunResult& result);

// Empty, or a sentence that says which part of the plan or backend differs between the header of an
// interrupted run and that of the run that is to go on from it.
std::string HeaderDifference(const nlohmann::ordered_json& old, const nlohmann::ordered_json& now);

// One line, text that is not UTF-8 replaced.
std::string Line(const nlohmann::ordered_json& value);

}  // namespace poolproof
