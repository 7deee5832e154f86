#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <tuple>

#include "conformance/format/text.h"
#include "reports/view.h"

namespace poolproof::reports {
namespace {

constexpr double kLabel = 144, kPlot = 130, kNumbers = 118, kRowHeight = 17, kTop = 22;
constexpr double kTickText = 38;  // width of the longest number on the axis
constexpr size_t kMostWorkloads = 500, kMostContestants = 16;

// Speed as a share of the speed of a copy of the same bytes, on a logarithmic axis.
struct Scale {
  double least = -2, most = 0.5;  // powers of ten
  double X(double share) const {
    const double power = std::clamp(std::log10(share), least, most);
    return kLabel + (power - least) / (most - least) * kPlot;
  }
};

// One time of a workload. `kind` decides the sign that stands for it.
struct Contestant {
  std::string name;
  const char* kind;
  double us;
};

bool Usable(double us) { return std::isfinite(us) && us > 0; }

std::string Micros(double us) {
  if (!Usable(us)) return "";
  return us < 1000 ? fmt::format("{:.3g}", us) : fmt::format("{:.0f}", us);
}

std::string Time(double us) {
  if (us < 999.5) return fmt::format("{:.3g} µs", us);
  return us < 999.5e3 ? fmt::format("{:.3g} ms", us / 1e3) : fmt::format("{:.3g} s", us / 1e6);
}

void AddAll(const Json& times, const char* kind, std::vector<Contestant>* all) {
  for (const auto& [name, value] : times.items()) {
    const double us = value.is_number() ? value.get<double>() : 0;
    if (Usable(us) && all->size() < kMostContestants) all->push_back({Shorten(name, 60), kind, us});
  }
}

// Everything that was measured of a workload, the fastest first.
std::vector<Contestant> ContestantsOf(const Json& w) {
  std::vector<Contestant> all;
  AddAll(ObjectOr(w, "peers"), "peer", &all);
  AddAll(ObjectOr(w, "any_layout"), "other", &all);
  for (const auto& [key, name, kind] :
       {std::tuple("memcpy_us", "copy (limit)", "copy"), std::tuple("ours_us", "poolproof", "ours"),
        std::tuple("plain_us", "plain loops", "plain")}) {
    if (Usable(NumberOr(w, key))) all.push_back({name, kind, NumberOr(w, key)});
  }
  std::stable_sort(all.begin(), all.end(), [](const Contestant& a, const Contestant& b) { return a.us < b.us; });
  return all;
}

Scale FindScale(const Json& workloads) {
  Scale scale;
  for (const Json& w : workloads) {
    const double copy = NumberOr(w, "memcpy_us");
    if (!Usable(copy)) continue;
    for (const Contestant& c : ContestantsOf(w)) {
      const double power = std::log10(copy / c.us) * 2;
      scale.least = std::min(scale.least, std::floor(power) / 2);
      scale.most = std::max(scale.most, std::ceil(power) / 2);
    }
  }
  scale.least = std::max(scale.least, -4.0);
  scale.most = std::min(scale.most, 1.0);
  return scale;
}

Json Ticks(const Scale& scale, double bottom) {
  Json ticks = Json::array();
  const double width = kPlot / (scale.most - scale.least);
  const int step = std::max(1, static_cast<int>(std::ceil(kTickText / width)));
  for (int power = static_cast<int>(std::ceil(scale.least)); power <= scale.most; ++power) {
    if (power % step != 0) continue;
    ticks.push_back({{"x", scale.X(std::pow(10, power))},
                     {"top", kTop},
                     {"bottom", bottom},
                     {"limit", power == 0},
                     {"text", fmt::format("{:.5g}", std::pow(10, power))}});
  }
  return ticks;
}

// One plot: a row per contestant, its name, its sign on the axis, its numbers.
Json PlotView(const Json& w, const std::vector<Contestant>& contestants, const Scale& scale) {
  const double copy = NumberOr(w, "memcpy_us");
  Json rows = Json::array();
  std::string sentence;
  double y = kTop;
  for (const Contestant& c : contestants) {
    const double x = scale.X(copy / c.us), middle = y + kRowHeight / 2;
    rows.push_back(
        {{"name", Shorten(c.name, 24)},
         {"bold", std::string(c.kind) == "ours"},
         {c.kind,
          {{"x", x}, {"y", middle}, {"left", x - 4}, {"right", x + 4}, {"top", middle - 4}, {"bottom", middle + 4}}},
         {"y", middle},
         {"ty", middle + 4},
         {"numbers", fmt::format("{:.2g} · {}", copy / c.us, Time(c.us))}});
    sentence += fmt::format("{}{} {}", sentence.empty() ? "" : ", ", c.name, Time(c.us));
    y += kRowHeight;
  }
  return {{"workload", Shorten(StringOr(w, "workload"), 100)},
          {"sentence", sentence},
          {"ticks", Ticks(scale, y)},
          {"rows", rows},
          {"from", kLabel},
          {"to", kLabel + kPlot},
          {"nx", kLabel - 6},
          {"vx", kLabel + kPlot + 8},
          {"width", kLabel + kPlot + kNumbers},
          {"height", y + 6}};
}

const Contestant* Fastest(const std::vector<Contestant>& contestants, bool any_layout) {
  for (const Contestant& c : contestants) {
    const std::string kind = c.kind;
    if (kind == "peer" || (any_layout && kind == "other")) return &c;
  }
  return nullptr;
}

// Numbers of one workload; how often poolproof was ahead is counted in `wins`.
Json RowView(const Json& w, const std::vector<Contestant>& contestants, std::array<size_t, 4>* wins) {
  const double ours = NumberOr(w, "ours_us"), copy = NumberOr(w, "memcpy_us");
  Json row = {{"workload", Shorten(StringOr(w, "workload"), 100)},
              {"ours", Micros(ours)},
              {"copy", Micros(copy)},
              {"plain", Micros(NumberOr(w, "plain_us"))},
              {"share", Usable(ours) && Usable(copy) ? fmt::format("{:.2f}", copy / ours) : ""}};
  for (const bool any_layout : {false, true}) {
    const Contestant* best = Fastest(contestants, any_layout);
    if (best == nullptr || !Usable(ours)) continue;
    row[any_layout ? "other" : "peer"] = {
        {"name", best->name}, {"us", Micros(best->us)}, {"ratio", fmt::format("{:.2f}", best->us / ours)}};
    ++(*wins)[any_layout ? 3 : 1];
    if (ours <= best->us) ++(*wins)[any_layout ? 2 : 0];
  }
  for (const char* key : {"peer", "other"}) {
    if (!row.contains(key)) row[key] = {{"name", ""}, {"us", ""}, {"ratio", ""}};
  }
  return row;
}

std::string MeasuredOn(const Json& performance) {
  const std::string cpu = StringOr(performance, "cpu");
  const int64_t threads = IntOr(performance, "threads");
  if (cpu.empty()) return "";
  return fmt::format(" Measured on {}{}.", Shorten(cpu, 100),
                     threads > 0 ? ", " + Plural(static_cast<uint64_t>(threads), "thread") : "");
}

std::string Wins(const std::array<size_t, 4>& wins) {
  if (wins[3] == 0) return "";
  return fmt::format(
      "poolproof is fastest in {} of {} among libraries that take the same layout, in {} of {} "
      "among all.",
      wins[0], Plural(wins[1], "workload"), wins[2], wins[3]);
}

}  // namespace

Json PerformanceView(const Json& performance) {
  const Json& workloads = performance.is_array() ? performance : ArrayOr(performance, "workloads");
  if (workloads.empty()) return {{"any", false}};
  const Scale scale = FindScale(workloads);
  Json rows = Json::array(), families = Json::array();
  std::array<size_t, 4> wins{};
  for (const Json& w : workloads) {
    if (rows.size() >= kMostWorkloads) break;
    const std::vector<Contestant> contestants = ContestantsOf(w);
    rows.push_back(RowView(w, contestants, &wins));
    if (!Usable(NumberOr(w, "memcpy_us"))) continue;
    const std::string name = StringOr(w, "workload"), family = Shorten(name.substr(0, name.find(' ')), 40);
    auto it =
        std::find_if(families.begin(), families.end(), [&](const Json& f) { return StringOr(f, "family") == family; });
    if (it == families.end()) {
      families.push_back({{"family", family}, {"plots", Json::array()}, {"open", families.empty()}});
      it = std::prev(families.end());
    }
    (*it)["plots"].push_back(PlotView(w, contestants, scale));
  }
  for (Json& f : families) f["count"] = Plural(f["plots"].size(), "workload");
  return {{"any", true},
          {"rows", rows},
          {"families", families},
          {"wins", Wins(wins)},
          {"measured_on", MeasuredOn(performance)}};
}

}  // namespace poolproof::reports
