// Memory of tensors where the allocators of neural-network libraries put it: whole cache lines, the tensors of a call
// not all at the same place of a page.
#pragma once

#include <cstddef>
#include <new>
#include <vector>

#include "hwy/aligned_allocator.h"

namespace poolproof::optimized {

template <typename T>
struct LineAllocator {
  using value_type = T;

  T* allocate(size_t count) {
    void* memory = hwy::AllocateAlignedBytes(count * sizeof(T), nullptr, nullptr);
    if (memory == nullptr) throw std::bad_alloc();
    return static_cast<T*>(memory);
  }
  void deallocate(T* memory, size_t) { hwy::FreeAlignedBytes(memory, nullptr, nullptr); }
  bool operator==(const LineAllocator&) const = default;
};

template <typename T>
using Memory = std::vector<T, LineAllocator<T>>;

}  // namespace poolproof::optimized
