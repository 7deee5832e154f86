#include "reports/run.h"

#include <fmt/format.h>

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
  s.op = shortened(c.op());
  s.type = shortened(c.type());
  if (c.baseline) s.baseline_reason = shortened(c.baseline->reason);
  if (c.baseline) s.baseline_status = shortened(c.baseline->status);
  s.with = shortened(c.with);
  s.verdict = c.verdict;
  s.group = c.group;
  return s;
}

bool AsExpected(const CaseLine& c) { return c.baseline && c.baseline->status == "as expected"; }

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
      listed_.push_back(tally.name);
      run_->operators.push_back(std::move(tally));
    }
  }

  void OnCase(const CaseLine& c) override {
    ++run_->counts[c.verdict];
    AddToOperator(c);
    const bool bad = Facts(c.verdict).severity > 0;
    if (c.id != c.line) Keep(c, kMaxNamed, &run_->named, &run_->named_count);
    if (bad) Keep(c, kMaxBad, &run_->bad, &run_->bad_count);
    if (c.baseline) Keep(c, kMaxBad, &run_->baselined, &run_->baselined_count);
    if (c.verdict == Verdict::kUnsupported) AddReason(c.op(), c.message, 1, c.n, c.id);
    if (c.verdict == Verdict::kDeviates) AddDeviation(c);
  }

  void OnAlike(const AlikeLine& alike) override {
    if (alike.verdict != Verdict::kUnsupported) return;
    AddReason(alike.op, alike.message, alike.cases, *PackedNumbers(alike.places).Next(), alike.example);
  }

  void OnCounted(const CountedLine& counted) override {
    OperatorTally& op = Find(counted.op);
    for (const auto& [section, types] : counted.parts) {
      for (const auto& [type, counts] : types) {
        const std::string kind = Shorten(type, 40);
        run_->counts += counts;
        op.counts += counts;
        op.types[kind] += counts;
        op.parts[{Shorten(section, 40), kind}].counts += counts;
      }
    }
    for (AttributeCounts& attribute : op.attributes) {
      const auto known = counted.attributes.find(attribute.name);
      if (known != counted.attributes.end()) AddValues(known->second, &attribute);
    }
  }

  void OnGroup(Json group) override {
    ++run_->group_count;
    run_->standings.Add(StandingOf(group), static_cast<uint64_t>(std::max<int64_t>(IntOr(group, "cases"), 0)));
    if (run_->groups.size() < kMaxGroups) run_->groups.push_back(std::move(group));
  }

  void OnFooter(Json footer) override { run_->footer = std::move(footer); }

 private:
  static void Keep(const CaseLine& c, size_t limit, std::vector<Sample>* samples, uint64_t* count) {
    if (samples->size() < limit) samples->push_back(MakeSample(c));
    ++*count;
  }

  void AddToOperator(const CaseLine& c) {
    OperatorTally& op = Find(c.op());
    ++op.counts[c.verdict];
    const std::string type = Shorten(c.type(), 40);
    ++op.types[type][c.verdict];
    CountAttributes(c.line, c.verdict, &op.attributes);
    Part& part = op.parts[{Shorten(c.section, 40), type}];
    ++part.counts[c.verdict];
    part.as_baselined += AsExpected(c) ? 1 : 0;
    if (Facts(c.verdict).severity > 0 && !AsExpected(c) && part.samples.size() < kMaxSamples) {
      part.samples.push_back(MakeSample(c));
    }
  }

  static void AddValues(const std::map<std::string, VerdictCounts>& counts, AttributeCounts* attribute) {
    for (ValueCounts& value : attribute->values) {
      const auto known = counts.find(value.value);
      if (known != counts.end()) value.counts += known->second;
    }
  }

  // The tally of a name. Names that the header does not list (specializations are many) share the
  // tally of the longest listed name that they begin with.
  OperatorTally& Find(std::string_view name) {
    std::string key = Shorten(name, 200);
    auto it = index_.find(key);
    if (it == index_.end()) {
      const size_t listed = ListedOperator(listed_, key);
      const size_t parent = listed == listed_.size() ? run_->operators.size() : listed;
      if (listed != listed_.size()) key = SpecializationsOf(listed_[listed]);
      const size_t cap = 1000;  // names can be anything in a file that no runner wrote
      if (parent == run_->operators.size() && index_.size() > cap) key = "(others)";
      it = index_.find(key);
      if (it == index_.end()) it = Insert(key, parent);
    }
    return run_->operators[it->second];
  }

  std::unordered_map<std::string, size_t>::iterator Insert(const std::string& key, size_t parent) {
    OperatorTally tally;
    tally.name = key;
    if (parent != run_->operators.size()) {
      tally.attributes = run_->operators[parent].attributes;
      for (AttributeCounts& attribute : tally.attributes) {
        for (ValueCounts& value : attribute.values) value.counts = {};
      }
    }
    run_->operators.push_back(std::move(tally));
    return index_.emplace(key, run_->operators.size() - 1).first;
  }

  void AddReason(std::string_view op, std::string_view message, uint64_t cases, uint64_t place,
                 std::string_view example) {
    std::string words = Shorten(message, 500);
    // A backend that names the operator gives one reason, not one per operator.
    if (const size_t at = words.find(op); at != words.npos && !op.empty()) {
      words.replace(at, op.size(), "…");
    }
    if (run_->unsupported.size() >= kMaxReasons && !run_->unsupported.contains(words)) {
      run_->other_unsupported += cases;
      return;
    }
    Reason& reason = run_->unsupported[words];
    if (place < reason.place) {
      reason.place = place;
      reason.example = Shorten(example, kMaxText);
    }
    reason.cases += cases;
    if (reason.operators.size() < 300) reason.operators.insert(Shorten(op, 200));
  }

  void AddDeviation(const CaseLine& c) {
    for (const auto& [entry, reading] : c.explained.deviates) {
      const std::string e = Shorten(entry, 200), r = Shorten(reading, 200);
      if (run_->deviations.size() < kMaxReasons) ++run_->deviations[e][r];
      auto& group = run_->group_deviations[c.group];
      if (group.size() < 20) ++group[e + "=" + r];
    }
  }

  Run* const run_;
  std::unordered_map<std::string, size_t> index_;
  std::vector<std::string> listed_;  // names of the header, in its order
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

uint64_t Run::LinesThatCanGo() const {
  uint64_t lines = 0;
  for (const Json& change : ArrayOr(ObjectOr(footer, "baseline"), "changes")) {
    if (LineCanGo(StringOr(change, "kind")))
      lines += static_cast<uint64_t>(std::max<int64_t>(IntOr(change, "count"), 0));
  }
  return lines;
}

std::string Run::AgainstBaseline() const {
  if (!HasBaseline()) return "";
  return Conforms() ? standings.Known() : standings.Differences(LinesThatCanGo());
}

std::string Run::Reproduce(std::string_view line, std::string_view with) const {
  const Json& backend = ObjectOr(header, "backend");
  std::string text = fmt::format("{} {}", reproduce ? reproduce->first : program + " reproduce", ShellQuoted(line));
  const auto add = [&text](const char* option, const std::string& value) {
    if (!value.empty()) text += fmt::format(" {}={}", option, ShellQuoted(value));
  };
  // Without a backend there is nothing in which two cases could contradict each other.
  if (!reproduce || reproduce->second.starts_with(" --backend=")) add("--with", std::string(with));
  if (reproduce) return text + reproduce->second;
  add("--backend", StringOr(backend, "path"));
  for (const std::string& option : StringsOf(backend, "options")) add("--backend-option", option);
  for (const std::string& option : StringsOf(header, "device_options")) add("--device-option", option);
  const std::string isolation = StringOr(ObjectOr(header, "isolation"), "level"), profile = StringOr(header, "profile");
  if (isolation != "standard") add("--isolation", isolation);
  if (profile != "documented") add("--profile", profile);
  for (const auto& [id, reading] : ObjectOr(header, "readings").items()) add("--reading", id + "=" + AsText(reading));
  return text;
}

uint64_t Run::AsBaselined() const {
  uint64_t count = 0;
  for (const OperatorTally& op : operators) {
    for (const auto& [key, part] : op.parts) count += part.as_baselined;
  }
  return count;
}

OperatorCounts OperatorTally::Counts(const std::string& type) const {
  OperatorCounts all;
  for (const auto& [key, part] : parts) {
    if (type.empty() || key.second == type) all.Of(key.first) += part.counts;
  }
  return all;
}

Presence Run::Operators() const {
  Presence presence;
  for (const OperatorTally& op : operators) {
    if (op.counts.Total() > 0) presence.Add(op.name, op.Counts());
  }
  return presence;
}

Standing StandingOf(const Json& group) { return FindStanding(StringOr(group, "standing")); }

std::optional<Run> ReadRun(const std::string& path, Error* error) {
  Run run;
  run.path = path;
  Collector collector(&run);
  if (!ReadResults(path, &collector, error)) return std::nullopt;
  std::stable_sort(run.groups.begin(), run.groups.end(), [](const Json& a, const Json& b) {
    const int sa = SeverityOf(a), sb = SeverityOf(b);
    if (StandingOf(a) != StandingOf(b)) return StandingOf(a) < StandingOf(b);
    return sa != sb ? sa > sb : IntOr(a, "cases") > IntOr(b, "cases");
  });
  return run;
}

}  // namespace poolproof::reports
