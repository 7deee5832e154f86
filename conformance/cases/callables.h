// The functions that problems can be drawn for.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "conformance/cases/choices.h"
#include "conformance/cases/spec.h"

namespace poolproof {

// A function and the element types that it may be called with.
struct Callable {
  const OperatorSpec* spec;
  const Function* function;
  uint32_t without = 0;  // bit i: not with function->types[i]; at least one is left
};
// All that the specs have, operator by operator.
std::vector<Callable> AllCallables(const Specs& specs);
// One of them, which are grouped by operator: operators are equally likely, and of one the names that every backend has
// get most of the draws.
const Callable& DrawCallable(std::span<const Callable> callables, Choices& choices);

}  // namespace poolproof
