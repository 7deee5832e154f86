// Verdicts: the one word in which each planned case ends, and the facts that judge, results and reports share of each.
#pragma once

#include <array>
#include <cstdint>
#include <numeric>
#include <optional>
#include <string_view>

namespace poolproof {

enum class Verdict : uint8_t {
  kPass,
  kDeviates,         // equals a named reading that is not the selected one
  kFail,             // shape, type, value or index is wrong
  kWronglyAccepted,  // an invalid call was answered with OK
  kWronglyRejected,  // a valid call was answered with INVALID_ARGUMENT
  kUnsupported,      // the backend says that it does not have this
  kCrash,
  kTimeout,
  kOutOfBounds,
  kInputModified,
  kWrittenLate,       // an output changed after run had returned
  kUnwritten,         // an output element kept its prefill
  kNondeterministic,  // two runs of the case differ
  kInconsistent,      // two readings of one silence
  kMissing,           // planned, no result
};
inline constexpr size_t kVerdictCount = 15;

struct VerdictFacts {
  std::string_view name;     // as in results files: "wrongly-accepted"
  std::string_view meaning;  // for people, one clause
  std::string_view tone;     // "good", "skip", "warn" or "bad"; never the only sign of a verdict
  std::string_view symbol;   // one character that stands for the tone where colour does not show
  int severity;              // larger is worse; 0 conforms; the verdict of a group is that of its worst case
};

const VerdictFacts& Facts(Verdict verdict);
std::optional<Verdict> FindVerdict(std::string_view name);

inline std::string_view VerdictName(Verdict verdict) { return Facts(verdict).name; }  // "wrongly-accepted"
inline int Severity(Verdict verdict) { return Facts(verdict).severity; }
// Pass and unsupported let the gate pass; everything else fails it unless baselined.
inline bool Conforms(Verdict verdict) { return Severity(verdict) == 0; }

// How many cases ended in each verdict.
struct VerdictCounts {
  std::array<uint64_t, kVerdictCount> n{};

  uint64_t operator[](Verdict v) const { return n[static_cast<size_t>(v)]; }
  uint64_t& operator[](Verdict v) { return n[static_cast<size_t>(v)]; }
  uint64_t Total() const { return std::accumulate(n.begin(), n.end(), uint64_t{0}); }
  // Everything but pass and unsupported.
  uint64_t Bad() const { return Total() - (*this)[Verdict::kPass] - (*this)[Verdict::kUnsupported]; }
  // Cases that the backend computed or answered, that is, all but unsupported and missing.
  uint64_t Answered() const { return Total() - (*this)[Verdict::kUnsupported] - (*this)[Verdict::kMissing]; }
  Verdict Worst() const;  // of those that occur; pass where none does
};

}  // namespace poolproof
