// A run before a fix and one after it: what the fix did to which cause.
#pragma once

#include <array>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "reports/compare.h"

namespace poolproof::reports {

// Fate of a case; cases that pass, or are unsupported, in both runs have none of these.
enum class Effect : uint8_t {
  kRepaired,     // failed before, passes now
  kMissed,       // fails as before, or less badly
  kBroken,       // conformed before, fails now
  kWorsened,     // fails with a worse verdict
  kRejected,     // answered before, refused now as if it were invalid
  kUnsupported,  // answered before, rightly or not; now the backend says that it does not have it
  kOnlyBefore,   // has a result in that run alone
  kOnlyAfter,
};
inline constexpr size_t kEffects = 8;
// "newly broken"
std::string_view EffectName(Effect effect);
std::optional<Effect> EffectOf(Outcome before, Outcome after);

// Cases of one cause with one effect.
struct CausePart {
  std::string cause;             // its title, or the backend's reason; empty: there is none
  uint64_t cases = 0;            // of this effect
  uint64_t all = 0;              // of the cause, before the fix, with results in both runs
  uint64_t failing = 0;          // in the run that tells: before for those that are only there, unsupported ones too
  uint64_t elsewhere = 0;        // of those missed, with another cause after the fix
  std::vector<std::string> ids;  // in plan order; all, or the first alone
  std::string change;            // of kWorsened: verdicts of the first, "deviates, then fail"
};

struct Repair {
  std::array<std::vector<CausePart>, kEffects> parts;  // by effect, most cases first

  const std::vector<CausePart>& Of(Effect effect) const { return parts[static_cast<size_t>(effect)]; }
  uint64_t Cases(Effect effect) const;
  // Cases that are broken, worsened or rejected.
  uint64_t NewlyWrong() const;
};

// Compares two runs by case id. `all_ids`: keep the id of each case, not of the first alone. Runs of different specs
// are refused: their cases are not judged by the same documents.
std::optional<Repair> CompareRepair(const Run& before, const Run& after, bool all_ids, const EachCase& each_case,
                                    Error* error);

}  // namespace poolproof::reports
