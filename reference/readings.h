// The open points of the documents ("ledger entries") and their readings. They are those of specs/discrepancies.json
// and of the families: the build makes an enum of the entries on which a computation can depend, Entry, and for each an
// enum of its readings, the documented default first: "empty-window-value" is Entry::kEmptyWindowValue, with
// EmptyWindowValue::kZero. Readings named "other" are answers that a silence tolerates but that the reference never
// computes itself.
#pragma once

#include <array>
#include <bitset>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "conformance/backend.h"
#include "reference/ledger.h"

namespace poolproof::reference {

inline constexpr size_t kEntryCount = static_cast<size_t>(Entry::kCount);

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
  void Add(Entry e) { entries_.set(static_cast<size_t>(e)); }
  void Add(const EntrySet& other) { entries_ |= other.entries_; }
  bool Has(Entry e) const { return entries_[static_cast<size_t>(e)]; }
  bool Empty() const { return entries_.none(); }

 private:
  std::bitset<kEntryCount> entries_;
};

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
  kRun,       // everywhere
  kRule,      // everywhere; a rule of rounding that is kept is one reading even if it has no name
  kOperator,  // for each operator: its document is silent for itself
  kType,      // for each operator and element type: which accumulator a sum has may depend on them
  kNone,      // nowhere: every element may be read on its own
};
Scope ScopeOf(Entry e);
inline bool IsRounding(Entry e) { return ScopeOf(e) == Scope::kRule; }
// Whether the readings differ only in how far from the exact result an element may be, as long as no sum overflows.
inline bool OnlyBoundsErrors(Entry e) { return e == Entry::kMeanAccumulation || e == Entry::kMeanScaling; }
// Whether few libraries follow the reading.
bool IsRare(Entry e, uint8_t reading);
// Number of readings that the reference can compute: ReadingNames without "other".
uint8_t ComputableReadings(Entry e);

std::optional<Entry> FindEntry(std::string_view id);
std::optional<uint8_t> FindReading(Entry e, std::string_view reading);

// The readings that are selected, one of each entry, and the entries of which they are demanded: of a silence any other
// reading passes as well where it is not.
struct Selection {
  // A reading that differs from `readings`, of one operator or element type, or of one type of an operator. An empty
  // `op` stands for all operators, the type 0 for all types.
  struct Exception {
    std::string_view op;
    poolproof_element_type type;
    Entry entry;
    uint8_t reading;
  };

  Readings readings;
  EntrySet demanded;
  std::vector<Exception> exceptions;

  // For calls of the operator `op` whose first input has this type. What is said of an operator goes before what is
  // said of a type, and what is said of both before either.
  Readings For(std::string_view op, poolproof_element_type type) const;
  Readings For(const poolproof_call& call) const {
    return For(call.op, call.input_count > 0 ? call.inputs[0]->element_type : 0);
  }
  void Except(const Exception& exception);
  // Demands `reading` of every operator and type.
  void Demand(Entry entry, uint8_t reading);
};

// "documented", which demands nothing of silences, or one that the ledger names; empty for any other name.
std::optional<Selection> FindProfile(std::string_view name);
std::span<const std::string_view> ProfileNames();
// The one that needs no name: "documented".
inline std::string DefaultProfile() { return std::string(ProfileNames().front()); }

}  // namespace poolproof::reference
