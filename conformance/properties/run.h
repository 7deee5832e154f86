// Running a property against a backend in the caller's process.
#pragma once

#include "conformance/properties/in_process.h"
#include "conformance/properties/property.h"

namespace poolproof {

struct RoundResult {
  std::vector<Problem> problems;  // empty: the property has no problem for this seed
  PropertyVerdict verdict;
};

RoundResult RunRound(const Property& property, const Specs& specs, uint64_t seed, InProcessBackend* backend);

}  // namespace poolproof
