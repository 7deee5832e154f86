// Somebody who can compute a workload: our backend, a plain loop, memcpy as the limit, or a library found
// on the machine.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "optimized/bench/workload.h"

namespace poolproof::optimized {

class Contestant {
 public:
  virtual ~Contestant() = default;
  // Computes the workload once, into memory that is reused.
  virtual void Run() = 0;
  // The values in the workload's layout and type, or nullptr if Run gives none.
  virtual const void* Values() { return nullptr; }
  // Positions as the document counts them, or nullptr.
  virtual const int64_t* Indices() { return nullptr; }
};

enum class Role {
  kOurs,
  kTwoThreads,    // ours again
  kWithoutIndex,  // ours, values only, where the workload has an index
  kPlain,         // a loop as one writes it
  kLimit,         // memcpy of the same bytes
  kIndexLimit,    // memcpy of as many bytes as the index has
  kValuesLimit,   // memcpy of the same bytes but those of the index
  kPeer,          // a library, plain [N,C,...] layout
  kAnyLayout,     // a library in the layout it likes best; reordering is not counted
};

struct Entrant {
  std::string name;
  Role role;
  // nullptr where it does not have the workload. `input` outlives the contestant.
  std::unique_ptr<Contestant> (*enter)(const Workload& workload, const void* input);
};

// Threads that every contestant is to use.
void SetBenchmarkThreads(int threads);
int BenchmarkThreads();

// Name of the kernel of ours that computes the workload.
std::string ChosenKernel(const Workload& workload);

// One list per source file; those of libraries that were not found are empty.
std::vector<Entrant> OwnEntrants();
std::vector<Entrant> OnednnEntrants();
std::vector<Entrant> TorchEntrants();
std::vector<Entrant> XnnpackEntrants();
std::vector<Entrant> OpencvEntrants();

}  // namespace poolproof::optimized
