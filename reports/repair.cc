#include "reports/repair.h"

#include <fmt/format.h>

#include <algorithm>

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

// What a group is called, and by what it is known again in another run.
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

// Sums up the cases of one run.
class Parts {
 public:
  Parts(const Run& run, bool all_ids, Repair* repair)
      : names_(NamesOfGroups(run)), all_ids_(all_ids), repair_(*repair) {}

  // A case that counts for the cause which it has in this run.
  CausePart& Add(const CaseLine& c, Effect effect) {
    CausePart& part = Find(effect, CauseOf(c));
    ++part.cases;
    part.failing += IsBad(static_cast<Outcome>(c.verdict)) ? 1 : 0;
    if (all_ids_ || part.ids.empty()) part.ids.push_back(c.id);
    return part;
  }
  // By what the cause of a case is known again; empty where it has none.
  std::string KeyOf(const CaseLine& c) const {
    const auto known = names_.find(c.group);
    return known == names_.end() ? "" : known->second.key;
  }
  void CountOfCause(const CaseLine& c) { ++all_[CauseOf(c)]; }
  uint64_t AllOf(const std::string& cause) const {
    const auto known = all_.find(cause);
    return known == all_.end() ? 0 : known->second;
  }

 private:
  std::string CauseOf(const CaseLine& c) const {
    if (c.verdict == Verdict::kUnsupported) return Shorten(c.message, kMaxTitle);
    const auto known = names_.find(c.group);
    if (known != names_.end()) return known->second.title;
    return IsBad(static_cast<Outcome>(c.verdict)) ? std::string(VerdictName(c.verdict)) : "";
  }

  CausePart& Find(Effect effect, const std::string& cause) {
    // Only cases that one run alone has are not told by cause.
    const bool only = effect == Effect::kOnlyBefore || effect == Effect::kOnlyAfter;
    const std::string& name = only ? std::string() : cause;
    std::vector<CausePart>& parts = repair_.parts[static_cast<size_t>(effect)];
    const auto [it, added] = places_.emplace(std::pair(effect, name), std::min(parts.size(), kMaxCauses));
    if (added && it->second == parts.size()) parts.push_back({name, 0, 0, 0, 0, {}});
    return parts[std::min(it->second, parts.size() - 1)];
  }

  const std::map<uint64_t, CauseNames> names_;
  const bool all_ids_;
  Repair& repair_;
  std::map<std::pair<Effect, std::string>, size_t> places_;
  std::map<std::string, uint64_t> all_;
};

// Effects that are told by what the case was before the fix.
bool IsToldByBefore(Effect effect) {
  return effect == Effect::kRepaired || effect == Effect::kMissed || effect == Effect::kOnlyBefore;
}

bool SameSpecs(const Run& before, const Run& after, Error* error) {
  const auto digest = [](const Run& run) { return StringOr(ObjectOr(run.header, "specs"), "digest"); };
  if (digest(before) == digest(after)) return true;
  return Fail(fmt::format("{}: was made with specs {}, {} with {}: they do not judge by the same documents.",
                          after.path, EscapeForTerminal(digest(after)), before.path, EscapeForTerminal(digest(before))),
              error);
}

// Adds the cases of the two runs, each of which tells of the effects that are its own.
class Comparer {
 public:
  Comparer(const Outcomes& outcomes, bool all_ids, Repair* repair)
      : outcomes_(outcomes), all_ids_(all_ids), repair_(*repair) {}

  bool AddBefore(const Run& run, const EachCase& each_case, Error* error) {
    Parts parts(run, all_ids_, &repair_);
    std::vector<CausePart>& missed = repair_.parts[static_cast<size_t>(Effect::kMissed)];
    const auto add = [&](const CaseLine& c) {
      const std::vector<Outcome> two = outcomes_.Get(c.id);
      const std::optional<Effect> effect = EffectOf(two[0], two[1]);
      if (IsBad(two[0]) && effect && effect != Effect::kOnlyBefore) parts.CountOfCause(c);
      if (!effect || !IsToldByBefore(*effect)) return;
      const CausePart& part = parts.Add(c, *effect);
      if (effect == Effect::kMissed) missed_[c.id] = {static_cast<size_t>(&part - missed.data()), parts.KeyOf(c)};
    };
    if (!each_case(run.path, add, error)) return false;
    for (CausePart& part : repair_.parts[static_cast<size_t>(Effect::kRepaired)]) part.all = parts.AllOf(part.cause);
    return true;
  }

  bool AddAfter(const Run& run, const EachCase& each_case, Error* error) {
    Parts parts(run, all_ids_, &repair_);
    const auto add = [&](const CaseLine& c) {
      const std::vector<Outcome> two = outcomes_.Get(c.id);
      const std::optional<Effect> effect = EffectOf(two[0], two[1]);
      if (effect == Effect::kMissed) CountElsewhere(c, parts.KeyOf(c));
      if (!effect || IsToldByBefore(*effect)) return;
      CausePart& part = parts.Add(c, *effect);
      if (effect == Effect::kUnsupported) part.failing += IsBad(two[0]) ? 1 : 0;
    };
    return each_case(run.path, add, error);
  }

 private:
  void CountElsewhere(const CaseLine& c, const std::string& key) {
    const auto before = missed_.find(c.id);
    if (before == missed_.end() || before->second.second == key) return;
    ++repair_.parts[static_cast<size_t>(Effect::kMissed)][before->second.first].elsewhere;
  }

  const Outcomes& outcomes_;
  const bool all_ids_;
  Repair& repair_;
  std::unordered_map<std::string, std::pair<size_t, std::string>> missed_;  // part and key, by id
};

}  // namespace

std::string_view EffectName(Effect effect) {
  constexpr std::string_view kNames[kEffects] = {"repaired",    "missed",         "newly broken",
                                                 "worse",       "newly rejected", "newly unsupported",
                                                 "only before", "only after"};
  return kNames[static_cast<size_t>(effect)];
}

std::optional<Effect> EffectOf(Outcome before, Outcome after) {
  // What was planned and has no result says nothing of the backend before the fix; after it that is a fault.
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
  Outcomes outcomes(2);
  if (!outcomes.Read(before.path, 0, each_case, error) || !outcomes.Read(after.path, 1, each_case, error)) {
    return std::nullopt;
  }
  Repair repair;
  Comparer comparer(outcomes, all_ids, &repair);
  if (!comparer.AddBefore(before, each_case, error) || !comparer.AddAfter(after, each_case, error)) return std::nullopt;
  for (std::vector<CausePart>& parts : repair.parts) {
    std::stable_sort(parts.begin(), parts.end(),
                     [](const CausePart& a, const CausePart& b) { return a.cases > b.cases; });
  }
  return repair;
}

}  // namespace poolproof::reports
