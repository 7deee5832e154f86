// The end of a run: what can be said only when all cases are known.
#ifndef POOLPROOF_CONFORMANCE_RESULTS_FINISH_H_
#define POOLPROOF_CONFORMANCE_RESULTS_FINISH_H_

#include <map>
#include <optional>

#include "conformance/results/diagnosis.h"
#include "conformance/results/results_file.h"
#include "conformance/results/run_result.h"
#include "reports/reader.h"

namespace poolproof {

// How the backend usually reads one silence.
struct Usual {
  uint32_t reading = 0;       // a number, not a bit
  bool contradicted = false;  // there are cases that do not agree
  std::string proof;          // the first case that agrees, and with no contradicting one
  // Of how quotients are rounded: the answers (RoundingAnswers) that most cases do not give, and per
  // question the first case that gives the usual one.
  uint32_t unusual_answers = 0;
  std::array<std::string, reference::kRoundingQuestions> answered;
};
using Usuals = std::map<std::string, Usual>;  // by ScopeKey

Usuals FindUsuals(const std::map<EvidenceKey, ReadingUse>& evidence,
                  const std::map<AnswerKey, ReadingUse>& answers = {});

// Decides with the knowledge of the whole run: chooses among several explanations the one that other
// cases support, and turns a pass that reads a silence in an unusual way into `inconsistent`.
// Returns the case that contradicts it then, otherwise "".
std::string Resolve(const Usuals& usuals, const std::map<std::string, uint64_t>& deviations,
                    const reference::Readings& selected, Record* record);

// How two cases contradict each other by themselves; "" where they do not.
std::string ContradictionOf(const reference::Readings& selected, Record first, Record second);

// The profile that explains most of the deviations of a run. Nothing where nothing deviates or no other profile
// explains any.
std::optional<ProfileHint> FindProfileHint(const Tally& tally, const std::string& selected);

// Resolves all cases and looks them up in the baseline; what changes is written into the results
// file and counted anew. `closed_before`: the file has been through this.
bool CloseCases(const Specs& specs, const reference::Readings& selected, bool closed_before, Baseline* baseline,
                ResultsFile* file, RunResult* result, Error* error);

// Writes into each case that does not conform the number of the group of its class. `group_of`: by
// class.
bool WriteGroups(const std::vector<Group>& classes, const std::vector<int>& group_of, ResultsFile* file, Error* error);

// Finds the causes and replaces the classes of the tally by groups, there and in the file.
bool GroupByCause(const Plan& plan, const Selection& selection, uint64_t end, const RightAlone& right_alone,
                  Tally* tally, ResultsFile* file, Error* error);

// The last step: decides whether the run conforms, writes groups and footer, and completes the file.
bool CloseRun(const Specs& specs, const reports::Json& header, Baseline* baseline, ResultsFile* file, RunResult* result,
              Error* error);

}  // namespace poolproof

#endif  // POOLPROOF_CONFORMANCE_RESULTS_FINISH_H_
