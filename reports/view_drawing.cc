#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "conformance/format/text.h"
#include "reports/panel.h"
#include "reports/view.h"

namespace poolproof::reports {
namespace {

constexpr double kGap = 40, kGapBelow = 10, kBend = 34;
constexpr double kLane = 8;       // between the arrows beside panels that stand below each other
constexpr double kMarkWidth = 8;  // of the sign beside a wrong value
constexpr size_t kMaxSlices = 3;  // depth slices of a 3-D input

// ---------------------------------------------------------------- input

Panel InputPanel(const Tensor& input, const Geometry& g, int64_t depth) {
  Panel panel;
  panel.tensor = &input;
  panel.fixed = g.position;
  SetAxes(g, &panel);
  const size_t last = g.Axes() - 1;
  const auto extent = [&](size_t axis) {
    const int64_t size = input.shape[static_cast<size_t>(g.spatial[axis])];
    return Clip({std::min(-g.pad_begin[axis], g.begin[axis]), std::max(size + g.pad_end[axis], g.End(axis))},
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
  Json view = PanelView(panel, [&](int64_t r, int64_t c, int64_t e) {
    std::string kind = e < 0 ? "pad" : "in";
    if (g.Taps(last, c) && (!panel.has_rows || g.Taps(last - 1, r))) kind += " tap";
    if (e >= 0 && e == right) kind += " right";
    if (e >= 0 && e == wrong && e != right) kind += " aim";
    return kind;
  });
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
  const Json &expected = ArrayOr(detail, "expected"), &got = ArrayOr(detail, "got");
  const Json& wrong = ArrayOr(detail, "wrong");
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
  const auto extent = [&](size_t dim) { return Clip({0, tensor.shape[dim]}, {g.position[dim], g.position[dim] + 1}); };
  panel.columns = extent(panel.column_dim);
  panel.rows = panel.has_rows ? extent(panel.row_dim) : Span{0, 1};
  panel.title = title;
  FitCells(&panel);
  panel.cell_width += kMarkWidth;
  return panel;
}

Json OutputView(const Panel& panel, const Geometry& g, const std::set<int64_t>& wrong, const char* kind_of_wrong) {
  return PanelView(panel, [&](int64_t r, int64_t c, int64_t e) {
    std::string kind = "out";
    if (wrong.contains(e)) kind += kind_of_wrong;
    if (panel.At(r, c) == g.position) kind += " first";
    return kind;
  });
}

// ---------------------------------------------------------------- all

// An arrow from the cell of an index output to the input element that it names. Inside both grids it
// runs between the cells, so that it crosses no value.
struct Arrow {
  size_t from = 0, to = 0;  // panels
  int64_t from_row = 0, from_column = 0, row = 0, column = 0;
  const char* kind = "";
};

// Where panels stand beside each other: a bend into the column, from above or below.
Json BentView(const Arrow& arrow, const Panel& from, const Panel& to) {
  const bool above = arrow.row - to.rows.begin < to.rows.end - 1 - arrow.row;
  const double x0 = from.x + from.CellX(arrow.from_column) + 5, left = from.x;
  const double y0 = from.y + from.CellY(arrow.from_row) + kCellHeight;
  const double x1 = to.x + to.CellX(arrow.column) + to.cell_width - 2;
  const double edge = to.y + (above ? kHead - 9 : to.Height() + 9);
  const double y1 = to.y + to.CellY(arrow.row) + (above ? 0 : kCellHeight);
  return {{"kind", arrow.kind},
          {"path", fmt::format("M{:.1f} {:.1f}H{:.1f}C{:.1f} {:.1f} {:.1f} {:.1f} {:.1f} {:.1f}V{:.1f}", x0, y0, left,
                               left - kBend, y0, x1, edge + (above ? -kBend : kBend), x1, edge, y1)}};
}

// Where they stand below each other: along the left side, each arrow in a lane of its own.
Json StraightView(const Arrow& arrow, const Panel& from, const Panel& to, size_t number) {
  const double lane = kLane * static_cast<double>(number + 1);
  return {{"kind", arrow.kind},
          {"path",
           fmt::format("M{:.1f} {:.1f}H{:.1f}V{:.1f}H{:.1f}V{:.1f}", from.x + from.CellX(arrow.from_column) + 5,
                       from.y + from.CellY(arrow.from_row) + kCellHeight, lane, to.y + to.Height() + lane,
                       to.x + to.CellX(arrow.column) + to.cell_width - 2, to.y + to.CellY(arrow.row) + kCellHeight)}};
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
  const Json& first = ObjectOr(detail, "first");
  size_t wrong = 0, all = 0;
  for (const OutputPair& pair : outputs) {
    wrong += pair.wrong.size();
    all += pair.expected.values.size();
  }
  std::string name = StringOr(first, "name");
  if (name.empty() && IntOr(first, "output") >= 0 && static_cast<size_t>(IntOr(first, "output")) < outputs.size()) {
    name = outputs[static_cast<size_t>(IntOr(first, "output"))].expected.name;
  }
  return fmt::format(
      "Output {} at {}: expected {}, got {}. Its window begins at {} with {} taps and holds {}. {} of "
      "{} output {} wrong.",
      Shorten(name, 60), PositionText(g.position), Shorten(StringOr(first, "expected"), 60),
      Shorten(StringOr(first, "got"), 60), PositionText(g.begin), PositionText(g.taps), TapsText(input, g), wrong, all,
      all == 1     ? "element is"
      : wrong == 1 ? "elements is"
                   : "elements are");
}

// Indices at the first wrong element that name no element of the input.
std::string StrayIndices(const std::vector<OutputPair>& outputs, const Tensor& input, const Geometry& g) {
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
  Json views = Json::array();
  std::vector<Panel> placed;  // beside each other
  std::vector<Arrow> arrows;
  size_t inputs = 0;  // of the panels, which come first

  void Add(const Panel& panel, Json view) {
    view["number"] = placed.size();
    views.push_back(std::move(view));
    placed.push_back(panel);
  }

  // From the panel `from` to the input element that its index names.
  void AddArrow(size_t from, const Geometry& g, int64_t element, const char* kind) {
    for (size_t to = 0; element >= 0 && to < inputs; ++to) {
      const Panel &index = placed[from], &input = placed[to];
      const std::vector<int64_t> position = PositionOf(*input.tensor, element);
      const int64_t row = input.has_rows ? position[input.row_dim] : 0;
      const int64_t column = position[input.column_dim];
      if (!input.rows.Has(row) || !input.columns.Has(column) || input.At(row, column) != position) continue;
      arrows.push_back(
          {from, to, index.has_rows ? g.position[index.row_dim] : 0, g.position[index.column_dim], row, column, kind});
    }
  }
};

std::string First(const Tensor& tensor, const Geometry& g) {
  const int64_t e = ElementAt(tensor, g.position);
  return e < 0 ? "" : tensor.values[static_cast<size_t>(e)];
}

// Expected above got. Outputs that are indices stand next to the input, where their arrows lead.
void AddOutputs(const std::vector<OutputPair>& outputs, const Geometry& g, const Tensor& input, bool indices, double* x,
                Drawing* drawing) {
  for (const OutputPair& pair : outputs) {
    if (pair.is_index != indices || ElementAt(pair.expected, g.position) < 0) continue;
    Panel want = OutputPanel(pair.expected, g, "expected " + pair.expected.name);
    Panel have = OutputPanel(pair.got, g, "got " + pair.got.name);
    want.x = have.x = *x;
    have.y = want.Height() + kGapBelow;
    drawing->Add(want, OutputView(want, g, pair.wrong, " due"));
    drawing->Add(have, OutputView(have, g, pair.wrong, " wrong"));
    if (indices) {
      const size_t last = drawing->placed.size() - 1;
      drawing->AddArrow(last - 1, g, IndexTarget(input, g, First(pair.expected, g)), "right");
      const bool same = First(pair.expected, g) == First(pair.got, g);
      drawing->AddArrow(last, g, same ? -1 : IndexTarget(input, g, First(pair.got, g)), "aim");
    }
    *x += std::max(want.Width(), have.Width()) + kGap;
  }
}

Json SizeView(const std::vector<Panel>& panels) {
  double width = 0, height = 0;
  for (const Panel& panel : panels) {
    width = std::max(width, panel.x + panel.Width() + 4);
    height = std::max(height, panel.y + panel.Height() + kBend / 2);
  }
  return {{"width", width}, {"height", height}};
}

Json WideView(const Drawing& drawing) {
  Json view = SizeView(drawing.placed);
  view["panels"] = drawing.views;
  view["arrows"] = Json::array();
  for (const Arrow& arrow : drawing.arrows) {
    view["arrows"].push_back(BentView(arrow, drawing.placed[arrow.from], drawing.placed[arrow.to]));
  }
  return view;
}

// The same panels below each other, where a page is too narrow for them side by side.
Json TallView(const Drawing& drawing) {
  std::vector<Panel> placed = drawing.placed;
  const double lanes = kLane * static_cast<double>(drawing.arrows.size());
  double y = 0;
  Json places = Json::array();
  for (Panel& panel : placed) {
    panel.x = lanes;
    panel.y = y;
    y += panel.Height() + kGapBelow + lanes;
    places.push_back({{"number", places.size()}, {"x", panel.x}, {"y", panel.y}});
  }
  Json view = SizeView(placed);
  view["places"] = places;
  view["straight"] = Json::array();
  for (const Arrow& arrow : drawing.arrows) {
    view["straight"].push_back(StraightView(arrow, placed[arrow.from], placed[arrow.to], view["straight"].size()));
  }
  return view;
}

}  // namespace

Json DrawingView(const Json& detail) {
  const auto input = ReadTensor(ObjectOr(detail, "input"));
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
  double x = 0, y = 0;
  for (Panel& panel : InputPanels(*input, *geometry)) {
    panel.y = y;
    drawing.Add(panel, InputView(panel, *geometry, right, wrong));
    y += panel.Height() + kGapBelow;
    x = std::max(x, panel.Width() + kGap);
  }
  drawing.inputs = drawing.placed.size();
  AddOutputs(outputs, *geometry, *input, true, &x, &drawing);
  AddOutputs(outputs, *geometry, *input, false, &x, &drawing);
  Json view = WideView(drawing);
  view["tall"] = TallView(drawing);
  view["sentence"] = Sentence(detail, *input, *geometry, outputs) + StrayIndices(outputs, *input, *geometry);
  return view;
}

}  // namespace poolproof::reports
