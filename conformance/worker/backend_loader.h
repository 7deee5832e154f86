// Loading a backend's shared object into this process.
#pragma once

#include <string>
#include <vector>

#include "conformance/backend.h"

namespace poolproof::worker {

struct LoadedBackend {
  const poolproof_backend* table = nullptr;
  poolproof_instance* instance = nullptr;
};

// Loads `path` and makes one instance with `options`. Returns "" or why not, in one sentence.
std::string LoadBackend(const std::string& path, const std::vector<std::string>& options, LoadedBackend* loaded);

// "INVALID_ARGUMENT"; "status 17" for a number that backend.h does not name.
std::string StatusName(poolproof_status status);

}  // namespace poolproof::worker
