// Measures workloads against every contestant that has them: all of one workload in turn, in one process, after their
// outputs have been compared.
//
//   bench [--filter=TEXT] [--repetitions=7] [--min-time=0.02] [--threads=1] [--kernel=NAME] [--json=FILE]
//   bench --random=N [--seed=1] [--filter=TEXT] [--kernel=NAME] [--json=FILE]
//   bench --overhead
//   bench --kernels [--random=N] [--seed=1] [--filter=TEXT]
//
// Prints a table of microseconds and ratios, then which goals are met; writes JSON as described in outcome.h. Without
// --random, the workloads are those of a list. --random: layers drawn again for every seed, and what they are by class.
// --overhead: what a call costs that has nearly nothing to do. --kernel: our answers are that kernel's, of all that it
// takes, which is how the numbers in optimized/kernels were found by which kernels are chosen. --kernels: the name of
// the kernel that each workload gets, and no measurements.
#include <benchmark/benchmark.h>
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <CLI/CLI.hpp>
#include <cstdint>
#include <string>
#include <vector>

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
  std::string filter, json, kernel;
  MedianOptions medians;
  int threads = 1;
  int64_t random = 0;
  uint64_t seed = 1;
  bool overhead = false, kernels = false;
};

bool Wanted(const Workload& w, const Options& options) { return w.name.find(options.filter) != std::string::npos; }

// Writes what was asked for; exit status.
int Finish(const std::vector<Outcome>& outcomes, const Options& options) {
  if (!options.json.empty() && !WriteJson(outcomes, options.threads, options.json)) {
    fmt::print(stderr, "cannot write {}\n", options.json);
    return 4;
  }
  return 0;
}

int SayNothingFits(const Options& options) {
  fmt::print(stderr, "no workload has \"{}\" in its name\n", options.filter);
  return 2;
}

// The lowest ratio of many layers counts, so they are measured by minima: medians are disturbed now and then.
int RunSweep(const Options& options) {
  std::vector<Entrant> entrants = AllEntrants();
  std::erase_if(entrants, [](const Entrant& e) {
    return e.role != Role::kOurs && e.role != Role::kLimit && e.role != Role::kPeer && e.role != Role::kAnyLayout;
  });
  std::vector<Swept> layers;
  std::vector<Outcome> outcomes;
  PrintHeader();
  for (int64_t i = 0; i < options.random; ++i) {
    const Workload w = RandomLayer(options.seed, i);
    if (!Wanted(w, options)) continue;
    layers.push_back({ClassesOf(w), MeasureMinima(w, entrants)});
    outcomes.push_back(layers.back().outcome);
    PrintOutcome(layers.back().outcome);
  }
  if (layers.empty()) return SayNothingFits(options);
  PrintSweep(layers);
  return Finish(outcomes, options);
}

int RunList(const Options& options) {
  const std::vector<Entrant> entrants = AllEntrants();
  std::vector<Outcome> outcomes;
  PrintHeader();
  for (const Workload& w : Workloads()) {
    if (!Wanted(w, options)) continue;
    outcomes.push_back(MeasureMedians(w, entrants, options.medians));
    PrintOutcome(outcomes.back());
  }
  if (outcomes.empty()) return SayNothingFits(options);
  PrintGoals(outcomes);
  return Finish(outcomes, options);
}

int PrintKernels(const Options& options) {
  std::vector<Workload> workloads;
  if (options.random == 0) workloads = Workloads();
  for (int64_t i = 0; i < options.random; ++i) workloads.push_back(RandomLayer(options.seed, i));
  std::erase_if(workloads, [&](const Workload& w) { return !Wanted(w, options); });
  for (const Workload& w : workloads) fmt::print("{}: {}\n", w.name, ChosenKernel(w));
  return workloads.empty() ? SayNothingFits(options) : 0;
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
  if (options.kernels) return PrintKernels(options);
  return options.random > 0 ? RunSweep(options) : RunList(options);
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
  app.add_option("--random", options.random, "Draw so many layers instead of the list")->check(CLI::Range(1, 1000000));
  app.add_option("--seed", options.seed, "Which layers are drawn");
  app.add_flag("--overhead", options.overhead, "Only measure what tiny calls cost");
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
