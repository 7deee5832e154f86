// Finds the readings of the documents' open points under which a result is right.
//
// The search knows no operator: the oracle says on which entries a computation depends, and only
// those are varied. Fewest changes first, so the explanation is minimal.
#pragma once

#include <array>
#include <bitset>
#include <optional>
#include <vector>

#include "conformance/judge/compare.h"

namespace poolproof {

struct Choice {
  reference::Entry entry;
  uint8_t reading;
  friend bool operator==(const Choice&, const Choice&) = default;
};

// Proof of one case about the backend's reading of one open point: `readings` holds a bit for each
// reading that agrees with the result (bit i: reading i). No bit at all: the case contradicts itself.
// It proves more than names tell of how quotients are rounded: `answers`, see RoundingAnswers.
struct Evidence {
  reference::Entry entry;
  uint32_t readings;
  uint32_t answers = 0;
};

// One way to explain a result.
struct Candidate {
  // Readings other than the selected ones, of silences only where the selected one is demanded.
  std::vector<Choice> deviations;
  std::vector<Evidence> evidence;  // per silence on which the result depends, in order of entries
};

struct Explanation {
  // All explanations with the fewest changes, those without deviations first. More than one where a
  // single case cannot tell them apart; the whole run can.
  std::vector<Candidate> candidates;
  double ulp = 0;
};

// Reuses its memory from case to case; one per thread.
class Explainer {
 public:
  // `selected`: the expected result under the readings that the user selected; `got` differs from
  // it or not. `demanded`: silences of which only the selected reading will do. Empty where no
  // readings explain the result. With `prove`, evidence of a result as
  // expected is also that on open points other than silences, which takes more time.
  std::optional<Explanation> Explain(Call& call, const Expected& selected, const Result& got,
                                     reference::EntrySet demanded, bool prove);

 private:
  struct Node {
    reference::Readings readings;
    reference::EntrySet touched;
  };
  // Matches of one search: `clean` ones need no element to be excused by a silence.
  struct Matches {
    std::vector<reference::Readings> clean, excused;
    bool Any() const { return !clean.empty() || !excused.empty(); }
  };

  void WeakenByUnbound(Call& call, const Expected& selected, const Result& got, Candidate* candidate);
  bool Try(Call& call, const reference::Readings& readings, const Result& got);
  Matches Search(Call& call, const Expected& selected, const Result& got, bool matches_excused);
  void TryProfiles(Call& call, const Expected& selected, const Result& got, Matches* matches);
  void Widen(Call& call, const reference::Readings& selected, const Result& got, std::vector<Node>* level,
             Matches* matches);
  void Note(const reference::Readings& readings, Matches* matches);
  Candidate Describe(Call& call, const reference::Readings& selected, const Expected& matched,
                     const Comparison& comparison, const Result& got);
  Evidence EvidenceOf(Call& call, const Expected& matched, const Result& got, reference::Entry entry,
                      const Comparison& comparison);
  void Prove(Call& call, const Expected& selected, const Result& got, const Comparison& comparison,
             Candidate* candidate);
  uint32_t Agreeing(Call& call, const Expected& matched, const Result& got, reference::Entry entry,
                    const Comparison& comparison);

  Expected trial_, alternative_;
  Comparison comparison_;  // of trial_
  Capacity capacity_;      // of the case
  reference::EntrySet demanded_;
  int budget_ = 0;  // oracle runs left
};

}  // namespace poolproof
