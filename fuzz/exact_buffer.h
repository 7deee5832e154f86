// Memory whose end a sanitizer knows to the byte.
#ifndef POOLPROOF_FUZZ_EXACT_BUFFER_H_
#define POOLPROOF_FUZZ_EXACT_BUFFER_H_

#include <cstddef>
#include <memory>

namespace poolproof::fuzz {

// Bytes between two zones that may not be touched: AddressSanitizer reports the first byte before and
// the first byte after. The memory is kept from size to size, since an allocation for each tensor
// takes longer than pooling it. Aligned for the largest element, and for nothing more.
class ExactBuffer {
 public:
  ExactBuffer() = default;
  ~ExactBuffer();
  ExactBuffer(const ExactBuffer&) = delete;
  ExactBuffer& operator=(const ExactBuffer&) = delete;

  // `size` bytes of unspecified content. What was got before is gone.
  std::byte* Get(size_t size);
  const std::byte* data() const { return data_; }

 private:
  void Grow(size_t size);

  std::unique_ptr<std::byte[]> block_;
  std::byte* data_ = nullptr;
  size_t size_ = 0, capacity_ = 0;
};

}  // namespace poolproof::fuzz

#endif  // POOLPROOF_FUZZ_EXACT_BUFFER_H_
