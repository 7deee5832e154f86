// The verdicts of the results format and what a reader has to know of each.
#ifndef POOLPROOF_CONFORMANCE_FORMAT_VERDICT_H_
#define POOLPROOF_CONFORMANCE_FORMAT_VERDICT_H_

#include <array>
#include <cstdint>
#include <numeric>
#include <optional>
#include <string_view>

namespace poolproof::reports {

enum class Verdict : uint8_t {
  kPass,
  kDeviates,
  kFail,
  kWronglyAccepted,
  kWronglyRejected,
  kUnsupported,
  kCrash,
  kTimeout,
  kOutOfBounds,
  kInputModified,
  kWrittenLate,
  kUnwritten,
  kNondeterministic,
  kInconsistent,
  kMissing,
};
inline constexpr size_t kVerdictCount = 15;

struct VerdictFacts {
  std::string_view name;     // as in results files: "wrongly-accepted"
  std::string_view meaning;  // for people, one clause
  std::string_view tone;     // "good", "skip", "warn" or "bad"; never the only sign of a verdict
  std::string_view symbol;   // one character that stands for the tone where colour does not show
  int severity;              // larger is worse; 0 conforms
};

const VerdictFacts& Facts(Verdict verdict);
std::optional<Verdict> FindVerdict(std::string_view name);

// How many cases ended in each verdict.
struct Counts {
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

}  // namespace poolproof::reports

#endif  // POOLPROOF_CONFORMANCE_FORMAT_VERDICT_H_
