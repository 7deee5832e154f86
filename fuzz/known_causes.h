// Causes and cases that a campaign has found already or a baseline expects: what a harness passes over.
#pragma once

#include <optional>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "conformance/format/error.h"
#include "conformance/properties/against_oracle.h"

namespace poolproof::fuzz {

// Names what a wrong answer may have come from as a baseline does: known causes that each give just this answer, or the
// signature of the case where there are none.
std::vector<std::string> CauseNames(const Problem& problem, AgainstOracle& comparison);

class KnownCauses {
 public:
  // `found`: a file with a line for each finding, the names that it may have between tabs. `baseline`: the file of a
  // baseline (baseline_file.h). Either may be empty. On failure nothing, and one sentence.
  static std::optional<KnownCauses> Load(const std::string& found, const std::string& baseline, Error* error);

  // Whether one finding explains a case: the case may have come from all that the finding may have come from. A case
  // that leaves fewer causes for a finding is not explained, so that a campaign learns of it.
  bool Explain(std::span<const std::string> names) const;
  // Whether the baseline lists a case with this line.
  bool HasCase(std::string_view line) const { return lines_.contains(line); }

 private:
  bool AddBaseline(const std::string& path, Error* error);

  std::vector<std::vector<std::string>> findings_;
  std::set<std::string, std::less<>> lines_;
};

}  // namespace poolproof::fuzz
