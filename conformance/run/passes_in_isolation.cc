#include "conformance/run/passes_in_isolation.h"

#include <algorithm>

#include "conformance/results/answer.h"
#include "conformance/run/engine.h"

namespace poolproof {
namespace {

constexpr size_t kFirstLook = 8;  // classes, the largest, that say whether any case is right alone
constexpr size_t kClasses = 300;  // that are looked at where one is
constexpr size_t kRetriesPerClass = 3, kRetriesPerSmallClass = 1;
constexpr size_t kLarge = 60;  // the largest classes of which more than one case is run

// Verdicts of answers that a case alone would have as well.
bool Shows(Verdict verdict) {
  return verdict == Verdict::kFail || verdict == Verdict::kDeviates || verdict == Verdict::kWronglyAccepted ||
         verdict == Verdict::kWronglyRejected;
}

// Inconsistent answers are looked at after all others, where some of those are right alone.
bool MayShow(Verdict verdict) { return Shows(verdict) || verdict == Verdict::kInconsistent; }

class Looker {
 public:
  Looker(const RunFacts& run, const std::function<bool()>& late, FreshStarts& starts, Lane& lane)
      : run_(run), late_(late), starts_(starts), one_(lane, run.selection) {}

  // Whether most of some cases of the class are right alone.
  bool PassesInIsolation(const FailureClass& cases, size_t most) {
    size_t right = 0;
    const std::vector<Member> some = Spread(cases.members, most);
    PlannedCase planned;
    for (const Member& member : some) {
      if (late_()) return false;
      if (!run_.plan.Get(member.n, &planned)) continue;
      if (!starts_.Start()) return false;
      const Verdict verdict = one_.Run(planned).verdict;
      // A case may pass alone with the answer that contradicts the rest of the run.
      right += verdict == Verdict::kPass && Answer(planned) != member.answer ? 1 : 0;
    }
    return 2 * right > some.size();
  }

 private:
  uint64_t Answer(const PlannedCase& planned) {
    return AnswerNumber(AnswerDigest(one_.call(), planned.problem.capacity, one_.result(), Verdict::kPass));
  }

  const RunFacts& run_;
  const std::function<bool()>& late_;
  FreshStarts& starts_;
  OneCase one_;
};

}  // namespace

PassesInIsolation FindPassesInIsolation(const RunFacts& run, const std::function<bool()>& late, FreshStarts& starts,
                                        Lane& lane) {
  const std::vector<FailureClass>& classes = run.tally.classes();
  std::vector<size_t> order;
  for (size_t c = 0; c < classes.size(); ++c) {
    if (MayShow(classes[c].verdict)) order.push_back(c);
  }
  const auto rank = [&](size_t c) { return std::pair(Shows(classes[c].verdict), classes[c].cases); };
  std::stable_sort(order.begin(), order.end(), [&](size_t a, size_t b) { return rank(a) > rank(b); });
  poolproof::PassesInIsolation right(classes.size());
  Looker looker(run, late, starts, lane);
  bool any = false;
  for (size_t i = 0; i < std::min(order.size(), kClasses); ++i) {
    if (!any && (i == kFirstLook || !Shows(classes[order[i]].verdict))) break;
    right[order[i]] =
        looker.PassesInIsolation(classes[order[i]], i < kLarge ? kRetriesPerClass : kRetriesPerSmallClass);
    any = any || right[order[i]];
  }
  return right;
}

}  // namespace poolproof
