#include "reports/repair.h"

#include <fmt/format.h>

#include <algorithm>
#include <unordered_map>
#include <utility>

#include "conformance/format/text.h"
#include "reports/view.h"

namespace poolproof::reports {
namespace {

constexpr size_t kMaxCauses = 2000;  // of one effect; more share the last
constexpr size_t kMaxTitle = 300;    // bytes

// Whether the backend came to an answer, and did not refuse.
bool IsAnswered(Verdict verdict) {
  switch (verdict) {
    case Verdict::kUnsupported:
    case Verdict::kWronglyRejected:
    case Verdict::kCrash:
    case Verdict::kTimeout:
    case Verdict::kMissing: return false;
    default: return true;
  }
}

// Title of a group, and the key by which it is found in another run.
struct CauseNames {
  std::string title, key;
};

// The groups of a run by their numbers.
std::map<uint64_t, CauseNames> NamesOfGroups(const Run& run) {
  std::map<uint64_t, CauseNames> names;
  for (const Json& group : run.groups) {
    const std::string id = StringOr(ObjectOr(group, "cause"), "id"), where = StringOr(group, "where");
    CauseNames& made = names[static_cast<uint64_t>(IntOr(group, "group"))];
    made.title = Shorten(fmt::format("{}{}{}", GroupTitle(run, group), id.empty() ? "" : fmt::format(" ({})", id),
                                     where.empty() ? "" : ", only where " + where),
                         kMaxTitle);
    made.key = id.empty() ? StringOr(group, "signature") : id;
  }
  return names;
}

std::string_view Word(Outcome outcome) { return VerdictName(static_cast<Verdict>(outcome)); }

// The cause of a case that fails. Of a file that no runner wrote it may have none.
CauseNames CauseOf(const std::map<uint64_t, CauseNames>& names, uint64_t group, Outcome outcome) {
  const auto known = names.find(group);
  return known != names.end() ? known->second : CauseNames{std::string(Word(outcome)), ""};
}

// Effects that are told by what the case was before the fix.
bool IsToldByBefore(Effect effect) { return effect == Effect::kRepaired || effect == Effect::kMissed; }

bool SameSpecs(const Run& before, const Run& after, Error* error) {
  const auto digest = [](const Run& run) { return StringOr(ObjectOr(run.header, "specs"), "digest"); };
  if (digest(before) == digest(after)) return true;
  return Fail(fmt::format("{}: was made with specs {}, {} with {}: they do not judge by the same documents.",
                          after.path, EscapeForTerminal(digest(after)), before.path, EscapeForTerminal(digest(before))),
              error);
}

// Sums up the cases of two runs. The plan of a file is made again whenever it is read: most often once.
class Comparer {
 public:
  Comparer(const Run& before, const Run& after, bool all_ids, const EachCase& each_case)
      : before_(before),
        after_(after),
        before_names_(NamesOfGroups(before)),
        after_names_(NamesOfGroups(after)),
        all_ids_(all_ids),
        each_case_(each_case) {}

  bool Compare(Error* error) {
    uint64_t cases = 0;
    const auto set = [&](const CaseLine& c) {
      ++cases;
      outcomes_.Set(c.id, 0, c.verdict);
      if (IsBad(static_cast<Outcome>(c.verdict))) groups_.emplace(std::hash<std::string>()(c.id), c.group);
    };
    if (!each_case_(before_.path, set, error)) return false;
    if (!each_case_(after_.path, [&](const CaseLine& c) { AddAfter(c); }, error)) return false;
    for (CausePart& part : PartsOf(Effect::kRepaired)) part.all = all_[part.cause];
    if (both_ == cases) return true;
    return each_case_(before_.path, [&](const CaseLine& c) { AddOnlyBefore(c); }, error);
  }
  Repair& repair() { return repair_; }

 private:
  void AddAfter(const CaseLine& c) {
    outcomes_.Set(c.id, 1, c.verdict);
    const std::vector<Outcome> two = outcomes_.Get(c.id);
    both_ += two[0] == kAbsent ? 0 : 1;
    const std::optional<Effect> effect = EffectOf(two[0], two[1]);
    if (!effect) return;
    CauseNames was, is;
    if (IsBad(two[0])) was = CauseOf(before_names_, groups_[std::hash<std::string>()(c.id)], two[0]);
    if (IsBad(two[1])) is = CauseOf(after_names_, c.group, two[1]);
    if (IsBad(two[0]) && effect != Effect::kOnlyAfter) ++all_[was.title];
    if (c.verdict == Verdict::kUnsupported) is.title = Shorten(c.message, kMaxTitle);
    CausePart& part = Add(*effect, IsToldByBefore(*effect) ? was.title : is.title, c.id);
    if (effect == Effect::kWorsened && part.cases == 1)
      part.change = fmt::format("{}, then {}", Word(two[0]), Word(two[1]));
    part.failing += IsBad(two[effect == Effect::kUnsupported ? 0 : 1]) ? 1 : 0;
    part.elsewhere += effect == Effect::kMissed && was.key != is.key ? 1 : 0;
  }

  void AddOnlyBefore(const CaseLine& c) {
    const std::vector<Outcome> two = outcomes_.Get(c.id);
    if (EffectOf(two[0], two[1]) != Effect::kOnlyBefore) return;
    Add(Effect::kOnlyBefore, "", c.id).failing += IsBad(two[0]) ? 1 : 0;
  }

  CausePart& Add(Effect effect, const std::string& cause, const std::string& id) {
    // Cases that one run alone has are not told by cause.
    const std::string name = effect >= Effect::kOnlyBefore ? "" : cause;
    std::vector<CausePart>& parts = PartsOf(effect);
    const auto [it, added] = places_.emplace(std::pair(effect, name), std::min(parts.size(), kMaxCauses));
    if (added && it->second == parts.size()) parts.emplace_back().cause = name;
    CausePart& part = parts[std::min(it->second, parts.size() - 1)];
    ++part.cases;
    if (all_ids_ || part.ids.empty()) part.ids.push_back(id);
    return part;
  }

  std::vector<CausePart>& PartsOf(Effect effect) { return repair_.parts[static_cast<size_t>(effect)]; }

  const Run &before_, &after_;
  const std::map<uint64_t, CauseNames> before_names_, after_names_;
  const bool all_ids_;
  const EachCase& each_case_;
  Outcomes outcomes_{2};
  std::unordered_map<size_t, uint64_t> groups_;  // of cases that failed before, by the hash of the id
  std::map<std::string, uint64_t> all_;          // cases before the fix, by the title of the cause
  uint64_t both_ = 0;                            // cases of both runs
  std::map<std::pair<Effect, std::string>, size_t> places_;
  Repair repair_;
};

}  // namespace

std::string_view EffectName(Effect effect) {
  constexpr std::string_view kNames[kEffects] = {"repaired",    "missed",         "newly broken",
                                                 "worse",       "newly rejected", "newly unsupported",
                                                 "only before", "only after"};
  return kNames[static_cast<size_t>(effect)];
}

std::optional<Effect> EffectOf(Outcome before, Outcome after) {
  // A planned case without a result says nothing of the backend before the fix; after it that is a fault.
  if (before == kAbsent || static_cast<Verdict>(before) == Verdict::kMissing) return Effect::kOnlyAfter;
  if (after == kAbsent) return Effect::kOnlyBefore;
  const Verdict was = static_cast<Verdict>(before), is = static_cast<Verdict>(after);
  if (is == Verdict::kUnsupported) return was == is ? std::nullopt : std::optional(Effect::kUnsupported);
  if (is == Verdict::kWronglyRejected && IsAnswered(was)) return Effect::kRejected;
  if (!IsBad(before)) return IsBad(after) ? std::optional(Effect::kBroken) : std::nullopt;
  if (!IsBad(after)) return Effect::kRepaired;
  return Severity(is) > Severity(was) ? Effect::kWorsened : Effect::kMissed;
}

uint64_t Repair::Cases(Effect effect) const {
  uint64_t cases = 0;
  for (const CausePart& part : Of(effect)) cases += part.cases;
  return cases;
}

uint64_t Repair::NewlyWrong() const {
  return Cases(Effect::kBroken) + Cases(Effect::kWorsened) + Cases(Effect::kRejected);
}

std::optional<Repair> CompareRepair(const Run& before, const Run& after, bool all_ids, const EachCase& each_case,
                                    Error* error) {
  if (!SameSpecs(before, after, error)) return std::nullopt;
  Comparer comparer(before, after, all_ids, each_case);
  if (!comparer.Compare(error)) return std::nullopt;
  Repair& repair = comparer.repair();
  for (std::vector<CausePart>& parts : repair.parts) {
    std::stable_sort(parts.begin(), parts.end(),
                     [](const CausePart& a, const CausePart& b) { return a.cases > b.cases; });
  }
  return std::move(repair);
}

}  // namespace poolproof::reports
