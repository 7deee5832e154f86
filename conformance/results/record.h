// One judged case as the run keeps it: as a record, and as a line of the results file.
#pragma once

#include <string>

#include "conformance/cases/plan.h"
#include "conformance/causes/diagnose.h"
#include "conformance/format/case_line.h"
#include "conformance/judge/judge.h"

namespace poolproof {

struct Record {
  uint64_t n = 0;
  std::string id;
  std::string line;
  Section section = Section::kRandom;
  const OperatorSpec* spec = nullptr;
  const Function* function = nullptr;
  poolproof_element_type type = POOLPROOF_F32;
  int64_t elements = 0;
  Judgement judgement;
  CauseSet causes;        // for what does not conform
  std::string signature;  // groups what no known cause explains
  std::string answer;     // AnswerDigest of what does not conform, or may turn out not to
  std::string with;       // id of the case that contradicts an inconsistent one
};

// The record of a case that is not judged yet.
inline Record RecordOf(const PlannedCase& planned) {
  Record record;
  record.n = planned.n;
  record.id = planned.id;
  record.line = planned.line;
  record.section = planned.section;
  record.spec = planned.problem.spec;
  record.function = planned.problem.function;
  record.type = planned.problem.type;
  record.elements = planned.problem.Elements();
  return record;
}

// Facts that the end of a run adds to a record.
struct Closing {
  int group = 0;  // 0: none
  std::optional<BaselineNote> baseline;
};

CaseLine LineOf(const Record& record, const Closing& closing = {});
inline void AppendRecord(const Record& record, const Closing& closing, std::string* out) {
  AppendLine(LineOf(record, closing), out);
}

// The record of a line, as it was before the end of the run; the group is forgotten.
Record RecordOf(const PlannedCase& planned, const CaseLine& line);
// Likewise where the plan is not at hand. Nothing, and a sentence without place, where its problem line is none.
std::optional<Record> RecordOf(const Specs& specs, const CaseLine& line, Error* error);
// Likewise from the text of a line.
std::optional<Record> ParseRecord(const Specs& specs, std::string_view line, Error* error);

// The evidence of a case as text, the same for the same evidence.
std::string EvidenceWords(const Judgement& judgement);
// Likewise all explanations of a case that has several; empty where it has not.
std::string ExplanationWords(const Judgement& judgement);

// "first" or "nearest-even|nearest-away" for the bits of an Evidence; "none" for no bit.
std::string EvidenceText(reference::Entry entry, uint32_t readings);

// A message of a backend, cut to 4,000 bytes: backends may say more than a reader can take in.
std::string BoundedMessage(const std::string& message);

}  // namespace poolproof
