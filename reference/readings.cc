#include "reference/readings.h"

#include <algorithm>
#include <iterator>
#include <utility>

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

// A reading that a profile fixes; no operator and no type: of all that it does not name.
struct Stated {
  std::string_view profile, op;
  poolproof_element_type type;
  Entry entry;
  uint8_t reading;
};

constexpr Stated kStated[] = {
#define STATED(profile, op, type, name, reading) \
  {profile, op, type, Entry::k##name, static_cast<uint8_t>(name::reading)},
    POOLPROOF_STATED(STATED)
#undef STATED
};

constexpr std::pair<Entry, uint8_t> kRare[] = {
#define RARE(name, reading) {Entry::k##name, static_cast<uint8_t>(name::reading)},
    POOLPROOF_RARE(RARE)
#undef RARE
};

constexpr std::string_view kProfileNames[] = {POOLPROOF_PROFILES};

}  // namespace

std::string_view EntryId(Entry e) { return RowOf(e).id; }

Names ReadingNames(Entry e) { return RowOf(e).readings; }

bool IsSilence(Entry e) { return RowOf(e).kind == "silence"; }

Scope ScopeOf(Entry e) { return RowOf(e).scope; }

bool IsRare(Entry e, uint8_t reading) { return std::ranges::find(kRare, std::pair(e, reading)) != std::end(kRare); }

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

Readings Selection::For(std::string_view op, poolproof_element_type type) const {
  Readings own = readings;
  for (const Exception& exception : exceptions) {
    const bool fits = (exception.op.empty() || exception.op == op) && (exception.type == 0 || exception.type == type);
    if (fits) own[exception.entry] = exception.reading;
  }
  return own;
}

void Selection::Except(const Exception& exception) {
  exceptions.push_back(exception);
  std::ranges::stable_sort(exceptions, {},
                           [](const Exception& each) { return std::pair(!each.op.empty(), each.type != 0); });
}

void Selection::Demand(Entry entry, uint8_t reading) {
  readings[entry] = reading;
  demanded.Add(entry);
  std::erase_if(exceptions, [entry](const Exception& exception) { return exception.entry == entry; });
}

std::optional<Selection> FindProfile(std::string_view name) {
  if (std::find(std::begin(kProfileNames), std::end(kProfileNames), name) == std::end(kProfileNames)) {
    return std::nullopt;
  }
  Selection selection;
  for (const Stated& stated : kStated) {
    if (stated.profile != name) continue;
    selection.demanded.Add(stated.entry);
    if (stated.op.empty() && stated.type == 0) {
      selection.readings[stated.entry] = stated.reading;
    } else {
      selection.Except({stated.op, stated.type, stated.entry, stated.reading});
    }
  }
  return selection;
}

Names ProfileNames() { return kProfileNames; }

}  // namespace poolproof::reference
