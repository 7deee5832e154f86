// Measures workloads against every contestant that has them: all of one workload in turn, in one process, after their
// outputs have been compared.
//
//   bench [--filter=TEXT] [--repetitions=7] [--min-time=0.02] [--threads=1] [--kernel=NAME] [--json=FILE]
//   bench --random=N [--seed=1] [--filter=TEXT] [--kernel=NAME] [--json=FILE]
//   bench --out-of-cache [--filter=TEXT] [--threads=1] [--kernel=NAME] [--json=FILE]
//   bench --against=BUILD [--random=N] [--seed=1] [--out-of-cache] [--filter=TEXT] [--kernel=NAME]
//   bench --overhead
//   bench --kernels [--random=N] [--seed=1] [--out-of-cache] [--filter=TEXT]
//
// Prints a table of microseconds and ratios, then which goals are met; writes JSON as described in outcome.h. Without
// --random, the workloads are those of a list. --random: layers drawn again for every seed, and what they are by class.
// --out-of-cache: a few layers that no cache holds. --against: another build of ours in turn with this one, and what
// has become slower (against.h). --ours: nobody else, by minima, as --against measures: names, a tab, and microseconds.
// --overhead: what a call costs that has nearly nothing to do. --kernel: our answers are that kernel's, of all that it
// takes, which is how the numbers in optimized/kernels were found by which kernels are chosen. --kernels: the name of
// the kernel that each workload gets, and no measurements.
#include <benchmark/benchmark.h>
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cstdint>
#include <string>
#include <vector>

#include "optimized/bench/against.h"
#include "optimized/bench/contestant.h"
#include "optimized/bench/goals.h"
#include "optimized/bench/measure.h"
#include "optimized/bench/outcome.h"
#include "optimized/bench/overhead.h"
#include "optimized/bench/random_layers.h"
#include "optimized/bench/sweep.h"
#include "optimized/kernels/kernels.h"

namespace poolproof::optimized {

namespace {

struct Options {
  std::string filter, json, kernel, against;
  MedianOptions medians;
  int threads = 1;
  int64_t random = 0;
  uint64_t seed = 1;
  bool overhead = false, kernels = false, ours = false, out_of_cache = false;
};

// Layers that are drawn, or those of a list.
std::vector<Workload> Wanted(const Options& options) {
  std::vector<Workload> workloads;
  for (int64_t i = 0; i < options.random; ++i) workloads.push_back(RandomLayer(options.seed, i));
  if (options.random == 0) workloads = options.out_of_cache ? OutOfCacheWorkloads() : Workloads();
  std::erase_if(workloads, [&](const Workload& w) { return w.name.find(options.filter) == std::string::npos; });
  return workloads;
}

// Writes what was asked for; exit status.
int Finish(const std::vector<Outcome>& outcomes, const Options& options) {
  if (!options.json.empty() && !WriteJson(outcomes, options.threads, options.json)) {
    fmt::print(stderr, "cannot write {}\n", options.json);
    return 4;
  }
  return 0;
}

// Outcomes of `roles`, by minima: medians are disturbed now and then, and the lowest ratio of many layers counts.
std::vector<Outcome> MeasureAll(const std::vector<Workload>& workloads, const std::vector<Role>& roles) {
  std::vector<Entrant> entrants = AllEntrants();
  std::erase_if(entrants,
                [&](const Entrant& e) { return std::find(roles.begin(), roles.end(), e.role) == roles.end(); });
  std::vector<Outcome> outcomes;
  const bool alone = roles.size() == 1;
  if (!alone) PrintHeader();
  for (const Workload& w : workloads) {
    outcomes.push_back(MeasureMinima(w, entrants));
    if (alone) {
      fmt::print("{}\t{:.4f}\n", w.name, outcomes.back().Fastest(roles[0]));
    } else {
      PrintOutcome(outcomes.back());
    }
  }
  return outcomes;
}

int RunMinima(const std::vector<Workload>& workloads, const Options& options) {
  std::vector<Role> roles = {Role::kOurs, Role::kLimit, Role::kPeer, Role::kAnyLayout};
  if (options.out_of_cache) roles.push_back(Role::kTwoThreads);
  if (options.ours) roles = {Role::kOurs};
  const std::vector<Outcome> outcomes = MeasureAll(workloads, roles);
  std::vector<Swept> layers;
  for (size_t i = 0; i < outcomes.size(); ++i) {
    layers.push_back({ClassesOf(workloads[i]), ChosenKernel(workloads[i]), outcomes[i]});
  }
  if (options.random > 0 && !options.ours) PrintSweep(layers);
  return Finish(outcomes, options);
}

int RunList(const std::vector<Workload>& workloads, const Options& options) {
  const std::vector<Entrant> entrants = AllEntrants();
  std::vector<Outcome> outcomes;
  PrintHeader();
  for (const Workload& w : workloads) {
    outcomes.push_back(MeasureMedians(w, entrants, options.medians));
    PrintOutcome(outcomes.back());
  }
  PrintGoals(outcomes);
  return Finish(outcomes, options);
}

// Arguments that choose the same workloads, and the same kernel, in another build.
std::vector<std::string> Arguments(const Options& options) {
  std::vector<std::string> arguments = {"--threads=" + std::to_string(options.threads)};
  if (options.random > 0) {
    arguments.insert(arguments.end(),
                     {"--random=" + std::to_string(options.random), "--seed=" + std::to_string(options.seed)});
  }
  if (options.out_of_cache) arguments.emplace_back("--out-of-cache");
  if (!options.filter.empty()) arguments.push_back("--filter=" + options.filter);
  if (!options.kernel.empty()) arguments.push_back("--kernel=" + options.kernel);
  return arguments;
}

int RunWorkloads(const Options& options) {
  const std::vector<Workload> workloads = Wanted(options);
  if (workloads.empty()) {
    fmt::print(stderr, "no workload has \"{}\" in its name\n", options.filter);
    return 2;
  }
  if (options.kernels) {
    for (const Workload& w : workloads) fmt::print("{}: {}\n", w.name, ChosenKernel(w));
    return 0;
  }
  if (!options.against.empty()) return RunAgainst(options.against, Arguments(options), workloads);
  const bool minima = options.random > 0 || options.ours || options.out_of_cache;
  return minima ? RunMinima(workloads, options) : RunList(workloads, options);
}

int Run(const Options& options) {
  SetBenchmarkThreads(options.threads);
  if (!ForceKernel(options.kernel)) {
    fmt::print(stderr, "no kernel \"{}\", there are {}\n", options.kernel, fmt::join(KernelNames(), ", "));
    return 2;
  }
  if (options.overhead) {
    PrintOverhead();
    return 0;
  }
  return RunWorkloads(options);
}

}  // namespace
}  // namespace poolproof::optimized

// NOLINTNEXTLINE(bugprone-exception-escape): it is for developers, whom std::terminate tells what was thrown
int main(int argc, char** argv) {
  poolproof::optimized::Options options;
  CLI::App app("Measures the optimized backend against the libraries on this machine");
  app.add_option("--filter", options.filter, "Only workloads with this text in their name");
  app.add_option("--repetitions", options.medians.repetitions, "Measurements per contestant")
      ->check(CLI::Range(1, 1000));
  app.add_option("--min-time", options.medians.min_time, "Seconds per measurement")->check(CLI::PositiveNumber);
  app.add_option("--threads", options.threads, "Threads of every contestant")->check(CLI::Range(1, 64));
  app.add_option("--random", options.random, "Draw this many layers instead of the list")
      ->check(CLI::Range(1, 1000000));
  app.add_option("--seed", options.seed, "Which layers are drawn");
  app.add_flag("--overhead", options.overhead, "Only measure what tiny calls cost");
  app.add_flag("--out-of-cache", options.out_of_cache, "Layers that no cache holds instead of the list");
  app.add_option("--against", options.against, "Folder of another build to be measured in turn with this one");
  app.add_flag("--ours", options.ours, "Nobody else");
  app.add_flag("--kernels", options.kernels, "Name the kernel of each workload, measure nothing");
  app.add_option("--kernel", options.kernel, "Which of our kernels, where it takes a workload");
  app.add_option("--json", options.json, "Where to write the results");
  CLI11_PARSE(app, argc, argv);
  char program[] = "bench", interleave[] = "--benchmark_enable_random_interleaving=true";
  char* arguments[] = {program, interleave, nullptr};
  int count = 2;
  benchmark::Initialize(&count, arguments);
  return poolproof::optimized::Run(options);
}
