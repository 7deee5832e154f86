#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "reports/text.h"
#include "reports/view.h"

namespace poolproof::reports {
namespace {

constexpr double kLabel = 270, kPlot = 520, kRowHeight = 24, kTop = 30;
constexpr double kMostRows = 200;

// Speed as a share of the speed of a copy of the same bytes, on a logarithmic axis.
struct Scale {
  double least = -2, most = 0.5;  // powers of ten
  double X(double share) const {
    const double power = std::clamp(std::log10(share), least, most);
    return kLabel + (power - least) / (most - least) * kPlot;
  }
};

bool Usable(double us) { return std::isfinite(us) && us > 0; }

std::string Micros(double us) { return Usable(us) ? fmt::format("{:.3g}", us) : ""; }

void Widen(double share, Scale* scale) {
  if (!Usable(share)) return;
  scale->least = std::min(scale->least, std::floor(std::log10(share) * 2) / 2);
  scale->most = std::max(scale->most, std::ceil(std::log10(share) * 2) / 2);
}

Scale FindScale(const Json& workloads) {
  Scale scale;
  for (const Json& w : workloads) {
    const double copy = Real(w, "memcpy_us");
    if (!Usable(copy)) continue;
    for (const char* key : {"ours_us", "plain_us"}) Widen(copy / Real(w, key), &scale);
    for (const auto& [name, us] : Object(w, "peers").items()) {
      if (us.is_number()) Widen(copy / us.get<double>(), &scale);
    }
  }
  scale.least = std::max(scale.least, -5.0);
  scale.most = std::min(scale.most, 2.0);
  return scale;
}

Json Mark(const Scale& scale, double copy, double us, double y, const std::string& who,
          const char* kind) {
  return {{"cx", scale.X(copy / us)},
          {"cy", y + kRowHeight / 2},
          {"kind", kind},
          {"label", fmt::format("{}: {} µs, {:.3g} of copy speed", who, Micros(us), copy / us)}};
}

Json Marks(const Json& w, const Scale& scale, double y) {
  Json marks = Json::array();
  const double copy = Real(w, "memcpy_us");
  if (!Usable(copy)) return marks;
  for (const auto& [name, value] : Object(w, "peers").items()) {
    const double us = value.is_number() ? value.get<double>() : 0;
    if (Usable(us)) marks.push_back(Mark(scale, copy, us, y, Shorten(name, 60), "peer"));
  }
  if (Usable(Real(w, "plain_us"))) {
    marks.push_back(Mark(scale, copy, Real(w, "plain_us"), y, "plain loops", "plain"));
  }
  if (Usable(Real(w, "ours_us"))) {
    marks.push_back(Mark(scale, copy, Real(w, "ours_us"), y, "optimized", "ours"));
  }
  return marks;
}

// The fastest peer and how much slower it is than ours.
Json RowView(const Json& w, const Scale& scale, double y) {
  std::string best;
  double best_us = 0;
  for (const auto& [name, value] : Object(w, "peers").items()) {
    const double us = value.is_number() ? value.get<double>() : 0;
    if (Usable(us) && (best.empty() || us < best_us)) {
      best = Shorten(name, 60);
      best_us = us;
    }
  }
  const double ours = Real(w, "ours_us"), copy = Real(w, "memcpy_us");
  return {{"workload", Shorten(Str(w, "workload"), 200)},
          {"short", Shorten(Str(w, "workload"), 44)},
          {"y", y},
          {"ty", y + 16},
          {"ours", Micros(ours)},
          {"plain", Micros(Real(w, "plain_us"))},
          {"copy", Micros(copy)},
          {"share", Usable(ours) && Usable(copy) ? fmt::format("{:.2f}", copy / ours) : ""},
          {"peer", best},
          {"peer_us", Micros(best_us)},
          {"ratio", Usable(ours) && Usable(best_us) ? fmt::format("{:.2f}×", best_us / ours) : ""},
          {"marks", Marks(w, scale, y)}};
}

}  // namespace

Json PerformanceView(const Json& workloads) {
  if (!workloads.is_array() || workloads.empty()) return {{"any", false}};
  const Scale scale = FindScale(workloads);
  Json rows = Json::array(), ticks = Json::array();
  double y = kTop;
  for (const Json& w : workloads) {
    if (static_cast<double>(rows.size()) >= kMostRows) break;
    rows.push_back(RowView(w, scale, y));
    y += kRowHeight;
  }
  for (int power = static_cast<int>(std::ceil(scale.least)); power <= scale.most; ++power) {
    ticks.push_back({{"x", scale.X(std::pow(10, power))},
                     {"bottom", y},
                     {"limit", power == 0},
                     {"text", power == 0 ? "1 = copy" : fmt::format("{:.5g}", std::pow(10, power))}});
  }
  return {{"any", true},
          {"rows", rows},
          {"ticks", ticks},
          {"top", kTop},
          {"width", kLabel + kPlot + 40},
          {"height", y + 8}};
}

}  // namespace poolproof::reports
