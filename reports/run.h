// One run as the reports need it: header, footer, groups, and counts of everything that is too many to
// list. Its size does not depend on the number of cases.
#pragma once

#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "conformance/format/part.h"
#include "conformance/format/presence.h"
#include "conformance/format/reader.h"
#include "conformance/format/standing.h"

namespace poolproof::reports {

// Bounds on what is kept; what exceeds them is counted.
inline constexpr size_t kMaxGroups = 2000;
inline constexpr size_t kMaxNamed = 5000;   // documented examples and invalid calls
inline constexpr size_t kMaxBad = 2000;     // cases that do not conform
inline constexpr size_t kMaxReasons = 500;  // distinct reasons for unsupported
inline constexpr size_t kMaxSamples = 5;    // per part
inline constexpr size_t kMaxText = 4000;    // bytes of one id, line or message

struct Sample {
  std::string id, line, message, section, op, type, baseline_reason, baseline_status, with;
  Verdict verdict = Verdict::kPass;
  uint64_t group = 0;
};

// Cases of one operator, section and element type; `samples` are the first that do not conform and are
// not as the baseline expects.
struct Part {
  VerdictCounts counts;
  uint64_t as_baselined = 0;
  std::vector<Sample> samples;
};

struct OperatorTally {
  std::string name;  // ends in "*" where it stands for several unlisted names
  bool listed = false;
  VerdictCounts counts;
  std::vector<std::string> spec_types;  // those that the spec has
  std::map<std::string, VerdictCounts> types;
  std::vector<AttributeCounts> attributes;
  std::map<std::pair<std::string, std::string>, Part> parts;  // (section, type)

  // Its cases of this type, or all where `type` is empty.
  OperatorCounts Counts(const std::string& type = "") const;
  // Whether the backend has the operator for this type, or for any where `type` is empty.
  bool Supports(const std::string& type = "") const { return Counts(type).IsThere(); }
};

struct Reason {
  uint64_t cases = 0;
  uint64_t place = UINT64_MAX;  // of the example, the first case
  std::string example;
  std::set<std::string> operators;
};

struct Run {
  std::string path;
  std::string program = "conformance";  // what the reader of a report is to type
  // The command that runs one case and the options that follow the case, where more is known than the file says.
  std::optional<std::pair<std::string, std::string>> reproduce;
  Json header, footer;
  std::vector<Json> groups;  // new ones first, then worst first; at most kMaxGroups
  size_t group_count = 0;
  StandingCounts standings;  // of all groups
  VerdictCounts counts;
  std::vector<OperatorTally> operators;  // in the order of the header, then as met
  std::vector<Sample> named, bad, baselined;
  uint64_t named_count = 0, bad_count = 0, baselined_count = 0;
  std::map<std::string, Reason> unsupported;  // by the backend's own words
  uint64_t other_unsupported = 0;             // whose reason is none of the first kMaxReasons
  std::map<uint64_t, std::map<std::string, uint64_t>> group_deviations;  // "entry=reading" -> cases
  // Ledger entry -> reading -> cases, for cases with the verdict "deviates".
  std::map<std::string, std::map<std::string, uint64_t>> deviations;

  // Name and version of the backend, "onednn 2.6.3".
  std::string Title() const;
  bool Conforms() const { return BoolOr(footer, "conforms"); }
  // False where no case ended, and the process was not at fault either.
  bool WasJudged() const { return counts.Total() > 0 || !ArrayOr(footer, "process_faults").empty(); }
  // Describes of what the run is a part; empty: the whole plan.
  std::string Part() const { return PartOf(header, footer); }
  bool HasBaseline() const { return !ObjectOr(footer, "baseline").empty(); }
  // Lines of the baseline that nothing matches any more.
  uint64_t LinesThatCanGo() const;
  // The verdict's addition where there is a baseline: "29 known" or "3 new cases of 1 cause"; otherwise empty.
  std::string AgainstBaseline() const;
  // The command that runs one case as this run did, with the case `with` that contradicts it, if there is one.
  std::string Reproduce(std::string_view line, std::string_view with) const;
  // Presence of all operators that the run had a case of.
  Presence Operators() const;
  // Not to be held against the backend: cases whose baseline entry fits.
  uint64_t AsBaselined() const;
};

Standing StandingOf(const Json& group);

std::optional<Run> ReadRun(const std::string& path, Error* error);

}  // namespace poolproof::reports
