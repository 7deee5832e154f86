// State that the runner keeps of the batches of a lane, in memory that no backend reaches.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "conformance/worker/lane.h"
#include "conformance/worker/shared_layout.h"

namespace poolproof::worker {

struct LaneCase {
  bool infer_only = false;
  Capacity capacity;
  size_t input_count = 0, output_count = 0;
  uint64_t max_output_bytes = 0;
  size_t kind = 0;  // the same for calls of one operator with one element type
  // Inputs as they were written; none for the feature map of a case that is only inferred.
  std::array<std::vector<std::byte>, kMaxInputs> inputs;
  std::array<std::array<InputExtent, kMaxInputs>, kMaxPlacements> extents;
  // As they were when the batch was done.
  std::array<PlacementResponse, kMaxPlacements> responses;
  // An event is found while a batch runs, its case is reported when the batch is taken.
  Event event = Event::kNone;
  int event_placement = 0;
  std::string event_text;
  bool killed_before = false;  // by another process, and then run once more

  // Whether an input lies where it lies in the first placement.
  bool IsFirstAgain(size_t placement, size_t input) const {
    return placement > 0 && extents[placement][input].offset == extents[0][input].offset;
  }
  void SetEvent(Event what, int placement, std::string text) {
    event = what;
    event_placement = placement;
    event_text = std::move(text);
  }
};

struct LaneBatch {
  int count = 0;
  bool full = false;
  int64_t done = 0;          // when all of its cases had been run
  uint64_t large_bytes = 0;  // of inputs and outputs in the arenas
  // Bytes that it takes of the arenas, in every placement.
  std::array<uint64_t, kMaxPlacements> input_begin{}, input_end{}, output_begin{}, output_end{};
  std::vector<LaneCase> cases;  // kSlots of them once it has been used, `count` of them filled
};

}  // namespace poolproof::worker
