// The open points of the documents ("ledger entries") and their readings, as the reference knows
// them. The text, evidence and sources of each entry are in specs/discrepancies.json; a test checks
// that ids, readings and profiles are the same in both.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace poolproof::reference {

// Entries on which a computation can depend. Entries that concern only the text of a document
// (a missing comma, a wrong name) are in the ledger but not here.
enum class Entry : uint8_t {
  kValidCeil,
  kSameStride,
  kMaxpool1Formula,
  kPadsIgnored,
  kPadsRequired,
  kCeilPastEnd,
  kCeilTorchOnce,
  kCeilTorchAutoPad,
  kEmptyWindowValue,
  kEmptyWindowIndex,
  kMinusInfinityInput,
  kLowestInputIndex,
  kTies,
  kNan,
  kSignedZero,
  kDilationZero,
  kZeroSize,
  kIndexOverflow,
  kAvgOverhang,
  kAvgIncludeWithoutPads,
  kAvgEmptyWindow,
  kAvgIntegerRounding,
  kMeanAccumulation,
  kMeanOverflow,
  kMliAverageRounding,
  kMliReleaseChecks,
};
inline constexpr size_t kEntryCount = 26;

// Readings, in the order of the ledger; 0 is the documented default. `Other` values are answers
// that a silence tolerates but that the reference never computes itself.
enum class ValidCeil : uint8_t { kRounded, kFormula };
enum class SameStride : uint8_t { kInputSize, kCeilDiv, kRounded };
enum class Maxpool1Formula : uint8_t { kParenthesised, kPrinted };
enum class PadsIgnored : uint8_t { kUnlessExplicit, kWhenPresent };
enum class PadsRequired : uint8_t { kOptional, kRequired };
enum class CeilPastEnd : uint8_t { kKept, kDropped };
enum class CeilTorchOnce : uint8_t { kOnce, kUntilInside };
enum class CeilTorchAutoPad : uint8_t { kApplies, kIgnored };
enum class EmptyWindowValue : uint8_t { kMinusInfinity, kLowestFinite, kZero };
enum class EmptyWindowIndex : uint8_t { kZero, kOther };
enum class MinusInfinityInput : uint8_t { kMinusInfinity, kLowestFinite };
enum class LowestInputIndex : uint8_t { kTap, kZero };  // kZero: of the plane
enum class Ties : uint8_t { kFirst, kLast, kOther };
// kIgnore: an all-NaN window gives NaN. kIgnoreAll: it gives what an empty window gives.
enum class Nan : uint8_t { kPropagate, kIgnore, kIgnoreAll };
enum class SignedZero : uint8_t { kFirst, kLast, kPositive, kOther };
enum class DilationZero : uint8_t { kReject, kOnePixel };
enum class ZeroSize : uint8_t { kReject, kEmptyOutput };
enum class IndexOverflow : uint8_t { kReject, kWrap };
enum class AvgOverhang : uint8_t { kCounted, kNotCounted };
enum class AvgIncludeWithoutPads : uint8_t { kAsOverhang, kExcluded };
enum class AvgEmptyWindow : uint8_t { kZero, kNan };
enum class AvgIntegerRounding : uint8_t { kTruncate, kNearestEven, kNearestAway, kFloor, kUp, kOther };
// The type of a sum of f16 or bf16: f32 or wider, or the type itself, tap after tap.
enum class MeanAccumulation : uint8_t { kWide, kType };
enum class MeanOverflow : uint8_t { kExact, kOverflows };
enum class MliAverageRounding : uint8_t {
  kDivisionConvergent,
  kDivisionUp,
  kReciprocalConvergent,
  kReciprocalUp,
  kTruncate,
  kNearestAway,
  kOther
};
enum class MliReleaseChecks : uint8_t { kReject, kUnchecked };

// One reading of every entry. The default-constructed value is the profile "documented".
struct Readings {
  std::array<uint8_t, kEntryCount> choice{};

  uint8_t operator[](Entry e) const { return choice[static_cast<size_t>(e)]; }
  uint8_t& operator[](Entry e) { return choice[static_cast<size_t>(e)]; }
  template <typename Reading>
  bool Is(Entry e, Reading reading) const {
    return (*this)[e] == static_cast<uint8_t>(reading);
  }
  friend bool operator==(const Readings&, const Readings&) = default;
};

// A set of entries: those on which a computation was found to depend, that is, where another
// reading of the entry would have taken another branch. A superset of those that change the result.
class EntrySet {
 public:
  void Add(Entry e) { bits_ |= uint32_t{1} << static_cast<unsigned>(e); }
  void Add(EntrySet other) { bits_ |= other.bits_; }
  bool Has(Entry e) const { return (bits_ >> static_cast<unsigned>(e)) & 1u; }
  bool Empty() const { return bits_ == 0; }
  uint32_t Bits() const { return bits_; }

 private:
  uint32_t bits_ = 0;
};
static_assert(kEntryCount <= 32);

// Name of an entry as in the ledger, "empty-window-value".
std::string_view EntryId(Entry e);
// Names of the readings of an entry, in enum order, "minus-infinity", "lowest-finite", "zero".
// "other" names a tolerated answer that is none of the listed readings.
std::span<const std::string_view> ReadingNames(Entry e);
// True where every listed reading conforms (a silence); false for contradictions, errata and
// divergences, where another reading than the selected one deviates.
bool IsSilence(Entry e);

// How far a backend has to stick to one reading of a silence.
enum class Scope : uint8_t {
  kRun,   // everywhere
  kType,  // for each operator and element type: which accumulator a sum has may depend on them
  kNone,  // nowhere: every element may be read on its own
};
Scope ScopeOf(Entry e);
// Whether the entry is about how a quotient is rounded, where a rule that is kept is one reading
// even if it has no name.
bool IsRounding(Entry e);
// Number of readings that the reference can compute: ReadingNames without "other".
uint8_t ComputableReadings(Entry e);

std::optional<Entry> FindEntry(std::string_view id);
std::optional<uint8_t> FindReading(Entry e, std::string_view reading);

// "documented", "openvino", "pytorch"; empty for any other name.
std::optional<Readings> FindProfile(std::string_view name);
// The entries of which the profile `name` says how they are read. "documented" leaves silences open.
EntrySet FixedBy(std::string_view name);
std::span<const std::string_view> ProfileNames();
// The one that needs no name: "documented".
inline std::string DefaultProfile() { return std::string(ProfileNames().front()); }

}  // namespace poolproof::reference
