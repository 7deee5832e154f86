#include "fuzz/exact_buffer.h"

#include <sanitizer/asan_interface.h>

#include <cstdint>

namespace poolproof::fuzz {
namespace {

constexpr size_t kZone = 4096;  // on both sides
constexpr size_t kGranule = 8;  // AddressSanitizer knows the end, not the begin, of each
constexpr size_t kCacheLine = 64;

}  // namespace

ExactBuffer::~ExactBuffer() {
  if (block_ != nullptr) ASAN_UNPOISON_MEMORY_REGION(block_.get(), capacity_ + 2 * kZone);
}

void ExactBuffer::Grow(size_t size) {
  if (block_ != nullptr) ASAN_UNPOISON_MEMORY_REGION(block_.get(), capacity_ + 2 * kZone);
  capacity_ = 2 * size + kZone;
  block_.reset(new std::byte[capacity_ + 2 * kZone]);
  ASAN_POISON_MEMORY_REGION(block_.get(), capacity_ + 2 * kZone);
  const auto address = reinterpret_cast<uintptr_t>(block_.get());
  data_ = block_.get() + (kZone / 2 - address % kCacheLine + kGranule);
  size_ = 0;
}

std::byte* ExactBuffer::Get(size_t size) {
  if (block_ == nullptr || size > capacity_) Grow(size);
  if (size < size_) {
    // From a granule's begin, since what is poisoned from its middle stays partly as it is.
    const size_t kept = size / kGranule * kGranule;
    ASAN_POISON_MEMORY_REGION(data_ + kept, size_ - kept);
  }
  ASAN_UNPOISON_MEMORY_REGION(data_, size);
  size_ = size;
  return data_;
}

}  // namespace poolproof::fuzz
