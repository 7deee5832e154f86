// Properties of pooling that hold whatever the right values are, so that they judge a backend
// without an oracle: what permuting, shifting, splitting or renaming a problem does to its outputs.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "conformance/cases/problem.h"

namespace poolproof {

// The answer of a backend to one problem. `outputs` are described and carry data where the status
// is OK; the data stay the caller's.
struct Answer {
  poolproof_status status = POOLPROOF_OK;
  std::array<poolproof_tensor, kMaxOutputs> outputs{};
};

// The problems of one round and the answers to them, in the same order.
struct Round {
  std::span<const Problem> problems;
  std::span<const Answer> answers;
};

struct Property {
  std::string_view id;        // "index-inside-window"
  std::string_view sentence;  // "An index lies inside its window and below its bound"

  // Appends the problems of round `seed`, valid under the profile "documented"; appends none where
  // the specs have no operator that the property is about. Equal seeds give equal problems.
  void (*make)(const Specs& specs, uint64_t seed, std::vector<Problem>* problems);

  // nullptr, or: appends the problems that are made from the answers to the first ones.
  void (*make_more)(const Round& first, std::vector<Problem>* problems);

  // Why the property does not hold, in one sentence; "" where it holds. All answers are OK.
  std::string (*check)(const Round& round);
};

// All properties, in a fixed order.
std::span<const Property> Properties();

// The outcome of a round. A problem that the backend does not support says nothing.
enum class Holding { kHolds, kFails, kUnsupported };
struct PropertyVerdict {
  Holding holding = Holding::kHolds;
  std::string reason;  // for kFails, one sentence
};
// `round` has all problems of the round, those of make_more included.
PropertyVerdict JudgeRound(const Property& property, const Round& round);

}  // namespace poolproof
