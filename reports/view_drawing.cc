#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "reports/problem_geometry.h"
#include "reports/text.h"
#include "reports/view.h"

namespace poolproof::reports {
namespace {

constexpr double kCellHeight = 26, kRowLabels = 26, kHead = 40, kGap = 40, kBend = 34;
constexpr double kMarkWidth = 8;   // of the sign beside a wrong value
constexpr size_t kMaxSlices = 3;   // depth slices of a 3-D input
constexpr size_t kCellText = 11;   // characters

// Where panels stand and how large the whole is; positions in pixels.
struct Layout {
  double width = 0, height = 0;
};

// One grid. Coordinates are those of the tensor; cells outside it are padding.
struct Panel {
  const Tensor* tensor = nullptr;
  std::string title;
  std::vector<int64_t> fixed;  // position whose last two spatial coordinates vary
  size_t row_dim = 0, column_dim = 0;
  bool has_rows = true;  // false: one spatial axis
  Span rows, columns;
  double x = 0, y = 0, cell_width = 30;

  double CellX(int64_t column) const {
    return kRowLabels + static_cast<double>(column - columns.begin) * cell_width;
  }
  double CellY(int64_t row) const {
    return kHead + static_cast<double>(row - rows.begin) * kCellHeight;
  }
  double Width() const {
    return std::max(CellX(columns.end), kRowLabels + 8.6 * static_cast<double>(title.size()));
  }
  double Height() const { return CellY(rows.end); }
  std::vector<int64_t> At(int64_t row, int64_t column) const {
    std::vector<int64_t> position = fixed;
    if (has_rows) position[row_dim] = row;
    position[column_dim] = column;
    return position;
  }
};

std::string CellText(const std::string& value) {
  return value.size() <= kCellText ? value : value.substr(0, kCellText - 1) + "…";
}

// Widens the cells to the longest value shown.
void FitCells(Panel* panel) {
  size_t longest = 2;
  for (int64_t r = panel->rows.begin; r < panel->rows.end; ++r) {
    for (int64_t c = panel->columns.begin; c < panel->columns.end; ++c) {
      const int64_t e = ElementAt(*panel->tensor, panel->At(r, c));
      if (e >= 0) longest = std::max(longest, panel->tensor->values[static_cast<size_t>(e)].size());
    }
  }
  panel->cell_width = 14 + 7.4 * static_cast<double>(std::min(longest, kCellText));
}

void SetAxes(const Geometry& g, Panel* panel) {
  panel->column_dim = static_cast<size_t>(g.spatial.back());
  panel->has_rows = g.Axes() > 1;
  if (panel->has_rows) panel->row_dim = static_cast<size_t>(g.spatial[g.Axes() - 2]);
}

Json AxisLabels(const Panel& panel) {
  Json labels = Json::array();
  for (int64_t c = panel.columns.begin; c < panel.columns.end; ++c) {
    labels.push_back({{"x", panel.CellX(c) + panel.cell_width / 2}, {"y", kHead - 6}, {"text", c}});
  }
  for (int64_t r = panel.rows.begin; panel.has_rows && r < panel.rows.end; ++r) {
    labels.push_back({{"x", kRowLabels - 10}, {"y", panel.CellY(r) + 17}, {"text", r}});
  }
  return labels;
}

Json CellView(const Panel& panel, int64_t row, int64_t column, const std::string& kind) {
  const int64_t e = ElementAt(*panel.tensor, panel.At(row, column));
  const std::string value = e < 0 ? "" : panel.tensor->values[static_cast<size_t>(e)];
  const double x = panel.CellX(column), y = panel.CellY(row);
  Json cell = {{"x", x},
               {"y", y},
               {"kind", kind},
               {"text", CellText(value)},
               {"full", value.size() > kCellText ? value : ""},
               {"tx", x + panel.cell_width / 2},
               {"ty", y + 17.5},
               {"mark", false}};
  if (kind.find("wrong") != kind.npos) {
    cell["mark"] = {{"mx", x + panel.cell_width - 6}, {"my", y + 10}};
  }
  return cell;
}

Json PanelView(const Panel& panel, const Json& cells) {
  return {{"x", panel.x},
          {"y", panel.y},
          {"title", panel.title},
          {"tx", kRowLabels},
          {"cell_width", panel.cell_width},
          {"cell_height", kCellHeight},
          {"labels", AxisLabels(panel)},
          {"cells", cells},
          {"frame", false}};
}

// ---------------------------------------------------------------- input

Panel InputPanel(const Tensor& input, const Geometry& g, int64_t depth) {
  Panel panel;
  panel.tensor = &input;
  panel.fixed = g.position;
  SetAxes(g, &panel);
  const size_t last = g.Axes() - 1;
  const auto extent = [&](size_t axis) {
    const int64_t size = input.shape[static_cast<size_t>(g.spatial[axis])];
    return Clip({std::min(-g.pad_begin[axis], g.begin[axis]),
                 std::max(size + g.pad_end[axis], g.End(axis))},
                g.Window(axis));
  };
  panel.columns = extent(last);
  panel.rows = panel.has_rows ? extent(last - 1) : Span{0, 1};
  panel.title = "input";
  if (g.Axes() == 3) {
    panel.fixed[static_cast<size_t>(g.spatial[0])] = depth;
    panel.title = fmt::format("input, slice {}", depth);
  }
  FitCells(&panel);
  return panel;
}

std::vector<Panel> InputPanels(const Tensor& input, const Geometry& g) {
  std::vector<Panel> panels;
  if (g.Axes() < 3) return {InputPanel(input, g, 0)};
  const int64_t size = input.shape[static_cast<size_t>(g.spatial[0])];
  for (int64_t d = std::max<int64_t>(g.begin[0], 0); d < std::min(size, g.End(0)); ++d) {
    if (g.Taps(0, d) && panels.size() < kMaxSlices) panels.push_back(InputPanel(input, g, d));
  }
  if (panels.empty()) panels.push_back(InputPanel(input, g, g.begin[0] < 0 ? 0 : size - 1));
  return panels;
}

Json InputView(const Panel& panel, const Geometry& g, int64_t right, int64_t wrong) {
  const size_t last = g.Axes() - 1;
  Json cells = Json::array();
  for (int64_t r = panel.rows.begin; r < panel.rows.end; ++r) {
    for (int64_t c = panel.columns.begin; c < panel.columns.end; ++c) {
      const int64_t e = ElementAt(*panel.tensor, panel.At(r, c));
      const bool tap = g.Taps(last, c) && (!panel.has_rows || g.Taps(last - 1, r));
      std::string kind = e < 0 ? "pad" : "in";
      if (tap) kind += " tap";
      if (e >= 0 && e == right) kind += " right";
      if (e >= 0 && e == wrong && e != right) kind += " aim";
      cells.push_back(CellView(panel, r, c, kind));
    }
  }
  Json view = PanelView(panel, cells);
  const Span columns = g.Window(last);
  const Span rows = panel.has_rows ? g.Window(last - 1) : Span{0, 1};
  const int64_t left = std::max(columns.begin, panel.columns.begin);
  const int64_t top = std::max(rows.begin, panel.rows.begin);
  const int64_t end = std::min(columns.end, panel.columns.end);
  const int64_t bottom = std::min(rows.end, panel.rows.end);
  view["frame"] = {{"fx", panel.CellX(left)},
                   {"fy", panel.CellY(top)},
                   {"fw", static_cast<double>(end - left) * panel.cell_width},
                   {"fh", static_cast<double>(bottom - top) * kCellHeight}};
  return view;
}

// ---------------------------------------------------------------- outputs

struct OutputPair {
  Tensor expected, got;
  std::set<int64_t> wrong;
  bool is_index = false;
};

std::vector<OutputPair> ReadOutputs(const Json& detail) {
  std::vector<OutputPair> outputs;
  const Json &expected = Array(detail, "expected"), &got = Array(detail, "got");
  const Json& wrong = Array(detail, "wrong");
  for (size_t i = 0; i < expected.size() && i < got.size() && i < 4; ++i) {
    const auto want = ReadTensor(expected[i]), have = ReadTensor(got[i]);
    if (!want || !have || want->shape != have->shape) continue;
    OutputPair pair{*want, *have, {}, want->name == "indices"};
    if (i < wrong.size() && wrong[i].is_array()) {
      for (const Json& e : wrong[i]) {
        if (e.is_number_integer()) pair.wrong.insert(e.get<int64_t>());
      }
    }
    outputs.push_back(std::move(pair));
  }
  return outputs;
}

Panel OutputPanel(const Tensor& tensor, const Geometry& g, const std::string& title) {
  Panel panel;
  panel.tensor = &tensor;
  panel.fixed = g.position;
  SetAxes(g, &panel);
  const auto extent = [&](size_t dim) {
    return Clip({0, tensor.shape[dim]}, {g.position[dim], g.position[dim] + 1});
  };
  panel.columns = extent(panel.column_dim);
  panel.rows = panel.has_rows ? extent(panel.row_dim) : Span{0, 1};
  panel.title = title;
  FitCells(&panel);
  panel.cell_width += kMarkWidth;
  return panel;
}

Json OutputView(const Panel& panel, const Geometry& g, const std::set<int64_t>& wrong,
                const char* kind_of_wrong) {
  Json cells = Json::array();
  for (int64_t r = panel.rows.begin; r < panel.rows.end; ++r) {
    for (int64_t c = panel.columns.begin; c < panel.columns.end; ++c) {
      const std::vector<int64_t> at = panel.At(r, c);
      std::string kind = "out";
      if (wrong.contains(ElementAt(*panel.tensor, at))) kind += kind_of_wrong;
      if (at == g.position) kind += " first";
      cells.push_back(CellView(panel, r, c, kind));
    }
  }
  return PanelView(panel, cells);
}

// ---------------------------------------------------------------- all

// A line from the cell of an index output to the input element that it names. Inside both grids it runs
// between the cells, so that it crosses no value.
Json ArrowView(const Panel& from, const Panel& to, const Geometry& g, int64_t element,
               const char* kind) {
  const std::vector<int64_t> position = PositionOf(*to.tensor, element);
  const int64_t row = to.has_rows ? position[to.row_dim] : 0, column = position[to.column_dim];
  if (!to.rows.Has(row) || !to.columns.Has(column) || to.At(row, column) != position) return {};
  const int64_t from_row = from.has_rows ? g.position[from.row_dim] : 0;
  const bool above = row - to.rows.begin < to.rows.end - 1 - row;
  const double x0 = from.x + from.CellX(g.position[from.column_dim]) + 5, left = from.x;
  const double y0 = from.y + from.CellY(from_row) + kCellHeight;
  const double x1 = to.x + to.CellX(column) + to.cell_width - 2;
  const double edge = to.y + (above ? kHead - 9 : to.Height() + 9);
  const double y1 = to.y + to.CellY(row) + (above ? 0 : kCellHeight);
  return {{"kind", kind},
          {"path", fmt::format("M{:.1f} {:.1f}H{:.1f}C{:.1f} {:.1f} {:.1f} {:.1f} {:.1f} {:.1f}V{:.1f}",
                               x0, y0, left, left - kBend, y0, x1, edge + (above ? -kBend : kBend),
                               x1, edge, y1)}};
}

std::string TapsText(const Tensor& input, const Geometry& g) {
  std::string text;
  size_t shown = 0;
  for (const int64_t offset : g.offsets) {
    if (offset < 0 || static_cast<size_t>(offset) >= input.values.size()) continue;
    if (shown++ == 12) return text + ", …";
    text += (text.empty() ? "" : ", ") + input.values[static_cast<size_t>(offset)];
  }
  return text.empty() ? "no element of the input" : text;
}

std::string Sentence(const Json& detail, const Tensor& input, const Geometry& g,
                     const std::vector<OutputPair>& outputs) {
  const Json& first = Object(detail, "first");
  size_t wrong = 0, all = 0;
  for (const OutputPair& pair : outputs) {
    wrong += pair.wrong.size();
    all += pair.expected.values.size();
  }
  std::string name = Str(first, "name");
  if (name.empty() && Int(first, "output") >= 0 &&
      static_cast<size_t>(Int(first, "output")) < outputs.size()) {
    name = outputs[static_cast<size_t>(Int(first, "output"))].expected.name;
  }
  return fmt::format(
      "Output {} at {}: expected {}, got {}. Its window begins at {} with {} taps and holds {}. {} of "
      "{} output {} wrong.",
      Shorten(name, 60), PositionText(g.position), Shorten(Str(first, "expected"), 60),
      Shorten(Str(first, "got"), 60), PositionText(g.begin), PositionText(g.taps),
      TapsText(input, g), wrong, all,
      all == 1 ? "element is" : wrong == 1 ? "elements is" : "elements are");
}

// Indices at the first wrong element that name no element of the input.
std::string StrayIndices(const std::vector<OutputPair>& outputs, const Tensor& input,
                         const Geometry& g) {
  std::string text;
  for (const OutputPair& pair : outputs) {
    const int64_t e = pair.is_index ? ElementAt(pair.got, g.position) : -1;
    if (e < 0) continue;
    const std::string& index = pair.got.values[static_cast<size_t>(e)];
    if (IndexTarget(input, g, index) >= 0) continue;
    text += fmt::format(" The index {} names no element of the input.", index);
  }
  return text;
}

struct Drawing {
  Json panels = Json::array(), arrows = Json::array();
  Layout size;
  std::vector<Panel> inputs;

  void Add(const Panel& panel, Json view) {
    view["x"] = panel.x;
    view["y"] = panel.y;
    panels.push_back(std::move(view));
    size.width = std::max(size.width, panel.x + panel.Width() + 4);
    size.height = std::max(size.height, panel.y + panel.Height() + kBend / 2);
  }

  void AddArrow(const Panel& from, const Geometry& g, int64_t element, const char* kind) {
    for (const Panel& input : inputs) {
      const Json arrow = element < 0 ? Json() : ArrowView(from, input, g, element, kind);
      if (!arrow.is_null()) arrows.push_back(arrow);
    }
  }
};

std::string First(const Tensor& tensor, const Geometry& g) {
  const int64_t e = ElementAt(tensor, g.position);
  return e < 0 ? "" : tensor.values[static_cast<size_t>(e)];
}

// Expected above got. Outputs that are indices stand next to the input, where their arrows lead.
void AddOutputs(const std::vector<OutputPair>& outputs, const Geometry& g, const Tensor& input,
                bool indices, double* x, Drawing* drawing) {
  for (const OutputPair& pair : outputs) {
    if (pair.is_index != indices || ElementAt(pair.expected, g.position) < 0) continue;
    Panel want = OutputPanel(pair.expected, g, "expected " + pair.expected.name);
    Panel have = OutputPanel(pair.got, g, "got " + pair.got.name);
    want.x = have.x = *x;
    have.y = want.Height() + 10;
    drawing->Add(want, OutputView(want, g, pair.wrong, " due"));
    drawing->Add(have, OutputView(have, g, pair.wrong, " wrong"));
    if (indices) {
      drawing->AddArrow(want, g, IndexTarget(input, g, First(pair.expected, g)), "right");
      const bool same = First(pair.expected, g) == First(pair.got, g);
      drawing->AddArrow(have, g, same ? -1 : IndexTarget(input, g, First(pair.got, g)), "aim");
    }
    *x += std::max(want.Width(), have.Width()) + kGap;
  }
}

}  // namespace

Json DrawingView(const Json& detail) {
  const auto input = ReadTensor(Object(detail, "input"));
  const auto geometry = input ? ReadGeometry(detail, *input) : std::nullopt;
  if (!geometry) return nullptr;
  const std::vector<OutputPair> outputs = ReadOutputs(detail);
  if (outputs.empty() || outputs[0].expected.shape.size() != input->shape.size()) return nullptr;
  int64_t right = -1, wrong = -1;
  for (const OutputPair& pair : outputs) {
    if (!pair.is_index) continue;
    right = IndexTarget(*input, *geometry, First(pair.expected, *geometry));
    wrong = IndexTarget(*input, *geometry, First(pair.got, *geometry));
  }
  Drawing drawing;
  drawing.inputs = InputPanels(*input, *geometry);
  double x = 0, y = 0;
  for (Panel& panel : drawing.inputs) {
    panel.y = y;
    drawing.Add(panel, InputView(panel, *geometry, right, wrong));
    y += panel.Height() + 10;
    x = std::max(x, panel.Width() + kGap);
  }
  AddOutputs(outputs, *geometry, *input, true, &x, &drawing);
  AddOutputs(outputs, *geometry, *input, false, &x, &drawing);
  return {{"width", drawing.size.width},
          {"height", drawing.size.height},
          {"sentence", Sentence(detail, *input, *geometry, outputs) +
                           StrayIndices(outputs, *input, *geometry)},
          {"panels", drawing.panels},
          {"has_arrows", !drawing.arrows.empty()},
          {"arrows", drawing.arrows}};
}

}  // namespace poolproof::reports
