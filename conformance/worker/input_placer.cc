#include "conformance/worker/input_placer.h"

#include <algorithm>
#include <cassert>
#include <cstring>

namespace poolproof::worker {

InputPlacer::InputPlacer(const SharedMemory& memory, int placements)
    : memory_(memory), placements_(placements), regions_(kInputRegions) {
  assert(placements >= 1 && placements <= kMaxPlacements);
}

void InputPlacer::Place(int batch, int slot, int i, uint64_t bytes, uint64_t element_size, CaseRequest* request) {
  assert(bytes <= kMaxTensorBytes && element_size > 0);
  for (int p = 0; p < placements_; ++p) {
    InputExtent& extent = request->extents[p][i];
    if (p > 0 && bytes > uint64_t{kOneCopyBytes}) {
      extent = request->extents[0][i];
    } else if (bytes <= kSmallRegion) {
      extent = {PlaceSmall(batch, slot, p, i, bytes, element_size), bytes, 0, 0};
    } else {
      extent = PlaceLarge(p, bytes, element_size);
    }
  }
}

uint64_t InputPlacer::PlaceSmall(int batch, int slot, int placement, int i, uint64_t bytes, uint64_t element_size) {
  const uint64_t begin = InputOffset(batch, slot, placement, i);
  Region& last = regions_[(begin - kInputsOffset) / kRegionStride];
  const uint64_t end = begin + kSmallRegion;
  const uint64_t offset = PlaceTensor(placement, begin, end, bytes, element_size);
  const int slack = static_cast<int>(kInputSlack);
  // The pages touched grow from the flush side; what was data last time becomes slack again.
  const uint64_t needed = placement == 0 ? end - offset / kPage * kPage : RoundUp(offset + bytes, kPage) - begin;
  if (needed > last.filled) {
    const uint64_t from = placement == 0 ? end - needed : begin + last.filled;
    std::memset(memory_.At(from), slack, needed - last.filled);
    last.filled = needed;
  }
  if (last.bytes > 0) std::memset(memory_.At(last.offset), slack, last.bytes);
  last.offset = offset;
  last.bytes = bytes;
  return offset;
}

InputExtent InputPlacer::PlaceLarge(int placement, uint64_t bytes, uint64_t element_size) {
  uint64_t& used = arena_used_[static_cast<size_t>(placement)];
  const uint64_t begin = InputArenaOffset(placement) + used + kGuard;
  const uint64_t end = begin + PagesFor(bytes);
  used += kGuard + RoundUp(end - begin, kGuard);
  assert(used <= kInputArena);
  const int slack = static_cast<int>(kInputSlack);
  std::memset(memory_.At(begin), slack, kPage);
  std::memset(memory_.At(end - kPage), slack, kPage);
  return {PlaceTensor(placement, begin, end, bytes, element_size), bytes, begin, end};
}

uint64_t InputPlacer::ArenaUsed() const { return *std::max_element(arena_used_.begin(), arena_used_.end()); }

}  // namespace poolproof::worker
