#include "conformance/results/record.h"

#include <fmt/format.h>

#include <algorithm>

#include "conformance/format/strict_json.h"

namespace poolproof {
namespace {

using reference::Entry;

ReadingNames EvidenceNames(const std::vector<Evidence>& evidence) {
  ReadingNames readings;
  for (const Evidence& e : evidence) {
    readings[std::string(reference::EntryId(e.entry))] = EvidenceText(e.entry, e.readings);
  }
  return readings;
}

RoundingAnswers AnswersOf(const std::vector<Evidence>& evidence) {
  RoundingAnswers rounds;
  for (const Evidence& e : evidence) {
    if (e.answers != 0) rounds[std::string(reference::EntryId(e.entry))] = e.answers;
  }
  return rounds;
}

ReadingNames DeviationNames(const std::vector<Choice>& deviations) {
  ReadingNames deviates;
  for (const Choice& c : deviations) {
    deviates[std::string(reference::EntryId(c.entry))] = reference::ReadingNames(c.entry)[c.reading];
  }
  return deviates;
}

std::vector<ExplanationLine> ExplanationsOf(const Judgement& judgement) {
  std::vector<ExplanationLine> explanations;
  for (const Candidate& candidate : judgement.candidates) {
    explanations.push_back(
        {EvidenceNames(candidate.evidence), AnswersOf(candidate.evidence), DeviationNames(candidate.deviations)});
  }
  return explanations;
}

uint32_t EvidenceBits(Entry entry, std::string_view text) {
  uint32_t bits = 0;
  while (!text.empty() && text != "none") {
    const size_t end = std::min(text.find('|'), text.size());
    if (const auto reading = reference::FindReading(entry, text.substr(0, end))) {
      bits |= 1u << *reading;
    }
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return bits;
}

// One explanation; what is no entry of the oracle (a printed example) goes to `text`.
Candidate CandidateOf(const ExplanationLine& explanation, std::string* text) {
  Candidate candidate;
  for (const auto& [id, names] : explanation.readings) {
    const auto entry = reference::FindEntry(id);
    if (!entry) continue;
    const auto rounds = explanation.rounds.find(id);
    candidate.evidence.push_back(
        {*entry, EvidenceBits(*entry, names), rounds == explanation.rounds.end() ? 0 : rounds->second});
  }
  for (const auto& [id, name] : explanation.deviates) {
    const auto entry = reference::FindEntry(id);
    const auto reading = entry ? reference::FindReading(*entry, name) : std::nullopt;
    if (reading) {
      candidate.deviations.push_back({*entry, *reading});
    } else {
      *text = id;
    }
  }
  std::sort(candidate.deviations.begin(), candidate.deviations.end(),
            [](const Choice& a, const Choice& b) { return a.entry < b.entry; });
  std::sort(candidate.evidence.begin(), candidate.evidence.end(),
            [](const Evidence& a, const Evidence& b) { return a.entry < b.entry; });
  return candidate;
}

void FillReadings(const CaseLine& line, Judgement* judgement) {
  Candidate chosen = CandidateOf(line.explained, &judgement->deviation_text);
  judgement->evidence = std::move(chosen.evidence);
  judgement->deviations = std::move(chosen.deviations);
  std::string unused;
  for (const ExplanationLine& explanation : line.explanations) {
    judgement->candidates.push_back(CandidateOf(explanation, &unused));
  }
}

// Adds what was judged to what is known of the case itself.
Record Filled(Record record, const CaseLine& line) {
  Judgement& judgement = record.judgement;
  judgement.verdict = line.verdict;
  judgement.ulp = line.ulp;
  FillReadings(line, &judgement);
  for (const std::string& id : line.matches) {
    for (size_t i = 0; i < Causes().size(); ++i) {
      if (Causes()[i].id == id) record.causes.set(i);
    }
  }
  // Only a pass becomes inconsistent, once all other cases are known.
  if (line.verdict == Verdict::kInconsistent) {
    judgement.verdict = Verdict::kPass;
    return record;
  }
  judgement.message = line.message;
  record.signature = line.signature;
  record.answer = line.answer;
  return record;
}

void SetFailure(const Record& record, CaseLine* line) {
  for (size_t i = 0; i < Causes().size(); ++i) {
    if (record.causes[i]) line->matches.emplace_back(Causes()[i].id);
  }
  line->elements = static_cast<uint64_t>(record.elements);
}

}  // namespace

std::string EvidenceText(Entry entry, uint32_t readings) {
  std::string text;
  const auto names = reference::ReadingNames(entry);
  for (size_t r = 0; r < names.size(); ++r) {
    if ((readings >> r & 1u) == 0) continue;
    if (!text.empty()) text += '|';
    text += names[r];
  }
  return text.empty() ? "none" : text;
}

std::string EvidenceWords(const Judgement& judgement) {
  return Json(EvidenceNames(judgement.evidence)).dump() + Json(AnswersOf(judgement.evidence)).dump();
}

std::string ExplanationWords(const Judgement& judgement) {
  std::string words;
  for (const ExplanationLine& explanation : ExplanationsOf(judgement)) AppendLine(explanation, &words);
  return words;
}

std::string BoundedMessage(const std::string& message) {
  constexpr size_t kMax = 4000;
  return message.size() <= kMax ? message : message.substr(0, kMax - 3) + "...";
}

CaseLine LineOf(const Record& record, const Closing& closing) {
  const Judgement& judgement = record.judgement;
  const bool contradicted = judgement.verdict == Verdict::kInconsistent;
  CaseLine line;
  line.n = record.n;
  line.id = record.id;
  line.line = record.line;
  line.section = SectionName(record.section);
  line.verdict = judgement.verdict;
  line.explained = {EvidenceNames(judgement.evidence), AnswersOf(judgement.evidence), {}};
  if (judgement.verdict == Verdict::kDeviates) {
    line.explained.deviates = DeviationNames(judgement.deviations);
    if (!judgement.deviation_text.empty()) line.explained.deviates[judgement.deviation_text] = "printed";
  }
  line.explanations = ExplanationsOf(judgement);
  line.ulp = judgement.ulp;
  line.message = BoundedMessage(judgement.message);
  if (contradicted) line.with = record.with;
  line.answer = record.answer;
  if (!Conforms(judgement.verdict)) line.signature = record.signature;
  if (!contradicted && !Conforms(judgement.verdict)) SetFailure(record, &line);
  line.group = static_cast<uint64_t>(closing.group);
  line.baseline = closing.baseline;
  return line;
}

Record RecordOf(const PlannedCase& planned, const CaseLine& line) { return Filled(RecordOf(planned), line); }

std::optional<Record> RecordOf(const Specs& specs, const CaseLine& line, Error* error) {
  const std::optional<Problem> problem = ParseLine(specs, line.line, error);
  if (!problem) return std::nullopt;
  PlannedCase planned;
  planned.n = line.n;
  planned.id = line.id;
  planned.line = line.line;
  for (int s = 0; s <= static_cast<int>(Section::kRandom); ++s) {
    if (SectionName(static_cast<Section>(s)) == line.section) planned.section = static_cast<Section>(s);
  }
  planned.problem = *problem;
  return RecordOf(planned, line);
}

std::optional<Record> ParseRecord(const Specs& specs, std::string_view text, Error* error) {
  const std::optional<Json> value = ParseStrictly(text, error);
  CaseLine line;
  if (!value || !ReadCaseLine(*value, &line, error)) return std::nullopt;
  return RecordOf(specs, line, error);
}

}  // namespace poolproof
