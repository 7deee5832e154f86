#include "conformance/worker/output_slack.h"

#include <cstring>

namespace poolproof::worker {
namespace {

struct Pages {
  uint64_t begin;
  uint64_t end;
};

// No page for an empty tensor on a page boundary: it lies between two guards.
Pages PagesOf(const std::byte* data, uint64_t bytes) {
  const uint64_t begin = reinterpret_cast<uint64_t>(data);
  return {begin / kPage * kPage, RoundUp(begin + bytes, kPage)};
}

bool AllEqual(const std::byte* begin, uint64_t bytes, std::byte value) {
  if (bytes == 0) return true;
  // Comparing the range with itself moved by one byte lets memcmp do it.
  return begin[0] == value && std::memcmp(begin, begin + 1, bytes - 1) == 0;
}

}  // namespace

void FillPages(std::byte* data, uint64_t bytes, std::byte value) {
  const Pages pages = PagesOf(data, bytes);
  std::memset(reinterpret_cast<void*>(pages.begin), static_cast<int>(value), pages.end - pages.begin);
}

bool FindDamage(const std::byte* data, uint64_t bytes, std::byte value, SlackDamage* damage) {
  const Pages pages = PagesOf(data, bytes);
  const uint64_t before = reinterpret_cast<uint64_t>(data) - pages.begin;
  const uint64_t after = pages.end - reinterpret_cast<uint64_t>(data) - bytes;
  if (pages.begin == pages.end) return false;
  const std::byte* past_end = data + bytes;
  const bool before_intact = AllEqual(data - before, before, value);
  if (before_intact && AllEqual(past_end, after, value)) return false;

  damage->past_end = before_intact;
  damage->bytes = 0;
  damage->distance = 0;
  const uint64_t size = before_intact ? after : before;
  for (uint64_t distance = 1; distance <= size; ++distance) {
    const std::byte got = before_intact ? past_end[distance - 1] : *(data - distance);
    if (got == value) continue;
    if (damage->bytes == 0) damage->distance = distance;
    ++damage->bytes;
  }
  return true;
}

}  // namespace poolproof::worker
