// Memory that grows and shrinks, whose ends are forbidden.
#include <gtest/gtest.h>

#include <cstring>

#include "conformance/properties/guarded.h"

namespace poolproof {
namespace {

constexpr size_t kSizes[] = {0, 1, 7, 8, 9, 100000, 3, 64, 63, 65, 0, 4097};

// Every byte is written, so that a sanitizer sees memory that forbids too much.
TEST(GuardedMemoryTest, GetsTheBytesThatAreAskedFor) {
  GuardedMemory memory;
  for (const Placement placement : {Placement::kAtEnd, Placement::kAtBegin}) {
    for (const size_t size : kSizes) {
      for (const size_t alignment : {1, 2, 4, 8}) {
        std::byte* data = memory.Get(size, placement, alignment);
        ASSERT_NE(data, nullptr);
        EXPECT_EQ(data, memory.data());
        EXPECT_EQ(reinterpret_cast<uintptr_t>(data) % alignment, 0u) << size;
        std::memset(data, 0x5a, size);
      }
    }
  }
}

void Touch(std::byte* at) { *static_cast<volatile std::byte*>(at) = std::byte{1}; }

TEST(GuardedMemoryDeathTest, ForbidsTheByteAfterTheEnd) {
  GuardedMemory memory;
  for (const size_t size : kSizes) {
    std::byte* data = memory.Get(size, Placement::kAtEnd);
    EXPECT_DEATH(Touch(data + size), "") << size;
  }
}

TEST(GuardedMemoryDeathTest, ForbidsTheByteBeforeTheBegin) {
  GuardedMemory memory;
  for (const size_t size : kSizes) {
    std::byte* data = memory.Get(size, Placement::kAtBegin);
    EXPECT_DEATH(Touch(data - 1), "") << size;
  }
}

}  // namespace
}  // namespace poolproof
