// Combinations of parameter values in which every pair of values occurs.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

namespace poolproof {

// Rows of one value number per parameter, value p being below counts[p] (each at least 1), such
// that for any two parameters and any value of each some row has both. Greedy: each row starts from
// a pair that is still missing and takes, parameter by parameter, the value that completes most
// missing pairs. About 1.3 times as many rows as the two largest counts multiplied. Deterministic.
std::vector<std::vector<size_t>> CoverPairs(std::span<const size_t> counts);

}  // namespace poolproof
