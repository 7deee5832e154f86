// A baseline made from what runs found.
#ifndef POOLPROOF_CONFORMANCE_RESULTS_BASELINE_WRITE_H_
#define POOLPROOF_CONFORMANCE_RESULTS_BASELINE_WRITE_H_

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "conformance/cases/spec.h"

namespace poolproof {

struct BaselineRequest {
  std::vector<std::string> results;  // files of complete runs of one plan
  std::string old_file;              // whose entries keep reason, owner, expiry and what may vary; "" for none
  bool old_only = false;             // no entries but those of old_file
  std::string varies_by;             // "cpu" or "run", for entries that are not alike in all results; or ""
};

struct WrittenBaseline {
  std::string text;
  size_t entries = 0;
  uint64_t cases = 0, uncovered = 0;  // that do not conform: in an entry, in none
  std::vector<std::string> dropped;   // old entries that no case fits any more
};

// On failure one sentence.
std::optional<WrittenBaseline> WriteBaseline(const Specs& specs, const BaselineRequest& request, Error* error);

}  // namespace poolproof

#endif  // POOLPROOF_CONFORMANCE_RESULTS_BASELINE_WRITE_H_
