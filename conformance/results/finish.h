// The end of a run: what can be said only when all cases are known.
#ifndef POOLPROOF_CONFORMANCE_RESULTS_FINISH_H_
#define POOLPROOF_CONFORMANCE_RESULTS_FINISH_H_

#include <map>
#include <optional>

#include "conformance/format/reader.h"
#include "conformance/results/results_file.h"
#include "conformance/results/run_result.h"

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

// Ends a run whose cases are all in its file: puts into each what only the whole run knows. Until then the file is as
// the cases came in; it is written anew once, and only where that changes any.
class Ending {
 public:
  Ending(const Specs& specs, const reference::Readings& selected, ResultsFile* file, RunResult* result, Error* error)
      : specs_(specs), selected_(selected), file_(*file), result_(*result), error_(error) {}

  // Counts the cases anew where some contradict others or have several explanations.
  bool Count();
  // With the groups that have been found since: writes cases, groups and footer, says whether the run conforms, and
  // completes the file. `closed_before`: the file is of a run that had come to its end before.
  bool Write(const Json& header, bool closed_before, Baseline* baseline);

 private:
  // `more`: of the cases more may change than the group.
  bool WriteCases(bool more, Baseline* baseline);
  void Settle(Record* record) const;

  const Specs& specs_;
  const reference::Readings& selected_;
  ResultsFile& file_;
  RunResult& result_;
  Error* const error_;
  bool unsettled_ = false;  // cases contradict others or have several explanations
  Usuals usuals_;
  std::map<std::string, uint64_t> deviations_;
};

}  // namespace poolproof

#endif  // POOLPROOF_CONFORMANCE_RESULTS_FINISH_H_
