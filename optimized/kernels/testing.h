// Memory and values for tests of kernels, on every target of this machine.
#pragma once

#include <gtest/gtest.h>
#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <random>
#include <string>

#include "conformance/backend.h"
#include "optimized/core/target.h"
#include "optimized/kernels/types.h"

namespace poolproof::optimized {

inline constexpr poolproof_element_type kTypes[] = {POOLPROOF_F64, POOLPROOF_F32, POOLPROOF_F16, POOLPROOF_BF16,
                                                    POOLPROOF_I8,  POOLPROOF_U8,  POOLPROOF_I16, POOLPROOF_U16,
                                                    POOLPROOF_I32, POOLPROOF_U32, POOLPROOF_I64, POOLPROOF_U64};

// Memory whose last byte, or first one, is next to a page without access.
class Guarded {
 public:
  Guarded() : page_(static_cast<size_t>(sysconf(_SC_PAGESIZE))) {
    void* base = mmap(nullptr, kBytes + 2 * page_, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (base == MAP_FAILED) std::abort();
    begin_ = static_cast<char*>(base) + page_;
    if (mprotect(begin_, kBytes, PROT_READ | PROT_WRITE) != 0) std::abort();
  }
  ~Guarded() { munmap(begin_ - page_, kBytes + 2 * page_); }
  Guarded(const Guarded&) = delete;
  Guarded& operator=(const Guarded&) = delete;

  char* Get(size_t bytes, bool at_end) const {
    if (bytes > kBytes) std::abort();
    return at_end ? begin_ + kBytes - bytes : begin_;
  }
  // `count` elements that end where memory does: since counts differ, they begin at any multiple of their size.
  template <typename T>
  T* Last(int64_t count) const {
    return reinterpret_cast<T*>(Get(static_cast<size_t>(count) * sizeof(T), true));
  }

 private:
  static constexpr size_t kBytes = size_t{4} << 20;
  const size_t page_;
  char* begin_;
};

using Random = std::mt19937_64;

inline int64_t In(Random& random, int64_t low, int64_t high) {
  return low + static_cast<int64_t>(random() % static_cast<uint64_t>(high - low + 1));
}

// Element i of an array of `type` as a double, and the other way.
inline double Element(poolproof_element_type type, const void* array, int64_t i) {
  double value = 0;
  ForType(type, [&](auto element) {
    std::memcpy(&element, static_cast<const char*>(array) + i * static_cast<int64_t>(sizeof(element)), sizeof(element));
    value = ToDouble(element);
  });
  return value;
}
inline void SetElement(poolproof_element_type type, void* array, int64_t i, double value) {
  ForType(type, [&](auto zero) {
    const auto element = FromDouble<decltype(zero)>(value);
    std::memcpy(static_cast<char*>(array) + i * static_cast<int64_t>(sizeof(element)), &element, sizeof(element));
  });
}

inline bool IsFloat(poolproof_element_type type) {
  return type == POOLPROOF_F64 || type == POOLPROOF_F32 || type == POOLPROOF_F16 || type == POOLPROOF_BF16;
}
inline bool IsUnsigned(poolproof_element_type type) {
  return type == POOLPROOF_U8 || type == POOLPROOF_U16 || type == POOLPROOF_U32 || type == POOLPROOF_U64;
}

// Few different values, whose sums and quarters every type of lane holds exactly; those of unsigned types are large.
inline void FillExact(Random& random, poolproof_element_type type, void* array, int64_t count) {
  for (int64_t i = 0; i < count; ++i) {
    const double value = static_cast<double>(In(random, -9, 9));
    SetElement(type, array, i, IsFloat(type) ? value / 4 : IsUnsigned(type) ? value + 130 : value);
  }
}

// Calls test() with each target in turn, as far as the first failure.
template <class F>
void OnTargets(const F& test) {
  for (const std::string& target : Targets()) {
    SCOPED_TRACE(target);
    ASSERT_TRUE(SelectTarget(target));
    test();
    if (testing::Test::HasFailure()) break;
  }
  SelectTarget("");
}

// Defines a test that calls `function`, of which each target has its own, on every target in turn. In a part of the
// file that is compiled once (HWY_ONCE).
#define POOLPROOF_TEST_ON_TARGETS(suite, name, function) \
  HWY_EXPORT(function);                                  \
  TEST(suite, name) {                                    \
    OnTargets([] { HWY_DYNAMIC_DISPATCH(function)(); }); \
  }                                                      \
  static_assert(true, "for the semicolon")

}  // namespace poolproof::optimized
