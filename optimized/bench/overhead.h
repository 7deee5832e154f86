// Overhead of a call.
#pragma once

namespace poolproof::optimized {

// Times calls that pool a handful of elements and prints their nanoseconds.
void PrintOverhead();

}  // namespace poolproof::optimized
