// A baseline made from what runs found.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "conformance/cases/spec.h"

namespace poolproof {

struct BaselineRequest {
  std::vector<std::string> results;  // files of complete runs of one plan
  std::string old_file;              // whose blocks keep what people wrote; "" for none
  std::string varies_by;             // "cpu" or "run", for blocks that are not alike in all results; or ""
};

struct WrittenBaseline {
  std::string text;
  size_t blocks = 0;
  uint64_t cases = 0;                // that do not conform, over all results
  std::vector<std::string> dropped;  // old blocks that no case fits any more
};

// On failure one sentence.
std::optional<WrittenBaseline> WriteBaseline(const Specs& specs, const BaselineRequest& request, Error* error);

}  // namespace poolproof
