// The problems of the latest inputs: a mutator has just made what a harness is about to read, and
// reading a line takes longer than computing what it says.
#ifndef POOLPROOF_FUZZ_RECENT_PROBLEMS_H_
#define POOLPROOF_FUZZ_RECENT_PROBLEMS_H_

#include <string_view>

#include "conformance/cases/problem.h"

namespace poolproof::fuzz {

// ProblemFromBytes(BuiltInSpecs(), data, size), valid until the next call of either function.
const Problem& RecentProblem(const uint8_t* data, size_t size);

// `problem` is what `line` says.
void RememberProblem(std::string_view line, Problem problem);

// A number that depends on every byte: what a harness chooses by its input.
uint64_t HashOf(const uint8_t* data, size_t size);

}  // namespace poolproof::fuzz

#endif  // POOLPROOF_FUZZ_RECENT_PROBLEMS_H_
