#include "conformance/worker/reached_code.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstring>
#include <span>
#include <utility>
#include <vector>

// A fuzz build counts in what it compiles, but not here.
#if defined(__clang__)
#define POOLPROOF_UNCOUNTED __attribute__((no_sanitize("coverage")))
#else
#define POOLPROOF_UNCOUNTED
#endif

namespace poolproof::worker {
namespace {

// Counters of one module, and in `seen` a bit for each order of magnitude that was reached.
struct Counters {
  std::span<uint8_t> now;
  std::vector<uint8_t> seen;
};

// Counters of code that has none itself: places are told apart by their address or number.
constexpr size_t kShared = size_t{1} << 16;
std::array<uint8_t, kShared> shared;
bool shared_used = false;
uint32_t guards = 0;

std::vector<Counters>& All() {
  static std::vector<Counters> all;
  return all;
}

void Add(std::span<uint8_t> counters) {
  if (!counters.empty()) All().push_back({counters, std::vector<uint8_t>(counters.size())});
}

POOLPROOF_UNCOUNTED void Reach(size_t place) {
  shared_used = true;
  uint8_t& count = shared[place % kShared];
  count = static_cast<uint8_t>(std::min(count + 1, 255));
}

uint8_t OrderOf(uint8_t count) {
  constexpr std::pair<uint8_t, uint8_t> kOrders[] = {{3, 0x04}, {7, 0x08}, {15, 0x10}, {31, 0x20}, {127, 0x40}};
  if (count <= 2) return count;
  for (const auto& [last, bit] : kOrders) {
    if (count <= last) return bit;
  }
  return 0x80;
}

uint32_t TakeNew(Counters& counters) {
  uint32_t found = 0;
  for (size_t i = 0; i < counters.now.size();) {
    uint64_t eight = 0;  // most are 0
    const bool whole = counters.now.size() - i >= sizeof(eight);
    if (whole) std::memcpy(&eight, &counters.now[i], sizeof(eight));
    if (whole && eight == 0) {
      i += sizeof(eight);
      continue;
    }
    for (const size_t end = std::min(i + sizeof(eight), counters.now.size()); i < end; ++i) {
      const uint8_t bit = OrderOf(std::exchange(counters.now[i], uint8_t{0}));
      found += (bit & ~counters.seen[i]) != 0;
      counters.seen[i] |= bit;
    }
  }
  return found;
}

}  // namespace

uint32_t CountNewCode() {
  static Counters of_shared{shared, std::vector<uint8_t>(kShared)};
  uint32_t found = shared_used ? TakeNew(of_shared) : 0;
  for (Counters& counters : All()) found += TakeNew(counters);
  return found;
}

}  // namespace poolproof::worker

// Functions that instrumented code calls, by their compilers' names.
#pragma GCC visibility push(default)
extern "C" {
POOLPROOF_UNCOUNTED void __sanitizer_cov_8bit_counters_init(uint8_t* begin, uint8_t* end) {
  poolproof::worker::Add({begin, end});
}
POOLPROOF_UNCOUNTED void __sanitizer_cov_trace_pc() {
  poolproof::worker::Reach(reinterpret_cast<size_t>(__builtin_return_address(0)));
}
POOLPROOF_UNCOUNTED void __sanitizer_cov_trace_pc_guard_init(uint32_t* begin, uint32_t* end) {
  for (uint32_t* guard = begin; guard < end; ++guard) *guard = *guard != 0 ? *guard : ++poolproof::worker::guards;
}
POOLPROOF_UNCOUNTED void __sanitizer_cov_trace_pc_guard(const uint32_t* guard) { poolproof::worker::Reach(*guard); }
// Nothing is made of what is compared and of how deep the stack is.
void __sanitizer_cov_pcs_init(const uintptr_t*, const uintptr_t*) {}
void __sanitizer_cov_trace_pc_indir(uintptr_t) {}
void __sanitizer_cov_trace_cmp1(uint8_t, uint8_t) {}
void __sanitizer_cov_trace_cmp2(uint16_t, uint16_t) {}
void __sanitizer_cov_trace_cmp4(uint32_t, uint32_t) {}
void __sanitizer_cov_trace_cmp8(uint64_t, uint64_t) {}
void __sanitizer_cov_trace_const_cmp1(uint8_t, uint8_t) {}
void __sanitizer_cov_trace_const_cmp2(uint16_t, uint16_t) {}
void __sanitizer_cov_trace_const_cmp4(uint32_t, uint32_t) {}
void __sanitizer_cov_trace_const_cmp8(uint64_t, uint64_t) {}
void __sanitizer_cov_trace_cmpf(float, float) {}
void __sanitizer_cov_trace_cmpd(double, double) {}
void __sanitizer_cov_trace_switch(uint64_t, const uint64_t*) {}
void __sanitizer_cov_trace_div4(uint32_t) {}
void __sanitizer_cov_trace_div8(uint64_t) {}
void __sanitizer_cov_trace_gep(uintptr_t) {}
thread_local uintptr_t __sancov_lowest_stack = 0;
}
#pragma GCC visibility pop
