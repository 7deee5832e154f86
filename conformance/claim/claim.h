// A claim: all that a vendor publishes of a run, in one file, so that others can find out what is said and whether
// the results say so. docs/claims.md describes the file.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "conformance/format/strict_json.h"
#include "conformance/run/session.h"

namespace poolproof {

struct ClaimRequest {
  std::string product, product_version;
  std::vector<std::string> results;  // of all shards of one run
  std::string baseline, probe;       // empty: nothing is excused; the probe is that of the results
  std::string path;                  // of the file to write
};

// A claim taken apart in a folder of its own, which lasts as long as this.
class OpenClaim {
 public:
  OpenClaim() = default;
  ~OpenClaim();
  OpenClaim(const OpenClaim&) = delete;
  OpenClaim& operator=(const OpenClaim&) = delete;

  bool MakeFolder(Error* error);
  const std::string& folder() const { return folder_; }
  std::string In(const std::string& name) const { return folder_ + "/" + name; }
  // Names of the results of shards among `names`.
  static std::vector<std::string> ResultsAmong(const std::vector<std::string>& names);

  Json statement;  // what is said

 private:
  std::string folder_;
};

// Writes the claim. Refused, with one sentence, are results that do not conform, failures without a
// reason, and runs that did not come to their end.
bool WriteClaim(const Specs& specs, const ClaimRequest& request, OpenClaim* claim, int* exit_code, Error* error);

// Takes a claim apart and computes again all that can be computed of it, which leaves merged/results.jsonl in its
// folder. Refused, with one sentence that
// names file, place and value, is what is missing, was changed or is of another plan.
bool VerifyClaim(const Specs& specs, const std::string& path, OpenClaim* claim, Error* error);

}  // namespace poolproof
