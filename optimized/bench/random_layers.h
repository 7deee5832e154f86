// Layers as networks have them, drawn for each seed.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "optimized/bench/workload.h"

namespace poolproof::optimized {

// Layer `number` of `seed`, the same ones on every machine: 1 to 3 axes, 3 to 512 channels, axes of 5 to 128 elements
// (one axis alone: to 16,384), kernels of 2 to 9, strides of 1 to 4, padding up to half a kernel, 0.1 to 4 MiB of f32
// or as many elements of another type; maxima with and without index, means, adaptive pooling.
Workload RandomLayer(uint64_t seed, int64_t number);

// The classes that a layer is counted in, several of them: "8-bit", "index", "3-D", ...
std::vector<std::string> ClassesOf(const Workload& w);
// All of them in the order in which they are printed.
const std::vector<std::string>& Classes();

}  // namespace poolproof::optimized
