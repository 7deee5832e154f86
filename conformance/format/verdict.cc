#include "conformance/format/verdict.h"

namespace poolproof {
namespace {

constexpr std::array<VerdictFacts, kVerdictCount> kFacts = {{
    {"pass", "as the documents say", "good", "✓", 0},
    {"deviates", "follows another named reading than the selected one", "warn", "≠", 2},
    {"fail", "wrong shape, type, value or index", "bad", "✗", 6},
    {"wrongly-accepted", "computed a call that the documents forbid", "bad", "✗", 7},
    {"wrongly-rejected", "refused a call that the documents allow", "bad", "✗", 4},
    {"unsupported", "the backend says that it does not have this", "skip", "–", 0},
    {"crash", "the process died", "bad", "✗", 14},
    {"timeout", "no answer in time", "bad", "✗", 9},
    {"out-of-bounds", "touched memory outside its tensors", "bad", "✗", 13},
    {"input-modified", "wrote to its input", "bad", "✗", 12},
    {"written-late", "changed an output after it had returned", "bad", "✗", 11},
    {"unwritten", "left output elements untouched", "bad", "✗", 10},
    {"nondeterministic", "two runs of one call differ", "bad", "✗", 8},
    {"inconsistent", "follows two readings of one silence", "warn", "≠", 5},
    {"missing", "planned, but there is no result", "bad", "?", 3},
}};

}  // namespace

const VerdictFacts& Facts(Verdict verdict) { return kFacts[static_cast<size_t>(verdict)]; }

std::optional<Verdict> FindVerdict(std::string_view name) {
  for (size_t i = 0; i < kVerdictCount; ++i) {
    if (kFacts[i].name == name) return static_cast<Verdict>(i);
  }
  return std::nullopt;
}

Verdict VerdictCounts::Worst() const {
  Verdict worst = Verdict::kPass;
  for (size_t i = 0; i < kVerdictCount; ++i) {
    const Verdict v = static_cast<Verdict>(i);
    if (n[i] > 0 && Facts(v).severity > Facts(worst).severity) worst = v;
  }
  return worst;
}

}  // namespace poolproof
