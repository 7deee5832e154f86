#include "conformance/diagnosis/group.h"

#include <algorithm>

namespace poolproof {

bool Computed(Verdict verdict) {
  switch (verdict) {
    case Verdict::kFail:
    case Verdict::kDeviates:
    case Verdict::kInconsistent:
    case Verdict::kWronglyAccepted:
    case Verdict::kWronglyRejected: return true;
    default: return false;
  }
}

void Merge(const FailureClass& from, bool close, CauseGroup* group) {
  const bool empty = group->cases == 0;
  group->cases += from.cases;
  group->members.insert(group->members.end(), from.members.begin(), from.members.end());
  group->verdicts[from.verdict] += from.cases;
  group->operators.insert(from.operators.begin(), from.operators.end());
  group->types.insert(from.types.begin(), from.types.end());
  if (empty || Severity(from.verdict) > Severity(group->verdict)) group->verdict = from.verdict;
  if (empty || from.first_n < group->first_n) group->first_n = from.first_n;
  const auto size = [](bool far, Verdict verdict, const CauseSet& causes, const Failures& failures) {
    // The class without a cause when it ran tells the least.
    return std::tuple(far, -Severity(verdict), causes.none(), causes.count(), failures.smallest_elements,
                      failures.smallest_line.size(), std::string_view(failures.smallest_line));
  };
  CauseGroup& g = *group;
  if (!empty && size(!close, from.verdict, from.causes, from) >=
                    size(!g.smallest_close, g.smallest_verdict, g.smallest_causes, g)) {
    return;
  }
  g.smallest_close = close;
  g.smallest_verdict = from.verdict;
  g.signature = from.signature;
  g.smallest_causes = from.causes;
  g.smallest_id = from.smallest_id;
  g.smallest_line = from.smallest_line;
  g.smallest_with = from.smallest_with;
  g.smallest_elements = from.smallest_elements;
  g.smallest_n = from.smallest_n;
  g.message = from.message;
}

std::tuple<bool, bool, uint64_t> EndsLike(const FailureClass& aside, const CauseGroup& group) {
  const auto shares = [](const std::set<std::string>& a, const std::set<std::string>& b) {
    return std::any_of(a.begin(), a.end(), [&](const std::string& each) { return b.contains(each); });
  };
  uint64_t ends = 0;
  for (const auto& [verdict, cases] : group.verdicts) {
    if (!Computed(verdict) && verdict != Verdict::kMissing) ends += cases;
  }
  return {ends > 0, shares(aside.types, group.types) && shares(aside.operators, group.operators), ends};
}

namespace {

std::vector<CauseGroup> SplitByStanding(const std::vector<CauseGroup>& drafts, const std::vector<FailureClass>& classes,
                                        const Assignment& assignment) {
  std::vector<CauseGroup> groups;
  for (size_t d = 0; d < drafts.size(); ++d) {
    for (const Standing standing : {Standing::kNew, Standing::kChanged, Standing::kKnown}) {
      CauseGroup group = drafts[d];
      static_cast<Failures&>(group) = {};
      group.verdicts.clear();
      group.standing = standing;
      group.reading = drafts[d].reading;
      for (size_t c = 0; c < classes.size(); ++c) {
        const bool member = assignment.group[c] == static_cast<int>(d) && classes[c].standing == standing;
        if (member) Merge(classes[c], assignment.close[c], &group);
      }
      if (group.cases > 0) groups.push_back(std::move(group));
    }
  }
  return groups;
}

void AddFirst(const Plan& plan, CauseGroup* group) {
  std::sort(group->members.begin(), group->members.end(), [](const Member& a, const Member& b) { return a.n < b.n; });
  PlannedCase planned;
  for (size_t i = 0; i < std::min(group->members.size(), kFirstCases); ++i) {
    if (plan.Get(group->members[i].n, &planned)) group->first.push_back(planned.id);
  }
}

}  // namespace

std::vector<CauseGroup> FinishGroups(const std::vector<CauseGroup>& drafts, const std::vector<FailureClass>& classes,
                                     const Assignment& assignment, const Plan& plan) {
  std::vector<CauseGroup> groups = SplitByStanding(drafts, classes, assignment);
  const auto rank = [](const CauseGroup& group) {
    return std::tuple(group.standing, UINT64_MAX - group.cases, group.first_n);
  };
  std::sort(groups.begin(), groups.end(), [&](const CauseGroup& a, const CauseGroup& b) { return rank(a) < rank(b); });
  for (size_t g = 0; g < groups.size(); ++g) {
    groups[g].number = static_cast<int>(g) + 1;
    AddFirst(plan, &groups[g]);
  }
  return groups;
}

}  // namespace poolproof
