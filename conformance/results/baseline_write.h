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
  // Whose blocks keep what people wrote, and whose cases stay that the results do not have; "" for none.
  std::string old_file;
  std::string varies_by;  // "cpu" or "run", for blocks that are not alike in all results; or ""
};

struct WrittenBaseline {
  std::string text;
  size_t blocks = 0;
  uint64_t cases = 0;                // that do not conform, over all results
  uint64_t kept = 0;                 // of the old file, which the results do not have
  std::vector<std::string> dropped;  // old blocks that no case fits any more
};

// On failure one sentence.
std::optional<WrittenBaseline> WriteBaseline(const Specs& specs, const BaselineRequest& request, Error* error);

struct PrunedBaseline {
  std::string text;
  uint64_t lines = 0;                // that went
  std::vector<std::string> dropped;  // blocks of which nothing is left
};

// The baseline without the lines of cases that do not fail any more in these results, or that no plan has. Results may
// be of any plans. On failure one sentence.
std::optional<PrunedBaseline> PruneBaseline(const Specs& specs, const std::string& path,
                                            const std::vector<std::string>& results, Error* error);

}  // namespace poolproof
