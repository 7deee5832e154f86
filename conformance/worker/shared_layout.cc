#include "conformance/worker/shared_layout.h"

#include <algorithm>

#define XXH_INLINE_ALL
#include <xxhash.h>

#include "conformance/worker/sanitizers.h"

namespace poolproof::worker {
namespace {

// 0 for seed 1.
uint64_t Drawn(uint64_t seed) {
  const uint64_t first = 1;
  return XXH3_64bits(&seed, sizeof(seed)) ^ XXH3_64bits(&first, sizeof(first));
}

}  // namespace

uint64_t PlaceTensor(int placement, uint64_t begin, uint64_t end, uint64_t bytes, uint64_t element_size) {
  const uint64_t room = (end - begin - bytes) / element_size * element_size;
  switch (placement) {
    case 0: return begin + room;
    case 1: return begin;
    default:
      // 64 + 1, 2, 4 or 8 bytes: no multiple of 16. A tensor that fills its pages has no slack to
      // move in.
      return begin + std::min(64 + element_size, room);
  }
}

uint64_t PagesFor(uint64_t bytes) { return RoundUp(bytes + 64 + sizeof(uint64_t), kPage); }

std::byte PrefillOf(uint64_t seed, int placement) {
  return kPrefill[placement] ^ static_cast<std::byte>(Drawn(seed) & 0xFF);
}

uint64_t BaseOf(uint64_t seed) {
  const uint64_t drawn = Drawn(seed);
  if (kThreadSanitizer || drawn == 0) return kWorkerBase;
  const uint64_t room = kBaseRoom - 2 * kTotalBytes;
  return kWorkerBase + kTotalBytes + drawn % (room / kPage) * kPage;
}

uint64_t HashOutput(const std::byte* data, uint64_t bytes) { return XXH3_64bits(data, bytes); }

}  // namespace poolproof::worker
