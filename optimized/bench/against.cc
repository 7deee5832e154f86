#include "optimized/bench/against.h"

#include <fmt/format.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <map>

#include "optimized/bench/random_layers.h"

namespace poolproof::optimized {
namespace {

constexpr double kMostLoss = 1.10;
constexpr int kRounds = 4;
constexpr size_t kMostAgain = 40;

// Microseconds of each workload.
using Minima = std::map<std::string, double>;

// Runs the program, whose output goes to the file; whether it says that all went well.
bool RunProgram(const std::string& program, const std::vector<std::string>& arguments, const std::string& output) {
  std::vector<char*> argv = {const_cast<char*>(program.c_str())};
  for (const std::string& argument : arguments) argv.push_back(const_cast<char*>(argument.c_str()));
  argv.push_back(nullptr);
  const pid_t child = fork();
  if (child < 0) return false;
  if (child == 0) {
    if (std::freopen(output.c_str(), "w", stdout) != nullptr) execv(program.c_str(), argv.data());
    _exit(127);
  }
  int status = 0;
  return waitpid(child, &status, 0) == child && WIFEXITED(status) && WEXITSTATUS(status) == 0;
}

// This program and the other one, and the file that both print to.
class Pair {
 public:
  explicit Pair(const std::string& build) : programs_{"/proc/self/exe", build + "/bin/bench"} {
    std::string name = (std::filesystem::temp_directory_path() / "bench-XXXXXX").string();
    const int file = mkstemp(name.data());
    if (file >= 0) close(file);
    file_ = name;
  }
  ~Pair() { std::filesystem::remove(file_); }
  Pair(const Pair&) = delete;
  Pair& operator=(const Pair&) = delete;

  // Both in turn, which one first as well.
  bool Measure(const std::vector<std::string>& arguments) {
    for (int round = 0; round < kRounds; ++round) {
      for (int turn = 0; turn < 2; ++turn) {
        if (!MeasureOne((round + turn) % 2, arguments)) return false;
      }
    }
    return true;
  }

  // Minima of this build, and of the other one.
  const Minima& Ours() const { return minima_[0]; }
  const Minima& Theirs() const { return minima_[1]; }

 private:
  bool MeasureOne(int which, std::vector<std::string> arguments) {
    arguments.emplace_back("--ours");
    if (!RunProgram(programs_[which], arguments, file_)) {
      fmt::print(stderr, "{} does not measure, or knows no --ours\n", programs_[which]);
      return false;
    }
    std::ifstream file(file_);
    for (std::string name, time; std::getline(file, name, '\t') && std::getline(file, time);) {
      const double microseconds = std::strtod(time.c_str(), nullptr);
      double& least = minima_[which].emplace(name, microseconds).first->second;
      least = std::min(least, microseconds);
    }
    return true;
  }

  const std::string programs_[2];
  std::string file_;
  Minima minima_[2];
};

std::vector<std::string> Losers(const Pair& pair) {
  std::vector<std::string> losers;
  for (const auto& [name, time] : pair.Ours()) {
    const auto other = pair.Theirs().find(name);
    if (other != pair.Theirs().end() && time > kMostLoss * other->second) losers.push_back(name);
  }
  return losers;
}

// Ratios of those that belong to a class, "" for all: how many, geometric mean, and how many are larger than 1.
void PrintRatios(const Pair& pair, const std::vector<Workload>& workloads, const std::string& name) {
  double logs = 0;
  int count = 0, faster = 0;
  for (const Workload& w : workloads) {
    const std::vector<std::string> classes = ClassesOf(w);
    if (!name.empty() && std::find(classes.begin(), classes.end(), name) == classes.end()) continue;
    const auto ours = pair.Ours().find(w.name), other = pair.Theirs().find(w.name);
    if (ours == pair.Ours().end() || other == pair.Theirs().end()) continue;
    const double ratio = other->second / ours->second;
    logs += std::log(ratio);
    ++count;
    faster += ratio > kMostLoss;
  }
  if (count == 0) return;
  fmt::print("{:12}{:6}{:8.3f}{:8}\n", name.empty() ? "all" : name, count, std::exp(logs / count), faster);
}

}  // namespace

int RunAgainst(const std::string& build, const std::vector<std::string>& arguments,
               const std::vector<Workload>& workloads) {
  Pair pair(build);
  if (!pair.Measure(arguments)) return 2;
  // A workload that a disturbance made a loser is none the second time.
  const std::vector<std::string> seen = Losers(pair);
  for (size_t i = 0; i < std::min(seen.size(), kMostAgain); ++i) {
    std::vector<std::string> again = arguments;
    std::erase_if(again, [](const std::string& argument) { return argument.starts_with("--filter="); });
    again.push_back("--filter=" + seen[i]);
    if (!pair.Measure(again)) return 2;
  }
  fmt::print("Times of {} divided by ours: workloads, geometric mean, and how many we are faster in by more than {}\n",
             build, kMostLoss);
  for (const std::string& name : Classes()) PrintRatios(pair, workloads, name);
  PrintRatios(pair, workloads, "");
  const std::vector<std::string> losers = Losers(pair);
  fmt::print("Slower by more than {}: {}\n", kMostLoss, losers.size());
  for (const std::string& name : losers) {
    fmt::print("  {:58}{:10.2f} us,{:10.2f} before\n", name, pair.Ours().at(name), pair.Theirs().at(name));
  }
  return 0;
}

}  // namespace poolproof::optimized
