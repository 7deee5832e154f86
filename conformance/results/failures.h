// Cases that do not conform: classes while they come in, groups at the end of a run.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "conformance/format/layers.h"
#include "conformance/format/standing.h"
#include "conformance/results/record.h"

namespace poolproof {

// Ids that are kept of the first cases of a class or a group.
inline constexpr size_t kFirstCases = 10;

// One case: its place in the plan, and the first half of its answer.
struct Member {
  uint64_t n = 0, answer = 0;
};

// Facts of a class and of a group.
struct Failures {
  int number = 0;                    // from 1: of a class in plan order of the first case, of a group in their order
  Verdict verdict = Verdict::kFail;  // the worst of the cases
  Standing standing = Standing::kNew;
  std::string signature;
  uint64_t cases = 0;
  std::set<std::string> operators, types;
  std::vector<Member> members;
  uint64_t first_n = 0;            // place of the first
  std::vector<std::string> first;  // ids, at most kFirstCases, in plan order
  // "ties=last": how the inconsistent cases of a class read the entry; of a group the reading that is
  // what is wrong, or empty.
  std::string reading;
  // The case with the fewest known causes and input elements; the shrinker begins there.
  std::string smallest_id, smallest_line;
  std::string smallest_with;  // the case that contradicts it, where it is inconsistent
  int64_t smallest_elements = 0;
  uint64_t smallest_n = 0;  // its place in the plan
  std::string message;      // of the smallest case
};

// Cases of one verdict, standing and signature, with one set of known causes that each give the very result.
struct FailureClass : Failures {
  CauseSet causes;
};

// The problem that stands for a group, once described.
struct SmallestProblem {
  std::string line;   // empty: it was not described
  std::string after;  // id of the case after which alone the fault shows, or empty
  std::string json;   // "smallest" of the results format
};

// Whole classes of one cause and one standing (FindCauses in diagnosis.h).
struct CauseGroup : Failures {
  Cause cause;                            // what it is named; no id: it has no known cause
  CauseSet causes;                        // the one that is named
  std::map<Verdict, uint64_t> verdicts;   // of its cases
  std::string where;                      // the rule that its cases fit and right ones do not, or empty
  std::string evidence;                   // what speaks for the cause, one sentence
  std::optional<PublishedLayers> layers;  // of networks; nothing where nothing is known
  // Whether a problem fits `where`, of a group without a known cause; nothing of others.
  std::function<bool(const Problem&)> fits;
  Verdict smallest_verdict = Verdict::kFail;
  CauseSet smallest_causes;    // of its class
  bool smallest_close = true;  // the cause gives its answer
  SmallestProblem smallest;
  std::string clause;  // id of the clause that the smallest case breaks
};

}  // namespace poolproof
