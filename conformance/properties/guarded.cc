#include "conformance/properties/guarded.h"

#include <sanitizer/asan_interface.h>
#include <sys/mman.h>
#include <unistd.h>

#include <cstdlib>

namespace poolproof {
namespace {

// AddressSanitizer knows the end, not the begin, of each piece of this number of bytes.
constexpr size_t kGranule = 8;

#if defined(__SANITIZE_ADDRESS__)
constexpr bool kSanitized = true;
#elif defined(__has_feature)
constexpr bool kSanitized = __has_feature(address_sanitizer);
#else
constexpr bool kSanitized = false;
#endif

size_t PageBytes() {
  static const auto bytes = static_cast<size_t>(sysconf(_SC_PAGESIZE));
  return bytes;
}

}  // namespace

GuardedMemory::~GuardedMemory() { Unmap(); }

void GuardedMemory::Map(size_t size) {
  Unmap();
  const size_t page = PageBytes();
  capacity_ = (2 * size + kGranule) / page * page + page;
  void* base = mmap(nullptr, capacity_ + 2 * page, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (base == MAP_FAILED) std::abort();
  begin_ = static_cast<std::byte*>(base) + page;
  if (mprotect(begin_, capacity_, PROT_READ | PROT_WRITE) != 0) std::abort();
  ASAN_POISON_MEMORY_REGION(begin_, capacity_);
  data_ = begin_;
  size_ = 0;
}

void GuardedMemory::Unmap() {
  if (begin_ == nullptr) return;
  ASAN_UNPOISON_MEMORY_REGION(begin_, capacity_);
  munmap(begin_ - PageBytes(), capacity_ + 2 * PageBytes());
}

std::byte* GuardedMemory::Get(size_t size, Placement placement, size_t alignment) {
  if (begin_ == nullptr || size + kGranule > capacity_) Map(size);
  ASAN_POISON_MEMORY_REGION(data_, size_);
  if (kSanitized) alignment = kGranule;
  // A sanitized tensor does not begin with the page: kernels may rely on no more than the alignment.
  const size_t first = kSanitized ? kGranule : 0;
  data_ = begin_ + (placement == Placement::kAtBegin ? first : (capacity_ - size) / alignment * alignment);
  ASAN_UNPOISON_MEMORY_REGION(data_, size);
  size_ = size;
  return data_;
}

}  // namespace poolproof
