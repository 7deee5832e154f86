// Overhead of a call.
#ifndef POOLPROOF_OPTIMIZED_BENCH_OVERHEAD_H_
#define POOLPROOF_OPTIMIZED_BENCH_OVERHEAD_H_

namespace poolproof::optimized {

// Times calls that pool a handful of elements and prints their nanoseconds.
void PrintOverhead();

}  // namespace poolproof::optimized

#endif  // POOLPROOF_OPTIMIZED_BENCH_OVERHEAD_H_
