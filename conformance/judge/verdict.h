// Verdicts: the one word in which each planned case ends.
#ifndef POOLPROOF_CONFORMANCE_JUDGE_VERDICT_H_
#define POOLPROOF_CONFORMANCE_JUDGE_VERDICT_H_

#include <cstdint>
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

std::string_view VerdictName(Verdict verdict);  // "wrongly-accepted"
std::optional<Verdict> FindVerdict(std::string_view name);

// Pass and unsupported let the gate pass; everything else fails it unless baselined.
inline bool Conforms(Verdict v) { return v == Verdict::kPass || v == Verdict::kUnsupported; }

// Larger is worse, 0 conforms; the verdict of a group is that of its worst case.
int Severity(Verdict verdict);

}  // namespace poolproof

#endif  // POOLPROOF_CONFORMANCE_JUDGE_VERDICT_H_
