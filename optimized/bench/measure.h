// Who takes part in a workload, and how long each one takes.
#pragma once

#include <memory>
#include <vector>

#include "optimized/bench/contestant.h"
#include "optimized/bench/outcome.h"

namespace poolproof::optimized {

// Times of all libraries that were found, and our own.
std::vector<Entrant> AllEntrants();

struct MedianOptions {
  int repetitions = 7;
  double min_time = 0.02;  // seconds per repetition
};

// Medians of many runs of every contestant, in random order: of processor time where all have one thread.
Outcome MeasureMedians(const Workload& workload, const std::vector<Entrant>& entrants, const MedianOptions& options);

// The fastest of a few short runs of every contestant, in turn, by the clock: what other programs take away from one
// run they leave to another.
Outcome MeasureMinima(const Workload& workload, const std::vector<Entrant>& entrants);

}  // namespace poolproof::optimized
