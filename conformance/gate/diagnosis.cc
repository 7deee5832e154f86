// `conformance diagnosis`: the proof of the diagnosis, a table of wrong backends whose causes are known
// and of what the gate named.

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <map>
#include <memory>

#include "conformance/cases/choices.h"
#include "conformance/causes/wrong_backend.h"
#include "conformance/gate/proof_gate.h"

namespace poolproof {
namespace {

constexpr char kFaults[] = "faults", kField[] = "field";

struct DiagnosisOptions {
  std::string library, only, write, set = kFaults;
  std::string level = "gate", filter = "!sizes !networks !counters";
  uint64_t random = 40000, triples = 0, seed = 1;

  bool Field() const { return set == kField; }
};

// The names that the gate gave for one wrong backend.
struct FaultRow {
  uint64_t cases = 0;
  std::vector<const CauseGroup*> groups;  // largest first
  std::vector<std::string> readings;      // right names of causes that fail nowhere, which the run says it follows
  bool right = false;
};

// Without a cause, what happened to most of its cases that were run.
std::string NameOf(const CauseGroup& group) {
  if (!group.cause.id.empty()) return group.cause.id;
  if (!group.reading.empty()) return group.reading;
  const auto rank = [](const auto& verdict) { return std::pair(verdict.first != Verdict::kMissing, verdict.second); };
  const auto most = std::max_element(group.verdicts.begin(), group.verdicts.end(),
                                     [&](const auto& a, const auto& b) { return rank(a) < rank(b); });
  return std::string(VerdictName(most->first));
}

bool HasName(const CauseGroup& group) { return !group.cause.id.empty() || !group.reading.empty(); }

// The rule by which the gate says where a group is, exactly or mostly; empty where it has none.
std::string RuleOf(const CauseGroup& group) {
  constexpr std::string_view kMostly = "mostly where ";
  if (!group.where.empty() || !group.evidence.starts_with(kMostly)) return group.where;
  return group.evidence.substr(kMostly.size(), group.evidence.find(": ") - kMostly.size());
}

// Whether a group has one of the names; "nothing" is a failure without a name, "by:width" one that is described by a
// rule that speaks of the width.
bool Named(const CauseGroup& group, const std::vector<std::string>& names) {
  constexpr std::string_view kBy = "by:";
  return std::any_of(names.begin(), names.end(), [&](const std::string& name) {
    if (name == "nothing") return !HasName(group);
    if (!name.starts_with(kBy)) return name == NameOf(group);
    return !HasName(group) && RuleOf(group).find(name.substr(kBy.size())) != std::string::npos;
  });
}

// The first of the names that is the only reading of a silence which all of a run agrees with, or all of a type where
// types differ.
std::string ReadingOf(const Tally& tally, const std::vector<std::string>& names) {
  const std::map<std::string, uint32_t> all = CommonReadings(tally);
  for (const std::string& name : names) {
    const std::string id = name.substr(0, name.find('='));
    const std::optional<reference::Entry> entry = reference::FindEntry(id);
    const auto common = all.find(id);
    if (common == all.end()) continue;
    const auto is_it = [&](uint32_t readings) {
      return readings != 0 && id + "=" + EvidenceText(*entry, readings) == name;
    };
    if (is_it(common->second)) return name;
    const auto by_type = common->second == 0 ? ReadingsByType(tally, *entry) : std::map<std::string, uint32_t>{};
    if (std::ranges::any_of(by_type, [&](const auto& type) { return is_it(type.second); })) return name;
  }
  return "";
}

// The first groups, as many as there are causes, have their names, in any order; but for causes that are readings.
bool Right(const mutants::FaultLine& line, const Tally& tally, const std::vector<const CauseGroup*>& groups) {
  const size_t first = std::min(groups.size(), line.names.size());
  return std::all_of(line.names.begin(), line.names.end(), [&](const auto& names) {
    const bool named = std::any_of(groups.begin(), groups.begin() + static_cast<ptrdiff_t>(first),
                                   [&](const CauseGroup* group) { return Named(*group, names); });
    return named || !ReadingOf(tally, names).empty();
  });
}

std::optional<RunResult> RunGate(const Specs& specs, const mutants::FaultLine& line, const DiagnosisOptions& options,
                                 Error* error) {
  ProofGate gate(options.library, {"mutant=" + line.faults});
  gate.session.jobs = 2;
  gate.session.plan.random_count = options.random;
  gate.session.plan.filter = options.filter;
  gate.session.plan.level = FindLevel(options.level, error).value_or(Level::kQuick);
  int exit_code = kConforms;
  return gate.Run(specs, error, &exit_code);
}

// Whether two imitations can be told apart in one backend: it reduces windows and counts indices of an operator in one
// way only, and one name is not two groups.
bool GoTogether(const mutants::FaultLine& a, const mutants::FaultLine& b) {
  const mutants::Mutant &first = *mutants::FindForm(a.faults), &second = *mutants::FindForm(b.faults);
  const bool both_reduce = first.hooks.reduce != nullptr && second.hooks.reduce != nullptr;
  const bool both_count = first.hooks.index != nullptr && second.hooks.index != nullptr;
  return !((both_reduce || both_count) && (first.operators & second.operators) != 0) &&
         std::ranges::find_first_of(a.names[0], b.names[0]) == a.names[0].end();
}

// Three imitations in one backend, as often as asked for.
std::vector<mutants::FaultLine> DrawTriples(const DiagnosisOptions& options) {
  const std::vector<mutants::FaultLine> all = mutants::FieldLines();
  Choices choices(options.seed);
  std::vector<mutants::FaultLine> drawn;
  while (drawn.size() < options.triples) {
    const mutants::FaultLine &a = choices.Of(all), &b = choices.Of(all), &c = choices.Of(all);
    if (!GoTogether(a, b) || !GoTogether(a, c) || !GoTogether(b, c)) continue;
    drawn.push_back({.faults = a.faults + " + " + b.faults + " + " + c.faults,
                     .names = {a.names[0], b.names[0], c.names[0]},
                     .groups = 3});
  }
  return drawn;
}

std::vector<mutants::FaultLine> LinesOf(const DiagnosisOptions& options) {
  if (options.triples > 0) return DrawTriples(options);
  return options.Field() ? mutants::FieldLines() : mutants::FaultLines();
}

bool IsWorse(const mutants::FaultLine& line, const FaultRow& row) {
  return (!row.right && !line.wrong) || row.groups.size() > line.groups;
}

class Table {
 public:
  explicit Table(const DiagnosisOptions& options) : options_(options) {}

  void Add(const mutants::FaultLine& line, const FaultRow& row) {
    const size_t causes = line.names.size();
    Share& share = shares_[causes];
    ++share.all;
    share.right += row.right ? 1 : 0;
    // A reading that is said at the end is no group, but may be all that there is to say of a cause.
    const size_t groups = row.groups.size();
    share.alone += groups <= causes && groups + row.readings.size() >= causes ? 1 : 0;
    Count(row, &share);
    worse_ += options_.triples == 0 && IsWorse(line, row) ? 1 : 0;
    if (!row.right) not_right_.push_back(line.faults);
    if (row.groups.size() > causes) split_.push_back(line.faults);
    std::string named = row.readings.empty() ? "" : fmt::format("reads {}", fmt::join(row.readings, " "));
    // All groups count where the defects are those of libraries, so all are shown.
    const size_t shown = options_.Field() ? row.groups.size() : std::min(row.groups.size(), causes);
    for (size_t i = 0; i < shown; ++i) {
      const CauseGroup& group = *row.groups[i];
      const std::string rule = options_.Field() ? RuleOf(group) : group.where;
      named += fmt::format("{}{} ({}){}", named.empty() ? "" : "; ", NameOf(group), group.cases,
                           rule.empty() ? "" : (group.where.empty() ? " mostly where " : " only where ") + rule);
    }
    const mutants::Mutant* form = options_.Field() ? mutants::FindForm(line.faults) : nullptr;
    text_ += fmt::format("| {}{} | {} | {} | {} | {} |\n", line.faults,
                         form == nullptr ? "" : fmt::format(" ({})", form->title), row.cases, named, row.groups.size(),
                         row.right ? "yes" : "**no**");
  }

  std::string Text() const {
    return "# What the diagnosis names\n\n" +
           fmt::format(
               "Made by `build/bin/conformance diagnosis{} --write build/diagnosis.md`: each {} through the gate,\n"
               "at level {} with {} random problems and the filter \"{}\"; `--random=300000 '--filter=*'` is the whole "
               "gate, and takes\nminutes for each.\n",
               options_.Field() ? " --set=field" : "", Subject(), options_.level, options_.random, options_.filter) +
           Known() + "Groups that happen to a process are named by what happened and where.\n\n" + Sentences() +
           "\n\n| what is wrong | wrong answers | first named | groups | right |\n| --- | --- | --- | --- | --- |\n" +
           text_;
  }

  std::string Sentences() const {
    std::string text;
    const auto add = [&text](const std::string& line) { text += (text.empty() ? "" : "\n") + line; };
    const auto share = [&](size_t causes) { return shares_.contains(causes) ? shares_.at(causes) : Share(); };
    const Share one = share(1), two = share(2), three = share(3);
    if (options_.triples == 0) {
      add(fmt::format("One cause: named right in {} of {}, in one group in {}.", one.right, one.all, one.alone));
    }
    if (options_.triples == 0 && options_.Field()) {
      add(fmt::format("The first group has the right name in {}, a wrong one in {}, a right rule in {}, nothing in {}.",
                      one.right_name, one.wrong_name, one.described, one.nothing));
    }
    if (!options_.Field()) {
      add(fmt::format("Two causes: both named first in {} of {}, in two groups in {}.", two.right, two.all, two.alone));
    }
    if (options_.triples > 0) {
      add(fmt::format("Three causes: all named first in {} of {}, in three groups in {}.", three.right, three.all,
                      three.alone));
    }
    if (options_.Field() && !not_right_.empty()) add(fmt::format("Not right: {}.", fmt::join(not_right_, ", ")));
    if (options_.Field() && !split_.empty()) add(fmt::format("More groups than causes: {}.", fmt::join(split_, ", ")));
    return text;
  }

  // Wrong backends for which less is named right, or more groups are found, than the list knows of.
  int worse() const { return worse_; }

 private:
  struct Share {
    int all = 0, right = 0, alone = 0;
    int right_name = 0, wrong_name = 0, described = 0, nothing = 0;  // of the first groups
  };

  static void Count(const FaultRow& row, Share* share) {
    const bool named = !row.readings.empty() || (!row.groups.empty() && HasName(*row.groups[0]));
    const bool described = !named && row.right && !RuleOf(*row.groups[0]).empty();
    ++(named ? row.right ? share->right_name : share->wrong_name : described ? share->described : share->nothing);
  }

  // Sentence on how much of the wrong backends the diagnosis knows.
  std::string Known() const {
    if (options_.Field()) {
      return "The diagnosis knows causes of its own, none of which is made of what an imitation is made of. A defect "
             "that is no known cause\nis right where a rule describes it that speaks of what it depends on. ";
    }
    return "The diagnosis knows the mutants, but neither where one is active nor which two come together; it knows "
           "nothing of stale caches, and\nnothing of the forms of forms.cc, for which it must not name another cause. ";
  }

  std::string Subject() const {
    if (options_.triples > 0) {
      return fmt::format("of {} triples, drawn by seed {} from conformance/causes/field.txt,", options_.triples,
                         options_.seed);
    }
    return options_.Field() ? "imitated defect of a library, of conformance/causes/field.txt,"
                            : "wrong backend of conformance/causes/faults.txt";
  }

  const DiagnosisOptions& options_;
  std::map<size_t, Share> shares_;  // by the number of causes
  int worse_ = 0;
  std::vector<std::string> not_right_, split_;  // what is wrong there
  std::string text_;
};

FaultRow RowOf(const mutants::FaultLine& line, const RunResult& result) {
  FaultRow row;
  for (const CauseGroup& group : result.tally.groups()) row.groups.push_back(&group);
  for (const CauseGroup* group : row.groups) row.cases += group->cases;
  for (const std::vector<std::string>& names : line.names) {
    const std::string reading = ReadingOf(result.tally, names);
    if (!reading.empty()) row.readings.push_back(reading);
  }
  row.right = Right(line, result.tally, row.groups);
  return row;
}

void Prove(const DiagnosisOptions& options, Program& program) {
  if (options.triples > 0 && !options.Field()) return program.Fail(kUsage, "--triples is for --set=field.");
  const std::optional<Specs> specs = program.Load();
  if (!specs) return;
  Table table(options);
  int shown = 0;
  for (const mutants::FaultLine& line : LinesOf(options)) {
    if (!options.only.empty() && line.faults.find(options.only) == std::string::npos) continue;
    Error error;
    const auto result = RunGate(*specs, line, options, &error);
    if (!result) return program.Fail(kRunnerFailed, error.message);
    const FaultRow row = RowOf(line, *result);
    table.Add(line, row);
    ++shown;
    fmt::print(stderr, "{:<90} {}{}\n", line.faults, row.right ? "right" : "wrong",
               options.triples > 0       ? fmt::format(", {} groups", row.groups.size())
               : IsWorse(line, row)      ? fmt::format(", WORSE than {}.txt says", options.set)
               : row.right && line.wrong ? fmt::format(", better than {}.txt says", options.set)
                                         : "");
  }
  if (shown == 0) return program.Fail(kUsage, fmt::format("--only \"{}\" names no wrong backend.", options.only));
  if (!program.Write(options.write, table.Text())) return;
  fmt::print("{}\n", table.Sentences());
  if (options.triples == 0) fmt::print("{} are worse than {}.txt says\n", table.worse(), options.set);
  program.exit_code = table.worse() == 0 ? kConforms : kDoesNotConform;
}

}  // namespace

void AddDiagnosisCommand(Command app, Program& program) {
  auto options = std::make_shared<DiagnosisOptions>();
  options->library = BesideProgram("libpoolproof_mutants.so");
  Command command =
      app.AddCommand("diagnosis", "Run the gate against wrong backends with known causes and see what it names");
  command.AddOption("--library", options->library, "Shared object of the wrong backends").ShowDefault();
  command.AddOption("--set", options->set, "Wrong backends: faults, made of known causes; field, defects of libraries")
      .Checked(OneOf({kFaults, kField}))
      .ShowDefault();
  command.AddOption("--triples", options->triples, "Three defects of libraries at once instead, this many times")
      .Checked(WholeNumber(0, 1000000));
  command.AddOption("--seed", options->seed, "Seed of the triples").Checked(Seed()).ShowDefault();
  command.AddOption("--only", options->only, "Only wrong backends whose line contains this");
  command.AddOption("--level", options->level, "Level of the gate: quick, gate, full")
      .Checked(OneOf({"quick", "gate", "full"}))
      .ShowDefault();
  command.AddOption("--random", options->random, "Random problems for each").Checked(RandomCount()).ShowDefault();
  command.AddOption("--filter", options->filter, "Cases of the gate, as `conformance --filter` takes them")
      .ShowDefault();
  command.AddOption("--write", options->write, "File for the table instead of standard output");
  command.Do([&program, options] { Prove(*options, program); });
}

}  // namespace poolproof
