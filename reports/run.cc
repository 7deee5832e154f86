#include "reports/run.h"

#include <algorithm>
#include <unordered_map>

#include "conformance/format/text.h"

namespace poolproof::reports {
namespace {

Sample MakeSample(const CaseLine& c) {
  const auto shortened = [](std::string_view s) { return Shorten(s, kMaxText); };
  Sample s;
  s.id = shortened(c.id);
  s.line = shortened(c.line);
  s.message = shortened(c.message);
  s.section = shortened(c.section);
  s.op = shortened(c.op);
  s.type = shortened(c.type);
  s.baseline_reason = shortened(c.baseline_reason);
  s.baseline_status = shortened(c.baseline_status);
  s.with = shortened(c.with);
  s.verdict = c.verdict;
  s.group = c.group;
  return s;
}

bool AsExpected(const CaseLine& c) { return c.baselined && c.baseline_status == "as expected"; }

class Collector : public ResultsHandler {
 public:
  explicit Collector(Run* run) : run_(run) {}

  void OnHeader(Json header) override {
    run_->header = std::move(header);
    for (const Json& op : ArrayOr(ObjectOr(run_->header, "specs"), "operators")) {
      OperatorTally tally;
      tally.name = StringOr(op, "name");
      tally.listed = true;
      tally.spec_types = StringsOf(op, "types");
      tally.attributes = EmptyAttributes(op);
      index_.emplace(tally.name, run_->operators.size());
      run_->operators.push_back(std::move(tally));
    }
  }

  void OnCase(const CaseLine& c) override {
    ++run_->counts[c.verdict];
    AddToOperator(c);
    const bool bad = Facts(c.verdict).severity > 0;
    if (c.id != c.line) Keep(c, kMaxNamed, &run_->named, &run_->named_count);
    if (bad) Keep(c, kMaxBad, &run_->bad, &run_->bad_count);
    if (c.baselined) Keep(c, kMaxBad, &run_->baselined, &run_->baselined_count);
    if (c.verdict == Verdict::kUnsupported) AddReason(c);
    if (c.verdict == Verdict::kDeviates) AddDeviation(c);
  }

  void OnGroup(Json group) override {
    ++run_->group_count;
    if (run_->groups.size() < kMaxGroups) run_->groups.push_back(std::move(group));
  }

  void OnFooter(Json footer) override { run_->footer = std::move(footer); }

 private:
  static void Keep(const CaseLine& c, size_t limit, std::vector<Sample>* samples, uint64_t* count) {
    if (samples->size() < limit) samples->push_back(MakeSample(c));
    ++*count;
  }

  void AddToOperator(const CaseLine& c) {
    OperatorTally& op = Find(c.op);
    ++op.counts[c.verdict];
    const std::string type = Shorten(c.type, 40);
    ++op.types[type][c.verdict];
    TallyAttributes(c.line, c.verdict, &op.attributes);
    Part& part = op.parts[{Shorten(c.section, 40), type}];
    ++part.counts[c.verdict];
    part.as_baselined += AsExpected(c) ? 1 : 0;
    if (Facts(c.verdict).severity > 0 && part.samples.size() < kMaxSamples) {
      part.samples.push_back(MakeSample(c));
    }
  }

  // The tally of a name. Names that the header does not list (specializations are many) share the
  // tally of the longest listed name that they begin with.
  OperatorTally& Find(std::string_view name) {
    std::string key = Shorten(name, 200);
    auto it = index_.find(key);
    if (it == index_.end()) {
      const size_t parent = Parent(key);
      if (parent != run_->operators.size()) key = run_->operators[parent].name + "_*";
      const size_t cap = 1000;  // names can be anything in a file that no runner wrote
      if (parent == run_->operators.size() && index_.size() > cap) key = "(others)";
      it = index_.find(key);
      if (it == index_.end()) it = Insert(key, parent);
    }
    return run_->operators[it->second];
  }

  size_t Parent(std::string_view name) const {
    size_t best = run_->operators.size(), length = 0;
    for (size_t i = 0; i < run_->operators.size(); ++i) {
      const OperatorTally& op = run_->operators[i];
      if (op.listed && op.name.size() > length && name.starts_with(op.name + "_")) {
        best = i;
        length = op.name.size();
      }
    }
    return best;
  }

  std::unordered_map<std::string, size_t>::iterator Insert(const std::string& key, size_t parent) {
    OperatorTally tally;
    tally.name = key;
    if (parent != run_->operators.size()) {
      tally.attributes = run_->operators[parent].attributes;
      for (AttributeTally& attribute : tally.attributes) {
        for (ValueTally& value : attribute.values) value.counts = {};
      }
    }
    run_->operators.push_back(std::move(tally));
    return index_.emplace(key, run_->operators.size() - 1).first;
  }

  void AddReason(const CaseLine& c) {
    std::string words = Shorten(c.message, 500);
    // A backend that names the operator gives one reason, not one per operator.
    if (const size_t at = words.find(c.op); at != words.npos && !c.op.empty()) {
      words.replace(at, c.op.size(), "…");
    }
    if (run_->unsupported.size() >= kMaxReasons && !run_->unsupported.contains(words)) {
      ++run_->other_unsupported;
      return;
    }
    Reason& reason = run_->unsupported[words];
    if (reason.cases++ == 0) reason.example = Shorten(c.id, kMaxText);
    if (reason.operators.size() < 300) reason.operators.insert(Shorten(c.op, 200));
  }

  void AddDeviation(const CaseLine& c) {
    for (const auto& [entry, reading] : c.deviates) {
      const std::string e = Shorten(entry, 200), r = Shorten(reading, 200);
      if (run_->deviations.size() < kMaxReasons) ++run_->deviations[e][r];
      auto& group = run_->group_deviations[c.group];
      if (group.size() < 20) ++group[e + "=" + r];
    }
  }

  Run* const run_;
  std::unordered_map<std::string, size_t> index_;
};

int SeverityOf(const Json& group) {
  const auto verdict = FindVerdict(StringOr(group, "verdict"));
  return verdict ? Facts(*verdict).severity : 0;
}

}  // namespace

std::string Run::Title() const {
  const Json& backend = ObjectOr(header, "backend");
  const std::string name = StringOr(backend, "name"), version = StringOr(backend, "version");
  return Shorten((name.empty() ? "unnamed backend" : name) + (version.empty() ? "" : " " + version), 200);
}

uint64_t Run::AsBaselined() const {
  uint64_t count = 0;
  for (const OperatorTally& op : operators) {
    for (const auto& [key, part] : op.parts) count += part.as_baselined;
  }
  return count;
}

bool OperatorTally::Supports(const std::string& type) const {
  VerdictCounts valid, invalid;
  for (const auto& [key, part] : parts) {
    if (!type.empty() && key.second != type) continue;
    VerdictCounts& sum = key.first == "invalid" ? invalid : valid;
    for (size_t i = 0; i < kVerdictCount; ++i) sum.n[i] += part.counts.n[i];
  }
  return invalid.Bad() > 0 || (valid.Total() > 0 ? valid : invalid).Answered() > 0;
}

std::optional<Run> ReadRun(const std::string& path, std::string* error) {
  Run run;
  run.path = path;
  Collector collector(&run);
  if (!ReadResults(path, &collector, error)) return std::nullopt;
  std::stable_sort(run.groups.begin(), run.groups.end(), [](const Json& a, const Json& b) {
    const int sa = SeverityOf(a), sb = SeverityOf(b);
    return sa != sb ? sa > sb : IntOr(a, "cases") > IntOr(b, "cases");
  });
  return run;
}

}  // namespace poolproof::reports
