// `conformance --backend=LIB`: the gate.

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <signal.h>
#include <unistd.h>

#include <atomic>
#include <memory>
#include <string_view>
#include <thread>

#include "conformance/cases/filter.h"
#include "conformance/format/text.h"
#include "conformance/gate/command.h"
#include "conformance/gate/progress.h"
#include "conformance/gate/summary.h"

namespace poolproof {
namespace {

constexpr uint64_t kPropertyRounds = 300;

std::atomic<bool> interrupted{false};

// Ctrl-C is answered at once, however long what runs takes to end.
void Interrupt(int signal) {
  constexpr std::string_view kAnswer =
      "\nStopping; what runs may end first, and Ctrl-C once more does not wait for it.\n";
  interrupted = true;
  if (signal == SIGINT && isatty(STDERR_FILENO) != 0) (void)!write(STDERR_FILENO, kAnswer.data(), kAnswer.size());
}

struct RunOptions {
  BackendOptions backend;
  std::string level = "gate", filter, family, shard, baseline, out = "poolproof-results", performance, probe;
  std::string seed = "1";
  uint64_t stop_after = 0, random = 0;
  int jobs = 0;
  double time_budget = 0;
  bool resume = false, no_shrink = false, no_report = false;
};

// Options of a run of the gate and of one of the fuzzer.
void AddSharedOptions(Command app, RunOptions* options) {
  app.AddOption("--filter", options->filter,
                "Only cases that every word matches: an operator, element type, section, id, or KEY=VALUE\n"
                "of the problem line, exactly; * and ? are wildcards, !WORD excludes. Or a condition, such as\n"
                "the `where` of a cause: \"type = f16 and any(stride >= 2)\" (docs/expressions.md)")
      .Complete(OperatorWords)
      .First("Only cases of an operator, element type, section or id");
  const std::string families = fmt::format("{}", fmt::join(BuiltInFamilies(), ", "));
  app.AddOption("--family", options->family,
                "Only operators of these projects' documents, with commas between them: " + families)
      .Complete(BuiltInFamilies)
      .First("Only operators of " + families);
  app.AddOption("--seed", options->seed,
                "Seed of the random part; random: drawn by the run, once the backend is loaded")
      .Checked(SeedOrRandom())
      .ShowDefault();
  app.AddOption("--jobs", options->jobs,
                "Number of backend processes to run at once; 0: one per core, or one alone where a GPU is allowed")
      .Checked(WholeNumber(0, 1024))
      .ShowDefault()
      .First("Processes to run at once; 0: one per core");
  app.AddOption("--stop-after", options->stop_after, "Stop after this many cases that do not conform")
      .Checked(WholeNumber(1, kMaxRandom));
  app.AddOption("--baseline", options->baseline, "Baseline, the file of expected discrepancies")
      .First("File of discrepancies that are expected");
  app.AddOption("--out", options->out, "Folder for results and reports")
      .ShowDefault()
      .First("Folder for results and reports");
  app.AddOption("--probe", options->probe, "File from `probe --write`, used instead of asking the backend what it has");
  app.AddFlag("--no-shrink", options->no_shrink, "Show failing problems as they are, without looking for smaller ones");
  app.AddFlag("--no-report", options->no_report,
              "Write results.jsonl only, and remove the reports of an earlier run in --out");
}

void AddOptions(Command app, RunOptions* options) {
  options->backend.AddTo(app, false);
  app.AddOption("--level", options->level,
                "How much to run: documented (examples and invalid calls of the documents), quick (all small fixed\n"
                "problems as well), gate, full; or properties (laws that need no oracle: a table, no results file)")
      .ShowDefault()
      .Checked(OneLevel({"properties"}))
      .First("How much to run: documented, quick, gate (usual), full");
  AddSharedOptions(app, options);
  app.AddOption("--random", options->random, "Number of random problems, instead of the level's")
      .Checked(RandomCount())
      .First("Number of random problems");
  app.AddOption("--shard", options->shard,
                "I/N: run only this part of the plan; also read from the variables of CI systems");
  app.AddOption("--time-budget", options->time_budget,
                "Seconds after which no case is started and no failure is shrunk; the run then ends\n"
                "within one --timeout, and says that it covers a part of the plan")
      .Checked(Seconds(0.1, kMaxSeconds));
  app.AddOption("--performance", options->performance, "JSON of the benchmark, to show in the report");
  app.AddFlag("--resume", options->resume, "Continue the interrupted run in --out")
      .First("Go on with the run that was interrupted");
}

// Several processes take turns on a GPU, at less than half the pace of one.
int JobsFor(int asked, const CellOptions& cell) {
  if (asked > 0) return asked;
  return AllowsGpu(cell) ? 1 : std::max(1, static_cast<int>(std::thread::hardware_concurrency()));
}

// The filter, which leaves out section huge where the machine has too little memory for it. It is kept with the
// results, so that those of another machine do not pass for the same run.
std::string FilterFor(Level level, std::string filter) {
  constexpr double kHugeGib = 15;  // which a machine of 16 GiB has at least
  if (level < Level::kFull || filter.find("huge") != filter.npos || PhysicalGib() >= kHugeGib) return filter;
  fmt::print(stderr,
             "Section huge is left out, as by --filter=!huge: it is for machines of 16 GiB, and this one has {}.\n",
             PhysicalGib());
  return WithoutSection(filter, "huge");
}

// Nothing where the run draws it.
std::optional<uint64_t> SeedOf(const RunOptions& options) {
  if (options.seed == kRandomSeed) return std::nullopt;
  return std::stoull(options.seed);
}

bool MakeSession(const Command& app, const RunOptions& from, Program& program, SessionOptions* session) {
  Error error;
  const auto level = FindLevel(from.level, &error);
  session->profile = from.backend.profile;
  session->reading_overrides = from.backend.Overrides();
  const auto selection = SelectReadings(session->profile, session->reading_overrides, &error);
  const auto shard = from.shard.empty() ? ShardFromEnvironment(&error) : ParseShard(from.shard, &error);
  if (!level || !selection || !shard) {
    program.Fail(kUsage, error.message);
    return false;
  }
  const auto filter =
      app.Has("--family") ? WithFamilies(BuiltInSpecs(), from.filter, from.family, &error) : from.filter;
  if (!filter) {
    program.Fail(kUsage, error.message);
    return false;
  }
  const std::optional<uint64_t> seed = SeedOf(from);
  if (!seed && shard->count > 1) {
    program.Fail(kUsage,
                 "--seed: \"random\" would be another seed in each shard; draw one for all of them, for example by "
                 "seed=$(shuf -i 1-4294967295 -n 1).");
    return false;
  }
  session->plan = {*level, seed.value_or(1), std::nullopt, FilterFor(*level, *filter), *shard, std::nullopt, !seed};
  if (*level != Level::kFuzz && app.Has("--random")) session->plan.random_count = from.random;
  session->lane = from.backend.Lane();
  session->lane.odd_starts = *level == Level::kFull;
  session->selection = *selection;
  session->jobs = JobsFor(from.jobs, session->lane.cell);
  session->engine.time_budget_seconds = from.time_budget;
  session->engine.stop_after = from.stop_after;
  session->baseline_path = from.baseline;
  session->probe_path = from.probe;
  session->out = from.out;
  session->resume = from.resume;
  session->shrink = !from.no_shrink;
  return true;
}

void Run(const Command& app, const RunOptions& options, Program& program) {
  if (options.backend.backend.empty()) {
    fmt::print("{}", app.Help());
    return program.Fail(kUsage, "--backend is needed, for example --backend=./libmine.so.");
  }
  if (options.level == "properties") {
    const uint64_t rounds = app.Has("--random") ? options.random : kPropertyRounds;
    return RunProperties(options.backend, SeedOf(options).value_or(DrawSeed()), rounds, program);
  }
  SessionOptions session;
  if (!MakeSession(app, options, program, &session)) return;
  const std::optional<Specs> specs = program.Load();
  if (!specs) return;
  struct sigaction action{};
  action.sa_handler = Interrupt;
  action.sa_flags = static_cast<int>(SA_RESETHAND);
  sigaction(SIGINT, &action, nullptr);
  sigaction(SIGTERM, &action, nullptr);
  auto line = std::make_unique<ProgressLine>(options.time_budget);
  session.phase = [&line](std::string_view phase, double share) { line->Show(phase, share); };
  Error error;
  int exit_code = kConforms;
  const std::optional<RunResult> result = RunSession(
      *specs, session,
      [&](double share, const Tally& tally) {
        if (session.plan.level != Level::kFuzz) return line->Judging(share, tally);
        line->Show("fuzzing", 0, fmt::format(", {}: {}", Plural(tally.planned(), "case"), CountsText(tally)));
      },
      interrupted, &error, &exit_code);
  line->Show("writing the reports", 0);
  if (!result) line.reset();
  if (!result) return program.Fail(interrupted ? kInterrupted : exit_code, error.message);
  EndOptions end{program.Again("reproduce"), options.backend, options.performance, !options.no_report};
  end.before_summary = [&line] { line.reset(); };
  EndRun(*specs, session, *result, end, program);
}

// Nobody else's variables make a shard of it.
void Fuzz(const Command& app, RunOptions options, Program& program) {
  options.level = LevelName(Level::kFuzz);
  options.shard = "1/1";
  Run(app, options, program);
}

}  // namespace

void AddRunCommand(Command app, Program& program) {
  auto options = std::make_shared<RunOptions>();
  AddOptions(app, options.get());
  app.Do([app, &program, options] {
    if (!app.HasCommand()) Run(app, *options, program);
  });
}

void AddFuzzCommand(Command app, Program& program) {
  auto options = std::make_shared<RunOptions>();
  options->seed = kRandomSeed;
  options->out = "poolproof-fuzz";
  options->time_budget = 60;
  Command fuzz = app.AddCommand("fuzz", "Try changed and random problems until time is up").First();
  options->backend.AddTo(fuzz, true);
  fuzz.AddOption("--seconds", options->time_budget, "Seconds that the run may take, shrinking what it finds included")
      .Checked(Seconds(1, kMaxSeconds))
      .ShowDefault();
  AddSharedOptions(fuzz, options.get());
  fuzz.Do([fuzz, &program, options] { Fuzz(fuzz, *options, program); });
}

}  // namespace poolproof
