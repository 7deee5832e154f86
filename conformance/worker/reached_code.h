// Code of a backend that its calls reach, where its compiler was told to count that: clang by -fsanitize=fuzzer-no-link
// or by -fsanitize-coverage=inline-8bit-counters or trace-pc-guard, GCC by -fsanitize-coverage=trace-pc.
#pragma once

#include <cstdint>

namespace poolproof::worker {

// Places of the backend's code that were reached since the last call of this, and had not been reached before, or not
// in that order of magnitude as often (1, 2, 3, 4 to 7, 8 to 15, 16 to 31, 32 to 127 times, more). 0 where it counts
// nothing.
uint32_t CountNewCode();

}  // namespace poolproof::worker
