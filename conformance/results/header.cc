#include "conformance/results/header.h"

#include <fmt/chrono.h>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <sys/utsname.h>

#include <ctime>
#include <fstream>
#include <nlohmann/json.hpp>
#include <thread>

#include "conformance/cases/digest.h"
#include "conformance/format/meant.h"
#include "conformance/format/reader.h"
#include "conformance/format/standing.h"
#include "conformance/format/text.h"
#include "conformance/results/detail.h"
#include "conformance/results/record.h"

namespace poolproof {
namespace {

using nlohmann::json;
using nlohmann::ordered_json;

std::string CpuName() {
  std::ifstream file("/proc/cpuinfo");
  for (std::string line; std::getline(file, line);) {
    const size_t colon = line.find(": ");
    if (line.starts_with("model name") && colon != std::string::npos) return line.substr(colon + 2);
  }
  utsname name{};
  return uname(&name) == 0 ? name.machine : "unknown";
}

ordered_json Machine() {
  utsname name{};
  const bool known = uname(&name) == 0;
  return {{"cpu", CpuName()},
          {"os", known ? fmt::format("{} {}", name.sysname, name.release) : "unknown"},
          {"cores", std::thread::hardware_concurrency()}};
}

ordered_json BackendJson(const LaneOptions& lane, const BackendInfo& backend) {
  ordered_json value = {{"name", backend.name},
                        {"version", backend.version},
                        {"path", lane.backend},
                        {"options", lane.options},
                        {"isolated", !lane.backend.starts_with("process:")}};
  // By which builds of the same version can be told.
  if (const std::string digest = DigestOfFile(lane.backend); !digest.empty()) value["digest"] = digest;
  return value;
}

ordered_json AttributeJson(const AttributeSpec& attribute) {
  ordered_json value = {{"name", attribute.name}, {"key", attribute.key}};
  if (!attribute.words.empty()) value["words"] = attribute.words;
  if (attribute.type == AttributeType::kBool) value["words"] = {"false", "true"};
  return value;
}

// Specializations are many and share everything with their spec; only required names are listed.
ordered_json OperatorsJson(const Specs& specs) {
  ordered_json operators = ordered_json::array();
  for (const OperatorSpec& spec : specs.operators) {
    ordered_json attributes = ordered_json::array();
    for (const AttributeSpec& attribute : spec.attributes) {
      attributes.push_back(AttributeJson(attribute));
    }
    for (const Function& function : spec.functions) {
      if (!function.required) continue;
      ordered_json types = ordered_json::array();
      for (const auto type : function.types) types.push_back(ElementTypeName(type));
      operators.push_back(
          {{"name", function.name}, {"document", spec.document}, {"types", types}, {"attributes", attributes}});
    }
  }
  return operators;
}

std::string SelectedReading(const LedgerEntry& entry, const reference::Readings& readings) {
  const auto known = reference::FindEntry(entry.id);
  if (known) return std::string(reference::ReadingNames(*known)[readings[*known]]);
  return entry.readings.empty() ? "" : entry.readings.front().name;
}

ordered_json LedgerJson(const Specs& specs, const reference::Readings& selected) {
  ordered_json ledger = ordered_json::array();
  for (const LedgerEntry& entry : specs.ledger) {
    ordered_json readings = ordered_json::array();
    for (const LedgerReading& reading : entry.readings) {
      readings.push_back(
          {{"name", reading.name}, {"statement", reading.statement}, {"followed_by", reading.followed_by}});
    }
    ledger.push_back({{"id", entry.id},
                      {"kind", entry.kind},
                      {"title", entry.title},
                      {"evidence", entry.evidence},
                      {"clauses", entry.clauses},
                      {"readings", readings},
                      {"effect", entry.effect},
                      {"selected", SelectedReading(entry, selected)}});
  }
  return ledger;
}

ordered_json DocumentsJson(const Specs& specs) {
  ordered_json documents = ordered_json::array();
  for (const Document& document : specs.documents) {
    documents.push_back(
        {{"id", document.id}, {"title", document.title}, {"version", document.version}, {"link", document.link}});
  }
  return documents;
}

const Document* DocumentOf(const Specs& specs, std::string_view clause) {
  for (const Document& document : specs.documents) {
    for (const Clause& c : document.clauses) {
      if (c.id == clause) return &document;
    }
  }
  return nullptr;
}

ordered_json ClauseJson(const Specs& specs, const std::string& id) {
  const Clause* clause = specs.FindClause(id);
  const Document* document = DocumentOf(specs, id);
  if (clause == nullptr || document == nullptr) return nullptr;
  return {{"id", clause->id},
          {"title", clause->title},
          {"statement", clause->statement},
          {"document", document->id},
          {"link", document->link}};
}

ordered_json ReadingsJson(const Tally& tally) {
  ordered_json all = ordered_json::object();
  for (const auto& [key, use] : tally.evidence()) {
    const auto entry = reference::FindEntry(key.first);
    all[key.first][EvidenceText(*entry, key.second)] = {{"cases", use.cases}, {"example", use.example}};
  }
  return all;
}

std::string Shown(const json& value) {
  return EscapeForTerminal(Shorten(value.dump(-1, ' ', false, json::error_handler_t::replace), 200));
}

ordered_json HintJson(const std::optional<ProfileHint>& hint) {
  if (!hint) return nullptr;
  return {{"profile", hint->profile}, {"deviations", hint->deviations}, {"explained", hint->explained}};
}

ordered_json BaselineJson(const BaselineSummary& baseline) {
  if (baseline.file.empty()) return nullptr;
  ordered_json value = {{"file", baseline.file}, {"changes", ordered_json::array()}};
  for (const BaselineSummary::Change& change : baseline.changes) {
    value["changes"].push_back({{"kind", change.kind}, {"count", change.count}, {"ids", change.ids}});
  }
  value["varying"] = baseline.varying;
  return value;
}

ordered_json FaultsJson(const std::vector<ProcessFault>& faults) {
  ordered_json value = ordered_json::array();
  for (const ProcessFault& fault : faults) {
    value.push_back({{"text", fault.text}, {"times", fault.times}});
  }
  return value;
}

ordered_json SetAsideJson(const std::vector<AsidePair>& pairs) {
  ordered_json value = ordered_json::array();
  for (const AsidePair& pair : pairs) {
    value.push_back(
        {{"operator", pair.operator_name}, {"type", pair.type}, {"why", pair.why}, {"missing", pair.missing}});
  }
  return value;
}

ordered_json IsolationJson(Isolation level, const std::vector<CellPart>& parts) {
  ordered_json states = ordered_json::object();
  for (const CellPart& part : parts) states[part.name] = part.state;
  return {{"level", IsolationName(level)}, {"parts", states}};
}

}  // namespace

std::string Line(const ordered_json& value) {
  return value.dump(-1, ' ', false, ordered_json::error_handler_t::replace) + "\n";
}

namespace {

std::vector<std::string_view> EntryIds() {
  std::vector<std::string_view> ids;
  for (size_t e = 0; e < reference::kEntryCount; ++e)
    ids.push_back(reference::EntryId(static_cast<reference::Entry>(e)));
  return ids;
}

}  // namespace

std::optional<Selection> SelectReadings(const std::string& profile, const std::map<std::string, std::string>& overrides,
                                        Error* error) {
  std::optional<Selection> selection = reference::FindProfile(profile);
  if (!selection) {
    error->message =
        fmt::format("--profile: there is no profile \"{}\" ({}){}", profile, fmt::join(reference::ProfileNames(), ", "),
                    IsMeant(profile, reference::ProfileNames(), "."));
    return std::nullopt;
  }
  for (const auto& [id, reading] : overrides) {
    const auto entry = reference::FindEntry(id);
    const auto value = entry ? reference::FindReading(*entry, reading) : std::nullopt;
    if (!value || *value >= reference::ComputableReadings(*entry)) {
      const std::string end =
          entry ? IsMeant(reading, reference::ReadingNames(*entry), ".") : IsMeant(id, EntryIds(), ".");
      error->message = fmt::format("--reading: the ledger has no {}={} that can be selected{}", id, reading, end);
      return std::nullopt;
    }
    selection->Demand(*entry, *value);
  }
  return selection;
}

std::optional<Selection> SelectReadings(const Json& header, Error* error) {
  std::map<std::string, std::string> overrides;
  for (const auto& [id, reading] : ObjectOr(header, "readings").items()) {
    overrides[id] = AsText(reading);
  }
  return SelectReadings(StringOr(header, "profile"), overrides, error);
}

ordered_json MakeHeader(const Specs& specs, const RunRequest& request, const BackendInfo& backend) {
  const Shard& shard = request.plan.shard;
  ordered_json header = {
      {"poolproof_results", 2},
      {"tool", {{"name", "poolproof"}, {"version", POOLPROOF_VERSION}}},
      {"backend", BackendJson(request.lane, backend)},
      {"profile", request.profile},
      {"readings", request.reading_overrides},
      {"level", LevelName(request.plan.level)},
      {"seed", request.plan.seed},
      {"random", request.plan.random_count ? ordered_json(*request.plan.random_count) : ordered_json("level")},
      {"random_of_level", RandomOfLevel(request.plan.level)},
      {"shard", {{"index", shard.index}, {"count", shard.count}}},
      {"filter", request.plan.filter},
      {"lacks", request.plan.support ? request.plan.support->ToJson() : ordered_json()},
      {"jobs", request.jobs},
      {"isolation", IsolationJson(request.lane.cell.isolation, backend.cell)},
      {"device_options", request.lane.device_options},
      {"machine", Machine()},
      {"started", fmt::format("{:%Y-%m-%dT%H:%M:%SZ}", fmt::gmtime(std::time(nullptr)))},
      {"specs", {{"digest", specs.digest}, {"operators", OperatorsJson(specs)}}},
      {"documents", DocumentsJson(specs)},
      {"ledger", LedgerJson(specs, request.selection.readings)}};
  if (request.plan.seed_drawn) header["seed_drawn"] = true;
  return header;
}

void AddCorpus(const Plan& plan, ordered_json* header) {
  if (plan.corpus() == nullptr || plan.corpus()->Size() == 0) return;
  ordered_json& corpus = (*header)["corpus"] = ordered_json::array();
  for (const Corpus::Entry& entry : plan.corpus()->Entries()) {
    corpus.push_back({{"from", entry.from}, {"line", PrintLine(entry.problem)}});
  }
}

std::string HeaderDifference(const ordered_json& old, const ordered_json& now) {
  for (const char* key : {"poolproof_results", "tool", "backend", "profile", "readings", "level", "seed", "random",
                          "shard", "filter", "lacks"}) {
    // Not as they are ordered, but as they are.
    const json before = old.value(key, ordered_json()), after = now.value(key, ordered_json());
    if (before != after) {
      return fmt::format("{} was {}, is {}", key, Shown(before), Shown(after));
    }
  }
  if (StringOr(ObjectOr(old, "specs"), "digest") != StringOr(ObjectOr(now, "specs"), "digest")) {
    return "the specs have changed";
  }
  return "";
}

ordered_json MakeGroup(const Specs& specs, const CauseGroup& group) {
  ordered_json value = {{"group", group.number},
                        {"verdict", VerdictName(group.verdict)},
                        {"cases", group.cases},
                        {"operators", group.operators},
                        {"types", group.types},
                        {"cause", CauseJson(group.cause)},
                        {"clause", ClauseJson(specs, group.clause)},
                        {"signature", group.signature},
                        {"message", group.message},
                        {"first", group.first},
                        {"smallest_id", group.smallest_id},
                        {"smallest", {{"line", group.smallest_line}}}};
  if (group.verdicts.size() > 1) {
    for (const auto& [verdict, cases] : group.verdicts) {
      value["verdicts"][std::string(VerdictName(verdict))] = cases;
    }
  }
  if (group.standing != Standing::kNew) value["standing"] = StandingName(group.standing);
  if (!group.reading.empty()) value["reading"] = group.reading;
  if (!group.where.empty()) value["where"] = group.where;
  if (!group.evidence.empty()) value["evidence"] = group.evidence;
  if (!group.smallest_with.empty()) value["with"] = group.smallest_with;
  Error unused;  // it is text of ours
  if (group.layers) {
    std::string text;
    AppendLine(*group.layers, &text);
    value["layers"] = ParseStrictly(text, &unused).value_or(ordered_json());
  }
  if (!group.smallest.json.empty())
    value["smallest"] = ParseStrictly(group.smallest.json, &unused).value_or(ordered_json());
  return value;
}

ordered_json MakeFooter(const RunResult& result) {
  ordered_json counts = ordered_json::object();
  for (size_t v = 0; v < kVerdictCount; ++v) {
    const uint64_t count = result.tally.counts()[v];
    if (count > 0) counts[std::string(VerdictName(static_cast<Verdict>(v)))] = count;
  }
  const double seconds = result.duration_seconds;
  const double judged = static_cast<double>(result.tally.planned() - result.resumed);
  return {{"footer",
           {{"planned", result.tally.planned()},
            {"counts", counts},
            {"readings", ReadingsJson(result.tally)},
            {"ulp", result.tally.ulp()},
            {"profile_hint", HintJson(result.profile_hint)},
            {"baseline", BaselineJson(result.baseline)},
            {"set_aside", SetAsideJson(result.set_aside)},
            {"process_faults", FaultsJson(result.engine.process_faults)},
            {"process_warnings", FaultsJson(result.engine.process_warnings)},
            {"undescribed", result.undescribed},
            {"stopped", result.engine.stopped     ? "stop-after"
                        : result.engine.time_over ? "time-budget"
                                                  : ""},
            {"duration_seconds", seconds},
            {"problems_per_second", seconds > 0 ? judged / seconds : 0.0},
            {"stdout_bytes", result.engine.stdout_bytes},
            {"conforms", result.conforms}}}};
}

}  // namespace poolproof
