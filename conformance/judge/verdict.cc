#include "conformance/judge/verdict.h"

#include <array>

namespace poolproof {
namespace {

struct Row {
  std::string_view name;
  int severity;
};

// In the order of the enum.
constexpr std::array<Row, kVerdictCount> kRows = {{
    {"pass", 0},
    {"deviates", 3},
    {"fail", 8},
    {"wrongly-accepted", 6},
    {"wrongly-rejected", 5},
    {"unsupported", 1},
    {"crash", 14},
    {"timeout", 13},
    {"out-of-bounds", 12},
    {"input-modified", 11},
    {"written-late", 10},
    {"unwritten", 9},
    {"nondeterministic", 7},
    {"inconsistent", 4},
    {"missing", 2},
}};

}  // namespace

std::string_view VerdictName(Verdict verdict) { return kRows[static_cast<size_t>(verdict)].name; }

std::optional<Verdict> FindVerdict(std::string_view name) {
  for (size_t i = 0; i < kRows.size(); ++i) {
    if (kRows[i].name == name) return static_cast<Verdict>(i);
  }
  return std::nullopt;
}

int Severity(Verdict verdict) { return kRows[static_cast<size_t>(verdict)].severity; }

}  // namespace poolproof
