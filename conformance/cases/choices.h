// Where a generator takes its decisions from: a seed, or the bytes of a fuzzer. The same generator
// thereby serves the random part of a run, the property tests and the fuzz harnesses.
#pragma once

#include <algorithm>
#include <bit>
#include <cassert>
#include <cstddef>
#include <cstdint>
#include <span>

namespace poolproof {

class Choices {
 public:
  // Decisions from a pseudo-random sequence, equal on every machine.
  explicit Choices(uint64_t seed) : state_(seed) {}
  // Decisions from bytes; when they are used up every decision is 0. One byte serves each decision
  // with at most 256 outcomes, so that a fuzzer changes one decision by changing one byte.
  explicit Choices(std::span<const uint8_t> bytes) : bytes_(bytes), from_bytes_(true) {}

  // A number in [0, count); count >= 1.
  uint64_t Below(uint64_t count) {
    assert(count >= 1);
    if (from_bytes_) return FromBytes(count);
    // The upper half of a product spreads 32 random bits over the range without a division.
    return count <= UINT32_MAX ? ((Next() >> 32) * count) >> 32 : Next() % count;
  }
  // A number in [first, last].
  int64_t Between(int64_t first, int64_t last) {
    assert(first <= last);
    return first + static_cast<int64_t>(Below(static_cast<uint64_t>(last - first) + 1));
  }
  // A number in [first, last], each octave of it as likely as the others; first >= 1.
  int64_t Log(int64_t first, int64_t last) {
    assert(first >= 1 && first <= last);
    const uint64_t octaves = std::bit_width(static_cast<uint64_t>(last / first));
    const int64_t from = first << Below(octaves);
    return Between(from, std::min(last, 2 * from - 1));
  }
  // True in `percent` of 100 cases; false once bytes are used up.
  bool Percent(unsigned percent) { return Below(100) >= 100 - percent; }
  template <typename List>
  const auto& Of(const List& list) {
    return *(std::begin(list) + static_cast<ptrdiff_t>(Below(std::size(list))));
  }

 private:
  uint64_t Next() {  // splitmix64
    uint64_t z = (state_ += 0x9e3779b97f4a7c15u);
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return z ^ (z >> 31);
  }
  uint64_t FromBytes(uint64_t count) {
    uint64_t value = 0;
    for (uint64_t reach = 1; reach < count && used_ < bytes_.size(); reach <<= 8) {
      value = value << 8 | bytes_[used_++];
      if (reach >> 56 != 0) break;
    }
    return value % count;
  }

  uint64_t state_ = 0;
  std::span<const uint8_t> bytes_;
  size_t used_ = 0;
  bool from_bytes_ = false;
};

}  // namespace poolproof
