// A run whose backend is wrong in a way that a test knows.
#pragma once

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <functional>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "conformance/diagnosis/diagnosis.h"
#include "conformance/diagnosis/rare.h"

namespace poolproof {

inline int64_t At(const Features& features, Feature f) { return features[static_cast<size_t>(f)]; }

inline size_t CauseNamed(std::string_view id) {
  for (size_t m = 0; m < Causes().size(); ++m) {
    if (Causes()[m].id == id) return m;
  }
  ADD_FAILURE() << "no cause " << id;
  return 0;
}

// A run over a small plan, judged as a backend would be that has a fault where a condition holds.
class RunOf {
 public:
  using Condition = std::function<bool(const Features&)>;

  RunOf() {
    Error error;
    specs_ = LoadSpecs("", &error);
    PlanOptions options;
    options.level = Level::kQuick;
    options.random_count = 4000;
    plan_ = Plan::Make(*specs_, options, &error);
    local_.emplace(*plan_, selection_);
  }

  void Add(std::string_view id, const Condition& where) {
    const Fault fault{false, CauseNamed(id), {}, 0};
    for (uint64_t n = 0; n < plan_->Size(); ++n) {
      if (!local_->Load(n, &words_) || !local_->AppliesTo(fault) || !where(local_->features())) continue;
      if (!local_->Compute() || !local_->FailsWith(fault)) continue;
      wrong_[n].push_back(fault.cause);
    }
  }

  // `count` cases that one fault breaks, whose answers have nothing to do with it; two in three of them another one
  // breaks as well.
  void AddUnlike(std::string_view breaks_all, std::string_view breaks_some, uint64_t count) {
    const Fault all{false, CauseNamed(breaks_all), {}, 0}, some{false, CauseNamed(breaks_some), {}, 0};
    uint64_t both = 0, one = 0;
    for (uint64_t n = 0; n < plan_->Size() && both + one < count; ++n) {
      if (!local_->Load(n, &words_) || !local_->AppliesTo(all) || !local_->Compute() || !local_->FailsWith(all)) {
        continue;
      }
      const bool is_both = local_->AppliesTo(some) && local_->FailsWith(some);
      if (wrong_.contains(n) || (!is_both && 2 * (one + 1) > both)) continue;
      ++(is_both ? both : one);
      Record record = RecordOf(Verdict::kFail);
      record.signature = "any|2 0";
      tally_.Add(record);
    }
  }

  // Invalid calls that two faults accept are accepted; those that the wide one alone accepts the backend does not have.
  void AddAccepted(std::string_view narrow, std::string_view wide) {
    const Fault both{false, CauseNamed(narrow), {}, 0}, one{false, CauseNamed(wide), {}, 0};
    for (uint64_t n = 0; n < plan_->Size(); ++n) {
      if (!local_->Load(n, &words_) || At(local_->features(), Feature::kInvalid) == 0 || !local_->Compute()) continue;
      if (!local_->AppliesTo(one) || !local_->FailsWith(one)) continue;
      const bool accepted = local_->FailsWith(both);
      Record record = RecordOf(accepted ? Verdict::kWronglyAccepted : Verdict::kUnsupported);
      if (accepted) {
        record.signature = "any|";
        record.answer = fmt::format("{:016x}", n + 1);
        record.causes.set(both.cause);
        record.causes.set(one.cause);
      }
      tally_.Add(record);
    }
  }

  // Cases that a reading changes, "same-stride=ceil-div", have the answers of that.
  uint64_t AddDeviating(const std::string& reading) {
    const std::optional<Fault> fault = ReadingFault(reading);
    uint64_t count = 0;
    for (uint64_t n = 0; n < plan_->Size(); ++n) {
      if (!local_->Load(n, &words_) || !local_->Compute() || !local_->FailsWith(*fault)) continue;
      mixed_.insert(n);
      Record record = RecordOf(Verdict::kDeviates);
      record.signature = reading;
      tally_.Add(record);
      ++count;
    }
    return count;
  }

  // Cases of one class whose answers no cause gives: `broken` that a fault breaks, and `left` that it leaves right and,
  // where there is another one, that breaks.
  void AddMixed(std::string_view id, uint64_t broken, uint64_t left, std::string_view other = "") {
    const Fault fault{false, CauseNamed(id), {}, 0};
    const Fault second{false, CauseNamed(other.empty() ? id : other), {}, 0};
    for (uint64_t n = 0; n < plan_->Size() && broken + left > 0; ++n) {
      if (!local_->Load(n, &words_) || !local_->AppliesTo(fault) || !local_->Compute()) continue;
      const bool breaks = local_->FailsWith(fault);
      uint64_t& count = breaks ? broken : left;
      if (count == 0 || (!breaks && !other.empty() && !local_->FailsWith(second))) continue;
      --count;
      mixed_.insert(n);
      Record record = RecordOf(Verdict::kFail);
      record.signature = "any|2 0";
      tally_.Add(record);
    }
  }

  // The next `count` cases of f32 end in a way that has nothing to do with an answer.
  void AddEvents(Verdict verdict, const std::string& signature, int count) {
    for (; count > 0; ++next_) {
      if (!local_->Load(next_, &words_) || local_->planned().problem.type != POOLPROOF_F32) continue;
      Record record = RecordOf(verdict);
      record.signature = "any|" + signature;
      tally_.Add(record);
      --count;
    }
  }

  // All cases for which `where` holds end in two ways, in turn.
  void AddEventsWhere(const Condition& where, Verdict even, Verdict odd,
                      const std::string& signature = "any|output values") {
    uint64_t count = 0;
    for (uint64_t n = 0; n < plan_->Size(); ++n) {
      if (!local_->Load(n, &words_) || !where(local_->features())) continue;
      Record record = RecordOf(count++ % 2 == 0 ? even : odd);
      record.signature = signature;
      tally_.Add(record);
    }
  }

  // All calls for which `where` holds are refused, also those that `cause` would not refuse.
  void AddRefusals(const Condition& where, size_t cause) {
    for (uint64_t n = 0; n < plan_->Size(); ++n) {
      if (!local_->Load(n, &words_) || !where(local_->features()) || !local_->Compute()) continue;
      const Fault fault{false, cause, {}, 0};
      Record record = RecordOf(Verdict::kWronglyRejected);
      record.signature = "any|1 0";
      record.answer = fmt::format("{:016x}", n + 1);
      if (local_->AppliesTo(fault) && local_->FailsWith(fault)) record.causes.set(cause);
      tally_.Add(record);
    }
  }

  // All cases that would pass by `reading` alone, and for which `where` holds, do so.
  void AddRare(std::string_view reading, const Condition& where) {
    const Fault fault = *ReadingFault(reading);
    for (uint64_t n = 0; n < plan_->Size(); ++n) {
      if (!local_->Load(n, &words_) || !local_->Compute() || !local_->FailsWith(fault)) continue;
      if (!where(local_->features())) continue;
      Record record = RecordOf(Verdict::kPass);
      record.judgement.evidence = {{fault.entry, 1u << fault.reading}};
      tally_.Add(record);
    }
  }

  std::vector<RarePlace> FindRare(const std::function<bool()>& late = {}) {
    return FindRarePlaces({*plan_, selection_, tally_, plan_->Size(), late});
  }

  // All other cases for which `where` holds have answers that no cause gives.
  void AddWithoutCause(const Condition& where) {
    for (uint64_t n = 0; n < plan_->Size(); ++n) {
      if (local_->Load(n, &words_) && where(local_->features())) wrong_.try_emplace(n);
    }
  }

  Problem ProblemOf(const std::string& id) {
    local_->Load(id, &words_);
    return local_->planned().problem;
  }

  uint64_t Failing() const { return wrong_.size(); }

  std::vector<CauseGroup> Find(const std::function<bool()>& late = {}) {
    for (const auto& [n, causes] : wrong_) {
      if (!mixed_.contains(n)) AddWrong(n, causes);
    }
    return FindCauses({*plan_, selection_, tally_, plan_->Size(), late}, {});
  }

 private:
  // A case that two faults break has an answer of its own.
  void AddWrong(uint64_t n, const std::vector<size_t>& causes) {
    local_->Load(n, &words_);
    Record record = RecordOf(Verdict::kFail);
    record.signature = "any|3 0";
    record.answer = fmt::format("{:016x}", n + 1);
    if (causes.size() == 1) record.causes.set(causes[0]);
    tally_.Add(record);
  }

  // Features of the case that is loaded.
  Record RecordOf(Verdict verdict) {
    Record record = poolproof::RecordOf(local_->planned());
    record.judgement.verdict = verdict;
    return record;
  }

  std::optional<Specs> specs_;
  std::optional<Plan> plan_;
  Selection selection_;
  WordNumbers words_;
  std::optional<LocalCase> local_;
  std::map<uint64_t, std::vector<size_t>> wrong_;
  std::set<uint64_t> mixed_;  // cases that have their records
  Tally tally_;
  uint64_t next_ = 0;  // of AddEvents
};

inline bool Always(const Features&) { return true; }

// Cases by chance, which no rule tells from others: one in `share`.
inline std::function<bool(const Features&)> OneIn(uint64_t share) {
  return [share, count = uint64_t{0}](const Features&) mutable {
    return (++count * 0x9e3779b97f4a7c15u >> 32) % share == 0;
  };
}

}  // namespace poolproof
