#include "optimized/bench/goals.h"

#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <string_view>

namespace poolproof::optimized {
namespace {

// Ratios that are to be reached; 0 for none.
struct Goal {
  const char* group;
  const char* workload;
  double peer = 0;  // fastest peer of the same layout
  double any_layout = 0;
  double copy = 0;        // memcpy
  double index_peer = 0;  // fastest peer of the same layout that returns int64 indices
  double plain = 0;       // plain loop
};

constexpr Goal kGoals[] = {
    {"f32 maximum", "max 1x64x112x112 k3 s2 p1", 2.5, 1, .95},
    {"f32 maximum", "max 1x256x56x56 k2 s2", 2.2, 1, .95},
    {"f32 maximum", "max 8x192x28x28 k3 s1 p1", 3.7, 1, .95},
    {"f32 maximum", "max 1x64x224x224 k2 s2", 1.9, 1, .95},
    {"f32 maximum", "max 32x16x8x8 k2 s2", 0, 1, .85},
    {"f32 maximum, large kernels", "max 1x512x20x20 k5 s1 p2", 4, 3},
    {"f32 maximum, large kernels", "max 1x512x20x20 k9 s1 p4", 7, 3},
    {"f32 maximum, large kernels", "max 1x512x20x20 k13 s1 p6", 10, 3},
    {"f32 maximum with index", "max+i64 1x64x112x112 k3 s2 p1", 2.4, 1, .9, 11},
    {"f32 maximum with index", "max+i64 1x64x224x224 k2 s2", 2.4, 1, .9, 11},
    {"f32 maximum with index", "max+i64 8x192x28x28 k3 s1 p1", 2.4, 1, .7, 19},
    {"f32 maximum with index", "max+i64 1x512x20x20 k5 s1 p2", 2.4, 1, 0, 45},
    {"f32 maximum with index", "max+i64 1x512x20x20 k13 s1 p6", 2.4, 1, 0, 150},
    {"8-bit maximum", "max s8 1x64x224x224 k2 s2", 6, .8, .5},
    {"8-bit maximum", "max s8 1x256x56x56 k2 s2", 20, .8, .5},
    {"8-bit maximum", "max u8 1x256x56x56 k2 s2", 20, .8, .5},
    {"8-bit maximum", "max s8 1x64x112x112 k3 s2 p1", 12, .8, .5},
    {"8-bit maximum", "max u8 1x192x28x28 k3 s1 p1", 12, .8, .5},
    {"8-bit maximum", "max s8 1x512x20x20 k13 s1 p6", 30, .8},
    {"8-bit maximum", "max u8 1x512x20x20 k13 s1 p6", 30, .8},
    {"half maximum", "max bf16 1x64x112x112 k3 s2 p1", 5, 1, .4},
    {"half maximum", "max bf16 1x192x28x28 k3 s1 p1", 5, 1, .4},
    {"half maximum", "max f16 1x64x112x112 k3 s2 p1", 6, 1, .4},
    {"average", "avg include 1x64x112x112 k3 s2 p1", 1.9, 1, .9},
    {"average", "avg include 1x64x224x224 k2 s2", 1.9, 1, .9},
    {"average", "avg include 8x192x28x28 k3 s1 p1", 1.9, 1, .9},
    {"average", "avg exclude 1x64x112x112 k3 s2 p1", 2.1, 1, .9},
    {"average", "avg exclude 8x192x28x28 k3 s1 p1", 2.1, 1, .9},
    {"average", "avg exclude 32x16x8x8 k2 s2", 2.1, 1, .9},
    {"average", "avg exclude 1x512x7x7 k3 s1 p1", 2.1, 1, .9},
    {"average, large kernels", "avg include 1x512x20x20 k13 s1 p6", 5, 1},
    {"average, large kernels", "avg exclude 1x512x20x20 k13 s1 p6", 15, 1},
    {"adaptive maximum with index", "adaptive max+i64 8x256x14x14 to 7x7", 18, .5},
    {"adaptive maximum with index", "adaptive max+i64 1x512x13x17 to 5x7", 30, .5},
    {"adaptive average", "adaptive avg 8x256x14x14 to 7x7", 4, .5},
    {"adaptive average", "adaptive avg 1x512x13x17 to 5x7", 15, .5},
    {"adaptive average", "adaptive avg 1x2048x7x7 to 1x1", 1.1, .5},
    {"three axes", "max 3-D 1x32x16x56x56 k2 s2", 1.3, 1, .9},
    {"three axes", "max 3-D 1x64x8x56x56 k3 s2 p1", 1.8, 1, .9},
    {"three axes", "max+i64 3-D 1x32x16x56x56 k2 s2", 0, 1, .9, 15},
    {"three axes", "max+i64 3-D 1x64x8x56x56 k3 s2 p1", 0, 1, .9, 15},
    {"three axes", "avg exclude 3-D 1x32x16x56x56 k2 s2", 1.3, 1, .9},
    {"three axes", "avg exclude 3-D 1x64x8x56x56 k3 s2 p1", 1.8, 1, .9},
    {"one axis", "max 1-D 1x128x4096 k3 s1 p1", 1.5, 1, .9},
    {"one axis", "max+i64 1-D 1x128x4096 k3 s1 p1", 0, 1, .9, 6},
    {"one axis", "avg exclude 1-D 1x128x4096 k3 s1 p1", 1.5, 1, .9},
    {"dilated", "max dilated 1x64x56x56 k3 s1 p2 d2", 4, 2},
    {"dilated", "max+i64 1x64x56x56 k3 s1 p2 d2", 0, 2, 0, 30},
};

constexpr double kMliGoal = 10;           // against the plain loop
constexpr double kThreadsGoal = 1.7;      // two threads against one
constexpr double kLargeKernelGoal = 1.2;  // time of k13 against that of k5
constexpr double kIndexGoal = 1.6;        // time of an index against that of its bytes at memcpy speed

class Table {
 public:
  void Group(std::string_view group) {
    if (group == group_) return;
    group_ = group;
    fmt::print("{}\n", group);
  }
  // One goal, if the ratio was measured.
  void Cell(std::string& line, const char* against, double ratio, double goal) {
    if (ratio == 0 || goal == 0) return;
    const bool met = ratio >= goal;
    ++goals_;
    met_ += met;
    line += fmt::format("  {} {:.2f}x of {}{}", against, ratio, goal, met ? "" : " NOT MET");
  }
  void Line(std::string_view name, const std::string& line) {
    if (!line.empty()) fmt::print("  {:42}{}\n", name, line);
  }
  void Total() const { fmt::print("{} of {} goals met\n", met_, goals_); }

 private:
  std::string_view group_;
  int goals_ = 0, met_ = 0;
};

double Ratio(const Outcome& outcome, Role role) { return outcome.Fastest(role) / outcome.Fastest(Role::kOurs); }

double IndexRatio(const Outcome& outcome) {
  double fastest = 0;
  for (const Timing& t : outcome.times) {
    const bool counts = t.role == Role::kPeer && t.has_indices;
    if (counts && (fastest == 0 || t.microseconds < fastest)) fastest = t.microseconds;
  }
  return fastest / outcome.Fastest(Role::kOurs);
}

const Outcome* Find(const std::vector<Outcome>& outcomes, std::string_view workload) {
  const auto at = std::find_if(outcomes.begin(), outcomes.end(),
                               [&](const Outcome& outcome) { return outcome.workload == workload; });
  return at == outcomes.end() ? nullptr : &*at;
}

void AddGoal(const Goal& goal, const Outcome& outcome, Table& table) {
  std::string line;
  table.Cell(line, "same layout", Ratio(outcome, Role::kPeer), goal.peer);
  table.Cell(line, "int64 index", IndexRatio(outcome), goal.index_peer);
  table.Cell(line, "any layout", Ratio(outcome, Role::kAnyLayout), goal.any_layout);
  table.Cell(line, "memcpy", Ratio(outcome, Role::kLimit), goal.copy);
  table.Group(goal.group);
  table.Line(goal.workload, line);
}

void AddLargeKernels(const std::vector<Outcome>& outcomes, Table& table) {
  const Outcome* k5 = Find(outcomes, "max 1x512x20x20 k5 s1 p2");
  const Outcome* k13 = Find(outcomes, "max 1x512x20x20 k13 s1 p6");
  if (k5 == nullptr || k13 == nullptr) return;
  std::string line;
  table.Group("kernel of 13 at most 1.2 times the time of 5");
  const double allowed = kLargeKernelGoal * k5->Fastest(Role::kOurs);
  table.Cell(line, "k5 times 1.2", allowed / k13->Fastest(Role::kOurs), 1);
  table.Line(k13->workload, line);
}

// Time that the bytes of the index take at memcpy speed: by themselves or, where they do not fit the cache that holds
// all others, as a part of everything.
double IndexLimit(const Outcome& outcome) {
  const double part = outcome.Fastest(Role::kLimit) - outcome.Fastest(Role::kValuesLimit);
  return std::max(outcome.Fastest(Role::kIndexLimit), part);
}

// Time that the index adds, and the time of everything.
void AddIndexCosts(const std::vector<Outcome>& outcomes, Table& table) {
  for (const Outcome& outcome : outcomes) {
    if (outcome.Fastest(Role::kIndexLimit) == 0 || outcome.Fastest(Role::kWithoutIndex) == 0) continue;
    constexpr double kLeast = 1e-3;  // microseconds, where it costs nothing
    const double added = std::max(kLeast, outcome.Fastest(Role::kOurs) - outcome.Fastest(Role::kWithoutIndex));
    std::string line;
    table.Group("index at most 1.6 times the time of its bytes at memcpy speed; and all with what is read and written");
    table.Cell(line, "index: memcpy times 1.6", kIndexGoal * IndexLimit(outcome) / added, 1);
    table.Cell(line, "all: memcpy times 1.6", kIndexGoal * Ratio(outcome, Role::kLimit), 1);
    table.Line(outcome.workload, line);
  }
}

}  // namespace

void PrintGoals(const std::vector<Outcome>& outcomes) {
  Table table;
  fmt::print("\nGoals: times of others divided by ours\n");
  for (const Goal& goal : kGoals) {
    const Outcome* outcome = Find(outcomes, goal.workload);
    if (outcome != nullptr) AddGoal(goal, *outcome, table);
  }
  AddLargeKernels(outcomes, table);
  AddIndexCosts(outcomes, table);
  for (const Outcome& outcome : outcomes) {
    if (!outcome.workload.starts_with("mli ")) continue;
    std::string line;
    table.Group("MLI");
    table.Cell(line, "plain loop", Ratio(outcome, Role::kPlain), kMliGoal);
    table.Line(outcome.workload, line);
  }
  for (const Outcome& outcome : outcomes) {
    if (outcome.Scaling() == 0) continue;
    std::string line;
    table.Group("two threads against one, beyond the caches of one core");
    table.Cell(line, "two threads", outcome.Scaling(), kThreadsGoal);
    table.Line(outcome.workload, line);
  }
  table.Total();
}

}  // namespace poolproof::optimized
