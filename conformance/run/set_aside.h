// Which operator and element type of a backend are no longer run, since they keep hanging or dying.
//
// A hang or a death of the process costs its case. Where one pair of operator and element type does
// nothing else, the rest of its cases would cost hours: it is set aside alone, from the place in the
// plan on where it had ended so often, and its later cases are `missing`. That place depends on the
// plan and the backend alone, whichever lane runs which case first.
#pragma once

#include <atomic>
#include <cstdint>
#include <map>
#include <mutex>
#include <string>
#include <vector>

#include "conformance/results/run_result.h"

namespace poolproof {

// `pair` ends of one kind set their pair aside; `few` of them do, once all pairs together have had
// `total`. So a run of P pairs loses at most total + few * P time limits, whatever hangs.
struct EndLimits {
  uint32_t pair, few, total;
};
struct SetAsideLimits {
  EndLimits hangs{5, 1, 40};
  EndLimits deaths{500, 20, 2000};
};

class SetAside {
 public:
  explicit SetAside(const SetAsideLimits& limits = {}) : limits_(limits) {}

  // A case has been judged, in any order and by any thread.
  void Note(const Record& record);
  // Whether it is known by now that the case of this place is not to be run. Thread-safe.
  bool Knows(uint64_t n, const OperatorSpec& spec, poolproof_element_type type) const;
  // The next record in plan order, all before it having been noted: makes it `missing` where its
  // pair is set aside. One thread at a time.
  void Deliver(Record* record);
  // The same for a record of an interrupted run, which has been through it before.
  void Restore(const Record& record);

  // In order of operators and types.
  std::vector<AsidePair> Pairs() const;

 private:
  static constexpr uint64_t kNever = UINT64_MAX;
  static constexpr int kKinds = 2;  // hangs, deaths
  struct Pair {
    std::vector<uint64_t> places[kKinds];  // of ends: the lowest, sorted, as many as the limit
    uint64_t missing = 0;
    std::string why;
  };
  using Key = std::pair<std::string, poolproof_element_type>;

  static Key KeyOf(const OperatorSpec& spec, poolproof_element_type type);
  const EndLimits& Limits(int kind) const { return kind == 0 ? limits_.hangs : limits_.deaths; }
  // Ends of `kind` after which the pair is set aside at place `n`; 0: it is not.
  uint32_t EndsBefore(const Pair& pair, int kind, uint64_t n) const;

  const SetAsideLimits limits_;
  mutable std::mutex mutex_;
  std::atomic<bool> any_{false};  // whether there is any end at all
  std::map<Key, Pair> pairs_;
  uint64_t total_[kKinds] = {0, 0};
  uint64_t strict_from_[kKinds] = {kNever, kNever};  // place from which `few` holds
};

}  // namespace poolproof
