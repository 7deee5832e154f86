#include "conformance/run/merge.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <memory>
#include <nlohmann/json.hpp>
#include <set>

#include "conformance/diagnosis/diagnosis.h"
#include "conformance/diagnosis/layers.h"
#include "conformance/diagnosis/rare.h"
#include "conformance/results/finish.h"
#include "conformance/results/header.h"
#include "conformance/results/record.h"
#include "conformance/results/results_file.h"
#include "conformance/results/results_plan.h"

namespace poolproof {
namespace {

// Reads one shard, one case at a time.
class ShardReader {
 public:
  ShardReader(const Specs& specs, std::string path) : specs_(specs), path_(std::move(path)) {}

  bool Open(Error* error) { return reader_.Open(specs_, path_, true, error) && Next(error); }

  // Goes to the next case, or to the end.
  bool Next(Error* error) {
    while (true) {
      switch (reader_.Next(error)) {
        case PlannedReader::Item::kRefused: return false;
        case PlannedReader::Item::kEnd: at_end_ = true; return true;
        case PlannedReader::Item::kGroup: groups_.push_back(std::move(reader_.reader().value())); break;
        case PlannedReader::Item::kFooter: footer_ = std::move(reader_.reader().value()); break;
        default: return true;
      }
    }
  }

  bool Fail(const std::string& what, Error* error) const {
    error->message = fmt::format("{}: {}.", path_, what);
    return false;
  }

  const CaseLine& current() const { return reader_.current(); }
  Record record() const { return RecordOf(reader_.planned(), current()); }
  bool at_end() const { return at_end_; }
  const Json& header() const { return reader_.header(); }
  const Json& footer() const { return footer_; }
  const std::vector<Json>& groups() const { return groups_; }

 private:
  const Specs& specs_;
  std::string path_;
  PlannedReader reader_;
  Json footer_;
  std::vector<Json> groups_;
  bool at_end_ = false;
};

using Readers = std::vector<std::unique_ptr<ShardReader>>;

// "shards 2 and 5 of the 8 of this run are missing", or only the first ten of many.
std::string MissingShards(const std::set<uint32_t>& present, uint32_t count) {
  constexpr size_t kNamed = 10;
  std::vector<std::string> names;
  for (uint32_t index = 1; index <= count && names.size() < kNamed; ++index) {
    if (!present.contains(index)) names.push_back(std::to_string(index));
  }
  const size_t missing = count - present.size();
  if (missing == 1) return fmt::format("shard {} of the {} of this run is missing", names[0], count);
  std::string last = fmt::format("{} others", missing - names.size());
  if (missing == names.size()) {
    last = names.back();
    names.pop_back();
  }
  return fmt::format("shards {} and {} of the {} of this run are missing", fmt::join(names, ", "), last, count);
}

// All shards belong to one run and none is missing or there twice.
bool CheckHeaders(const Readers& readers, Error* error) {
  std::set<uint32_t> indexes;
  const Json first = readers[0]->header();
  const uint32_t count = first["shard"]["count"].get<uint32_t>();
  for (const auto& reader : readers) {
    Json header = reader->header();
    const uint32_t index = header["shard"]["index"].get<uint32_t>();
    if (!indexes.insert(index).second) {
      return reader->Fail(fmt::format("shard {} is given twice", index), error);
    }
    header["shard"]["index"] = first["shard"]["index"];
    const std::string difference = HeaderDifference(first, header);
    if (!difference.empty()) return reader->Fail("is of another run: " + difference, error);
  }
  if (indexes.size() == count) return true;
  return readers[0]->Fail(MissingShards(indexes, count), error);
}

Json MergedHeader(const Readers& readers) {
  Json header = readers[0]->header();
  header["shard"] = {{"index", 1u}, {"count", 1u}};
  for (const auto& reader : readers) {
    if (StringOr(reader->header(), "started") < StringOr(header, "started")) {
      header["started"] = reader->header()["started"];
    }
  }
  return header;
}

// Which group of which shard a case was in, by its place in the plan.
struct Origin {
  uint64_t n;
  size_t shard;
  uint64_t group;
  friend auto operator<=>(const Origin&, const Origin&) = default;
};

// The cases of all shards when they have been read.
struct Cases {
  std::vector<Origin> origins;  // of all that do not conform, in plan order
  std::vector<uint64_t> ends;   // behind the last case of each shard

  const Origin* Find(uint64_t n) const {
    const auto at = std::lower_bound(origins.begin(), origins.end(), Origin{n, 0, 0});
    return at != origins.end() && at->n == n ? &*at : nullptr;
  }
};

// Takes the cases of all shards in plan order.
bool MergeCases(const Readers& readers, Tally* tally, Cases* cases, ResultsFile* file, Error* error) {
  std::string lines;
  cases->ends.resize(readers.size());
  while (true) {
    ShardReader* next = nullptr;
    size_t shard = 0;
    for (size_t r = 0; r < readers.size(); ++r) {
      if (readers[r]->at_end() || (next != nullptr && readers[r]->current().n >= next->current().n)) continue;
      next = readers[r].get();
      shard = r;
    }
    if (next == nullptr) return file->Append(lines, error);
    const CaseLine& c = next->current();
    cases->ends[shard] = c.n + 1;
    if (c.group > 0) cases->origins.push_back({c.n, shard, c.group});
    Closing closing;
    if (c.plain) tally->AddPlainPass(c);
    const Record record = next->record();
    if (!c.plain) closing.group = tally->Add(record);
    AppendRecord(record, closing, &lines);
    if (lines.size() > ResultsFile::kAppendBytes) {
      if (!file->Append(lines, error)) return false;
      lines.clear();
    }
    if (!next->Next(error)) return false;
  }
}

SmallestProblem SmallestOf(const Json& group) {
  const Json& value = ObjectOr(group, "smallest");
  return {StringOr(value, "line"), StringOr(value, "after"),
          value.dump(-1, ' ', false, Json::error_handler_t::replace)};
}

const Json* GroupOf(const Readers& readers, const Origin& origin) {
  const std::vector<Json>& groups = readers[origin.shard]->groups();
  return origin.group <= groups.size() ? &groups[origin.group - 1] : nullptr;
}

// A class that a shard has found to be right alone.
PassesInIsolation PassesInIsolationOf(const Readers& readers, const Cases& cases, const Tally& tally) {
  PassesInIsolation right;
  for (const FailureClass& each : tally.classes()) {
    const Origin* origin = each.members.empty() ? nullptr : cases.Find(each.members.front().n);
    const Json* group = origin == nullptr ? nullptr : GroupOf(readers, *origin);
    right.push_back(group != nullptr && StringOr(ObjectOr(*group, "cause"), "id") == kHistoryCause);
  }
  return right;
}

// The description that a shard made of the group's smallest case, or, where that was described by none,
// of the group that most of its cases were in.
const Json* DescriptionFor(const Readers& readers, const Cases& cases, const CauseGroup& group) {
  std::map<std::pair<size_t, uint64_t>, uint64_t> counts;
  for (const Member& member : group.members) {
    if (const Origin* origin = cases.Find(member.n)) ++counts[{origin->shard, origin->group}];
  }
  const Json* best = nullptr;
  uint64_t most = 0;
  for (const auto& [key, count] : counts) {
    const Json* described = GroupOf(readers, {0, key.first, key.second});
    if (described == nullptr) continue;
    if (StringOr(*described, "smallest_id") == group.smallest_id) return described;
    if (count <= most) continue;
    most = count;
    best = described;
  }
  return best;
}

void TakeDescriptions(const Readers& readers, const Cases& cases, Tally* tally) {
  for (CauseGroup& group : tally->groups()) {
    const Json* value = DescriptionFor(readers, cases, group);
    if (value == nullptr) continue;
    group.smallest = SmallestOf(*value);
    group.smallest_id = StringOr(*value, "smallest_id");
    // Contradictions are for the whole run to find, not for a shard.
    if (group.smallest_verdict != Verdict::kInconsistent) group.message = StringOr(*value, "message");
    const std::string clause = StringOr(ObjectOr(*value, "clause"), "id");
    if (!clause.empty()) group.clause = clause;
  }
}

void AddPair(const Json& value, std::vector<AsidePair>* pairs) {
  const AsidePair pair = {StringOr(value, "operator"), StringOr(value, "type"), StringOr(value, "why"),
                          static_cast<uint64_t>(std::max<int64_t>(IntOr(value, "missing"), 0))};
  for (AsidePair& known : *pairs) {
    if (known.operator_name != pair.operator_name || known.type != pair.type) continue;
    known.missing += pair.missing;
    return;
  }
  pairs->push_back(pair);
}

void SumFooters(const Readers& readers, RunResult* result) {
  for (const auto& reader : readers) {
    const Json& footer = reader->footer();
    result->duration_seconds += NumberOr(footer, "duration_seconds");
    result->engine.stdout_bytes += IntOr(footer, "stdout_bytes");
    for (const auto& [cases, ulp] : ObjectOr(footer, "ulp").items()) {
      if (ulp.is_number()) result->tally.AddUlp(cases, ulp.get<double>());
    }
    result->undescribed += static_cast<size_t>(std::max<int64_t>(IntOr(footer, "undescribed"), 0));
    const std::string stopped = StringOr(footer, "stopped");
    result->engine.time_over |= stopped == "time-budget";
    result->engine.stopped |= stopped == "stop-after";
    for (const Json& pair : ArrayOr(footer, "set_aside")) AddPair(pair, &result->set_aside);
    for (const char* key : {"process_faults", "process_warnings"}) {
      for (const Json& fault : ArrayOr(footer, key)) {
        const int64_t times = std::max<int64_t>(IntOr(fault, "times"), 1);
        result->engine.Add(
            {StringOr(fault, "text"), static_cast<uint64_t>(times), key == std::string_view("process_warnings")});
      }
    }
  }
}

// Merges what has been opened into a folder that is locked.
bool Merge(const Specs& specs, const Readers& readers, std::optional<Baseline> baseline, const std::string& out,
           RunResult* result, int* exit_code, Error* error) {
  const Json header = MergedHeader(readers);
  Baseline* const baselined = baseline ? &*baseline : nullptr;
  result->tally = RunCloser::EmptyTally(header, baselined);
  const auto selected = SelectReadings(header, error);
  if (!selected) return false;
  ResultsFile file;
  *exit_code = kRunnerFailed;
  if (!file.Create(out, error) || !file.Append(Line(header), error)) return false;
  *exit_code = kUsage;
  Cases cases;
  if (!MergeCases(readers, &result->tally, &cases, &file, error)) return false;
  *exit_code = kRunnerFailed;
  SumFooters(readers, result);
  RunCloser closer(specs, *selected, header, baselined, &file, result, error);
  if (!closer.Recount()) return false;
  const auto planned = PlanOfResults(specs, header, error);
  if (planned == nullptr) return false;
  const bool whole = !result->engine.time_over && !result->engine.stopped;
  const uint64_t end = whole ? planned->plan().Size() : *std::min_element(cases.ends.begin(), cases.ends.end());
  const PassesInIsolation passes_in_isolation = PassesInIsolationOf(readers, cases, result->tally);
  const RunFacts run{planned->plan(), *selected, result->tally, end};
  result->tally.SetGroups(FindCauses(run, passes_in_isolation));
  result->rare_places = FindRarePlaces(run);
  TakeDescriptions(readers, cases, &result->tally);
  FindLayers(planned->plan(), end, &result->tally.groups());
  const Json& backend = ObjectOr(header, "backend");
  result->backend.name = StringOr(backend, "name");
  result->backend.version = StringOr(backend, "version");
  return closer.Write();
}

}  // namespace

std::optional<RunResult> MergeShards(const Specs& specs, const std::vector<std::string>& files,
                                     const std::string& baseline_path, const std::string& out, int* exit_code,
                                     Error* error) {
  *exit_code = kUsage;
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
  RunResult result;
  bool busy = false;
  result.lock = FolderLock::Take(out, &busy, error);
  if (result.lock == nullptr) {
    *exit_code = busy ? kUsage : kRunnerFailed;
    return std::nullopt;
  }
  if (!Merge(specs, readers, std::move(baseline), out, &result, exit_code, error)) {
    return std::nullopt;
  }
  *exit_code = result.Exit();
  return result;
}

}  // namespace poolproof
