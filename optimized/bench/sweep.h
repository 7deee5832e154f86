// Our times against those of others over many layers, by class.
#pragma once

#include <string>
#include <vector>

#include "optimized/bench/outcome.h"

namespace poolproof::optimized {

// One layer of a sweep.
struct Swept {
  std::vector<std::string> classes;
  std::string kernel;  // of ours
  Outcome outcome;
};

// Per class and in all: geometric mean, lowest tenth and lowest of the times of others divided by ours, and how many
// layers are slower than the peer; then every layer that is slower than a peer of the same layout, the layers of each
// class that are furthest from memcpy, and the goals.
void PrintSweep(const std::vector<Swept>& layers);

}  // namespace poolproof::optimized
