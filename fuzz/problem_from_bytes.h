// The one decoder from fuzzer bytes to problems.
//
// Bytes that begin with a problem line are that problem, so corpora are text, crashes are problem
// lines, and the mutator works on problems. Any other bytes are decisions of the random generator.
#ifndef POOLPROOF_FUZZ_PROBLEM_FROM_BYTES_H_
#define POOLPROOF_FUZZ_PROBLEM_FROM_BYTES_H_

#include <cstddef>
#include <cstdint>

#include "conformance/cases/problem.h"

namespace poolproof::fuzz {

// The problem that the bytes mean: always one that a line can say, not always a valid call.
Problem ProblemFromBytes(const Specs& specs, const uint8_t* data, size_t size);

// Elements of a tensor, and taps of all windows together.
struct Work {
  int64_t elements = 20000;
  int64_t taps = 50000;
};

// Whether computing a call is quick enough for a fuzzer, its outputs being described.
bool IsQuick(const Problem& problem, const poolproof_call& call, const Work& limit = {});

}  // namespace poolproof::fuzz

#endif  // POOLPROOF_FUZZ_PROBLEM_FROM_BYTES_H_
