// Standing of what does not conform to the baseline of a run.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace poolproof {

// Standing of a case, and of a group of cases. Without a baseline all are new.
enum class Standing : uint8_t { kNew, kChanged, kKnown };
inline constexpr size_t kStandingCount = 3;

// "new", "changed" or "known".
std::string_view StandingName(Standing standing);
// The standing that a group of a results file has, where one without a name is new.
Standing FindStanding(std::string_view name);

// Whether what differs from a baseline in this way is a line that can go: of a case that does not fail any more, or
// that no plan has.
inline bool LineCanGo(std::string_view way) { return way == "improved" || way == "unmatched"; }

// Cases and causes of a run, by standing.
class StandingCounts {
 public:
  // One group of cases.
  void Add(Standing standing, uint64_t cases);
  uint64_t Cases(Standing standing) const { return cases_[static_cast<size_t>(standing)]; }
  uint64_t Causes(Standing standing) const { return causes_[static_cast<size_t>(standing)]; }
  // "3 cases of 1 cause".
  std::string Text(Standing standing) const;
  // All that is not as the baseline expects: "3 new cases of 1 cause, 2 changed cases of 1 cause, 12 lines can go".
  std::string Differences(uint64_t lines_that_can_go) const;
  // "29 known", empty for none.
  std::string Known() const;

 private:
  std::array<uint64_t, kStandingCount> cases_{}, causes_{};
};

}  // namespace poolproof
