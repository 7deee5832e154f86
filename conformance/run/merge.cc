#include "conformance/run/merge.h"

#include <fmt/format.h>

#include <fstream>
#include <queue>
#include <set>

#include "conformance/run/finish.h"
#include "conformance/run/header.h"
#include "conformance/run/record_json.h"
#include "conformance/run/results_file.h"

namespace poolproof {
namespace {

using nlohmann::json;
using nlohmann::ordered_json;

// Reads the cases of one shard, one at a time.
class ShardReader {
 public:
  ShardReader(const Specs& specs, const std::string& path) : specs_(specs), path_(path), in_(path) {}

  bool Open(Error* error) {
    std::string line;
    if (!std::getline(in_, line)) return Fail("cannot be read", error);
    header_ = ordered_json::parse(line, nullptr, false);
    if (!header_.is_object() || header_.value("poolproof_results", json()) != 1) {
      return Fail("does not begin with the header of a results file of format 1", error);
    }
    const ordered_json shard = header_.value("shard", ordered_json());
    for (const char* part : {"index", "count"}) {
      if (!shard.is_object() || !shard.value(part, ordered_json()).is_number_unsigned()) {
        return Fail("has a header whose \"shard\" is " + shard.dump() + ", not an index and a count", error);
      }
    }
    return Next(error);
  }

  // Goes to the next case; at the end of the cases `record` is empty.
  bool Next(Error* error) {
    record_.reset();
    for (std::string line; std::getline(in_, line);) {
      if (line.starts_with("{\"n\":")) {
        record_ = ParseRecord(specs_, line, error);
        return record_ ? true : Fail(error->message, error);
      }
      ordered_json value = ordered_json::parse(line, nullptr, false);
      if (!value.is_object()) return Fail("has a line that is no JSON object", error);
      if (value.contains("group")) groups_.push_back(value);
      if (value.contains("footer")) footer_ = value["footer"];
    }
    return footer_.is_object() || Fail("has no footer: the run did not end", error);
  }

  bool Fail(const std::string& what, Error* error) const {
    error->message = fmt::format("{}: {}.", path_, what);
    return false;
  }

  const std::optional<Record>& record() const { return record_; }
  const ordered_json& header() const { return header_; }
  const ordered_json& footer() const { return footer_; }
  const std::vector<ordered_json>& groups() const { return groups_; }

 private:
  const Specs& specs_;
  std::string path_;
  std::ifstream in_;
  ordered_json header_, footer_;
  std::vector<ordered_json> groups_;
  std::optional<Record> record_;
};

using Readers = std::vector<std::unique_ptr<ShardReader>>;

// All shards belong to one run and none is missing or there twice.
bool CheckHeaders(const Readers& readers, Error* error) {
  std::set<uint32_t> indexes;
  json first = readers[0]->header();
  const uint32_t count = first["shard"].value("count", 1u);
  for (const auto& reader : readers) {
    json header = reader->header();
    const uint32_t index = header["shard"].value("index", 0u);
    if (!indexes.insert(index).second) {
      return reader->Fail(fmt::format("shard {} is given twice", index), error);
    }
    header["shard"]["index"] = first["shard"]["index"];
    const std::string difference = HeaderDifference(first, header);
    if (!difference.empty()) return reader->Fail("is of another run: " + difference, error);
  }
  if (indexes.size() == count) return true;
  return readers[0]->Fail(fmt::format("{} of the {} shards of this run are missing",
                                      count - indexes.size(), count), error);
}

ordered_json MergedHeader(const Readers& readers) {
  ordered_json header = readers[0]->header();
  header["shard"] = {{"index", 1}, {"count", 1}};
  for (const auto& reader : readers) {
    if (reader->header()["started"] < header["started"]) {
      header["started"] = reader->header()["started"];
    }
  }
  return header;
}

// Takes the records of all shards in plan order.
bool MergeCases(const Readers& readers, Tally* tally, ResultsFile* file, Error* error) {
  std::string lines;
  while (true) {
    ShardReader* next = nullptr;
    for (const auto& reader : readers) {
      if (reader->record() && (next == nullptr || reader->record()->n < next->record()->n)) {
        next = reader.get();
      }
    }
    if (next == nullptr) return file->Append(lines, error);
    Closing closing;
    closing.group = tally->Add(*next->record());
    AppendRecord(*next->record(), closing, &lines);
    if (lines.size() > (size_t{1} << 16)) {
      if (!file->Append(lines, error)) return false;
      lines.clear();
    }
    if (!next->Next(error)) return false;
  }
}

// A merged group begins to shrink at the same case as that shard's group that holds the case, so the
// shard's description is the merged one's.
void TakeDescriptions(const Readers& readers, Tally* tally) {
  for (Group& group : tally->groups()) {
    for (const auto& reader : readers) {
      for (const ordered_json& value : reader->groups()) {
        if (value.value("verdict", "") != VerdictName(group.verdict) ||
            value.value("smallest_id", "") != group.smallest_id) {
          continue;
        }
        group.smallest = value["smallest"];
        // What contradicts a case is for the whole run to say, not for a shard.
        if (group.verdict != Verdict::kInconsistent) {
          group.message = value["message"].get<std::string>();
        }
        if (value["clause"].is_object()) group.clause = value["clause"]["id"].get<std::string>();
      }
    }
  }
}

void SumFooters(const Readers& readers, SessionResult* result) {
  for (const auto& reader : readers) {
    const ordered_json& footer = reader->footer();
    result->duration_seconds += footer.value("duration_seconds", 0.0);
    result->engine.stdout_bytes += footer.value("stdout_bytes", int64_t{0});
    const std::string stopped = footer.value("stopped", "");
    result->engine.time_over |= stopped == "time-budget";
    result->engine.stopped |= stopped == "stop-after";
  }
}

}  // namespace

std::optional<SessionResult> MergeShards(const Specs& specs, const std::vector<std::string>& files,
                                         const std::string& baseline_path, const std::string& out,
                                         Error* error) {
  Readers readers;
  for (const std::string& path : files) {
    readers.push_back(std::make_unique<ShardReader>(specs, path));
    if (!readers.back()->Open(error)) return std::nullopt;
  }
  if (readers.empty() || !CheckHeaders(readers, error)) return std::nullopt;
  std::optional<Baseline> baseline;
  if (!baseline_path.empty()) {
    baseline = Baseline::Load(baseline_path, error);
    if (!baseline) return std::nullopt;
  }
  SessionResult result;
  ResultsFile file;
  const ordered_json header = MergedHeader(readers);
  if (!file.Create(out, error) || !file.Append(Line(header), error)) return std::nullopt;
  uint64_t uncovered = 0;
  const auto selected = SelectReadings(
      header.value("profile", ""),
      header.value("readings", std::map<std::string, std::string>()), error);
  if (!selected) return std::nullopt;
  if (!MergeCases(readers, &result.tally, &file, error) ||
      !CloseCases(specs, selected->readings, &result.tally, baseline ? &*baseline : nullptr, &file,
                  &uncovered, error)) {
    return std::nullopt;
  }
  TakeDescriptions(readers, &result.tally);
  SumFooters(readers, &result);
  result.profile_hint = ProfileHint(result.tally, header.value("profile", ""));
  const bool complete = header.value("filter", "").empty() && !result.engine.time_over;
  if (baseline) result.baseline = baseline->Summary(complete);
  result.conforms = uncovered == 0 && !(baseline && baseline->Changed(complete)) &&
                    result.tally.counts()[static_cast<size_t>(Verdict::kPass)] > 0;
  std::string lines;
  for (const Group& group : result.tally.groups()) lines += Line(MakeGroup(specs, group));
  lines += Line(MakeFooter(result));
  if (!file.Append(lines, error) || !file.Finish(error)) return std::nullopt;
  result.backend.name = header["backend"].value("name", "");
  result.backend.version = header["backend"].value("version", "");
  result.results_path = file.FinalPath();
  return result;
}

}  // namespace poolproof
