#include "reference/readings.h"

namespace poolproof::reference {
namespace {

using Names = std::span<const std::string_view>;

// One row of the ledger, in the order of Entry.
struct Row {
  Entry entry;
  std::string_view id;
  bool silence;
  Names readings;
};

constexpr std::string_view kValidCeilNames[] = {"rounded", "formula"};
constexpr std::string_view kSameStrideNames[] = {"input-size", "ceil-div", "rounded"};
constexpr std::string_view kMaxpool1FormulaNames[] = {"parenthesised", "printed"};
constexpr std::string_view kPadsIgnoredNames[] = {"unless-explicit", "when-present"};
constexpr std::string_view kPadsRequiredNames[] = {"optional", "required"};
constexpr std::string_view kCeilPastEndNames[] = {"kept", "dropped"};
constexpr std::string_view kCeilTorchOnceNames[] = {"once", "until-inside"};
constexpr std::string_view kCeilTorchAutoPadNames[] = {"applies", "ignored"};
constexpr std::string_view kEmptyWindowValueNames[] = {"minus-infinity", "lowest-finite", "zero"};
constexpr std::string_view kEmptyWindowIndexNames[] = {"zero", "other"};
constexpr std::string_view kMinusInfinityInputNames[] = {"minus-infinity", "lowest-finite"};
constexpr std::string_view kLowestInputIndexNames[] = {"tap", "zero"};
constexpr std::string_view kTiesNames[] = {"first", "last", "other"};
constexpr std::string_view kNanNames[] = {"propagate", "ignore", "ignore-all"};
constexpr std::string_view kSignedZeroNames[] = {"first", "last", "positive", "other"};
constexpr std::string_view kDilationZeroNames[] = {"reject", "one-pixel"};
constexpr std::string_view kZeroSizeNames[] = {"reject", "empty-output"};
constexpr std::string_view kIndexOverflowNames[] = {"reject", "wrap"};
constexpr std::string_view kAvgOverhangNames[] = {"counted", "not-counted"};
constexpr std::string_view kAvgIncludeWithoutPadsNames[] = {"as-overhang", "excluded"};
constexpr std::string_view kAvgEmptyWindowNames[] = {"zero", "nan"};
constexpr std::string_view kAvgIntegerRoundingNames[] = {"truncate", "nearest-even", "nearest-away",
                                                         "floor",    "up",           "other"};
constexpr std::string_view kMeanAccumulationNames[] = {"wide", "type"};
constexpr std::string_view kMeanOverflowNames[] = {"exact", "overflows"};
constexpr std::string_view kMliAverageRoundingNames[] = {
    "division-convergent", "division-up", "reciprocal-convergent", "reciprocal-up", "truncate",
    "nearest-away",        "other"};
constexpr std::string_view kMliReleaseChecksNames[] = {"reject", "unchecked"};

constexpr Row kRows[] = {
    {Entry::kValidCeil, "valid-ceil", false, kValidCeilNames},
    {Entry::kSameStride, "same-stride", false, kSameStrideNames},
    {Entry::kMaxpool1Formula, "maxpool-1-formula", false, kMaxpool1FormulaNames},
    {Entry::kPadsIgnored, "pads-ignored", false, kPadsIgnoredNames},
    {Entry::kPadsRequired, "pads-required", false, kPadsRequiredNames},
    {Entry::kCeilPastEnd, "ceil-past-end", false, kCeilPastEndNames},
    {Entry::kCeilTorchOnce, "ceil-torch-once", false, kCeilTorchOnceNames},
    {Entry::kCeilTorchAutoPad, "ceil-torch-auto-pad", true, kCeilTorchAutoPadNames},
    {Entry::kEmptyWindowValue, "empty-window-value", false, kEmptyWindowValueNames},
    {Entry::kEmptyWindowIndex, "empty-window-index", true, kEmptyWindowIndexNames},
    {Entry::kMinusInfinityInput, "minus-infinity-input", false, kMinusInfinityInputNames},
    {Entry::kLowestInputIndex, "lowest-input-index", false, kLowestInputIndexNames},
    {Entry::kTies, "ties", true, kTiesNames},
    {Entry::kNan, "nan", true, kNanNames},
    {Entry::kSignedZero, "signed-zero", true, kSignedZeroNames},
    {Entry::kDilationZero, "dilation-zero", false, kDilationZeroNames},
    {Entry::kZeroSize, "zero-size", true, kZeroSizeNames},
    {Entry::kIndexOverflow, "index-overflow", true, kIndexOverflowNames},
    {Entry::kAvgOverhang, "avg-overhang", true, kAvgOverhangNames},
    {Entry::kAvgIncludeWithoutPads, "avg-include-without-pads", false, kAvgIncludeWithoutPadsNames},
    {Entry::kAvgEmptyWindow, "avg-empty-window", true, kAvgEmptyWindowNames},
    {Entry::kAvgIntegerRounding, "avg-integer-rounding", true, kAvgIntegerRoundingNames},
    {Entry::kMeanAccumulation, "mean-accumulation", true, kMeanAccumulationNames},
    {Entry::kMeanOverflow, "mean-overflow", true, kMeanOverflowNames},
    {Entry::kMliAverageRounding, "mli-average-rounding", true, kMliAverageRoundingNames},
    {Entry::kMliReleaseChecks, "mli-release-checks", true, kMliReleaseChecksNames},
};
static_assert(std::size(kRows) == kEntryCount);

constexpr bool RowsFollowTheEnum() {
  for (size_t i = 0; i < kEntryCount; ++i) {
    if (kRows[i].entry != static_cast<Entry>(i)) return false;
  }
  return true;
}
static_assert(RowsFollowTheEnum());

const Row& RowOf(Entry e) { return kRows[static_cast<size_t>(e)]; }

// A reading that names a tolerated answer, not a computation.
constexpr std::string_view kOther = "other";

struct Stated {
  Entry entry;
  uint8_t reading;
};

template <typename Reading>
constexpr Stated State(Entry e, Reading reading) {
  return {e, static_cast<uint8_t>(reading)};
}

// Readings that the OpenVINO runtime (2024 and later) follows everywhere. An all-NaN window gives the start value of
// the search, -FLT_MAX, as does an empty one.
constexpr Stated kOpenVino[] = {
    State(Entry::kSameStride, SameStride::kRounded),
    State(Entry::kEmptyWindowValue, EmptyWindowValue::kLowestFinite),
    State(Entry::kMinusInfinityInput, MinusInfinityInput::kLowestFinite),
    State(Entry::kLowestInputIndex, LowestInputIndex::kZero),
    State(Entry::kNan, Nan::kIgnoreAll),
    State(Entry::kAvgIncludeWithoutPads, AvgIncludeWithoutPads::kExcluded),
};

// Readings that torch.nn.functional follows.
constexpr Stated kPyTorch[] = {
    State(Entry::kCeilPastEnd, CeilPastEnd::kDropped),
    State(Entry::kNan, Nan::kPropagate),
    State(Entry::kAvgOverhang, AvgOverhang::kNotCounted),
};

struct Profile {
  std::string_view name;
  std::span<const Stated> stated;
};
constexpr Profile kProfiles[] = {{"documented", {}}, {"openvino", kOpenVino}, {"pytorch", kPyTorch}};
constexpr std::string_view kProfileNames[] = {"documented", "openvino", "pytorch"};

const Profile* ProfileOf(std::string_view name) {
  for (const Profile& profile : kProfiles) {
    if (profile.name == name) return &profile;
  }
  return nullptr;
}

}  // namespace

std::string_view EntryId(Entry e) { return RowOf(e).id; }

Names ReadingNames(Entry e) { return RowOf(e).readings; }

bool IsSilence(Entry e) { return RowOf(e).silence; }

Scope ScopeOf(Entry e) {
  if (e == Entry::kMeanOverflow) return Scope::kType;
  // Every result of one accumulator is a possible result of a narrower one.
  if (e == Entry::kMeanAccumulation) return Scope::kNone;
  if (e == Entry::kSignedZero || e == Entry::kEmptyWindowIndex) return Scope::kNone;
  return Scope::kRun;
}

bool IsRounding(Entry e) { return e == Entry::kAvgIntegerRounding || e == Entry::kMliAverageRounding; }

uint8_t ComputableReadings(Entry e) {
  const Names names = ReadingNames(e);
  const size_t other = names.back() == kOther ? 1 : 0;
  return static_cast<uint8_t>(names.size() - other);
}

std::optional<Entry> FindEntry(std::string_view id) {
  for (const Row& row : kRows) {
    if (row.id == id) return row.entry;
  }
  return std::nullopt;
}

std::optional<uint8_t> FindReading(Entry e, std::string_view reading) {
  const Names names = ReadingNames(e);
  for (size_t i = 0; i < names.size(); ++i) {
    if (names[i] == reading) return static_cast<uint8_t>(i);
  }
  return std::nullopt;
}

std::optional<Readings> FindProfile(std::string_view name) {
  const Profile* profile = ProfileOf(name);
  if (profile == nullptr) return std::nullopt;
  Readings readings;
  for (const Stated& stated : profile->stated) readings[stated.entry] = stated.reading;
  return readings;
}

EntrySet FixedBy(std::string_view name) {
  EntrySet fixed;
  const Profile* profile = ProfileOf(name);
  if (profile == nullptr) return fixed;
  for (const Stated& stated : profile->stated) fixed.Add(stated.entry);
  return fixed;
}

Names ProfileNames() { return kProfileNames; }

}  // namespace poolproof::reference
