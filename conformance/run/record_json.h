// Records as lines of the results file, and back.
#ifndef POOLPROOF_CONFORMANCE_RUN_RECORD_JSON_H_
#define POOLPROOF_CONFORMANCE_RUN_RECORD_JSON_H_

#include <optional>
#include <string>
#include <string_view>

#include "conformance/run/record.h"

namespace poolproof {

// What the end of a run adds to a record.
struct Closing {
  int group = 0;              // 0: none
  std::string baseline_json;  // value of "baseline", or empty
};

// Appends one line with its newline (reports/FORMAT.md). Bytes that are not UTF-8 are replaced.
void AppendRecord(const Record& record, const Closing& closing, std::string* out);

// The record of a line, as it was before the end of the run; the group is forgotten. Nothing, and a
// sentence without place, where the line is no case.
std::optional<Record> ParseRecord(const Specs& specs, std::string_view line, Error* error);

// The evidence of a case as text, the same for the same evidence.
std::string EvidenceWords(const Judgement& judgement);
// Likewise all explanations of a case that has several; empty where it has not.
std::string ExplanationWords(const Judgement& judgement);

// "first" or "nearest-even|nearest-away" for the bits of an Evidence; "none" for no bit.
std::string EvidenceText(reference::Entry entry, uint32_t readings);

}  // namespace poolproof

#endif  // POOLPROOF_CONFORMANCE_RUN_RECORD_JSON_H_
