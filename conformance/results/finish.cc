#include "conformance/results/finish.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <charconv>
#include <nlohmann/json.hpp>
#include <utility>

#include "conformance/format/part.h"
#include "conformance/results/answer.h"
#include "conformance/results/header.h"
#include "conformance/results/profile_hint.h"
#include "conformance/results/record.h"

namespace poolproof {
namespace {

using reference::Entry;

// Answers that a silence tolerates without naming them say nothing about the named ones.
bool OnlyOther(Entry entry, uint32_t readings) { return readings == 1u << reference::ComputableReadings(entry); }

using Uses = std::vector<std::pair<uint32_t, ReadingUse>>;

uint32_t MostUsed(Entry entry, const Uses& uses) {
  uint32_t best = 0;
  uint64_t most = 0;
  for (uint32_t r = 0; r < reference::ComputableReadings(entry); ++r) {
    uint64_t cases = 0;
    for (const auto& [bits, use] : uses) cases += (bits >> r & 1u) != 0 ? use.cases : 0;
    if (cases > most) {
      most = cases;
      best = r;
    }
  }
  return best;
}

bool Against(Entry entry, uint32_t readings, uint32_t majority) {
  return !OnlyOther(entry, readings) && (readings >> majority & 1u) == 0;
}

// One case against the usual reading of an entry.
struct Contradiction {
  Entry entry{};
  std::string message, proof;  // empty proof: there is none
};

Contradiction ByReading(Entry entry, const MajorityReading& majority) {
  return {entry,
          fmt::format("The backend reads {} in two ways: {} in \"{}\", another way here.", reference::EntryId(entry),
                      reference::ReadingNames(entry)[majority.reading], majority.proof),
          majority.proof};
}

Contradiction ByAnswer(Entry entry, const MajorityReading& majority, uint32_t answers) {
  const int bit = std::countr_zero(answers & majority.minority_answers);
  const std::string& proof = majority.answered[static_cast<size_t>(bit % reference::kRoundingQuestions)];
  const bool down = bit < reference::kRoundingQuestions;
  return {entry,
          fmt::format("The backend reads {} in two ways: it rounds a quotient {} in \"{}\", one of the "
                      "same kind {} here.",
                      reference::EntryId(entry), down ? "up" : "down", proof, down ? "down" : "up"),
          proof};
}

// The first evidence of a case that takes another side than majority.
Contradiction Contradicted(const MajorityReadings& majorities, const Record& record,
                           const std::vector<Evidence>& evidence) {
  for (const Evidence& e : evidence) {
    const auto it = majorities.find(ScopeKey(e.entry, record));
    if (it == majorities.end()) continue;
    const MajorityReading& majority = it->second;
    if (reference::IsRounding(e.entry)) {
      if ((e.answers & majority.minority_answers) != 0) return ByAnswer(e.entry, majority, e.answers);
    } else if (Against(e.entry, e.readings, majority.reading)) {
      return ByReading(e.entry, majority);
    }
  }
  return {};
}

// Which of the two answers to each question most cases give.
void FindMajorityAnswers(const std::string& id, const std::map<AnswerKey, ReadingUse>& answers,
                         MajorityReading* majority) {
  for (int question = 0; question < reference::kRoundingQuestions; ++question) {
    const int up = question + reference::kRoundingQuestions;
    const auto down_use = answers.find({id, question}), up_use = answers.find({id, up});
    if (down_use == answers.end() || up_use == answers.end()) continue;
    const bool mostly_up = up_use->second.cases > down_use->second.cases;
    majority->minority_answers |= 1u << (mostly_up ? question : up);
    majority->answered[static_cast<size_t>(question)] = (mostly_up ? up_use : down_use)->second.example;
  }
  majority->contradicted = majority->minority_answers != 0;
}

// The first of the deviations that other cases refute.
RefutedReadings::const_iterator FirstRefuted(const RefutedReadings& refuted, const std::vector<Choice>& deviations) {
  for (const Choice& choice : deviations) {
    const auto known = refuted.find({choice.entry, choice.reading});
    if (known != refuted.end()) return known;
  }
  return refuted.end();
}

// How many other cases can only be explained by these deviations: of the rarest of them.
uint64_t SupportFor(const std::map<std::string, uint64_t>& deviations, const Candidate& candidate) {
  uint64_t least = UINT64_MAX;
  for (const Choice& choice : candidate.deviations) {
    const std::string word =
        fmt::format(" {}={} ", reference::EntryId(choice.entry), reference::ReadingNames(choice.entry)[choice.reading]);
    uint64_t cases = 0;
    for (const auto& [key, count] : deviations) {
      if ((" " + key + " ").find(word) != std::string::npos) cases += count;
    }
    least = std::min(least, cases);
  }
  return least;
}

}  // namespace

MajorityReadings FindMajorityReadings(const std::map<EvidenceKey, ReadingUse>& evidence,
                                      const std::map<AnswerKey, ReadingUse>& answers) {
  std::map<std::string, Uses> by_entry;
  for (const auto& [key, use] : evidence) by_entry[key.first].emplace_back(key.second, use);
  MajorityReadings all;
  for (const auto& [id, uses] : by_entry) {
    const Entry entry = *reference::FindEntry(id.substr(0, id.find(' ')));
    if (!reference::IsSilence(entry)) continue;  // to mix readings there is to deviate
    MajorityReading& majority = all[id];
    if (reference::IsRounding(entry)) {
      FindMajorityAnswers(id, answers, &majority);
      continue;
    }
    majority.reading = MostUsed(entry, uses);
    uint32_t against = 0;
    for (const auto& [bits, use] : uses) {
      if (!Against(entry, bits, majority.reading)) continue;
      majority.contradicted = true;
      against |= bits;
    }
    for (const auto& [bits, use] : uses) {
      if ((bits >> majority.reading & 1u) == 0) continue;
      const bool disjoint = (bits & against) == 0;
      if (majority.proof.empty() || disjoint) majority.proof = use.example;
      if (disjoint) break;
    }
  }
  return all;
}

std::string Resolve(const MajorityReadings& majorities, const std::map<std::string, uint64_t>& deviations,
                    const reference::Selection& selected, Record* record) {
  Judgement& judgement = record->judgement;
  const Candidate* best = nullptr;
  for (const Candidate& candidate : judgement.candidates) {
    if (!Contradicted(majorities, *record, candidate.evidence).proof.empty()) continue;
    if (best == nullptr || SupportFor(deviations, candidate) > SupportFor(deviations, *best)) {
      best = &candidate;
    }
  }
  if (best == nullptr && !judgement.candidates.empty()) best = &judgement.candidates.front();
  if (best != nullptr) {
    Choose(selected.For(record->function->name, record->type), *best, &judgement);
    record->signature = Conforms(judgement.verdict) ? "" : DeviationKey(judgement);
  }
  if (judgement.verdict != Verdict::kPass) return "";
  Contradiction other = Contradicted(majorities, *record, judgement.evidence);
  if (other.proof.empty()) return "";
  judgement.verdict = Verdict::kInconsistent;
  record->signature = reference::EntryId(other.entry);
  judgement.message = std::move(other.message);
  return other.proof;
}

RefutedReadings FindRefutedReadings(const std::map<EvidenceKey, ReadingUse>& evidence) {
  RefutedReadings refuted;
  for (const auto& [key, use] : evidence) {
    const Entry entry = *reference::FindEntry(key.first);
    if (reference::IsSilence(entry) || key.second == 0) continue;
    for (uint8_t r = 0; r < reference::ComputableReadings(entry); ++r) {
      if ((key.second >> r & 1u) == 0) refuted.try_emplace({entry, r}, use.example);
    }
  }
  return refuted;
}

void DropRefuted(const RefutedReadings& refuted, Record* record) {
  std::vector<Candidate>& candidates = record->judgement.candidates;
  const auto is_refuted = [&](const Candidate& c) { return FirstRefuted(refuted, c.deviations) != refuted.end(); };
  if (!IsRefusal(record->answer) || std::ranges::all_of(candidates, is_refuted)) return;
  std::erase_if(candidates, is_refuted);
}

void RejectExcuse(const RefutedReadings& refuted, Record* record) {
  Judgement& judgement = record->judgement;
  if (judgement.verdict != Verdict::kDeviates || !IsRefusal(record->answer)) return;
  const auto by = FirstRefuted(refuted, judgement.deviations);
  if (by == refuted.end()) return;
  const auto& [entry, reading] = by->first;
  judgement.verdict = Verdict::kWronglyRejected;
  judgement.message = fmt::format(
      "The call is valid, the backend answers INVALID_ARGUMENT; by {}={} it would have to, but \"{}\" shows "
      "that the backend does not read it so.",
      reference::EntryId(entry), reference::ReadingNames(entry)[reading], by->second);
  judgement.deviations.clear();
  judgement.candidates.clear();
  record->signature = record->spec->id + "|";
}

std::string ContradictionOf(const reference::Selection& selected, Record first, Record second) {
  Tally tally;
  tally.Add(first);
  tally.Add(second);
  const MajorityReadings majorities = FindMajorityReadings(tally.scoped_evidence(), tally.answers());
  for (Record* record : {&first, &second}) {
    if (!Resolve(majorities, {}, selected, record).empty()) return record->judgement.message;
  }
  return "";
}

namespace {

bool IsCase(std::string_view line) { return line.starts_with("{\"n\":"); }

uint64_t PlaceOf(std::string_view line) {
  uint64_t n = 0;
  line.remove_prefix(std::string_view("{\"n\":").size());
  std::from_chars(line.data(), line.data() + line.size(), n);
  return n;
}

}  // namespace

Tally RunCloser::EmptyTally(const Json& header, const Baseline* baseline) {
  if (baseline == nullptr) return Tally(header, {}, {});
  return Tally(
      header, [baseline](std::string_view id) { return baseline->AppliesTo(id); },
      [baseline](const Record& record) { return baseline->StandingOf(record); });
}

void RunCloser::ResolveCase(Record* record) const {
  DropRefuted(refuted_, record);
  record->with = Resolve(majorities_, deviations_, selected_, record);
  RejectExcuse(refuted_, record);
  if (!record->with.empty()) record->answer = EvidenceDigest(EvidenceWords(record->judgement));
}

bool RunCloser::Recount() {
  const Tally& open = result_.tally;
  majorities_ = FindMajorityReadings(open.scoped_evidence(), open.answers());
  deviations_ = open.proven_deviations();
  refuted_ = FindRefutedReadings(open.evidence());
  bool unsettled = open.ambiguous() > 0 || (!deviations_.empty() && !refuted_.empty());
  for (const auto& [id, majority] : majorities_) unsettled = unsettled || majority.contradicted;
  if (!unsettled) return true;
  Tally closed = EmptyTally(header_, baseline_);
  for (const auto& [cases, ulp] : open.ulp()) closed.AddUlp(cases, ulp);
  CaseLine plain;
  const bool read = file_.Read(
      [&](std::string_view line) {
        if (!IsCase(line)) return true;
        if (ReadPlainLine(line, &plain)) {
          closed.AddPlainPass(plain);
          return true;
        }
        std::optional<Record> record = ParseRecord(specs_, line, error_);
        if (!record) return false;
        ResolveCase(&*record);
        closed.Add(*record);
        return true;
      },
      error_);
  result_.tally = std::move(closed);
  return read;
}

bool RunCloser::WriteCases(std::string* out, const ResultsFile::Flush& flush) {
  const CaseLists& lists = result_.tally.lists();
  std::vector<std::pair<uint64_t, int>> groups;  // of the cases that do not conform, by place in the plan
  for (const CauseGroup& group : result_.tally.groups()) {
    for (const Member& member : group.members) groups.emplace_back(member.n, group.number);
  }
  std::sort(groups.begin(), groups.end());
  auto group = groups.begin();
  auto listed = lists.listed().begin();
  return file_.Read(
      [&](std::string_view line) {
        if (!IsCase(line)) {
          *out += Line(header_);
          AppendLine(PlannedLine{result_.tally.planned(), lists.digest().Text()}, out);
          *out += lists.AlikeLines();
          return flush();
        }
        if (listed == lists.listed().end() || PlaceOf(line) != *listed) return true;
        ++listed;
        std::optional<Record> record = ParseRecord(specs_, line, error_);
        if (!record) return false;
        ResolveCase(&*record);
        Closing closing;
        if (group != groups.end() && group->first == record->n) closing.group = group++->second;
        bool covered = false;
        if (baseline_ != nullptr) closing.baseline = baseline_->Check(*record, &covered);
        if (covered && !Conforms(record->judgement.verdict)) --result_.uncovered;
        AppendRecord(*record, closing, out);
        return flush();
      },
      error_);
}

void RunCloser::WriteEnd(std::string* out) {
  const EngineResult& engine = result_.engine;
  if (baseline_ != nullptr) {
    const bool complete =
        StringOr(header_, "filter").empty() && header_["shard"]["count"] == 1 && !engine.time_over && !engine.stopped;
    Error unasked;
    const auto support = Support::FromJson(specs_, header_.value("lacks", Json()), &unasked);
    result_.baseline = baseline_->Summary(complete ? &specs_ : nullptr, support ? &*support : nullptr);
  }
  const bool any = result_.tally.counts()[static_cast<size_t>(Verdict::kPass)] > 0;
  result_.conforms = result_.uncovered == 0 && !Changed(result_.baseline) && any && engine.process_faults.empty();
  // Answers of a known bug may look like another reading here and there, which says nothing of a profile.
  const bool deviates =
      std::ranges::any_of(result_.tally.groups(), [](const auto& g) { return g.verdict == Verdict::kDeviates; });
  if (deviates) result_.profile_hint = FindProfileHint(result_.tally, StringOr(header_, "profile"));
  for (const CauseGroup& group : result_.tally.groups()) *out += Line(MakeGroup(specs_, group));
  *out += result_.tally.lists().counts().Lines();
  const Json footer = MakeFooter(result_);
  result_.seed = SeedText(header_);
  result_.part = PartOf(header_, footer["footer"]);
  *out += Line(footer);
}

bool RunCloser::Write() {
  if (result_.tally.groups().empty()) result_.tally.GroupByClass();
  for (size_t v = 0; v < kVerdictCount; ++v) {
    if (!Conforms(static_cast<Verdict>(v))) result_.uncovered += result_.tally.counts()[v];
  }
  const auto fill = [this](std::string* out, const ResultsFile::Flush& flush) {
    if (!WriteCases(out, flush)) return false;
    WriteEnd(out);
    return true;
  };
  if (!file_.Finish(fill, error_)) return false;
  result_.results_path = file_.FinalPath();
  return true;
}

}  // namespace poolproof
