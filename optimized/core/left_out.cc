// Prints the instruction sets that kernels need not be compiled for where they run on this machine alone: all but its
// best one and the one that every machine has. Compiled and run when the build is configured.
#include <cstdio>

#include "hwy/highway.h"

int main() {
  const long long here = hwy::SupportedTargets() & (HWY_TARGETS);
  const long long best = here & -here;  // better ones have lower bits
  std::printf("%lld", static_cast<long long>(HWY_TARGETS) & ~(best | static_cast<long long>(HWY_STATIC_TARGET)));
  return 0;
}
