// The runner's clock.
#pragma once

#include <time.h>

#include <cstdint>

namespace poolproof::worker {

inline constexpr int64_t kSecond = 1'000'000'000;

// Nanoseconds of CLOCK_MONOTONIC.
inline int64_t Now() {
  timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return now.tv_sec * kSecond + now.tv_nsec;
}

// 292 years are as good as any longer time.
inline int64_t Nanoseconds(double seconds) {
  constexpr double kMost = 9e9;
  return static_cast<int64_t>((seconds < kMost ? seconds : kMost) * kSecond);
}

inline timespec AsTimespec(int64_t nanoseconds) { return {nanoseconds / kSecond, nanoseconds % kSecond}; }

}  // namespace poolproof::worker
