// `conformance diagnosis`: the proof of the diagnosis, a table of wrong backends whose causes are known
// and of what the gate named.

#include <fmt/format.h>

#include <algorithm>
#include <memory>

#include "conformance/causes/wrong_backend.h"
#include "conformance/gate/proof_gate.h"

namespace poolproof {
namespace {

struct DiagnosisOptions {
  std::string library, only, write;
  std::string level = "gate", filter = "!sizes !networks !counters";
  uint64_t random = 40000;
};

// The names that the gate gave for one wrong backend.
struct FaultRow {
  uint64_t cases = 0;
  std::vector<const CauseGroup*> groups;  // largest first
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

// Whether a group has one of the names; "nothing" is a failure without a name.
bool Named(const CauseGroup& group, const std::vector<std::string>& names) {
  const bool nothing = group.cause.id.empty() && group.reading.empty();
  return std::any_of(names.begin(), names.end(),
                     [&](const std::string& name) { return name == "nothing" ? nothing : name == NameOf(group); });
}

// The first groups, as many as there are causes, have their names, in any order.
bool Right(const mutants::FaultLine& line, const std::vector<const CauseGroup*>& groups) {
  const size_t first = std::min(groups.size(), line.names.size());
  return std::all_of(line.names.begin(), line.names.end(), [&](const auto& names) {
    return std::any_of(groups.begin(), groups.begin() + static_cast<ptrdiff_t>(first),
                       [&](const CauseGroup* group) { return Named(*group, names); });
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

bool IsWorse(const mutants::FaultLine& line, const FaultRow& row) {
  return (!row.right && !line.wrong) || row.groups.size() > line.groups;
}

class Table {
 public:
  explicit Table(const DiagnosisOptions& options) : options_(options) {}

  void Add(const mutants::FaultLine& line, const FaultRow& row) {
    const size_t causes = line.names.size();
    Share& share = causes == 1 ? single_ : pair_;
    ++share.all;
    share.right += row.right ? 1 : 0;
    share.alone += row.groups.size() == causes ? 1 : 0;
    worse_ += IsWorse(line, row) ? 1 : 0;
    std::string named;
    for (size_t i = 0; i < std::min(row.groups.size(), causes); ++i) {
      const CauseGroup& group = *row.groups[i];
      named += fmt::format("{}{} ({}){}", named.empty() ? "" : "; ", NameOf(group), group.cases,
                           group.where.empty() ? "" : " only where " + group.where);
    }
    text_ += fmt::format("| {} | {} | {} | {} | {} |\n", line.faults, row.cases, named, row.groups.size(),
                         row.right ? "yes" : "**no**");
  }

  std::string Text() const {
    return "# What the diagnosis names\n\n"
           "Made by `build/bin/conformance diagnosis --write build/diagnosis.md`: each wrong backend of "
           "conformance/causes/faults.txt through the gate,\n" +
           fmt::format(
               "at level {} with {} random problems and the filter \"{}\"; `--random=300000 '--filter=*'` is the whole "
               "gate, and takes\nminutes for each.\n",
               options_.level, options_.random, options_.filter) +
           "The diagnosis knows the mutants, but neither where one is "
           "active nor which two come together; it knows nothing of stale caches, and\nnothing of the forms of "
           "forms.cc, for which it must not name another cause. Groups that happen to a process are "
           "named by\nwhat happened and where.\n\n" +
           Sentences() +
           "\n\n| what is wrong | wrong answers | first named | groups | right |\n| --- | --- | --- | --- | --- |\n" +
           text_;
  }

  std::string Sentences() const {
    return fmt::format(
        "One cause: named right in {} of {}, in one group in {}.\nTwo causes: both named first in {} "
        "of {}, in two groups in {}.",
        single_.right, single_.all, single_.alone, pair_.right, pair_.all, pair_.alone);
  }

  // Wrong backends for which less is named right, or more groups are found, than faults.txt knows of.
  int worse() const { return worse_; }

 private:
  struct Share {
    int all = 0, right = 0, alone = 0;
  };
  const DiagnosisOptions& options_;
  Share single_, pair_;
  int worse_ = 0;
  std::string text_;
};

void Prove(const DiagnosisOptions& options, Program& program) {
  const std::optional<Specs> specs = program.Load();
  if (!specs) return;
  Table table(options);
  int shown = 0;
  for (const mutants::FaultLine& line : mutants::FaultLines()) {
    if (!options.only.empty() && line.faults.find(options.only) == std::string::npos) continue;
    Error error;
    const auto result = RunGate(*specs, line, options, &error);
    if (!result) return program.Fail(kRunnerFailed, error.message);
    FaultRow row;
    for (const CauseGroup& group : result->tally.groups()) row.groups.push_back(&group);
    for (const CauseGroup* group : row.groups) row.cases += group->cases;
    row.right = Right(line, row.groups);
    table.Add(line, row);
    ++shown;
    fmt::print(stderr, "{:<90} {}{}\n", line.faults, row.right ? "right" : "wrong",
               IsWorse(line, row)        ? ", WORSE than faults.txt says"
               : row.right && line.wrong ? ", better than faults.txt says"
                                         : "");
  }
  if (shown == 0) return program.Fail(kUsage, fmt::format("--only \"{}\" names no wrong backend.", options.only));
  if (!program.Write(options.write, table.Text())) return;
  fmt::print("{}\n", table.Sentences());
  fmt::print("{} are worse than faults.txt says\n", table.worse());
  program.exit_code = table.worse() == 0 ? kConforms : kDoesNotConform;
}

}  // namespace

void AddDiagnosisCommand(Command app, Program& program) {
  auto options = std::make_shared<DiagnosisOptions>();
  options->library = BesideProgram("libpoolproof_mutants.so");
  Command command =
      app.AddCommand("diagnosis", "Run the gate against wrong backends with known causes and see what it names");
  command.AddOption("--library", options->library, "Shared object of the wrong backends").ShowDefault();
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
