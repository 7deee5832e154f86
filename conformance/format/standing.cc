#include "conformance/format/standing.h"

#include <fmt/format.h>

#include <algorithm>

#include "conformance/format/text.h"

namespace poolproof {
namespace {

constexpr std::array<std::string_view, kStandingCount> kNames = {"new", "changed", "known"};

}  // namespace

std::string_view StandingName(Standing standing) { return kNames[static_cast<size_t>(standing)]; }

Standing FindStanding(std::string_view name) {
  const auto found = std::find(kNames.begin(), kNames.end(), name);
  return found == kNames.end() ? Standing::kNew : static_cast<Standing>(found - kNames.begin());
}

void StandingCounts::Add(Standing standing, uint64_t cases) {
  cases_[static_cast<size_t>(standing)] += cases;
  ++causes_[static_cast<size_t>(standing)];
}

std::string StandingCounts::Text(Standing standing) const {
  return fmt::format("{} of {}", Plural(Cases(standing), "case"), Plural(Causes(standing), "cause"));
}

std::string StandingCounts::Differences(uint64_t lines_that_can_go) const {
  std::string text;
  for (const Standing standing : {Standing::kNew, Standing::kChanged}) {
    const uint64_t cases = Cases(standing);
    if (cases == 0) continue;
    const std::string noun = fmt::format("{} case", StandingName(standing));
    text += fmt::format("{}{} of {}", text.empty() ? "" : ", ", Plural(cases, noun), Plural(Causes(standing), "cause"));
  }
  if (lines_that_can_go > 0) {
    text += fmt::format("{}{} can go", text.empty() ? "" : ", ", Plural(lines_that_can_go, "line"));
  }
  return text;
}

std::string StandingCounts::Known() const {
  const uint64_t cases = Cases(Standing::kKnown);
  return cases == 0 ? "" : WithCommas(cases) + " known";
}

}  // namespace poolproof
