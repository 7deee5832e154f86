#include "reference/readings.h"

#include <algorithm>
#include <iterator>

namespace poolproof::reference {
namespace {

using Names = std::span<const std::string_view>;

struct Row {
  std::string_view id, kind;
  Scope scope;
  Names readings;
};

#define ENTRY(name, id, kind, scope, ...) constexpr std::string_view k##name##Names[] = {__VA_ARGS__};
POOLPROOF_LEDGER(ENTRY)
#undef ENTRY

constexpr Row kRows[] = {
#define ENTRY(name, id, kind, scope, ...) {id, kind, Scope::scope, k##name##Names},
    POOLPROOF_LEDGER(ENTRY)
#undef ENTRY
};
static_assert(std::size(kRows) == kEntryCount);

const Row& RowOf(Entry e) { return kRows[static_cast<size_t>(e)]; }

// A reading that names a tolerated answer, not a computation.
constexpr std::string_view kOther = "other";

// A reading that a profile fixes.
struct Stated {
  std::string_view profile;
  Entry entry;
  uint8_t reading;
};

constexpr Stated kStated[] = {
#define STATED(profile, name, reading) {profile, Entry::k##name, static_cast<uint8_t>(name::reading)},
    POOLPROOF_STATED(STATED)
#undef STATED
};

constexpr std::string_view kProfileNames[] = {POOLPROOF_PROFILES};

}  // namespace

std::string_view EntryId(Entry e) { return RowOf(e).id; }

Names ReadingNames(Entry e) { return RowOf(e).readings; }

bool IsSilence(Entry e) { return RowOf(e).kind == "silence"; }

Scope ScopeOf(Entry e) { return RowOf(e).scope; }

uint8_t ComputableReadings(Entry e) {
  const Names names = ReadingNames(e);
  const size_t other = names.back() == kOther ? 1 : 0;
  return static_cast<uint8_t>(names.size() - other);
}

std::optional<Entry> FindEntry(std::string_view id) {
  for (size_t i = 0; i < kEntryCount; ++i) {
    if (kRows[i].id == id) return static_cast<Entry>(i);
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
  if (std::find(std::begin(kProfileNames), std::end(kProfileNames), name) == std::end(kProfileNames)) {
    return std::nullopt;
  }
  Readings readings;
  for (const Stated& stated : kStated) {
    if (stated.profile == name) readings[stated.entry] = stated.reading;
  }
  return readings;
}

EntrySet FixedBy(std::string_view name) {
  EntrySet fixed;
  for (const Stated& stated : kStated) {
    if (stated.profile == name) fixed.Add(stated.entry);
  }
  return fixed;
}

Names ProfileNames() { return kProfileNames; }

}  // namespace poolproof::reference
