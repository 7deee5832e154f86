// Measures every workload against every contestant that has it: all of one workload in turn, in one
// process, after their outputs have been compared.
//
//   bench [--filter=TEXT] [--repetitions=7] [--min-time=0.02] [--threads=1] [--json=FILE]
//   bench --overhead
//
// Prints a table of medians in microseconds and ratios, then which goals are met; writes JSON as described
// in outcome.h. --overhead: what a call costs that has nearly nothing to do.
#include <benchmark/benchmark.h>
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "optimized/bench/contestant.h"
#include "optimized/bench/goals.h"
#include "optimized/bench/outcome.h"
#include "optimized/bench/overhead.h"
#include "optimized/bench/verify.h"
#include "optimized/core/plan.h"

namespace poolproof::optimized {

namespace {

struct Options {
  std::string filter, json;
  int repetitions = 7;
  double min_time = 0.02;
  int threads = 1;
  bool overhead = false;
};

struct Entered {
  const Entrant* entrant;
  std::unique_ptr<Contestant> contestant;
};

// Collects the times of every repetition by contestant: of the processor, which other programs do not
// disturb as much, and by the clock.
class Collector : public benchmark::BenchmarkReporter {
 public:
  bool ReportContext(const Context&) override { return true; }
  void ReportRuns(const std::vector<Run>& runs) override {
    for (const Run& run : runs) {
      if (run.run_type != Run::RT_Iteration) continue;
      cpu[run.run_name.function_name].push_back(run.GetAdjustedCPUTime());
      wall[run.run_name.function_name].push_back(run.GetAdjustedRealTime());
    }
  }
  std::map<std::string, std::vector<double>> cpu, wall;
};

double Median(std::vector<double> values) {
  std::sort(values.begin(), values.end());
  return values[values.size() / 2];
}

std::vector<Entrant> AllEntrants() {
  std::vector<Entrant> all;
  for (auto list : {OwnEntrants, OnednnEntrants, TorchEntrants, XnnpackEntrants, OpencvEntrants}) {
    for (Entrant& entrant : list()) all.push_back(std::move(entrant));
  }
  return all;
}

// Contestants whose output is that of our backend; others are named and left out.
std::vector<Entered> Enter(const Workload& w, const std::vector<Entrant>& entrants,
                           const void* input, Outcome& outcome) {
  std::vector<Entered> entered;
  for (const Entrant& entrant : entrants) {
    auto contestant = entrant.enter(w, input);
    if (contestant == nullptr) continue;
    contestant->Run();
    const bool first = entered.empty();
    const std::string difference = first ? "" : Verify(w, *entered[0].contestant, *contestant);
    if (difference.empty()) {
      entered.push_back({&entrant, std::move(contestant)});
    } else {
      outcome.excluded.push_back(entrant.name + ": " + difference);
    }
  }
  return entered;
}

Outcome Measure(const Workload& w, const std::vector<Entrant>& entrants, const Options& options) {
  Outcome outcome;
  outcome.workload = w.name;
  outcome.bytes = Bytes(w);
  const Memory<char> input = MakeInput(w);
  const std::vector<Entered> entered = Enter(w, entrants, input.data(), outcome);
  Collector collector;
  benchmark::ClearRegisteredBenchmarks();
  for (const Entered& e : entered) {
    Contestant* contestant = e.contestant.get();
    benchmark::RegisterBenchmark(e.entrant->name.c_str(), [contestant](benchmark::State& state) {
      for (auto _ : state) contestant->Run();
    })->Unit(benchmark::kMicrosecond)->MinTime(options.min_time)
        ->Repetitions(options.repetitions);
  }
  benchmark::RunSpecifiedBenchmarks(&collector);
  for (const Entered& e : entered) {
    const std::string& name = e.entrant->name;
    const double wall = Median(collector.wall[name]);
    const bool one_thread = options.threads == 1 && e.entrant->role != Role::kTwoThreads;
    outcome.times.push_back({name, e.entrant->role, one_thread ? Median(collector.cpu[name]) : wall, wall,
                             e.contestant->Indices() != nullptr});
  }
  return outcome;
}

int Run(const Options& options) {
  SetBenchmarkThreads(options.threads);
  if (options.overhead) {
    PrintOverhead();
    return 0;
  }
  const std::vector<Entrant> entrants = AllEntrants();
  std::vector<Outcome> outcomes;
  PrintHeader();
  for (const Workload& w : Workloads()) {
    if (w.name.find(options.filter) == std::string::npos) continue;
    outcomes.push_back(Measure(w, entrants, options));
    PrintOutcome(outcomes.back());
  }
  if (outcomes.empty()) {
    fmt::print(stderr, "no workload has \"{}\" in its name\n", options.filter);
    return 2;
  }
  PrintGoals(outcomes);
  if (!options.json.empty() && !WriteJson(outcomes, options.threads, options.json)) {
    fmt::print(stderr, "cannot write {}\n", options.json);
    return 4;
  }
  return 0;
}

}  // namespace
}  // namespace poolproof::optimized

int main(int argc, char** argv) {
  poolproof::optimized::Options options;
  CLI::App app("Measures the optimized backend against the libraries on this machine");
  app.add_option("--filter", options.filter, "Only workloads with this text in their name");
  app.add_option("--repetitions", options.repetitions, "Measurements per contestant")
      ->check(CLI::Range(1, 1000));
  app.add_option("--min-time", options.min_time, "Seconds per measurement")
      ->check(CLI::PositiveNumber);
  app.add_option("--threads", options.threads, "Threads of every contestant")->check(CLI::Range(1, 64));
  app.add_flag("--overhead", options.overhead, "Only measure what tiny calls cost");
  app.add_option("--json", options.json, "Where to write the results");
  CLI11_PARSE(app, argc, argv);
  char program[] = "bench", interleave[] = "--benchmark_enable_random_interleaving=true";
  char* arguments[] = {program, interleave, nullptr};
  int count = 2;
  benchmark::Initialize(&count, arguments);
  return poolproof::optimized::Run(options);
}
