#include "conformance/results/tally.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <tuple>

#include "conformance/results/answer.h"
#include "conformance/results/record.h"

namespace poolproof {
namespace {

void Count(const Record& record, ReadingUse* use) {
  if (use->cases++ == 0) use->example = record.id;
}

// How an inconsistent case reads the entry that it reads in two ways.
std::string ReadingOf(const Record& record) {
  if (record.judgement.verdict != Verdict::kInconsistent) return "";
  for (const Evidence& evidence : record.judgement.evidence) {
    if (reference::EntryId(evidence.entry) != record.signature) continue;
    return fmt::format("{}={}", record.signature, EvidenceText(evidence.entry, evidence.readings));
  }
  return "";
}

}  // namespace

void AddCase(const Record& record, const Member& member, FailureClass* to) {
  ++to->cases;
  to->operators.insert(record.function->name);
  to->types.insert(std::string(ElementTypeName(record.type)));
  if (to->first.size() < kFirstCases) to->first.push_back(record.id);
  to->members.push_back(member);
  const auto size = [](int64_t elements, const std::string& line) {
    return std::tuple(elements, line.size(), std::string_view(line));
  };
  if (to->cases > 1 && size(record.elements, record.line) >= size(to->smallest_elements, to->smallest_line)) {
    return;
  }
  to->smallest_id = record.id;
  to->smallest_line = record.line;
  to->smallest_elements = record.elements;
  to->smallest_n = record.n;
  to->smallest_with = record.with;
  to->message = record.judgement.message;
}

std::string DeviationKey(const Judgement& judgement) {
  if (!judgement.deviation_text.empty()) return judgement.deviation_text + "=printed";
  std::string key;
  for (const Choice& choice : judgement.deviations) {
    if (!key.empty()) key += ' ';
    key +=
        fmt::format("{}={}", reference::EntryId(choice.entry), reference::ReadingNames(choice.entry)[choice.reading]);
  }
  return key;
}

std::optional<std::string_view> RareReading(reference::Entry entry, uint32_t readings) {
  if (!std::has_single_bit(readings)) return std::nullopt;
  const auto reading = static_cast<uint8_t>(std::countr_zero(readings));
  if (!reference::IsRare(entry, reading)) return std::nullopt;
  return reference::ReadingNames(entry)[reading];
}

FailureClass& Tally::FindClass(const Record& record) {
  const std::string reading = ReadingOf(record);
  const Standing standing = standing_of_ ? standing_of_(record) : Standing::kNew;
  const std::string key =
      fmt::format("{} {} {} {} {}", static_cast<int>(standing), static_cast<int>(record.judgement.verdict),
                  record.causes.to_string(), reading, record.signature);
  const auto [known, added] = numbers_.try_emplace(key, classes_.size());
  if (!added) return classes_[known->second];
  FailureClass& found = classes_.emplace_back();
  found.number = static_cast<int>(classes_.size());
  found.verdict = record.judgement.verdict;
  found.standing = standing;
  found.signature = record.signature;
  found.causes = record.causes;
  found.reading = reading;
  found.first_n = record.n;
  return found;
}

std::string ScopeKey(reference::Entry entry, const Record& record) {
  std::string id(reference::EntryId(entry));
  switch (reference::ScopeOf(entry)) {
    case reference::Scope::kNone: return "";
    case reference::Scope::kRun:
    case reference::Scope::kRule: return id;
    case reference::Scope::kOperator: return fmt::format("{} {}", id, record.function->name);
    default: return fmt::format("{} {} {}", id, record.function->name, ElementTypeName(record.type));
  }
}

std::map<std::string, uint32_t> CommonReadings(const Tally& tally) {
  std::map<std::string, uint32_t> common;
  for (const auto& [key, use] : tally.evidence()) {
    if (!reference::IsSilence(*reference::FindEntry(key.first))) continue;
    const auto [known, added] = common.try_emplace(key.first, key.second);
    if (!added) known->second &= key.second;
  }
  return common;
}

std::map<std::string, uint32_t> ReadingsByType(const Tally& tally, reference::Entry entry) {
  std::map<std::string, uint32_t> common;
  if (reference::ScopeOf(entry) != reference::Scope::kType) return common;
  const std::string id = std::string(reference::EntryId(entry)) + " ";
  for (const auto& [key, use] : tally.scoped_evidence()) {
    if (!key.first.starts_with(id)) continue;
    const auto [known, added] = common.try_emplace(key.first.substr(key.first.rfind(' ') + 1), key.second);
    if (!added) known->second &= key.second;
  }
  const bool fits = std::ranges::all_of(common, [](const auto& type) { return type.second != 0; });
  return fits ? common : std::map<std::string, uint32_t>{};
}

void Tally::AddEvidence(const Evidence& evidence, const Record& record) {
  const std::string id(reference::EntryId(evidence.entry));
  Count(record, &evidence_[{id, evidence.readings}]);
  if (const auto rare = RareReading(evidence.entry, evidence.readings)) {
    const std::string reading = fmt::format("{}={}", id, *rare);
    rare_[reading][record.function->name].push_back(record.n);
    if (record.judgement.ulp > 0) AddUlp(reading, record.judgement.ulp);
  }
  const std::string scope = ScopeKey(evidence.entry, record);
  if (!scope.empty()) Count(record, &scoped_evidence_[{scope, evidence.readings}]);
  for (int bit = 0; bit < 2 * reference::kRoundingQuestions; ++bit) {
    if ((evidence.answers >> bit & 1u) != 0) Count(record, &answers_[{id, bit}]);
  }
}

// A case with several explanations proves none of them, but excludes what all of them exclude: a library that flushes
// either its inputs or its outputs does not keep subnormals.
void Tally::AddCandidates(const Record& record) {
  const std::vector<Candidate>& candidates = record.judgement.candidates;
  for (const Evidence& evidence : candidates.front().evidence) {
    uint32_t readings = 0;
    const bool in_all = std::all_of(candidates.begin(), candidates.end(), [&](const Candidate& candidate) {
      const auto own = std::find_if(candidate.evidence.begin(), candidate.evidence.end(),
                                    [&](const Evidence& e) { return e.entry == evidence.entry; });
      if (own != candidate.evidence.end()) readings |= own->readings;
      return own != candidate.evidence.end();
    });
    if (!in_all) continue;
    if (reference::IsSilence(evidence.entry)) {
      Count(record, &evidence_[{std::string(reference::EntryId(evidence.entry)), readings}]);
    }
    const std::string scope = ScopeKey(evidence.entry, record);
    if (!scope.empty()) Count(record, &scoped_evidence_[{scope, readings}]);
  }
}

Tally Tally::WithClasses(std::vector<FailureClass> classes) const {
  Tally other;
  other.classes_ = std::move(classes);
  other.unsupported_ = unsupported_;
  return other;
}

StandingCounts Tally::Standings() const {
  StandingCounts counts;
  for (const CauseGroup& group : groups_) counts.Add(group.standing, group.cases);
  return counts;
}

void Tally::GroupByClass() {
  for (const FailureClass& each : classes_) {
    CauseGroup& group = groups_.emplace_back();
    static_cast<Failures&>(group) = each;
    group.causes = group.smallest_causes = each.causes;
    group.smallest_verdict = each.verdict;
  }
}

void Tally::AddPlainPass(const CaseLine& line) {
  lists_.AddPlainPass(line);
  ++planned_;
  ++counts_[static_cast<size_t>(Verdict::kPass)];
}

void Tally::AddUlp(const std::string& cases, double ulp) {
  double& most = ulp_[cases];
  most = std::max(most, ulp);
}

int Tally::Add(const Record& record) {
  const Judgement& judgement = record.judgement;
  lists_.Add(record);
  ++planned_;
  ++counts_[static_cast<size_t>(judgement.verdict)];
  const bool proof = judgement.candidates.empty();
  ambiguous_ += proof ? 0 : 1;
  for (const Evidence& evidence : judgement.evidence) {
    if (!proof) break;
    AddEvidence(evidence, record);
  }
  if (!proof) AddCandidates(record);
  if (judgement.ulp > 0) {
    AddUlp(fmt::format("{} {}", record.function->name, ElementTypeName(record.type)), judgement.ulp);
  }
  if (judgement.verdict == Verdict::kDeviates) {
    ++deviations_[DeviationKey(judgement)];
    if (proof) ++proven_deviations_[DeviationKey(judgement)];
  }
  if (judgement.verdict == Verdict::kUnsupported) unsupported_.push_back(record.n);
  if (Conforms(judgement.verdict)) return 0;
  FailureClass& found = FindClass(record);
  AddCase(record, {record.n, AnswerNumber(record.answer)}, &found);
  return found.number;
}

}  // namespace poolproof
