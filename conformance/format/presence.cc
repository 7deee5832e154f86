#include "conformance/format/presence.h"

#include <fmt/format.h>

#include <algorithm>
#include <vector>

#include "conformance/format/case_counts.h"
#include "conformance/format/text.h"

namespace poolproof {
namespace {

constexpr size_t kNamed = 4;  // operators that a line has room for

std::string Names(const std::vector<std::string_view>& names) {
  std::string text;
  for (size_t i = 0; i < std::min(names.size(), kNamed); ++i) {
    text += (i == 0 ? "" : ", ") + Shorten(EscapeForTerminal(names[i]), 60);
  }
  return text;
}

}  // namespace

void Presence::Add(std::string_view op, const OperatorCounts& counts) {
  auto known = counts_.find(op);
  if (known == counts_.end()) known = counts_.emplace(op, OperatorCounts()).first;
  known->second.valid += counts.valid;
  known->second.invalid += counts.invalid;
}

size_t Presence::OperatorsThere() const {
  return static_cast<size_t>(
      std::count_if(counts_.begin(), counts_.end(), [](const auto& op) { return op.second.IsThere(); }));
}

std::string Presence::NotThere() const {
  std::vector<std::string_view> there, absent;
  uint64_t unsupported = 0;
  for (const auto& [op, counts] : counts_) {
    (counts.IsThere() ? there : absent).push_back(op);
    if (!counts.IsThere()) unsupported += counts.valid[Verdict::kUnsupported] + counts.invalid[Verdict::kUnsupported];
  }
  if (absent.empty()) return "";
  const std::string cases = Plural(unsupported, "case");
  if (absent.size() <= kNamed) return fmt::format("{} ({})", Names(absent), cases);
  const std::string operators = Plural(absent.size(), "operator");
  if (there.empty()) return fmt::format("all {} ({})", operators, cases);
  if (there.size() <= kNamed) return fmt::format("all but {} ({}, {})", Names(there), operators, cases);
  return fmt::format("{} and {} more ({})", Names(absent), absent.size() - kNamed, cases);
}

}  // namespace poolproof
