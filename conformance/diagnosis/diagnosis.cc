#include "conformance/diagnosis/diagnosis.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>
#include <tuple>

#include "conformance/diagnosis/group.h"
#include "conformance/diagnosis/suspects.h"
#include "conformance/diagnosis/unexplained.h"
#include "conformance/format/text.h"
#include "conformance/results/answer.h"

namespace poolproof {
namespace {

// A class whose answers a suspect does not give, but which it breaks, is put to it from this share on; not one whose
// answers are those of another reading.
constexpr double kInvolved = 0.5;
constexpr uint64_t kFewBeside = 20;  // a cause has few cases beside that many times as many
// Where it would change many wrong answers to others than came, fewer are enough.
constexpr uint64_t kFewBesideDoubtful = 5;
constexpr double kDoubtful = 0.7;
constexpr uint64_t kMostBesideWhole = 2;  // times the cases beside, where all lie where those do
constexpr size_t kMostReleased = 5000;    // cases of a class of which each is looked at
constexpr size_t kFewestReleased = 5;     // cases that a cause leaves right

class Diagnoser {
 public:
  Diagnoser(const RunFacts& run, const PassesInIsolation& passes_in_isolation)
      : run_(run),
        classes_(run.tally.classes()),
        passes_in_isolation_(passes_in_isolation),
        examiner_(run),
        suspects_(
            classes_, [this](size_t c) { return Open(c); }, &examiner_),
        assigned_(classes_.size(), kNone),
        close_(classes_.size(), true) {}

  std::vector<CauseGroup> Make() {
    TakeHistory();
    suspects_.Collect();
    while (Suspect* best = suspects_.FindBest()) Accept(best);
    DropNeedless();
    SettleInvolved();
    ReleaseUntouched();
    JoinContradictions();
    AddLarge();
    DropAccidental();
    NameSuspects();
    NameUnexplained();
    return FinishGroups(drafts_, classes_, {assigned_, close_}, run_.plan);
  }

 private:
  static constexpr int kNone = -1;

  // Cases that are right alone are wrong because of what ran before them.
  void TakeHistory() {
    CauseGroup group;
    bool errors = true;
    for (size_t c = 0; c < classes_.size(); ++c) {
      if (c >= passes_in_isolation_.size() || !passes_in_isolation_[c]) continue;
      errors = errors && (classes_[c].verdict == Verdict::kWronglyRejected || IsOfError(classes_[c].signature));
      Put(c, true, &group);
    }
    if (group.cases == 0) return;
    for (size_t c = 0; c < classes_.size(); ++c) {
      if (assigned_[c] == kNone && classes_[c].verdict == Verdict::kNondeterministic) Put(c, true, &group);
    }
    group.cause = {
        kHistoryCause,
        errors ? "calls fail when others have run" : "what was computed for an earlier call is used again",
        errors ? "a program fails that runs for long" : "a model gives other results when another one ran before it",
        "", std::nullopt};
    group.evidence = "cases that fail in the run are right when they run alone in a fresh process";
    drafts_.push_back(std::move(group));
  }

  void Put(size_t c, bool close, CauseGroup* group) {
    Merge(classes_[c], close, group);
    assigned_[c] = static_cast<int>(drafts_.size());
  }

  bool Open(size_t c) const { return assigned_[c] == kNone && Computed(classes_[c].verdict); }

  void Accept(Suspect* suspect) {
    const int number = static_cast<int>(drafts_.size());
    drafts_.emplace_back();
    chosen_.emplace_back(suspect, number);
    examiner_.Accept(suspect->fault, suspect->finding.rule);
    suspects_.Reconsider();
    for (size_t c = 0; c < classes_.size(); ++c) {
      if (!Open(c)) continue;
      if (suspect->gives[c]) {
        assigned_[c] = number;
      } else if (classes_[c].verdict != Verdict::kDeviates &&
                 examiner_.ShareBroken(suspect->fault, suspect->finding.rule, classes_[c]) >= kInvolved) {
        assigned_[c] = number;
        close_[c] = false;
      }
    }
  }

  // A cause all of whose cases the others give as well is not needed.
  void DropNeedless() {
    for (size_t i = chosen_.size(); i-- > 0;) {
      std::vector<std::pair<size_t, int>> moves;
      bool needed = false;
      for (size_t c = 0; c < classes_.size() && !needed; ++c) {
        if (assigned_[c] != chosen_[i].second) continue;
        const auto other = std::find_if(chosen_.begin(), chosen_.end(), [&](const auto& chosen) {
          return chosen.second != chosen_[i].second && chosen.first->gives[c];
        });
        needed = other == chosen_.end();
        if (!needed) moves.emplace_back(c, other->second);
      }
      if (needed) continue;
      for (const auto& [c, number] : moves) {
        assigned_[c] = number;
        close_[c] = true;
      }
      chosen_.erase(chosen_.begin() + static_cast<ptrdiff_t>(i));
    }
  }

  // A class that a cause was found to break goes to one that was found later, where that gives its answers or breaks
  // more of it.
  void SettleInvolved() {
    for (size_t c = 0; c < classes_.size(); ++c) {
      if (assigned_[c] == kNone || close_[c]) continue;
      double most = 0;
      for (const auto& [suspect, number] : chosen_) {
        const bool gives = suspect->gives[c];
        const double share = gives ? 2 : examiner_.ShareBroken(suspect->fault, suspect->finding.rule, classes_[c]);
        if (share <= most) continue;
        most = share;
        assigned_[c] = number;
        close_[c] = gives;
      }
    }
  }

  // Frees cases that stand with a cause which leaves them right: they are wrong for another one, which has them where
  // it is known. A few it may leave right by accident.
  void ReleaseUntouched() {
    const size_t count = classes_.size();
    for (const auto& [suspect, number] : chosen_) {
      std::map<size_t, std::set<uint64_t>> untouched;  // places, by class
      size_t cases = 0;
      for (size_t c = 0; c < count; ++c) {
        if (assigned_[c] != number || close_[c] || classes_[c].verdict == Verdict::kInconsistent) continue;
        std::set<uint64_t> places = UntouchedBy(*suspect, classes_[c]);
        cases += places.size();
        if (!places.empty()) untouched.emplace(c, std::move(places));
      }
      if (cases < kFewestReleased) continue;
      for (const auto& [c, places] : untouched) Release(c, number, places);
    }
  }

  // The places of the cases of a class that the suspect leaves right; none where those are all, or there are too many
  // to look at.
  std::set<uint64_t> UntouchedBy(const Suspect& suspect, const FailureClass& cases) {
    std::set<uint64_t> untouched;
    if (cases.members.size() > kMostReleased) return untouched;
    for (const Member& member : cases.members) {
      if (!examiner_.MayBreak(suspect.fault, suspect.finding.rule, member.n)) untouched.insert(member.n);
    }
    if (untouched.size() == cases.members.size()) untouched.clear();
    return untouched;
  }

  // Takes the cases from a draft: the first other cause that breaks one has it.
  void Release(size_t c, int from, const std::set<uint64_t>& untouched) {
    const auto part_of = [&](uint64_t n, const Features&) {
      if (!untouched.contains(n)) return size_t{0};
      const auto breaks = std::ranges::find_if(chosen_, [&](const auto& other) {
        return other.second != from && examiner_.MayBreak(other.first->fault, other.first->finding.rule, n);
      });
      return breaks == chosen_.end() ? size_t{1} : static_cast<size_t>(breaks - chosen_.begin()) + 2;
    };
    std::vector<FailureClass> parts = DivideClass(classes_[c], chosen_.size() + 2, part_of, &examiner_);
    classes_[c] = std::move(parts[0]);
    for (size_t p = 1; p < parts.size(); ++p) {
      if (parts[p].cases == 0) continue;
      classes_.push_back(std::move(parts[p]));
      assigned_.push_back(p == 1 ? kNone : chosen_[p - 2].second);
      close_.push_back(p == 1);
    }
  }

  // Where an open point is read in two ways, each contradicts the other for one cause: the reading of most cases.
  void JoinContradictions() {
    std::map<std::string, std::pair<uint64_t, int>> most;  // of an open point: cases of a reading, and its draft
    for (const auto& [suspect, number] : chosen_) {
      if (!suspect->fault.is_reading) continue;
      auto& known = most[std::string(reference::EntryId(suspect->fault.entry))];
      known = std::max(known, {CasesOf(ClassesOf(number)), number});
    }
    const auto reads = [this](const auto& chosen, size_t c) {
      return chosen.first->fault.is_reading && assigned_[c] == chosen.second;
    };
    for (size_t c = 0; c < classes_.size(); ++c) {
      const auto point = most.find(classes_[c].signature);
      if (classes_[c].verdict != Verdict::kInconsistent || point == most.end()) continue;
      const int number = point->second.second;
      const bool free =
          assigned_[c] == kNone || std::ranges::any_of(chosen_, [&](const auto& one) { return reads(one, c); });
      if (!free || assigned_[c] == number) continue;
      assigned_[c] = number;
      close_[c] = false;
    }
  }

  // The first cause that was found to give the answers of large cases.
  std::optional<int> GivesLarge(const FailureClass& cases) {
    const auto gives = std::ranges::find_if(chosen_, [&](const auto& chosen) {
      return examiner_.ReproducesLargeAnswers(chosen.first->fault, chosen.first->finding.rule, cases);
    });
    return gives == chosen_.end() ? std::nullopt : std::optional(gives->second);
  }

  // Takes the large cases out of a class where a cause gives their answers: beside others they say nothing. What is
  // left goes to a cause that breaks it.
  void SplitLarge(size_t c) {
    if (classes_[c].verdict != Verdict::kFail || classes_[c].members.size() > kMostReleased) return;
    const auto part_of = [this](uint64_t n, const Features&) { return size_t{examiner_.IsLarge(n) ? 1u : 0u}; };
    std::vector<FailureClass> parts = DivideClass(classes_[c], 2, part_of, &examiner_);
    const auto number = parts[0].cases == 0 || parts[1].cases == 0 ? std::nullopt : GivesLarge(parts[1]);
    if (!number) return;
    classes_[c] = std::move(parts[0]);
    classes_.push_back(std::move(parts[1]));
    assigned_.push_back(*number);
    close_.push_back(true);
    const auto breaks = std::ranges::find_if(chosen_, [&](const auto& chosen) {
      return examiner_.ShareBroken(chosen.first->fault, chosen.first->finding.rule, classes_[c]) >= kInvolved;
    });
    close_[c] = breaks == chosen_.end();
    if (!close_[c]) assigned_[c] = breaks->second;
  }

  // Cases that are too large to be tried with every known cause are tried with those that were found.
  void AddLarge() {
    size_t asked = 0;
    const size_t count = classes_.size();
    for (size_t c = 0; c < count && asked < kAsked; ++c) {
      if (!Open(c) || classes_[c].causes.any()) continue;
      ++asked;
      if (const std::optional<int> number = GivesLarge(classes_[c])) {
        assigned_[c] = *number;
      } else {
        SplitLarge(c);
      }
    }
  }

  void NameSuspects() {
    for (const auto& [suspect, number] : chosen_) {
      CauseGroup& group = drafts_[static_cast<size_t>(number)];
      uint64_t given = 0;
      for (size_t c = 0; c < classes_.size(); ++c) {
        if (assigned_[c] != number) continue;
        Merge(classes_[c], close_[c], &group);
        given += close_[c] ? classes_[c].cases : 0;
      }
      group.where = suspect->finding.rule.Text(examiner_.words());
      const std::string answers = WithCommas(given);
      const uint64_t broken = suspect->finding.broken;
      group.evidence = fmt::format("explains {} of {} wrong answers, contradicts {} of {} right ones{}", answers,
                                   WithCommas(group.cases), broken == 0 ? "none" : WithCommas(broken),
                                   WithCommas(suspect->finding.right),
                                   suspect->finding.unclear ? ": no short rule says where it is at work" : "");
      if (suspect->fault.is_reading) {
        group.reading = ReadingText(suspect->fault);
      } else {
        if (!suspect->fault.bound) group.causes.set(suspect->fault.cause);
        group.cause = CauseOf(suspect->fault);
      }
    }
  }

  // A cause of few cases where many have none, in the same place, happens to give what that gives.
  void DropAccidental() {
    FindRest();
    const size_t before = chosen_.size();
    for (const UnexplainedClasses& rest : rest_) {
      std::erase_if(chosen_, [&](const auto& chosen) {
        const std::vector<size_t> own = ClassesOf(chosen.second);
        if (!IsAccident(*chosen.first, own, rest)) return false;
        for (const size_t c : own) assigned_[c] = kNone;
        return true;
      });
    }
    if (chosen_.size() < before) FindRest();
  }

  bool IsAccident(const Suspect& suspect, const std::vector<size_t>& own, const UnexplainedClasses& rest) {
    const bool doubtful = suspect.finding.precision < kDoubtful, weak = IsWeak(suspect, own);
    if (!doubtful && !weak) return false;
    const auto alike = [&](Alike how) { return SamePlace(rest, own, classes_, how, &examiner_); };
    const uint64_t cases = CasesOf(own), beside = CasesOf(rest.classes);
    if (cases * (doubtful ? kFewBesideDoubtful : kFewBeside) <= beside)
      return alike(ShowsNothing(own) ? Alike::kInDoubt : Alike::kMostly);
    return weak && cases <= kMostBesideWhole * beside && alike(Alike::kWholly);
  }

  // All that it gives contradicts something else.
  bool ShowsNothing(const std::vector<size_t>& own) const {
    return std::ranges::all_of(own, [this](size_t c) { return classes_[c].verdict == Verdict::kInconsistent; });
  }

  // It needs a rule, or has no wrong answer to show.
  bool IsWeak(const Suspect& suspect, const std::vector<size_t>& own) const {
    return !suspect.finding.rule.literals.empty() || std::all_of(own.begin(), own.end(), [this](size_t c) {
      return classes_[c].verdict == Verdict::kInconsistent || classes_[c].verdict == Verdict::kWronglyRejected;
    });
  }

  std::vector<size_t> ClassesOf(int number) const {
    std::vector<size_t> own;
    for (size_t c = 0; c < classes_.size(); ++c) {
      if (assigned_[c] == number) own.push_back(c);
    }
    return own;
  }

  uint64_t CasesOf(const std::vector<size_t>& some) const {
    uint64_t cases = 0;
    for (const size_t c : some) cases += classes_[c].cases;
    return cases;
  }

  void FindRest() {
    const auto open = [this](size_t c) { return assigned_[c] == kNone && !IsAside(classes_[c]); };
    rest_ = SplitByPlace(FindUnexplained(classes_, open, &examiner_), &classes_, &examiner_);
    assigned_.resize(classes_.size(), kNone);
    close_.resize(classes_.size(), true);
  }

  // Groups what has no known cause.
  void NameUnexplained() {
    for (const UnexplainedClasses& rest : rest_) {
      CauseGroup group;
      for (const size_t c : rest.classes) Put(c, true, &group);
      const auto is_error = [this](size_t c) {
        return classes_[c].verdict == Verdict::kFail && IsOfError(classes_[c].signature);
      };
      if (std::ranges::all_of(rest.classes, is_error)) {
        group.cause = {kErrorCause, "the library gives up with an error of its own",
                       "a model that is right does not run", "", std::nullopt};
      }
      Describe(rest, examiner_.words(), run_.selection, &group);
      drafts_.push_back(std::move(group));
    }
    for (size_t c = 0; c < classes_.size(); ++c) {
      if (assigned_[c] == kNone) AddAside(c);
    }
  }

  static bool IsAside(const FailureClass& cases) {
    return cases.verdict == Verdict::kMissing && cases.signature.ends_with(" set aside");
  }

  // Cases that were not run any more belong to what the pair of operator and type was set aside for.
  void AddAside(size_t c) {
    const auto because = std::max_element(
        drafts_.begin(), drafts_.end(),
        [&](const CauseGroup& a, const CauseGroup& b) { return EndsLike(classes_[c], a) < EndsLike(classes_[c], b); });
    if (because == drafts_.end() || !std::get<0>(EndsLike(classes_[c], *because))) {
      CauseGroup group;
      Put(c, true, &group);
      drafts_.push_back(std::move(group));
      return;
    }
    Merge(classes_[c], true, &*because);
    assigned_[c] = static_cast<int>(because - drafts_.begin());
  }

  const RunFacts& run_;
  std::vector<FailureClass> classes_;
  const PassesInIsolation& passes_in_isolation_;
  Examiner examiner_;
  Suspects suspects_;
  std::vector<std::pair<Suspect*, int>> chosen_;  // with the numbers of their drafts
  std::vector<UnexplainedClasses> rest_;          // what no known cause explains
  std::vector<CauseGroup> drafts_;
  std::vector<int> assigned_;  // draft of each class
  std::vector<bool> close_;    // the cause gives the answers of the class
};

}  // namespace

std::vector<CauseGroup> FindCauses(const RunFacts& run, const PassesInIsolation& passes_in_isolation) {
  return Diagnoser(run, passes_in_isolation).Make();
}

}  // namespace poolproof
