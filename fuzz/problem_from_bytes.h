// The one decoder from fuzzer bytes to problems.
//
// Bytes that begin with a problem line are that problem, so corpora are text, crashes are problem
// lines, and the mutator works on problems. Any other bytes are decisions of the random generator.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

#include "conformance/cases/mutate.h"
#include "conformance/cases/problem.h"
#include "conformance/properties/in_process.h"

namespace poolproof::fuzz {

// The problem that the bytes mean: always one that a line can say, not always a valid call.
Problem ProblemFromBytes(const Specs& specs, const uint8_t* data, size_t size);

// ProblemFromBytes(BuiltInSpecs(), data, size), valid until the next call of this or of RememberProblem. Problems of
// the latest inputs are kept: a mutator has just made what a harness is about to read, and reading a line takes longer
// than computing what it says.
const Problem& RecentProblem(const uint8_t* data, size_t size);

// `problem` is what `line` says.
void RememberProblem(std::string_view line, Problem problem);

// A number that depends on every byte: what a harness chooses by its input.
uint64_t HashOf(const uint8_t* data, size_t size);

// Where the tensors lie and what the outputs hold before the call, of four ways by the hash of an input.
TensorLayout DrawLayout(uint64_t hash);

}  // namespace poolproof::fuzz
