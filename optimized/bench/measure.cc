#include "optimized/bench/measure.h"

#include <benchmark/benchmark.h>

#include <algorithm>
#include <chrono>
#include <map>
#include <string>

#include "optimized/bench/verify.h"

namespace poolproof::optimized {
namespace {

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

// Contestants whose output is that of our backend; others are named and left out.
std::vector<Entered> Enter(const Workload& w, const std::vector<Entrant>& entrants, const void* input,
                           Outcome& outcome) {
  outcome.workload = w.name;
  outcome.bytes = Bytes(w);
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

using Clock = std::chrono::steady_clock;

double Microseconds(Contestant& contestant, int64_t runs) {
  const Clock::time_point start = Clock::now();
  for (int64_t i = 0; i < runs; ++i) contestant.Run();
  return std::chrono::duration<double, std::micro>(Clock::now() - start).count() / static_cast<double>(runs);
}

// The fastest of the last ones of each of them.
struct Fastest {
  double microseconds;
  int64_t runs;  // at a time
  int rounds;    // that are wanted
};

// As many runs at a time as fill kAtOnce; as many rounds as fill kInAll, which slow contestants do with few.
Fastest FirstOf(Contestant& contestant) {
  constexpr double kAtOnce = 150, kInAll = 6000;  // microseconds
  constexpr int kFewest = 4, kMost = 24;
  const double first = Microseconds(contestant, 1);
  const double at_once = std::max(first, kAtOnce);
  return {first, std::max<int64_t>(1, static_cast<int64_t>(kAtOnce / std::max(first, 0.01))),
          static_cast<int>(std::clamp(kInAll / at_once, double{kFewest}, double{kMost}))};
}

}  // namespace

std::vector<Entrant> AllEntrants() {
  std::vector<Entrant> all;
  for (auto list : {OwnEntrants, OnednnEntrants, TorchEntrants, XnnpackEntrants, OpencvEntrants}) {
    for (Entrant& entrant : list()) all.push_back(std::move(entrant));
  }
  return all;
}

Outcome MeasureMedians(const Workload& w, const std::vector<Entrant>& entrants, const MedianOptions& options) {
  Outcome outcome;
  const Memory<char> input = MakeInput(w);
  const std::vector<Entered> entered = Enter(w, entrants, input.data(), outcome);
  Collector collector;
  benchmark::ClearRegisteredBenchmarks();
  for (const Entered& e : entered) {
    Contestant* contestant = e.contestant.get();
    benchmark::RegisterBenchmark(e.entrant->name.c_str(),
                                 [contestant](benchmark::State& state) {
                                   for (auto _ : state) contestant->Run();
                                 })
        ->Unit(benchmark::kMicrosecond)
        ->MinTime(options.min_time)
        ->Repetitions(options.repetitions);
  }
  benchmark::RunSpecifiedBenchmarks(&collector);
  for (const Entered& e : entered) {
    const std::string& name = e.entrant->name;
    const double wall = Median(collector.wall[name]);
    const bool one_thread = BenchmarkThreads() == 1 && e.entrant->role != Role::kTwoThreads;
    outcome.times.push_back({name, e.entrant->role, one_thread ? Median(collector.cpu[name]) : wall, wall,
                             e.contestant->Indices() != nullptr});
  }
  return outcome;
}

Outcome MeasureMinima(const Workload& w, const std::vector<Entrant>& entrants) {
  Outcome outcome;
  const Memory<char> input = MakeInput(w);
  const std::vector<Entered> entered = Enter(w, entrants, input.data(), outcome);
  std::vector<Fastest> fastest;
  int rounds = 0;
  for (const Entered& e : entered) {
    fastest.push_back(FirstOf(*e.contestant));
    rounds = std::max(rounds, fastest.back().rounds);
  }
  for (int round = 0; round < rounds; ++round) {
    for (size_t i = 0; i < entered.size(); ++i) {
      Fastest& f = fastest[i];
      if (round >= f.rounds) continue;
      Contestant& contestant = *entered[i].contestant;
      if (f.runs > 1) contestant.Run();  // brings its data back into the cache
      f.microseconds = std::min(f.microseconds, Microseconds(contestant, f.runs));
    }
  }
  for (size_t i = 0; i < entered.size(); ++i) {
    const Entrant& entrant = *entered[i].entrant;
    outcome.times.push_back({entrant.name, entrant.role, fastest[i].microseconds, fastest[i].microseconds,
                             entered[i].contestant->Indices() != nullptr});
  }
  return outcome;
}

}  // namespace poolproof::optimized
