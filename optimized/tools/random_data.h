// Random elements of any type.
#ifndef POOLPROOF_OPTIMIZED_TOOLS_RANDOM_DATA_H_
#define POOLPROOF_OPTIMIZED_TOOLS_RANDOM_DATA_H_

#include <cstdint>

#include "conformance/backend.h"

namespace poolproof::optimized {

class Random;

// Chooses one of several kinds of content and writes `count` elements: any finite value, few different
// values (ties), only the lowest one, values next to the limits, and for floats NaN, infinities and both
// zeros among others, or little but zeros.
void FillRandomly(poolproof_element_type type, int64_t count, Random& random, void* data);
// Floats: little but zeros of either sign, so that they are the maxima of windows, with some NaN. Integers: any.
void FillWithZeros(poolproof_element_type type, int64_t count, Random& random, void* data);

}  // namespace poolproof::optimized

#endif  // POOLPROOF_OPTIMIZED_TOOLS_RANDOM_DATA_H_
