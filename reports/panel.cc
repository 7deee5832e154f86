#include "reports/panel.h"

namespace poolproof::reports {
namespace {

constexpr size_t kCellText = 14;  // characters: "-3.4028235e+38"

std::string CellText(const std::string& value) {
  return value.size() <= kCellText ? value : value.substr(0, kCellText - 1) + "…";
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

Json CellView(const Panel& panel, int64_t row, int64_t column, const KindOf& kind_of) {
  const int64_t e = ElementAt(*panel.tensor, panel.At(row, column));
  const std::string kind = kind_of(row, column, e);
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

}  // namespace

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

Json PanelView(const Panel& panel, const KindOf& kind_of) {
  Json cells = Json::array();
  for (int64_t r = panel.rows.begin; r < panel.rows.end; ++r) {
    for (int64_t c = panel.columns.begin; c < panel.columns.end; ++c) cells.push_back(CellView(panel, r, c, kind_of));
  }
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

}  // namespace poolproof::reports
