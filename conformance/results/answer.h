// The answer of a backend as one short word: the same for the same answer in every run.
#pragma once

#include <string>

#include "conformance/cases/plan.h"
#include "conformance/judge/judge.h"
#include "conformance/worker/lane.h"

namespace poolproof {

// 16 hexadecimal digits of SHA-256 over statuses, descriptions and bytes of the outputs, any NaN
// being any other; for an event over what happened. Messages and addresses are no part of it. Where
// an answer is one that varies (nondeterministic, written late), over that alone.
std::string AnswerDigest(const Call& call, Capacity capacity, const CaseResult& result, Verdict verdict);
// The same for an answer that was computed here; `inferred`: what infer_shapes answered.
std::string AnswerDigest(poolproof_status inferred, const Result& answer, Capacity capacity);
// Whether the digest is that of INVALID_ARGUMENT, from infer_shapes or from run.
bool IsRefusal(std::string_view digest);
// The digits of a digest as a number; 0 where there are none.
uint64_t AnswerNumber(std::string_view digest);
// For a case whose reading of a silence is what is wrong: over the evidence, as text.
std::string EvidenceDigest(std::string_view evidence);

// The end of a case, without anything that differs from run to run: no addresses, distances or
// process ids. "received signal SIGSEGV in run".
std::string EventCause(const CaseResult& result);

// Groups results that do not conform and that no known cause explains: what is wrong, and with which
// operator. The same for the same backend in every run.
std::string SignatureOf(const PlannedCase& planned, const Judgement& judgement, const CaseResult& result);
// Whether it is that of an error in place of an answer.
bool IsOfError(std::string_view signature);

// A sentence of a backend without words that may differ from run to run: those with a digit, and
// those that may be hexadecimal, are "#".
std::string StableWords(std::string_view text);

}  // namespace poolproof
