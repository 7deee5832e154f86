#include "optimized/bench/sweep.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "optimized/bench/random_layers.h"

namespace poolproof::optimized {
namespace {

// Base of a ratio, and the ratio that all layers are to reach; 0 for none.
struct Column {
  const char* name;
  Role role;
  double mean, tenth, lowest;
};

constexpr Column kColumns[] = {{"same layout", Role::kPeer, 6, 1.5, 0.9},
                               {"any layout", Role::kAnyLayout, 1.1, 0.5, 0},
                               {"memcpy", Role::kLimit, 0.35, 0.15, 0}};
constexpr double kClassMean = 2, kClassLowest = 0.9;  // same layout, each class alone

struct Statistics {
  size_t layers = 0;
  double mean = 0, tenth = 0, lowest = 0;
  size_t slower = 0;
};

double Time(const Outcome& outcome, Role role) {
  // A peer that keeps the layout is one of those that choose theirs.
  const double time = outcome.Fastest(role);
  if (role != Role::kAnyLayout) return time;
  const double plain = outcome.Fastest(Role::kPeer);
  return time == 0 || (plain > 0 && plain < time) ? plain : time;
}

bool Belongs(const Swept& layer, const std::string& name) {
  return name == "all" || std::find(layer.classes.begin(), layer.classes.end(), name) != layer.classes.end();
}

Statistics StatisticsOf(const std::vector<Swept>& layers, const std::string& name, Role role) {
  std::vector<double> ratios;
  for (const Swept& layer : layers) {
    const double time = Time(layer.outcome, role);
    if (Belongs(layer, name) && time > 0) ratios.push_back(time / layer.outcome.Fastest(Role::kOurs));
  }
  if (ratios.empty()) return {};
  std::sort(ratios.begin(), ratios.end());
  double logs = 0;
  for (const double ratio : ratios) logs += std::log(ratio);
  const size_t n = ratios.size();
  const auto slower = std::lower_bound(ratios.begin(), ratios.end(), 1.0) - ratios.begin();
  return {n, std::exp(logs / static_cast<double>(n)), ratios[n / 10], ratios[0], static_cast<size_t>(slower)};
}

// The layers of a class that are slowest beside memcpy, and the kernels that we have for them.
void PrintSlowest(const std::vector<Swept>& layers, const std::string& name) {
  constexpr size_t kLayers = 15;
  std::vector<std::pair<double, const Swept*>> ratios;
  for (const Swept& layer : layers) {
    const double ours = layer.outcome.Fastest(Role::kOurs);
    if (Belongs(layer, name)) ratios.emplace_back(layer.outcome.Fastest(Role::kLimit) / ours, &layer);
  }
  std::sort(ratios.begin(), ratios.end());
  if (!ratios.empty()) fmt::print("{}:\n", name);
  for (size_t i = 0; i < std::min(kLayers, ratios.size()); ++i) {
    const Swept& layer = *ratios[i].second;
    fmt::print("  {:6.3f} {:58}{:10.2f} us  {}\n", ratios[i].first, layer.outcome.workload,
               layer.outcome.Fastest(Role::kOurs), layer.kernel);
  }
}

void PrintLine(const std::vector<Swept>& layers, const std::string& name) {
  fmt::print("{:12}", name);
  for (const Column& column : kColumns) {
    const Statistics s = StatisticsOf(layers, name, column.role);
    fmt::print(" |{:5}{:8.2f}{:7.2f}{:7.2f}{:5}", s.layers, s.mean, s.tenth, s.lowest, s.slower);
  }
  fmt::print("\n");
}

class Goals {
 public:
  void Check(const std::string& what, double ratio, double goal) {
    if (goal == 0) return;
    const bool met = ratio >= goal;
    ++goals_;
    met_ += met;
    fmt::print("  {:50}{:7.2f} of {}{}\n", what, ratio, goal, met ? "" : " NOT MET");
  }
  void Total() const { fmt::print("{} of {} goals met\n", met_, goals_); }

 private:
  int goals_ = 0, met_ = 0;
};

void PrintGoals(const std::vector<Swept>& layers) {
  Goals goals;
  fmt::print("\nGoals: times of others divided by ours\n");
  for (const Column& column : kColumns) {
    const Statistics s = StatisticsOf(layers, "all", column.role);
    const std::string name = column.name;
    goals.Check(name + ", geometric mean", s.mean, column.mean);
    goals.Check(name + ", lowest tenth", s.tenth, column.tenth);
    goals.Check(name + ", lowest", s.lowest, column.lowest);
  }
  for (const std::string& name : Classes()) {
    const Statistics s = StatisticsOf(layers, name, Role::kPeer);
    if (s.layers == 0) continue;
    goals.Check("same layout, " + name + ", geometric mean", s.mean, kClassMean);
    goals.Check("same layout, " + name + ", lowest", s.lowest, kClassLowest);
  }
  goals.Total();
}

}  // namespace

void PrintSweep(const std::vector<Swept>& layers) {
  fmt::print(
      "\nTimes of others divided by ours: layers that the other has, geometric mean, lowest tenth, lowest,\n"
      "and in how many of them we are slower\n{:12}",
      "");
  for (const Column& column : kColumns) fmt::print(" |{:>32}", column.name);
  fmt::print("\n");
  for (const std::string& name : Classes()) PrintLine(layers, name);
  PrintLine(layers, "all");
  fmt::print("\nSlower than a peer of the same layout:\n");
  PrintHeader();
  for (const Swept& layer : layers) {
    const double peer = layer.outcome.Fastest(Role::kPeer);
    if (peer > 0 && peer < layer.outcome.Fastest(Role::kOurs)) PrintOutcome(layer.outcome);
  }
  fmt::print("\nFurthest from memcpy, whose time is divided by ours, and the kernel that was chosen:\n");
  for (const std::string& name : Classes()) PrintSlowest(layers, name);
  PrintGoals(layers);
}

}  // namespace poolproof::optimized
