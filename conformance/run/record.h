// What the run keeps of one judged case.
#ifndef POOLPROOF_CONFORMANCE_RUN_RECORD_H_
#define POOLPROOF_CONFORMANCE_RUN_RECORD_H_

#include <string>

#include "conformance/judge/diagnose.h"
#include "conformance/judge/judge.h"
#include "conformance/run/plan.h"

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

}  // namespace poolproof

#endif  // POOLPROOF_CONFORMANCE_RUN_RECORD_H_
