// Random problems that are valid under the profile "documented", small, and rich in what goes
// wrong: padding, dilation, windows past the end and without a tap, ties, NaN, absent attributes,
// every type, rank and specialization.
#pragma once

#include <cstdint>
#include <span>

#include "conformance/cases/callables.h"
#include "conformance/cases/choices.h"
#include "conformance/cases/problem.h"

namespace poolproof {

// Problem number `index` of the sequence `seed`: the same for the same specs, on every machine.
// `specs` has at least one operator and outlives the problem.
Problem RandomProblem(const Specs& specs, uint64_t seed, uint64_t index);

// A problem of one of the callables, which are grouped by operator.
Problem RandomProblem(std::span<const Callable> callables, Choices& choices);
Problem RandomProblem(std::span<const Callable> callables, uint64_t seed, uint64_t index);

// The same from any source of decisions. Whatever the decisions, the problem is valid.
Problem RandomProblem(const Specs& specs, Choices& choices);
Problem RandomProblem(const OperatorSpec& spec, const Function& function, Choices& choices);

}  // namespace poolproof
