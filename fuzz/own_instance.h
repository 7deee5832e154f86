// Instances of the fast implementation, for harnesses that break calls on their way.
#pragma once

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
