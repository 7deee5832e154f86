// For which of many problems a condition holds.
#pragma once

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace poolproof {

class Bits {
 public:
  explicit Bits(size_t size) : words_((size + 63) / 64) {}
  void Set(size_t i) { words_[i / 64] |= uint64_t{1} << i % 64; }
  size_t Count() const {
    size_t count = 0;
    for (const uint64_t word : words_) count += static_cast<size_t>(std::popcount(word));
    return count;
  }
  Bits And(const Bits& other) const {
    Bits both = *this;
    for (size_t i = 0; i < words_.size(); ++i) both.words_[i] &= other.words_[i];
    return both;
  }
  // The count of what And gives, without making it.
  size_t CountBoth(const Bits& other) const {
    size_t count = 0;
    for (size_t i = 0; i < words_.size(); ++i) count += static_cast<size_t>(std::popcount(words_[i] & other.words_[i]));
    return count;
  }
  bool Empty() const {
    return std::all_of(words_.begin(), words_.end(), [](uint64_t word) { return word == 0; });
  }
  bool Meets(const Bits& other) const {
    for (size_t i = 0; i < words_.size(); ++i) {
      if ((words_[i] & other.words_[i]) != 0) return true;
    }
    return false;
  }
  friend bool operator==(const Bits&, const Bits&) = default;

 private:
  std::vector<uint64_t> words_;
};

}  // namespace poolproof
