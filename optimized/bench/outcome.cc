#include "optimized/bench/outcome.h"

#include <fmt/format.h>

#include <cstdio>
#include <fstream>
#include <nlohmann/json.hpp>

namespace poolproof::optimized {
namespace {

const Timing* FastestTiming(const Outcome& outcome, Role role) {
  const Timing* best = nullptr;
  for (const Timing& t : outcome.times) {
    if (t.role == role && (best == nullptr || t.microseconds < best->microseconds)) best = &t;
  }
  return best;
}

// "364.0 (2.8x)": a time and how many times slower than ours it is.
std::string Cell(const Timing* timing, double ours) {
  if (timing == nullptr) return "-";
  return fmt::format("{:.1f} ({:.2f}x)", timing->microseconds, timing->microseconds / ours);
}

std::string Named(const Timing* timing, double ours) {
  return timing == nullptr ? "-" : Cell(timing, ours) + " " + timing->name;
}

std::string CpuName() {
  std::ifstream file("/proc/cpuinfo");
  std::string line;
  while (std::getline(file, line)) {
    if (line.starts_with("model name")) return line.substr(line.find(':') + 2);
  }
  return "unknown";
}

nlohmann::ordered_json ToJson(const Outcome& outcome) {
  nlohmann::ordered_json json = {{"workload", outcome.workload},
                                 {"layout", outcome.workload.find(" hwc ") != std::string::npos ? "hwc" : "nchw"},
                                 {"bytes", outcome.bytes},
                                 {"ours_us", outcome.Fastest(Role::kOurs)},
                                 {"ours_2_threads_us", outcome.Fastest(Role::kTwoThreads)},
                                 {"ours_without_index_us", outcome.Fastest(Role::kWithoutIndex)},
                                 {"memcpy_us", outcome.Fastest(Role::kLimit)},
                                 {"memcpy_index_us", outcome.Fastest(Role::kIndexLimit)},
                                 {"memcpy_values_us", outcome.Fastest(Role::kValuesLimit)},
                                 {"plain_us", outcome.Fastest(Role::kPlain)},
                                 {"peers", nlohmann::ordered_json::object()},
                                 {"any_layout", nlohmann::ordered_json::object()},
                                 {"excluded", outcome.excluded}};
  for (const Timing& t : outcome.times) {
    if (t.role == Role::kPeer) json["peers"][t.name] = t.microseconds;
    if (t.role == Role::kAnyLayout) json["any_layout"][t.name] = t.microseconds;
  }
  return json;
}

}  // namespace

double Outcome::Fastest(Role role) const {
  const Timing* timing = FastestTiming(*this, role);
  return timing == nullptr ? 0 : timing->microseconds;
}

double Outcome::Scaling() const {
  const Timing* one = FastestTiming(*this, Role::kOurs);
  const Timing* two = FastestTiming(*this, Role::kTwoThreads);
  return one == nullptr || two == nullptr ? 0 : one->wall / two->wall;
}

void PrintHeader() {
  fmt::print("Microseconds; in brackets, how many times slower than poolproof.\n");
  fmt::print("{:58} {:>9}  {:20} {:20} {:32} {}\n", "workload", "poolproof", "memcpy", "plain loop",
             "fastest peer, same layout", "fastest peer, any layout");
}

void PrintOutcome(const Outcome& outcome) {
  const double ours = outcome.Fastest(Role::kOurs);
  fmt::print("{:58} {:9.2f}  {:20} {:20} {:32} {}\n", outcome.workload, ours,
             Cell(FastestTiming(outcome, Role::kLimit), ours), Cell(FastestTiming(outcome, Role::kPlain), ours),
             Named(FastestTiming(outcome, Role::kPeer), ours), Named(FastestTiming(outcome, Role::kAnyLayout), ours));
  for (const std::string& excluded : outcome.excluded) fmt::print("  not timed: {}\n", excluded);
  std::fflush(stdout);
}

bool WriteJson(const std::vector<Outcome>& outcomes, int threads, const std::string& path) {
  nlohmann::ordered_json json = {{"poolproof_benchmark", 1},
                                 {"threads", threads},
                                 {"cpu", CpuName()},
                                 {"workloads", nlohmann::ordered_json::array()}};
  for (const Outcome& outcome : outcomes) json["workloads"].push_back(ToJson(outcome));
  std::ofstream file(path);
  file << json.dump(1) << "\n";
  file.close();
  return file.good();
}

}  // namespace poolproof::optimized
