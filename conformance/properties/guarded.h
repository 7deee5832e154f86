// A buffer between two pages that nobody may touch.
#ifndef POOLPROOF_CONFORMANCE_PROPERTIES_GUARDED_H_
#define POOLPROOF_CONFORMANCE_PROPERTIES_GUARDED_H_

#include <sys/mman.h>
#include <unistd.h>

#include <cstddef>
#include <cstdint>
#include <cstdlib>

namespace poolproof {

class GuardedBuffer {
 public:
  // Room for up to `capacity` bytes. Aborts when there is no memory.
  explicit GuardedBuffer(size_t capacity) {
    page_ = static_cast<size_t>(sysconf(_SC_PAGESIZE));
    size_ = (capacity + page_ - 1) / page_ * page_;
    void* base = mmap(nullptr, size_ + 2 * page_, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (base == MAP_FAILED) std::abort();
    begin_ = static_cast<char*>(base) + page_;
    if (mprotect(begin_, size_, PROT_READ | PROT_WRITE) != 0) std::abort();
  }
  ~GuardedBuffer() { munmap(begin_ - page_, size_ + 2 * page_); }
  GuardedBuffer(const GuardedBuffer&) = delete;
  GuardedBuffer& operator=(const GuardedBuffer&) = delete;

  size_t capacity() const { return size_; }
  // `bytes` bytes that end at the upper guard, or begin at the lower one.
  char* AtEnd(size_t bytes) const { return begin_ + size_ - bytes; }
  char* AtBegin() const { return begin_; }

 private:
  size_t page_, size_;
  char* begin_;
};

}  // namespace poolproof

#endif  // POOLPROOF_CONFORMANCE_PROPERTIES_GUARDED_H_
