#include "conformance/results/case_lists.h"

#include <fmt/format.h>

#include <algorithm>

#include "conformance/format/packed.h"

namespace poolproof {
namespace {

// Far more kinds of alike cases than honest runs have: a backend may give a new reason each time.
constexpr size_t kMaxClasses = 20'000;

template <typename Number>
void AppendBytes(Number number, std::string* out) {
  out->append(reinterpret_cast<const char*>(&number), sizeof number);
}

// The answers that occur, the most frequent first, and which of them is that of each case.
AlikeRounds RoundsOf(std::vector<uint32_t> answers, size_t cases) {
  answers.resize(cases);
  std::unordered_map<uint32_t, uint64_t> counts;
  for (const uint32_t each : answers) ++counts[each];
  AlikeRounds rounds;
  for (const auto& [each, count] : counts) rounds.answers.push_back(each);
  std::sort(rounds.answers.begin(), rounds.answers.end(),
            [&](uint32_t a, uint32_t b) { return counts[a] != counts[b] ? counts[a] > counts[b] : a < b; });
  for (size_t i = 0; i < rounds.answers.size(); ++i) counts[rounds.answers[i]] = i;
  std::vector<uint64_t> of;
  of.reserve(cases);
  for (const uint32_t each : answers) of.push_back(counts[each]);
  rounds.of = PackNumbers(of);
  return rounds;
}

}  // namespace

void CasesDigest::Add(uint64_t n, std::string_view id, Verdict verdict) {
  digest_->Add(fmt::format_int(n).c_str()).Add(" ").Add(id).Add(" ").Add(VerdictName(verdict)).Add("\n");
}

bool CaseLists::IsAlike(const Record& record, std::string* key) {
  const Judgement& judgement = record.judgement;
  if (record.id != record.line || !judgement.candidates.empty() || !record.answer.empty()) return false;
  key->assign(1, static_cast<char>(judgement.verdict));
  if (judgement.verdict == Verdict::kUnsupported) {
    *key += record.function->name + '\0' + judgement.message;
    return judgement.evidence.empty();
  }
  if (judgement.verdict != Verdict::kPass || !judgement.message.empty()) return false;
  std::vector<std::pair<reference::Entry, uint32_t>> readings;
  for (const Evidence& e : judgement.evidence) readings.emplace_back(e.entry, e.readings);
  std::sort(readings.begin(), readings.end());
  for (const auto& [entry, bits] : readings) {
    AppendBytes(entry, key);
    AppendBytes(bits, key);
  }
  return true;
}

bool CaseLists::AddToClass(const std::string& key, const Record& record) {
  const auto known = by_key_.find(key);
  const bool is_new = known == by_key_.end();
  const size_t number = is_new ? classes_.size() : known->second;
  if (number >= kMaxClasses) return false;
  if (is_new) {
    by_key_.emplace(key, number);
    Class& fresh = classes_.emplace_back();
    const CaseLine line = LineOf(record);
    fresh.verdict = line.verdict;
    fresh.message = line.message;
    fresh.readings = line.explained.readings;
    fresh.example = record.id;
    if (line.verdict == Verdict::kUnsupported) fresh.op = record.function->name;
  }
  Class& into = classes_[number];
  for (const Evidence& e : record.judgement.evidence) {
    if (e.answers == 0) continue;
    std::vector<uint32_t>& answers = into.answers[e.entry];
    answers.resize(into.places.size());
    answers.push_back(e.answers);
  }
  into.places.push_back(record.n);
  return true;
}

void CaseLists::CountFunction(std::string_view function, std::string_view section, Verdict verdict) {
  auto known = by_function_.find(function);
  if (known == by_function_.end()) known = by_function_.emplace(function, OperatorCounts()).first;
  ++known->second.Of(section)[verdict];
}

void CaseLists::Add(const Record& record) {
  const Judgement& judgement = record.judgement;
  digest_.Add(record.n, record.id, judgement.verdict);
  CountFunction(record.function->name, SectionName(record.section), judgement.verdict);
  std::string key;
  const bool plain = judgement.verdict == Verdict::kPass && judgement.evidence.empty();
  if (!IsAlike(record, &key) || (is_listed_ && is_listed_(record.id)) || (!plain && !AddToClass(key, record))) {
    listed_.push_back(record.n);
    return;
  }
  counts_.Add(record.function->name, ElementTypeName(record.type), SectionName(record.section), judgement.verdict,
              record.line);
}

void CaseLists::AddPlainPass(const CaseLine& line) {
  digest_.Add(line.n, line.id, Verdict::kPass);
  CountFunction(line.op(), line.section, Verdict::kPass);
  if (line.id != line.line || (is_listed_ && is_listed_(line.id))) {
    listed_.push_back(line.n);
  } else {
    counts_.Add(line.op(), line.type(), line.section, Verdict::kPass, line.line);
  }
}

Presence CaseLists::Operators() const {
  Presence presence;
  for (const auto& [function, counts] : by_function_) presence.Add(ReportedName(counts_.listed(), function), counts);
  return presence;
}

std::string CaseLists::AlikeLines() const {
  std::string text;
  for (const Class& each : classes_) {
    AlikeLine line;
    line.verdict = each.verdict;
    line.op = each.op;
    line.message = each.message;
    line.readings = each.readings;
    line.cases = each.places.size();
    line.example = each.example;
    line.places = PackPlaces(each.places);
    for (const auto& [entry, answers] : each.answers) {
      line.rounds[std::string(reference::EntryId(entry))] = RoundsOf(answers, each.places.size());
    }
    AppendLine(line, &text);
  }
  return text;
}

}  // namespace poolproof
