#include "conformance/results/finish.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <nlohmann/json.hpp>
#include <sstream>
#include <utility>

#include "conformance/format/part.h"
#include "conformance/results/answer.h"
#include "conformance/results/header.h"
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

bool Against(Entry entry, uint32_t readings, uint32_t usual) {
  return !OnlyOther(entry, readings) && (readings >> usual & 1u) == 0;
}

// One case against the usual reading of an entry.
struct Contradiction {
  Entry entry{};
  std::string message, proof;  // empty proof: there is none
};

Contradiction ByReading(Entry entry, const Usual& usual) {
  return {entry,
          fmt::format("The backend reads {} in two ways: {} in \"{}\", another way here.", reference::EntryId(entry),
                      reference::ReadingNames(entry)[usual.reading], usual.proof),
          usual.proof};
}

Contradiction ByAnswer(Entry entry, const Usual& usual, uint32_t answers) {
  const int bit = std::countr_zero(answers & usual.unusual_answers);
  const std::string& proof = usual.answered[static_cast<size_t>(bit % reference::kRoundingQuestions)];
  const bool down = bit < reference::kRoundingQuestions;
  return {entry,
          fmt::format("The backend reads {} in two ways: it rounds a quotient {} in \"{}\", one of the "
                      "same kind {} here.",
                      reference::EntryId(entry), down ? "up" : "down", proof, down ? "down" : "up"),
          proof};
}

// The first evidence of a case that takes another side than usual.
Contradiction Contradicted(const Usuals& usuals, const Record& record, const std::vector<Evidence>& evidence) {
  for (const Evidence& e : evidence) {
    const auto it = usuals.find(ScopeKey(e.entry, record));
    if (it == usuals.end()) continue;
    const Usual& usual = it->second;
    if (reference::IsRounding(e.entry)) {
      if ((e.answers & usual.unusual_answers) != 0) return ByAnswer(e.entry, usual, e.answers);
    } else if (Against(e.entry, e.readings, usual.reading)) {
      return ByReading(e.entry, usual);
    }
  }
  return {};
}

// Which of the two answers to each question most cases give.
void FindUsualAnswers(const std::string& id, const std::map<AnswerKey, ReadingUse>& answers, Usual* usual) {
  for (int question = 0; question < reference::kRoundingQuestions; ++question) {
    const int up = question + reference::kRoundingQuestions;
    const auto down_use = answers.find({id, question}), up_use = answers.find({id, up});
    if (down_use == answers.end() || up_use == answers.end()) continue;
    const bool mostly_up = up_use->second.cases > down_use->second.cases;
    usual->unusual_answers |= 1u << (mostly_up ? question : up);
    usual->answered[static_cast<size_t>(question)] = (mostly_up ? up_use : down_use)->second.example;
  }
  usual->contradicted = usual->unusual_answers != 0;
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

Usuals FindUsuals(const std::map<EvidenceKey, ReadingUse>& evidence, const std::map<AnswerKey, ReadingUse>& answers) {
  std::map<std::string, Uses> by_entry;
  for (const auto& [key, use] : evidence) by_entry[key.first].emplace_back(key.second, use);
  Usuals all;
  for (const auto& [id, uses] : by_entry) {
    const Entry entry = *reference::FindEntry(id.substr(0, id.find(' ')));
    if (!reference::IsSilence(entry)) continue;  // to mix readings there is to deviate
    Usual& usual = all[id];
    if (reference::IsRounding(entry)) {
      FindUsualAnswers(id, answers, &usual);
      continue;
    }
    usual.reading = MostUsed(entry, uses);
    uint32_t against = 0;
    for (const auto& [bits, use] : uses) {
      if (!Against(entry, bits, usual.reading)) continue;
      usual.contradicted = true;
      against |= bits;
    }
    for (const auto& [bits, use] : uses) {
      if ((bits >> usual.reading & 1u) == 0) continue;
      const bool disjoint = (bits & against) == 0;
      if (usual.proof.empty() || disjoint) usual.proof = use.example;
      if (disjoint) break;
    }
  }
  return all;
}

std::string Resolve(const Usuals& usuals, const std::map<std::string, uint64_t>& deviations,
                    const reference::Readings& selected, Record* record) {
  Judgement& judgement = record->judgement;
  const Candidate* best = nullptr;
  for (const Candidate& candidate : judgement.candidates) {
    if (!Contradicted(usuals, *record, candidate.evidence).proof.empty()) continue;
    if (best == nullptr || SupportFor(deviations, candidate) > SupportFor(deviations, *best)) {
      best = &candidate;
    }
  }
  if (best == nullptr && !judgement.candidates.empty()) best = &judgement.candidates.front();
  if (best != nullptr) {
    Choose(selected, *best, &judgement);
    record->signature = Conforms(judgement.verdict) ? "" : DeviationKey(judgement);
  }
  if (judgement.verdict != Verdict::kPass) return "";
  Contradiction other = Contradicted(usuals, *record, judgement.evidence);
  if (other.proof.empty()) return "";
  judgement.verdict = Verdict::kInconsistent;
  record->signature = reference::EntryId(other.entry);
  judgement.message = std::move(other.message);
  return other.proof;
}

std::string ContradictionOf(const reference::Readings& selected, Record first, Record second) {
  Tally tally;
  tally.Add(first);
  tally.Add(second);
  const Usuals usuals = FindUsuals(tally.scoped_evidence(), tally.answers());
  for (Record* record : {&first, &second}) {
    if (!Resolve(usuals, {}, selected, record).empty()) return record->judgement.message;
  }
  return "";
}

namespace {

// Whether a profile picks every reading of "ties=last nan=ignore".
bool Explains(const reference::Readings& profile, const std::string& deviation) {
  std::istringstream words(deviation);
  for (std::string word; words >> word;) {
    const size_t equals = std::min(word.find('='), word.size());
    const auto entry = reference::FindEntry(word.substr(0, equals));
    if (!entry || word.substr(std::min(equals + 1, word.size())) != reference::ReadingNames(*entry)[profile[*entry]]) {
      return false;
    }
  }
  return true;
}

}  // namespace

std::optional<ProfileHint> FindProfileHint(const Tally& tally, const std::string& selected) {
  std::optional<ProfileHint> hint;
  uint64_t total = 0, most = 0;
  for (const auto& [key, cases] : tally.deviations()) total += cases;
  for (std::string_view name : reference::ProfileNames()) {
    if (name == selected) continue;
    const reference::Readings profile = *reference::FindProfile(name);
    uint64_t explained = 0;
    for (const auto& [key, cases] : tally.deviations()) {
      if (Explains(profile, key)) explained += cases;
    }
    if (explained <= most) continue;
    most = explained;
    hint = ProfileHint{std::string(name), total, explained};
  }
  return hint;
}

namespace {

bool IsCase(std::string_view line) { return line.starts_with("{\"n\":"); }

// A pass that proves nothing.
bool IsPlain(std::string_view line) { return line.ends_with("\"verdict\":\"pass\"}"); }

// Whether the baseline has anything to say of a plain pass.
bool Concerns(const Baseline& baseline, std::string_view line) {
  constexpr std::string_view kId = "\"id\":\"";
  const size_t begin = line.find(kId) + kId.size();
  const std::string_view id = line.substr(begin, line.find('"', begin) - begin);
  return id.find('\\') != id.npos || baseline.Concerns(id);
}

}  // namespace

void Ending::Settle(Record* record) const {
  record->with = Resolve(usuals_, deviations_, selected_, record);
  if (!record->with.empty()) record->answer = EvidenceDigest(EvidenceWords(record->judgement));
}

bool Ending::Count() {
  const Tally& open = result_.tally;
  usuals_ = FindUsuals(open.scoped_evidence(), open.answers());
  deviations_ = open.proven_deviations();
  unsettled_ = open.ambiguous() > 0;
  for (const auto& [id, usual] : usuals_) unsettled_ = unsettled_ || usual.contradicted;
  if (!unsettled_) return true;
  Tally closed;
  const bool read = file_.Read(
      [&](std::string_view line) {
        if (!IsCase(line)) return true;
        if (IsPlain(line)) {
          closed.AddPlainPass();
          return true;
        }
        std::optional<Record> record = ParseRecord(specs_, line, error_);
        if (!record) return false;
        Settle(&*record);
        closed.Add(*record);
        return true;
      },
      error_);
  result_.tally = std::move(closed);
  return read;
}

bool Ending::WriteCases(bool more, Baseline* baseline) {
  std::vector<std::pair<uint64_t, int>> groups;  // of the cases that do not conform, by place in the plan
  for (const Group& group : result_.tally.groups()) {
    for (const Member& member : group.members) groups.emplace_back(member.n, group.number);
  }
  std::sort(groups.begin(), groups.end());
  auto next = groups.begin();
  const auto stays = [&](std::string_view line) {
    if (IsPlain(line)) return baseline == nullptr || !Concerns(*baseline, line);
    return !more && line.find(",\"group\":") == line.npos;
  };
  return file_.Rewrite(
      [&](std::string_view line, std::string* out) {
        if (!IsCase(line) || stays(line)) {
          out->append(line).push_back('\n');
          return true;
        }
        std::optional<Record> record = ParseRecord(specs_, line, error_);
        if (!record) return false;
        Settle(&*record);
        Closing closing;
        if (next != groups.end() && next->first == record->n) closing.group = next++->second;
        bool covered = false;
        if (baseline != nullptr) closing.baseline_json = baseline->Check(*record, &covered);
        if (covered && !Conforms(record->judgement.verdict)) --result_.uncovered;
        AppendRecord(*record, closing, out);
        return true;
      },
      error_);
}

bool Ending::Write(const Json& header, bool closed_before, Baseline* baseline) {
  const EngineResult& engine = result_.engine;
  for (size_t v = 0; v < kVerdictCount; ++v) {
    if (!Conforms(static_cast<Verdict>(v))) result_.uncovered += result_.tally.counts()[v];
  }
  const bool more = unsettled_ || closed_before || baseline != nullptr;
  if ((more || !result_.tally.groups().empty()) && !WriteCases(more, baseline)) return false;
  if (baseline != nullptr) {
    const bool complete =
        StringOr(header, "filter").empty() && header["shard"]["count"] == 1 && !engine.time_over && !engine.stopped;
    Error unasked;
    const auto support = Support::FromJson(&specs_, header.value("lacks", Json()), &unasked);
    result_.baseline = baseline->Summary(complete, support ? &*support : nullptr);
  }
  const bool any = result_.tally.counts()[static_cast<size_t>(Verdict::kPass)] > 0;
  result_.conforms = result_.uncovered == 0 && !Changed(result_.baseline) && any && engine.process_faults.empty();
  result_.profile_hint = FindProfileHint(result_.tally, StringOr(header, "profile"));
  std::string lines;
  for (const Group& group : result_.tally.groups()) lines += Line(MakeGroup(specs_, group));
  const Json footer = MakeFooter(result_);
  result_.part = PartOf(header, footer["footer"]);
  lines += Line(footer);
  if (!file_.Append(lines, error_) || !file_.Finish(error_)) return false;
  result_.results_path = file_.FinalPath();
  return true;
}

}  // namespace poolproof
