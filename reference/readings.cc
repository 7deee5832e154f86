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
constexpr std::string_view kSignedZeroNames[] = {"first", "other"};
constexpr std::string_view kDilationZeroNames[] = {"reject", "one-pixel"};
constexpr std::string_view kZeroSizeNames[] = {"reject", "empty-output"};
constexpr std::string_view kIndexOverflowNames[] = {"reject", "wrap"};
constexpr std::string_view kAvgOverhangNames[] = {"counted", "not-counted"};
constexpr std::string_view kAvgIncludeWithoutPadsNames[] = {"as-overhang", "excluded"};
constexpr std::string_view kAvgEmptyWindowNames[] = {"zero", "nan"};
constexpr std::string_view kAvgIntegerRoundingNames[] = {"truncate", "nearest-even", "nearest-away",
                                                         "floor", "other"};
constexpr std::string_view kMliAverageRoundingNames[] = {
    "division-convergent", "division-up", "reciprocal-convergent", "reciprocal-up", "other"};
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

template <typename Reading>
void Choose(Readings& readings, Entry e, Reading reading) {
  readings[e] = static_cast<uint8_t>(reading);
}

// What the OpenVINO runtime (2024 and later) does where it differs from its documents. An all-NaN
// window gives the start value of the search, -FLT_MAX, as does an empty one.
Readings OpenVino() {
  Readings r;
  Choose(r, Entry::kSameStride, SameStride::kRounded);
  Choose(r, Entry::kEmptyWindowValue, EmptyWindowValue::kLowestFinite);
  Choose(r, Entry::kMinusInfinityInput, MinusInfinityInput::kLowestFinite);
  Choose(r, Entry::kLowestInputIndex, LowestInputIndex::kZero);
  Choose(r, Entry::kNan, Nan::kIgnoreAll);
  Choose(r, Entry::kAvgIncludeWithoutPads, AvgIncludeWithoutPads::kExcluded);
  return r;
}

// What torch.nn.functional does.
Readings PyTorch() {
  Readings r;
  Choose(r, Entry::kCeilPastEnd, CeilPastEnd::kDropped);
  Choose(r, Entry::kAvgOverhang, AvgOverhang::kNotCounted);
  return r;
}

constexpr std::string_view kProfileNames[] = {"documented", "openvino", "pytorch"};

}  // namespace

std::string_view EntryId(Entry e) { return RowOf(e).id; }

Names ReadingNames(Entry e) { return RowOf(e).readings; }

bool IsSilence(Entry e) { return RowOf(e).silence; }

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
  if (name == "documented") return Readings{};
  if (name == "openvino") return OpenVino();
  if (name == "pytorch") return PyTorch();
  return std::nullopt;
}

Names ProfileNames() { return kProfileNames; }

}  // namespace poolproof::reference
