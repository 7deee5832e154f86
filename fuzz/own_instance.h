// Instances of the fast implementation, for harnesses that break calls on their way.
#ifndef POOLPROOF_FUZZ_OWN_INSTANCE_H_
#define POOLPROOF_FUZZ_OWN_INSTANCE_H_

#include <cstdlib>
#include <string>

#include "optimized/core/backend.h"

namespace poolproof::fuzz {

// An instance that lasts as long as the process.
inline poolproof_instance* NewOwnInstance(int threads = 1) {
  const std::string option = "threads=" + std::to_string(threads);
  const char* options[] = {option.c_str()};
  poolproof_instance* instance = nullptr;
  if (optimized::Backend().create(options, 1, &instance, nullptr, 0) != POOLPROOF_OK) std::abort();
  return instance;
}

}  // namespace poolproof::fuzz

#endif  // POOLPROOF_FUZZ_OWN_INSTANCE_H_
