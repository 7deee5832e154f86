#include "conformance/claim/facts.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <optional>
#include <tuple>

#include "conformance/cases/generate.h"
#include "conformance/cases/plan.h"
#include "conformance/format/part.h"
#include "conformance/format/reader.h"
#include "conformance/format/text.h"
#include "conformance/results/baseline_file.h"
#include "conformance/run/merge.h"
#include "conformance/run/probe.h"
#include "reports/reports.h"

namespace poolproof {
namespace {

bool IsExplained(const std::string& text) { return !text.starts_with(kToBeExplained); }

// Blocks of the baseline by verdict, with what excuses them; refused is a reason that is left as `conformance
// baseline` writes it.
bool Exceptions(const std::string& folder, Json* exceptions, Error* error) {
  const std::string path = folder + "/baseline.txt";
  const auto file = ReadBaselineFile(path, error);
  if (!file) return false;
  std::vector<std::map<Verdict, uint64_t>> cases(file->blocks.size());
  for (size_t i = 0; i < file->cases.size(); ++i) {
    const BaselineCase &c = file->cases[i], &before = file->cases[i > 0 ? i - 1 : 0];
    const bool again = i > 0 && std::tie(c.id, c.block, c.verdict) == std::tie(before.id, before.block, before.verdict);
    cases[c.block][c.verdict] += again ? 0 : 1;
  }
  *exceptions = Json::array();
  for (size_t b = 0; b < cases.size(); ++b) {
    const BaselineBlock& block = file->blocks[b];
    if (!IsExplained(block.reason) || (block.varies && !IsExplained(block.varies->why))) {
      return Fail(
          fmt::format("{}:{}: the reason of the block is \"{}\", which is none.", path, block.line,
                      EscapeForTerminal(Shorten(IsExplained(block.reason) ? block.varies->why : block.reason, 60))),
          error);
    }
    if (block.IsCounted()) cases[b][*block.verdict] = block.varies->number;
    for (const auto& [verdict, count] : cases[b]) {
      exceptions->push_back(
          {{"verdict", VerdictName(verdict)}, {"cause", block.cause}, {"reason", block.reason}, {"cases", count}});
    }
  }
  return true;
}

// Findings of one pass over the merged results.
struct Seen {
  Json header, footer;
  std::map<std::pair<std::string, std::string>, bool> had;  // function and type: whether a listed case had an answer
};

class SeenHandler : public ResultsHandler {
 public:
  explicit SeenHandler(Seen* seen) : seen_(*seen) {}
  void OnHeader(Json header) override { seen_.header = std::move(header); }
  void OnFooter(Json footer) override { seen_.footer = std::move(footer); }
  void OnCase(const CaseLine& c) override {
    seen_.had[{std::string(c.op()), std::string(c.type())}] |= c.verdict != Verdict::kUnsupported;
  }

 private:
  Seen& seen_;
};

// Demands an answer of whatever is said to be supported.
bool CheckSupported(const Json& supported, const Seen& seen, const CaseCounts& others, Error* error) {
  for (const auto& [function, types] : supported.items()) {
    for (const auto& [type, lacking] : types.items()) {
      const auto listed = seen.had.find({function, type});
      const std::optional<bool> other = others.HasAnswer(function, type);
      const bool any = listed != seen.had.end() || other.has_value();
      if (!any || other.value_or(false) || (listed != seen.had.end() && listed->second)) continue;
      return Fail(
          fmt::format("probe.json: says that {} {} is supported, though no case of it has an answer.", function, type),
          error);
    }
  }
  return true;
}

// The first way in which a run differs from its baseline, or why it does not conform without.
std::string WhyNot(const RunResult& result) {
  for (const BaselineSummary::Change& change : result.baseline.changes) {
    return fmt::format("{} cases or blocks are \"{}\" against baseline.txt, the first \"{}\"", change.count,
                       change.kind, change.ids.empty() ? "" : EscapeForTerminal(change.ids.front()));
  }
  if (!result.engine.process_faults.empty()) return "the process was at fault: " + result.engine.process_faults[0].text;
  return "no case passes";
}

Json Machines(const std::string& folder, const std::vector<std::string>& names) {
  Json machines = Json::array();
  Error ignored;
  for (const std::string& name : names) {
    ResultsReader reader;
    if (!reader.Open(folder + "/" + name, &ignored)) continue;
    reader.Next(&ignored);
    const Json machine = reader.value().value("machine", Json());
    if (std::find(machines.begin(), machines.end(), machine) == machines.end()) machines.push_back(machine);
  }
  return machines;
}

bool ReadSupport(const Specs& specs, const std::string& folder, const Json& header, std::optional<Support>* support,
                 Error* error) {
  *support = ReadProbe(specs, folder + "/probe.json", error);
  if (!*support) return false;
  const Json lacks = header.value("lacks", Json());
  const Json said = (*support)->ToJson();
  if (lacks.is_null() || lacks == said) return true;
  const Json change = Json::diff(said, lacks).front();
  return Fail(fmt::format("{}/probe.json: differs from what the results were planned with at {}.", folder,
                          StringOr(change, "path")),
              error);
}

}  // namespace

bool FindFacts(const Specs& specs, const std::string& folder, const std::vector<std::string>& names, Json* facts,
               Error* error) {
  std::vector<std::string> paths;
  for (const std::string& name : names) paths.push_back(folder + "/" + name);
  Json exceptions;
  if (!Exceptions(folder, &exceptions, error)) return false;
  int unused = 0;
  const auto result = MergeShards(specs, paths, folder + "/baseline.txt", folder + "/merged", &unused, error);
  if (!result) return false;
  Seen seen;
  std::optional<Support> support;
  SeenHandler handler(&seen);
  if (!ReadResults(result->results_path, &handler, error)) return false;
  if (!result->conforms) return Fail("the results do not conform: " + WhyNot(*result) + ".", error);
  if (const std::string stopped = StringOr(seen.footer, "stopped"); !stopped.empty()) {
    return Fail(fmt::format("the results are those of a run that was ended by --{}.", stopped), error);
  }
  if (!ReadSupport(specs, folder, seen.header, &support, error)) return false;
  const Json supported = support->OffersOf(specs);
  if (!CheckSupported(supported, seen, result->tally.lists().counts(), error)) return false;
  *facts = {{"tool", seen.header["tool"]}, {"specs", specs.digest}};
  Json backend = seen.header["backend"];
  backend.erase("path");
  (*facts)["backend"] = std::move(backend);
  for (const char* key : {"profile", "readings", "level", "seed", "random", "filter"}) {
    (*facts)[key] = seen.header.value(key, Json());
  }
  if (BoolOr(seen.header, "seed_drawn")) (*facts)["seed_drawn"] = true;
  (*facts)["part"] = PartOf(seen.header, seen.footer);
  (*facts)["machines"] = Machines(folder, names);
  (*facts)["supported"] = supported;
  (*facts)["cases"] = seen.footer["planned"];
  (*facts)["counts"] = seen.footer["counts"];
  (*facts)["exceptions"] = std::move(exceptions);
  return true;
}

namespace {

std::string BadgeText(const Json& statement) {
  uint64_t exceptions = 0;
  for (const Json& exception : ArrayOr(statement, "exceptions")) {
    exceptions += static_cast<uint64_t>(IntOr(exception, "cases"));
  }
  const std::string part = StringOr(statement, "part").empty() ? "" : ", a part of the plan";
  return fmt::format("{} {}: {}{}", StringOr(statement, "profile"), StringOr(ObjectOr(statement, "tool"), "version"),
                     exceptions == 0 ? "conforms" : "all but " + Plural(exceptions, "case"), part);
}

}  // namespace

std::string BadgeSvg(const Json& statement) {
  const bool excused = !ArrayOr(statement, "exceptions").empty();
  return reports::BadgeOf(BadgeText(statement), excused ? reports::kExcusedColour : reports::kConformsColour);
}

std::string BadgeJson(const Json& statement) {
  const bool excused = !ArrayOr(statement, "exceptions").empty();
  const Json badge = {{"schemaVersion", 1},
                      {"label", "poolproof"},
                      {"message", BadgeText(statement)},
                      {"color", excused ? reports::kExcusedColour : reports::kConformsColour}};
  return badge.dump(1, ' ', false, Json::error_handler_t::replace) + "\n";
}

}  // namespace poolproof
