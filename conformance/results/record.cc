#include "conformance/results/record.h"

#include <fmt/format.h>

#include <algorithm>
#include <stdexcept>

#include "conformance/format/strict_json.h"

namespace poolproof {
namespace {

using nlohmann::json;
using reference::Entry;

// What a line lacks to be a case.
struct NoCase : std::runtime_error {
  using std::runtime_error::runtime_error;
};

// Ids and lines are printable ASCII in nearly every case; then no library is needed to quote them.
void AppendQuoted(std::string_view text, std::string* out) {
  for (const char c : text) {
    if (c < ' ' || c > '~' || c == '"' || c == '\\') {
      *out += JsonQuoted(text);
      return;
    }
  }
  *out += '"';
  *out += text;
  *out += '"';
}

void AppendKey(std::string_view key, std::string_view value, std::string* out) {
  *out += ",\"";
  *out += key;
  *out += "\":";
  AppendQuoted(value, out);
}

json EvidenceJson(const std::vector<Evidence>& evidence) {
  json readings = json::object();
  for (const Evidence& e : evidence) {
    readings[std::string(reference::EntryId(e.entry))] = EvidenceText(e.entry, e.readings);
  }
  return readings;
}

json AnswersJson(const std::vector<Evidence>& evidence) {
  json rounds = json::object();
  for (const Evidence& e : evidence) {
    if (e.answers != 0) rounds[std::string(reference::EntryId(e.entry))] = e.answers;
  }
  return rounds;
}

json DeviationsJson(const std::vector<Choice>& deviations) {
  json deviates = json::object();
  for (const Choice& c : deviations) {
    deviates[std::string(reference::EntryId(c.entry))] = reference::ReadingNames(c.entry)[c.reading];
  }
  return deviates;
}

void AppendReadings(const Judgement& judgement, std::string* out) {
  if (!judgement.evidence.empty()) {
    *out += ",\"readings\":" + EvidenceJson(judgement.evidence).dump();
  }
  const json answers = AnswersJson(judgement.evidence);
  if (!answers.empty()) *out += ",\"rounds\":" + answers.dump();
  if (judgement.verdict == Verdict::kDeviates) {
    json deviates = DeviationsJson(judgement.deviations);
    if (!judgement.deviation_text.empty()) deviates[judgement.deviation_text] = "printed";
    *out += ",\"deviates\":" + deviates.dump(-1, ' ', false, json::error_handler_t::replace);
  }
  if (!judgement.candidates.empty()) *out += ",\"explanations\":" + ExplanationWords(judgement);
}

// Backends may say more than anybody reads.
std::string Bounded(const std::string& message) {
  constexpr size_t kMax = 4000;
  return message.size() <= kMax ? message : message.substr(0, kMax - 3) + "...";
}

void AppendFailure(const Record& record, std::string* out) {
  if (record.causes.any()) {
    *out += ",\"matches\":[";
    const char* comma = "";
    for (size_t i = 0; i < Causes().size(); ++i) {
      if (!record.causes[i]) continue;
      *out += comma;
      AppendQuoted(Causes()[i].id, out);
      comma = ",";
    }
    *out += ']';
  }
  AppendKey("signature", record.signature, out);
  *out += fmt::format(",\"elements\":{}", record.elements);
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
Candidate ParseCandidate(const Json& value, std::string* text) {
  Candidate candidate;
  const Json readings = value.value("readings", Json::object());
  const Json rounds = value.value("rounds", Json::object());
  for (const auto& [id, names] : readings.items()) {
    const auto entry = reference::FindEntry(id);
    if (!entry) continue;
    candidate.evidence.push_back(
        {*entry, EvidenceBits(*entry, names.get<std::string>()), rounds.value(id, uint32_t{0})});
  }
  const Json deviates = value.value("deviates", Json::object());
  for (const auto& [id, name] : deviates.items()) {
    const auto entry = reference::FindEntry(id);
    const auto reading = entry ? reference::FindReading(*entry, name.get<std::string>()) : std::nullopt;
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

void ParseReadings(const Json& value, Judgement* judgement) {
  Candidate chosen = ParseCandidate(value, &judgement->deviation_text);
  judgement->evidence = std::move(chosen.evidence);
  judgement->deviations = std::move(chosen.deviations);
  std::string unused;
  const Json explanations = value.value("explanations", Json::array());
  for (const Json& explanation : explanations) {
    judgement->candidates.push_back(ParseCandidate(explanation, &unused));
  }
}

bool FillFromLine(const Specs& specs, Record* record, Error* error) {
  const std::optional<Problem> problem = ParseLine(specs, record->line, error);
  if (!problem) return false;
  record->spec = problem->spec;
  record->function = problem->function;
  record->type = problem->type;
  record->elements = problem->Elements();
  return true;
}

Record FromJson(const Json& value) {
  Record record;
  const Json& n = value.at("n");
  if (!n.is_number_unsigned()) throw NoCase("\"n\" is " + n.dump() + ", not a whole number from 0 on");
  record.n = n.get<uint64_t>();
  record.id = value.at("id").get<std::string>();
  record.line = value.value("line", record.id);
  const std::string section = value.at("section").get<std::string>();
  for (int s = 0; s <= static_cast<int>(Section::kRandom); ++s) {
    if (SectionName(static_cast<Section>(s)) == section) record.section = static_cast<Section>(s);
  }
  Judgement& judgement = record.judgement;
  const std::string verdict = value.at("verdict").get<std::string>();
  const auto known = FindVerdict(verdict);
  if (!known) throw NoCase(fmt::format("there is no verdict \"{}\"", verdict));
  judgement.verdict = *known;
  // Only a pass becomes inconsistent, once all other cases are known.
  const bool closed = judgement.verdict == Verdict::kInconsistent;
  if (closed) judgement.verdict = Verdict::kPass;
  if (!closed) judgement.message = value.value("message", "");
  judgement.ulp = value.value("ulp", 0.0);
  ParseReadings(value, &judgement);
  const Json matches = value.value("matches", Json::array());
  for (const Json& id : matches) {
    for (size_t i = 0; i < Causes().size(); ++i) {
      if (Causes()[i].id == id.get<std::string>()) record.causes.set(i);
    }
  }
  if (!closed) record.signature = value.value("signature", "");
  if (!closed) record.answer = value.value("answer", "");
  return record;
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
  return EvidenceJson(judgement.evidence).dump() + AnswersJson(judgement.evidence).dump();
}

std::string ExplanationWords(const Judgement& judgement) {
  if (judgement.candidates.empty()) return "";
  json explanations = json::array();
  for (const Candidate& candidate : judgement.candidates) {
    explanations.push_back({{"readings", EvidenceJson(candidate.evidence)},
                            {"rounds", AnswersJson(candidate.evidence)},
                            {"deviates", DeviationsJson(candidate.deviations)}});
  }
  return explanations.dump();
}

void AppendRecord(const Record& record, const Closing& closing, std::string* out) {
  const Judgement& judgement = record.judgement;
  const bool contradicted = judgement.verdict == Verdict::kInconsistent;
  *out += "{\"n\":";
  *out += fmt::format_int(record.n).c_str();
  AppendKey("id", record.id, out);
  if (record.line != record.id) AppendKey("line", record.line, out);
  AppendKey("section", SectionName(record.section), out);
  AppendKey("verdict", VerdictName(judgement.verdict), out);
  AppendReadings(judgement, out);
  if (judgement.ulp > 0) *out += fmt::format(",\"ulp\":{:.6g}", judgement.ulp);
  if (!judgement.message.empty()) AppendKey("message", Bounded(judgement.message), out);
  if (contradicted) AppendKey("with", record.with, out);
  if (!record.answer.empty()) AppendKey("answer", record.answer, out);
  if (!contradicted && !Conforms(judgement.verdict)) AppendFailure(record, out);
  if (contradicted) AppendKey("signature", record.signature, out);
  if (closing.group > 0) *out += fmt::format(",\"group\":{}", closing.group);
  if (!closing.baseline_json.empty()) *out += ",\"baseline\":" + closing.baseline_json;
  *out += "}\n";
}

std::optional<Record> ParseRecord(const Specs& specs, std::string_view line, Error* error) {
  try {
    Error reason;
    const std::optional<Json> value = ParseStrictly(line, &reason);
    if (!value) throw NoCase(reason.message);
    Record record = FromJson(*value);
    if (!FillFromLine(specs, &record, error)) return std::nullopt;
    return record;
  } catch (const json::exception&) {
    error->message = "no case of a results file (a member is missing or of another type)";
  } catch (const NoCase& problem) {
    error->message = fmt::format("no case of a results file ({})", problem.what());
  }
  return std::nullopt;
}

}  // namespace poolproof
