#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "conformance/format/text.h"
#include "reports/geometry.h"
#include "reports/view.h"

namespace poolproof::reports {
namespace {

constexpr double kUnit = 24, kLeft = 8, kCellTop = 18, kRow = 19;
constexpr double kLabelGap = 8, kLetter = 7;  // bold ones, on average
constexpr double kLeastScale = 0.75;          // at which letters can be read
constexpr int64_t kMaxCells = 40, kMaxWindows = 12;

// One axis: cells from -pad_begin to size + pad_end, and the windows below them.
struct Axis {
  std::string name;
  int64_t size = 0, pad_begin = 0, pad_end = 0, kernel = 1, dilation = 1;
  std::vector<int64_t> starts;
  std::vector<std::string> notes;  // one per start; "" is a window like any other
  std::string why;

  int64_t Reach() const { return (kernel - 1) * dilation + 1; }
};

bool Drawable(const Axis& axis) {
  const auto sane = [](int64_t v, int64_t least) { return v >= least && v <= 10'000; };
  if (!sane(axis.size, 0) || !sane(axis.pad_begin, 0) || !sane(axis.pad_end, 0) || !sane(axis.kernel, 1) ||
      !sane(axis.dilation, 0) || axis.starts.empty()) {
    return false;
  }
  return std::all_of(axis.starts.begin(), axis.starts.end(), [&sane](int64_t s) { return sane(s, -10'000); });
}

struct Cells {
  Span span;
  double X(int64_t at) const { return kLeft + static_cast<double>(at - span.begin) * kUnit; }
};

Json CellsView(const Axis& axis, const Cells& cells) {
  Json view = Json::array();
  for (int64_t at = cells.span.begin; at < cells.span.end; ++at) {
    const bool inside = at >= 0 && at < axis.size;
    const bool pad = at >= -axis.pad_begin && at < axis.size + axis.pad_end;
    view.push_back({{"x", cells.X(at)},
                    {"y", kCellTop},
                    {"tx", cells.X(at) + kUnit / 2},
                    {"unit", kUnit},
                    {"kind", inside ? "in"
                             : pad  ? "pad"
                                    : "beyond"},
                    {"text", inside ? fmt::format("{}", at) : ""}});
  }
  return view;
}

Json WindowView(const Axis& axis, const Cells& cells, size_t number) {
  const int64_t start = axis.starts[number];
  const int64_t end = std::min(start + axis.Reach(), cells.span.end);
  const double y = kCellTop + kUnit + 8 + static_cast<double>(number) * kRow;
  const std::string& note = axis.notes[number];
  Json taps = Json::array();
  for (int64_t k = 0; k < axis.kernel; ++k) {
    const int64_t at = start + k * axis.dilation;
    if (cells.span.Has(at)) taps.push_back({{"cx", cells.X(at) + kUnit / 2}, {"cy", y + 6}});
  }
  return {{"bx", cells.X(std::max(start, cells.span.begin))},
          {"by", y},
          {"width", std::max<double>(static_cast<double>(end - start), 0.2) * kUnit},
          {"kind", note.empty() ? "kept" : "odd"},
          {"taps", taps},
          {"lx", cells.X(cells.span.end) + kLabelGap},
          {"ly", y + 10},
          {"label", fmt::format("window {} starts at {}{}{}", number, start, note.empty() ? "" : ": ", note)}};
}

std::string Sentence(const Axis& axis) {
  std::string text =
      fmt::format("Axis {}: {} input cells, {} of padding before and {} after, windows of {}", axis.name, axis.size,
                  axis.pad_begin, axis.pad_end, Plural(static_cast<uint64_t>(axis.Reach()), "cell"));
  for (size_t i = 0; i < axis.starts.size(); ++i) {
    text += fmt::format("{}{}{}{}", i == 0 ? " starting at " : ", ", axis.starts[i], axis.notes[i].empty() ? "" : ": ",
                        axis.notes[i]);
  }
  return text + ".";
}

Json AxisView(Axis axis) {
  if (!Drawable(axis)) return nullptr;
  // The last ones of many windows are of interest: that is where the readings part.
  const size_t most = static_cast<size_t>(kMaxWindows);
  const size_t left_out = axis.starts.size() > most ? axis.starts.size() - most : 0;
  axis.starts.erase(axis.starts.begin(), axis.starts.begin() + static_cast<ptrdiff_t>(left_out));
  axis.notes.erase(axis.notes.begin(), axis.notes.begin() + static_cast<ptrdiff_t>(left_out));
  const auto [least, largest] = std::minmax_element(axis.starts.begin(), axis.starts.end());
  Cells cells{{std::min(-axis.pad_begin, *least), std::max(axis.size + axis.pad_end, *largest + axis.Reach())}};
  if (cells.span.end - cells.span.begin > kMaxCells) {
    cells.span.begin = std::max(cells.span.begin, cells.span.end - kMaxCells);
  }
  Json windows = Json::array();
  size_t longest = std::string_view("input begins").size();
  for (size_t i = 0; i < axis.starts.size(); ++i) {
    if (axis.starts[i] < cells.span.begin) continue;
    windows.push_back(WindowView(axis, cells, i));
    longest = std::max(longest, StringOr(windows.back(), "label").size());
  }
  const double width = cells.X(cells.span.end) + 2 * kLabelGap + kLetter * static_cast<double>(longest);
  return {{"axis", axis.name},
          {"width", width},
          {"least", kLeastScale * width},
          {"height", kCellTop + kUnit + 14 + static_cast<double>(axis.starts.size()) * kRow},
          {"sentence", Sentence(axis)},
          {"why", axis.why},
          {"begin_x", cells.X(std::max<int64_t>(0, cells.span.begin))},
          {"end_x", cells.X(std::min(axis.size, cells.span.end))},
          {"cells", CellsView(axis, cells)},
          {"windows", windows}};
}

int64_t AtOr(const std::vector<int64_t>& values, size_t i, int64_t otherwise) {
  return i < values.size() ? values[i] : otherwise;
}

// The outputs' sizes along `dim`, expected and got; nothing where they do not differ.
std::optional<std::pair<int64_t, int64_t>> Sizes(const Json& detail, size_t dim) {
  const Json &expected = ArrayOr(detail, "expected"), &got = ArrayOr(detail, "got");
  if (expected.empty() || got.empty()) return std::nullopt;
  const auto want = IntsOf(expected[0], "shape"), have = IntsOf(got[0], "shape");
  if (dim >= want.size() || dim >= have.size() || want[dim] == have[dim]) return std::nullopt;
  return std::make_pair(want[dim], have[dim]);
}

}  // namespace

Json NumberLineView(const Json& line) {
  Axis axis;
  axis.name = Shorten(StringOr(line, "axis"), 40);
  axis.size = IntOr(line, "size");
  axis.pad_begin = IntOr(line, "pad_begin");
  axis.pad_end = IntOr(line, "pad_end");
  axis.kernel = IntOr(line, "kernel");
  axis.dilation = std::max<int64_t>(IntOr(line, "dilation"), 1);
  axis.starts = IntsOf(line, "starts");
  axis.why = Shorten(StringOr(line, "why"), 500);
  const std::vector<int64_t> dropped = IntsOf(line, "dropped");
  for (const int64_t start : axis.starts) {
    const bool drop = std::find(dropped.begin(), dropped.end(), start) != dropped.end();
    axis.notes.emplace_back(drop ? "dropped" : "");
  }
  return AxisView(axis);
}

Json ShapeLinesView(const Json& detail) {
  Json lines = Json::array();
  for (const Json& line : ArrayOr(detail, "number_line")) {
    const Json view = NumberLineView(line);
    if (!view.is_null() && lines.size() < 3) lines.push_back(view);
  }
  if (!lines.empty()) return lines;
  const std::vector<int64_t> input = IntsOf(ObjectOr(detail, "input"), "shape");
  const std::vector<int64_t> spatial = IntsOf(detail, "spatial"), strides = IntsOf(detail, "stride");
  const Json& window = ObjectOr(detail, "window");
  const auto begin = IntsOf(window, "begin"), taps = IntsOf(window, "taps"), step = IntsOf(window, "step");
  for (size_t a = 0; a < spatial.size() && a < strides.size() && a < begin.size(); ++a) {
    const size_t dim = static_cast<size_t>(spatial[a]);
    const auto sizes = Sizes(detail, dim);
    if (!sizes || dim >= input.size()) continue;
    Axis axis;
    axis.name = fmt::format("{}", spatial[a]);
    axis.size = input[dim];
    axis.kernel = AtOr(taps, a, 1);
    axis.dilation = std::max<int64_t>(AtOr(step, a, 1), 1);
    axis.pad_begin = std::max<int64_t>(-begin[a], 0);
    axis.pad_end = std::max<int64_t>(AtOr(IntsOf(detail, "pad_end"), a, 0), 0);
    const auto [want, have] = *sizes;
    const int64_t count = std::min<int64_t>(std::max(want, have), 1000);
    for (int64_t i = 0; i < count; ++i) {
      axis.starts.push_back(begin[a] + i * strides[a]);
      axis.notes.emplace_back(i >= want ? "only the backend has it" : i >= have ? "missing" : "");
    }
    axis.why = fmt::format("Expected {} along dimension {}, got {}.",
                           Plural(static_cast<uint64_t>(std::max<int64_t>(want, 0)), "window"), spatial[a], have);
    const Json view = AxisView(axis);
    if (!view.is_null()) lines.push_back(view);
  }
  return lines;
}

}  // namespace poolproof::reports
