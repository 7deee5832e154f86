// Input for a workload, and comparison of outputs.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "optimized/bench/contestant.h"
#include "optimized/bench/memory.h"

namespace poolproof::optimized {

// Bytes read plus bytes written.
int64_t Bytes(const Workload& workload);

// Finite random elements, always the same ones.
Memory<char> MakeInput(const Workload& workload);

// "" if `other` computed what `ours` did: maxima and positions exactly, means up to rounding; otherwise
// the first difference. What a contestant does not give is not compared.
std::string Verify(const Workload& workload, Contestant& ours, Contestant& other);

}  // namespace poolproof::optimized
