#include "reports/compare.h"

#include <algorithm>

#include <fmt/format.h>

#include "conformance/format/text.h"

namespace poolproof::reports {
namespace {

// Counts each case once, in the first file that has it.
class Rows {
 public:
  Rows(const Run& run, const Outcomes& outcomes, Comparison* comparison)
      : outcomes_(outcomes), comparison_(comparison) {
    for (const OperatorTally& tally : run.operators) {
      if (tally.listed) listed_.push_back(tally.name);
    }
  }

  void Add(const CaseLine& c, size_t file) {
    const std::vector<Outcome> outcomes = outcomes_.Get(c.id);
    const auto first = std::find_if(outcomes.begin(), outcomes.end(), [](Outcome o) { return o != kAbsent; });
    if (static_cast<size_t>(first - outcomes.begin()) != file) return;
    AddToRow(c, outcomes);
    for (Changes& changes : comparison_->changes) AddChange(c, outcomes, &changes);
  }

 private:
  const std::string& Line(std::string_view name) {
    const std::string op = Shorten(name, 200);
    const auto it = lines_.find(op);
    return it != lines_.end() ? it->second : lines_.emplace(op, ReportedName(listed_, op)).first->second;
  }

  void AddToRow(const CaseLine& c, const std::vector<Outcome>& outcomes) {
    const std::string& op = Line(c.op());
    std::string key = op + '\0';
    for (const Outcome o : outcomes) key += static_cast<char>(o + 2);
    auto it = rows_.find(key);
    if (it == rows_.end()) {
      if (rows_.size() >= kMaxOutcomeRows) {
        ++comparison_->folded_away;
        return;
      }
      it = rows_.emplace(key, comparison_->rows.size()).first;
      comparison_->rows.push_back({op, outcomes, 0, ""});
    }
    OutcomeRow& row = comparison_->rows[it->second];
    ++row.cases;
    if (row.example.empty()) row.example = Shorten(c.id, 500);
  }

  void AddChange(const CaseLine& c, const std::vector<Outcome>& outcomes, Changes* changes) {
    const Outcome before = outcomes[changes->before], after = outcomes[changes->after];
    if (before == kAbsent || after == kAbsent || IsBad(before) == IsBad(after)) return;
    ChangeList& list = IsBad(after) ? changes->broken : changes->fixed;
    ++list.count;
    if (list.first.size() < kMaxChanges) list.first.push_back({Shorten(c.id, 500), Line(c.op()), before, after});
  }

  std::vector<std::string> listed_;
  const Outcomes& outcomes_;
  Comparison* const comparison_;
  std::unordered_map<std::string, size_t> rows_;
  std::unordered_map<std::string, std::string> lines_;
};

std::vector<Changes> SameBackend(const std::vector<Run>& runs) {
  std::vector<Changes> all;
  for (size_t after = 1; after < runs.size(); ++after) {
    for (size_t before = after; before-- > 0;) {
      if (StringOr(ObjectOr(runs[before].header, "backend"), "name") !=
          StringOr(ObjectOr(runs[after].header, "backend"), "name")) {
        continue;
      }
      Changes changes;
      changes.before = before;
      changes.after = after;
      all.push_back(changes);
      break;
    }
  }
  return all;
}

// Whether a run before this one has the same plan, and so all of its cases.
bool HasPlanOfEarlier(const std::vector<Run>& runs, size_t index) {
  const auto same = [&](const Run& other, const char* key) {
    return other.header.value(key, Json()) == runs[index].header.value(key, Json());
  };
  for (size_t i = 0; i < index; ++i) {
    constexpr const char* kPlan[] = {"tool", "specs", "level", "seed", "random", "shard", "filter", "lacks", "vectors"};
    const bool ended = StringOr(runs[i].footer, "stopped").empty();
    if (ended && std::all_of(std::begin(kPlan), std::end(kPlan), [&](const char* k) { return same(runs[i], k); })) {
      return true;
    }
  }
  return false;
}

}  // namespace

void Outcomes::Set(const std::string& id, size_t file, Verdict verdict) {
  const auto [it, added] = index_.emplace(std::hash<std::string>()(id), all_.size());
  if (added) all_.resize(all_.size() + files_, kAbsent);
  all_[it->second + file] = static_cast<Outcome>(verdict);
}

std::vector<Outcome> Outcomes::Get(const std::string& id) const {
  const auto at = all_.begin() + static_cast<ptrdiff_t>(index_.at(std::hash<std::string>()(id)));
  return {at, at + static_cast<ptrdiff_t>(files_)};
}

bool IsBad(Outcome o) { return o != kAbsent && Facts(static_cast<Verdict>(o)).severity > 0; }

bool OutcomeRow::Differs() const {
  return std::any_of(outcomes.begin(), outcomes.end(), [this](Outcome o) { return o != outcomes.front(); });
}

std::optional<Comparison> Compare(const std::vector<Run>& runs, const EachCase& each_case, Error* error) {
  if (runs.size() > kMaxCompared) {
    error->message = fmt::format("{} results files are too many to compare: at most {}.", runs.size(), kMaxCompared);
    return std::nullopt;
  }
  Outcomes outcomes(runs.size());
  for (size_t i = 0; i < runs.size(); ++i) {
    const auto set = [&](const CaseLine& c) { outcomes.Set(c.id, i, c.verdict); };
    if (!each_case(runs[i].path, set, error)) return std::nullopt;
  }
  Comparison comparison;
  comparison.changes = SameBackend(runs);
  Rows rows(runs[0], outcomes, &comparison);
  for (size_t i = 0; i < runs.size(); ++i) {
    if (HasPlanOfEarlier(runs, i)) continue;
    if (!each_case(runs[i].path, [&](const CaseLine& c) { rows.Add(c, i); }, error)) return std::nullopt;
  }
  std::stable_sort(comparison.rows.begin(), comparison.rows.end(), [](const OutcomeRow& a, const OutcomeRow& b) {
    if (a.Differs() != b.Differs()) return a.Differs();
    return a.cases > b.cases;
  });
  return comparison;
}

}  // namespace poolproof::reports
