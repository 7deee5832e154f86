// Drawing the problems that a property starts from.
#pragma once

#include <functional>
#include <optional>
#include <string_view>
#include <vector>

#include "conformance/cases/choices.h"
#include "conformance/cases/problem.h"

namespace poolproof {

// Position of the output that holds indices.
std::optional<size_t> IndexOutput(const OperatorSpec& spec);

// A random problem of a function that takes every configuration, of an operator that `suits`,
// changed by `change`; nothing where no operator suits or, after some attempts, no changed problem
// is valid. `change` returns false for a problem that it cannot use. No NaN is among the values.
using Suits = std::function<bool(const OperatorSpec&)>;
using Change = std::function<bool(Problem*)>;
std::optional<Problem> DrawProblem(const Specs& specs, uint64_t seed, const Suits& suits, const Change& change);
inline bool Unchanged(Problem*) { return true; }

// Divided by another number than that of its taps, a sum is no mean.
void LeaveOutDivisor(Problem* problem);

// A problem with values of its own.
Problem WithData(Problem problem, std::vector<Number> data);

// Appends all problems if each of them is valid, otherwise none.
void AppendIfValid(std::vector<Problem> made, std::vector<Problem>* problems);

}  // namespace poolproof
