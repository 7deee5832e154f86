#include "conformance/judge/verdict.h"

#include <array>

namespace poolproof {
namespace {

struct Row {
  std::string_view name;
  int severity;
};

// In the order of the enum. Severities are those of the reports.
constexpr std::array<Row, kVerdictCount> kRows = {{
    {"pass", 0},
    {"deviates", 2},
    {"fail", 6},
    {"wrongly-accepted", 7},
    {"wrongly-rejected", 4},
    {"unsupported", 0},
    {"crash", 14},
    {"timeout", 9},
    {"out-of-bounds", 13},
    {"input-modified", 12},
    {"written-late", 11},
    {"unwritten", 10},
    {"nondeterministic", 8},
    {"inconsistent", 5},
    {"missing", 3},
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
