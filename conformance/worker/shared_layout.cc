#include "conformance/worker/shared_layout.h"

#include <algorithm>

#define XXH_INLINE_ALL
#include <xxhash.h>

namespace poolproof::worker {

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
  const uint64_t first = 1;
  const uint64_t drawn = XXH3_64bits(&seed, sizeof(seed)) ^ XXH3_64bits(&first, sizeof(first));
  return kPrefill[placement] ^ static_cast<std::byte>(drawn & 0xFF);
}

uint64_t HashOutput(const std::byte* data, uint64_t bytes) { return XXH3_64bits(data, bytes); }

}  // namespace poolproof::worker
