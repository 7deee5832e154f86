// Header and footer of the results file (reports/FORMAT.md).
#ifndef POOLPROOF_CONFORMANCE_RUN_HEADER_H_
#define POOLPROOF_CONFORMANCE_RUN_HEADER_H_

#include <nlohmann/json_fwd.hpp>

#include "conformance/run/results_file.h"
#include "conformance/run/session.h"

namespace poolproof {

nlohmann::ordered_json MakeHeader(const Specs& specs, const SessionOptions& options, const BackendInfo& backend);
nlohmann::ordered_json MakeGroup(const Specs& specs, const Group& group);
nlohmann::ordered_json MakeFooter(const SessionResult& result);

// Empty, or a sentence that says which part of the plan or backend differs between the header of an
// interrupted run and that of the run that is to go on from it.
std::string HeaderDifference(const nlohmann::ordered_json& old, const nlohmann::ordered_json& now);

// The end of a run: writes groups and footer and completes the file. Fills `part` and `results_path`.
bool WriteEnd(const Specs& specs, const nlohmann::ordered_json& header, ResultsFile* file, SessionResult* result,
              Error* error);

// One line, text that is not UTF-8 replaced.
std::string Line(const nlohmann::ordered_json& value);

}  // namespace poolproof

#endif  // POOLPROOF_CONFORMANCE_RUN_HEADER_H_
