// Where the inputs of a batch lie in the shared memory, with slack of a known byte around them.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "conformance/worker/shared_memory.h"

namespace poolproof::worker {

class InputPlacer {
 public:
  InputPlacer(const SharedMemory& memory, int placements);

  // Gives input `i` of a case its place in every placement.
  void Place(int batch, int slot, int i, uint64_t bytes, uint64_t element_size, CaseRequest* request);
  // How far the fullest arena is filled, as an offset into it.
  uint64_t ArenaUsed() const;
  // Nothing in the arenas is in use any more.
  void TurnArenas() { arena_used_ = {}; }

 private:
  // Where a region has been written, so that it can be made slack again.
  struct Region {
    uint64_t filled = 0;  // bytes of the region that hold slack or data, from its flush side
    uint64_t offset = 0;  // the data of the last case
    uint64_t bytes = 0;
  };

  uint64_t PlaceSmall(int batch, int slot, int placement, int i, uint64_t bytes, uint64_t element_size);
  InputExtent PlaceLarge(int placement, uint64_t bytes, uint64_t element_size);

  const SharedMemory& memory_;
  int placements_;
  std::vector<Region> regions_;
  std::array<uint64_t, kMaxPlacements> arena_used_{};
};

}  // namespace poolproof::worker
