// The end of a run: what can be said only when all cases are known.
#pragma once

#include <map>
#include <optional>

#include "conformance/format/reader.h"
#include "conformance/results/results_file.h"
#include "conformance/results/run_result.h"

namespace poolproof {

// How the backend reads one silence in most cases.
struct MajorityReading {
  uint32_t reading = 0;       // a number, not a bit
  bool contradicted = false;  // there are cases that do not agree
  std::string proof;          // the first case that agrees, and with no contradicting one
  // Rounding of quotients: the answers (RoundingAnswers) that most cases do not give, and per
  // question the first case that gives the majority's.
  uint32_t minority_answers = 0;
  std::array<std::string, reference::kRoundingQuestions> answered;
};
using MajorityReadings = std::map<std::string, MajorityReading>;  // by ScopeKey

MajorityReadings FindMajorityReadings(const std::map<EvidenceKey, ReadingUse>& evidence,
                                      const std::map<AnswerKey, ReadingUse>& answers = {});

// Decides with the knowledge of the whole run: chooses among several explanations the one that other
// cases support, and turns a pass that reads a silence in an unusual way into `inconsistent`.
// Returns the case that contradicts it then, otherwise "".
std::string Resolve(const MajorityReadings& majorities, const std::map<std::string, uint64_t>& deviations,
                    const reference::Selection& selected, Record* record);

// Cases that contradict a reading of an entry that is no silence, by the entry and bit of the reading: the first each.
using RefutedReadings = std::map<std::pair<reference::Entry, uint8_t>, std::string>;
RefutedReadings FindRefutedReadings(const std::map<EvidenceKey, ReadingUse>& evidence);

// Takes such readings from the explanations of a refusal that has others.
void DropRefuted(const RefutedReadings& refuted, Record* record);
// A refusal that only such a reading excuses is wrong: says so, and by which case.
void RejectExcuse(const RefutedReadings& refuted, Record* record);

// How two cases contradict each other by themselves; "" where they do not.
std::string ContradictionOf(const reference::Selection& selected, Record first, Record second);

// Ends a run whose cases are all in its file, a line for each: writes the complete file, with what only the whole run
// knows, and without what lists and counts say as well.
class RunCloser {
 public:
  // `baseline` may be null. The tally of `result` is of all cases, and for `header`.
  RunCloser(const Specs& specs, const reference::Selection& selected, const Json& header, Baseline* baseline,
            ResultsFile* file, RunResult* result, Error* error)
      : specs_(specs),
        selected_(selected),
        header_(header),
        baseline_(baseline),
        file_(*file),
        result_(*result),
        error_(error) {}

  // The tally that a run with this header and baseline begins with.
  static Tally EmptyTally(const Json& header, const Baseline* baseline);
  // Counts the cases again where some contradict others or have several explanations.
  bool Recount();
  // With the groups that have been found since: writes the complete file, says whether the run conforms.
  bool Write();

 private:
  bool WriteCases(std::string* out, const ResultsFile::Flush& flush);
  void WriteEnd(std::string* out);
  void ResolveCase(Record* record) const;

  const Specs& specs_;
  const reference::Selection& selected_;
  const Json& header_;
  Baseline* const baseline_;
  ResultsFile& file_;
  RunResult& result_;
  Error* const error_;
  MajorityReadings majorities_;
  std::map<std::string, uint64_t> deviations_;
  RefutedReadings refuted_;
};

}  // namespace poolproof
