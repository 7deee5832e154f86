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

// The titles of a run's groups by their numbers.
std::map<uint64_t, std::string> TitlesOf(const Run& run) {
  std::map<uint64_t, std::string> titles;
  for (const Json& group : run.groups) {
    const std::string id = StringOr(ObjectOr(group, "cause"), "id"), where = StringOr(group, "where");
    titles[static_cast<uint64_t>(IntOr(group, "group"))] =
        Shorten(fmt::format("{}{}{}", GroupTitle(run, group), id.empty() ? "" : fmt::format(" ({})", id),
                            where.empty() ? "" : ", only where " + where),
                kMaxTitle);
  }
  return titles;
}

// Sums up the cases of one run.
class Parts {
 public:
  Parts(const Run& run, bool all_ids, Repair* repair) : titles_(TitlesOf(run)), all_ids_(all_ids), repair_(*repair) {}

  // A case that counts for the cause which it has in this run.
  CausePart& Add(const CaseLine& c, Effect effect) {
    CausePart& part = Find(effect, CauseOf(c));
    ++part.cases;
    part.failing += IsBad(static_cast<Outcome>(c.verdict)) ? 1 : 0;
    if (all_ids_ || part.ids.empty()) part.ids.push_back(c.id);
    return part;
  }
  void CountOfCause(const CaseLine& c) { ++all_[CauseOf(c)]; }
  uint64_t AllOf(const std::string& cause) const {
    const auto known = all_.find(cause);
    return known == all_.end() ? 0 : known->second;
  }

 private:
  std::string CauseOf(const CaseLine& c) const {
    if (c.verdict == Verdict::kUnsupported) return Shorten(c.message, kMaxTitle);
    const auto known = titles_.find(c.group);
    if (known != titles_.end()) return known->second;
    return IsBad(static_cast<Outcome>(c.verdict)) ? std::string(VerdictName(c.verdict)) : "";
  }

  CausePart& Find(Effect effect, const std::string& cause) {
    // Only cases that one run alone has are not told by cause.
    const bool only = effect == Effect::kOnlyBefore || effect == Effect::kOnlyAfter;
    const std::string& name = only ? std::string() : cause;
    std::vector<CausePart>& parts = repair_.parts[static_cast<size_t>(effect)];
    const auto [it, added] = places_.emplace(std::pair(effect, name), std::min(parts.size(), kMaxCauses));
    if (added && it->second == parts.size()) parts.push_back({name, 0, 0, 0, {}});
    return parts[std::min(it->second, parts.size() - 1)];
  }

  const std::map<uint64_t, std::string> titles_;
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

// The cases of one of the two runs, which tells of the effects that are its own.
bool AddRun(const Run& run, bool is_before, const Outcomes& outcomes, bool all_ids, const EachCase& each_case,
            Repair* repair, Error* error) {
  Parts parts(run, all_ids, repair);
  const auto add = [&](const CaseLine& c) {
    const std::vector<Outcome> two = outcomes.Get(c.id);
    const std::optional<Effect> effect = EffectOf(two[0], two[1]);
    if (is_before && IsBad(two[0]) && effect && effect != Effect::kOnlyBefore) parts.CountOfCause(c);
    if (!effect || IsToldByBefore(*effect) != is_before) return;
    CausePart& part = parts.Add(c, *effect);
    if (effect == Effect::kUnsupported) part.failing += IsBad(two[0]) ? 1 : 0;
  };
  if (!each_case(run.path, add, error)) return false;
  for (CausePart& part : repair->parts[static_cast<size_t>(Effect::kRepaired)]) {
    if (is_before) part.all = parts.AllOf(part.cause);
  }
  return true;
}

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
  for (const bool is_before : {true, false}) {
    if (!AddRun(is_before ? before : after, is_before, outcomes, all_ids, each_case, &repair, error)) {
      return std::nullopt;
    }
  }
  for (std::vector<CausePart>& parts : repair.parts) {
    std::stable_sort(parts.begin(), parts.end(),
                     [](const CausePart& a, const CausePart& b) { return a.cases > b.cases; });
  }
  return repair;
}

}  // namespace poolproof::reports
