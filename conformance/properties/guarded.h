// Memory for tensors in the caller's own process: the bytes before and after are forbidden.
#pragma once

#include <cstddef>
#include <cstdint>

namespace poolproof {

// Which end of the memory meets an unmapped page. With AddressSanitizer the other end is forbidden as well.
enum class Placement : uint8_t { kAtEnd, kAtBegin };

// Memory between two unmapped pages. It is kept from size to size, since mapping it for each tensor takes longer than
// pooling it.
class GuardedMemory {
 public:
  GuardedMemory() = default;
  ~GuardedMemory();
  GuardedMemory(const GuardedMemory&) = delete;
  GuardedMemory& operator=(const GuardedMemory&) = delete;

  // `size` bytes of unspecified content, which replace those of the last call. They are aligned to `alignment` bytes,
  // of 1, 2, 4 or 8, and with AddressSanitizer to 8; at the end no further. Aborts where there is no memory.
  std::byte* Get(size_t size, Placement placement, size_t alignment = 1);
  const std::byte* data() const { return data_; }

 private:
  void Map(size_t size);
  void Unmap();

  std::byte* begin_ = nullptr;  // after the first unmapped page
  std::byte* data_ = nullptr;
  size_t size_ = 0, capacity_ = 0;  // bytes
};

}  // namespace poolproof
