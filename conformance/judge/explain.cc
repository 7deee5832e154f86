#include "conformance/judge/explain.h"

#include <algorithm>
#include <bit>

namespace poolproof {
namespace {

using reference::ComputableReadings;
using reference::Entry;
using reference::kEntryCount;
using reference::Readings;
using reference::Scope;

// Enough for every pair of changes and, in practice, every triple that a real library makes.
constexpr int kMaxOracleRuns = 600;
constexpr int kRunsBeyondExcuses = 150;
constexpr int kMaxChanges = 4;
constexpr size_t kMaxCandidates = 6;

// Whether few libraries follow a reading of the entry. What is excused by it may have a better reason.
bool HasRareReading(Entry entry) {
  for (uint8_t r = 0; r < ComputableReadings(entry); ++r) {
    if (reference::IsRare(entry, r)) return true;
  }
  return false;
}

// Whether no element had to be excused by a silence of which another reading may fit the result as
// it is. How a quotient was rounded is told from the elements themselves.
bool IsClean(const Comparison& comparison) {
  for (size_t i = 0; i < kEntryCount; ++i) {
    const Entry entry = static_cast<Entry>(i);
    if (!comparison.silences.Has(entry) || ComputableReadings(entry) < 2) continue;
    if (!reference::IsRounding(entry) && (ScopeOf(entry) != Scope::kNone || HasRareReading(entry))) return false;
  }
  return true;
}

// The reading to name where the selected one does not agree.
uint8_t InsteadOf(const Readings& selected, const Evidence& evidence) {
  if (evidence.readings != 0) return static_cast<uint8_t>(std::countr_zero(evidence.readings));
  return selected[evidence.entry] == 0 ? 1 : 0;
}

template <typename Each>
void ForEachEntry(reference::EntrySet set, Each each) {
  for (size_t i = 0; i < kEntryCount; ++i) {
    if (set.Has(static_cast<Entry>(i))) each(static_cast<Entry>(i));
  }
}

}  // namespace

bool Explainer::Try(Call& call, const Readings& readings, const Result& got) {
  --budget_;
  trial_.Compute(call, readings, !got.computed, capacity_);
  comparison_ = Compare(call, trial_, got);
  return comparison_.Matches();
}

void Explainer::Note(const Readings& readings, Matches* matches) {
  std::vector<Readings>& list = IsClean(comparison_) ? matches->clean : matches->excused;
  if (list.size() < kMaxCandidates) list.push_back(readings);
}

// A library that follows a known profile differs in many entries at once. What the match does not
// need is taken back, so that the explanation stays minimal.
void Explainer::TryProfiles(Call& call, const Expected& selected, const Result& got, Matches* matches) {
  for (std::string_view name : reference::ProfileNames()) {
    Readings readings = reference::FindProfile(name)->For(call.call);
    if (readings == selected.readings() || !Try(call, readings, got)) continue;
    const bool clean = IsClean(comparison_);
    for (size_t i = 0; i < kEntryCount; ++i) {
      const Entry entry = static_cast<Entry>(i);
      const uint8_t changed = readings[entry];
      if (changed == selected.readings()[entry]) continue;
      readings[entry] = selected.readings()[entry];
      if (!Try(call, readings, got) || (clean && !IsClean(comparison_))) readings[entry] = changed;
    }
    Try(call, readings, got);
    Note(readings, matches);
    if (clean) return;
  }
}

// Changes one more entry of every node of `level`; on return `level` holds the new nodes.
void Explainer::Widen(Call& call, const Readings& selected, const Result& got, std::vector<Node>* level,
                      Matches* matches) {
  std::vector<Node> next;
  for (const Node& node : *level) {
    ForEachEntry(node.touched, [&](Entry entry) {
      if (node.readings[entry] != selected[entry]) return;
      for (uint8_t r = 0; r < ComputableReadings(entry); ++r) {
        if (r == selected[entry] || budget_ <= 0) continue;
        Readings readings = node.readings;
        readings[entry] = r;
        bool seen = false;
        for (const Node& other : next) seen = seen || other.readings == readings;
        if (seen) continue;
        if (Try(call, readings, got)) Note(readings, matches);
        next.push_back({readings, trial_.touched()});
      }
    });
  }
  level->swap(next);
}

Explainer::Matches Explainer::Search(Call& call, const Expected& selected, const Result& got, bool matches_excused) {
  Matches matches;
  budget_ = kMaxOracleRuns;
  std::vector<Node> level{{selected.readings(), selected.touched()}};
  Widen(call, selected.readings(), got, &level, &matches);
  if (!matches.clean.empty() || level.empty()) return matches;
  TryProfiles(call, selected, got, &matches);
  // Single elements that had to be excused may be those of a reading that only several changes show.
  if (matches.Any() || matches_excused) budget_ = std::min(budget_, kRunsBeyondExcuses);
  for (int changes = 2; changes <= kMaxChanges && budget_ > 0 && matches.clean.empty(); ++changes) {
    Widen(call, selected.readings(), got, &level, &matches);
  }
  return matches;
}

// The readings of `entry` that agree with the result, all other readings kept. Bits: see Evidence.
uint32_t Explainer::Agreeing(Call& call, const Expected& matched, const Result& got, Entry entry,
                             const Comparison& comparison) {
  const uint8_t own = matched.readings()[entry];
  uint32_t agreeing = 0;
  for (uint8_t r = 0; r < ComputableReadings(entry); ++r) {
    if (r == own) {
      if (!comparison.silences.Has(entry)) agreeing |= 1u << r;
      continue;
    }
    Readings readings = matched.readings();
    readings[entry] = r;
    alternative_.Compute(call, readings, !got.computed, capacity_);
    const Comparison with = Compare(call, alternative_, got, entry);
    if (with.Matches() && !with.silences.Has(entry)) agreeing |= 1u << r;
  }
  const bool other = agreeing == 0 && comparison.others.Has(entry);
  return other ? 1u << ComputableReadings(entry) : agreeing;
}

Evidence Explainer::EvidenceOf(Call& call, const Expected& matched, const Result& got, Entry entry,
                               const Comparison& comparison) {
  if (!reference::IsRounding(entry) || !got.computed || got.status != POOLPROOF_OK) {
    return {entry, Agreeing(call, matched, got, entry, comparison)};
  }
  const reference::RoundingAnswers answers =
      reference::FindOperator(call.call.op)->rounding(call.call, matched.readings(), got.outputs[0].data);
  const uint32_t all = (1u << ComputableReadings(entry)) - 1;
  const uint32_t named = answers.named & all;
  return {entry, named != 0 ? named : all + 1, answers.answers};
}

Candidate Explainer::Describe(Call& call, const Readings& selected, const Expected& matched,
                              const Comparison& comparison, const Result& got) {
  Candidate candidate;
  reference::EntrySet open = matched.touched();
  open.Add(comparison.silences);
  ForEachEntry(open, [&](Entry entry) {
    if (!reference::IsSilence(entry)) return;
    const bool open_to_all = reference::OnlyBoundsErrors(entry) && !matched.binding().Has(entry);
    if (open_to_all && !comparison.silences.Has(entry)) return;
    const Evidence evidence = EvidenceOf(call, matched, got, entry, comparison);
    const uint32_t all = (1u << ComputableReadings(entry)) - 1;
    if (evidence.readings != all) candidate.evidence.push_back(evidence);
    if (demanded_.Has(entry) && (evidence.readings >> selected[entry] & 1u) == 0) {
      candidate.deviations.push_back({entry, InsteadOf(selected, evidence)});
    }
  });
  for (size_t i = 0; i < kEntryCount; ++i) {
    const Entry entry = static_cast<Entry>(i);
    const uint8_t reading = matched.readings()[entry];
    if (!reference::IsSilence(entry) && reading != selected[entry]) {
      candidate.deviations.push_back({entry, reading});
    }
  }
  std::sort(candidate.deviations.begin(), candidate.deviations.end(),
            [](const Choice& a, const Choice& b) { return a.entry < b.entry; });
  return candidate;
}

void Explainer::Prove(Call& call, const Expected& selected, const Result& got, const Comparison& comparison,
                      Candidate* candidate) {
  ForEachEntry(selected.touched(), [&](Entry entry) {
    if (reference::IsSilence(entry) || ComputableReadings(entry) < 2) return;
    const uint32_t agreeing = Agreeing(call, selected, got, entry, comparison);
    if (agreeing == (1u << ComputableReadings(entry)) - 1) return;
    candidate->evidence.push_back({entry, agreeing});
  });
  std::sort(candidate->evidence.begin(), candidate->evidence.end(),
            [](const Evidence& a, const Evidence& b) { return a.entry < b.entry; });
}

// Where another reading of a silence that binds a library to nothing gives the result as well, points that do not arise
// under it prove nothing.
void Explainer::WeakenByUnbound(Call& call, const Expected& selected, const Result& got, Candidate* candidate) {
  ForEachEntry(selected.touched(), [&](Entry entry) {
    if (!reference::IsSilence(entry) || ScopeOf(entry) != Scope::kNone || demanded_.Has(entry)) return;
    for (uint8_t r = 0; r < ComputableReadings(entry); ++r) {
      Readings readings = selected.readings();
      if (r == readings[entry] || candidate->evidence.empty()) continue;
      readings[entry] = r;
      if (!Try(call, readings, got) || !IsClean(comparison_)) continue;
      std::erase_if(candidate->evidence,
                    [&](const Evidence& evidence) { return !trial_.touched().Has(evidence.entry); });
    }
  });
}

std::optional<Explanation> Explainer::Explain(Call& call, const Expected& selected, const Result& got,
                                              reference::EntrySet demanded, bool prove) {
  capacity_ = selected.capacity();
  demanded_ = demanded;
  Explanation explanation;
  const Readings& chosen = selected.readings();
  const Comparison first = Compare(call, selected, got);
  explanation.ulp = first.ulp;
  if (first.Matches() && IsClean(first)) {
    explanation.candidates = {Describe(call, chosen, selected, first, got)};
    WeakenByUnbound(call, selected, got, explanation.candidates.data());
    if (prove) Prove(call, selected, got, first, explanation.candidates.data());
    return explanation;
  }
  // A result that matches only because single elements are excused may match another reading as it is.
  Matches matches = Search(call, selected, got, first.Matches());
  if (matches.clean.empty() && first.Matches()) {
    explanation.candidates = {Describe(call, chosen, selected, first, got)};
    return explanation;
  }
  if (matches.clean.empty()) matches.clean.swap(matches.excused);
  if (matches.clean.empty()) return std::nullopt;
  for (const Readings& readings : matches.clean) {
    Try(call, readings, got);
    const Comparison comparison = comparison_;
    if (!first.Matches()) explanation.ulp = comparison.ulp;
    explanation.candidates.push_back(Describe(call, chosen, trial_, comparison, got));
  }
  std::stable_sort(explanation.candidates.begin(), explanation.candidates.end(),
                   [](const Candidate& a, const Candidate& b) { return a.deviations.empty() > b.deviations.empty(); });
  return explanation;
}

}  // namespace poolproof
