// One grid of a drawing: part of a tensor, cell by cell, in pixels.
#pragma once

#include <algorithm>
#include <functional>
#include <string>
#include <vector>

#include "reports/geometry.h"

namespace poolproof::reports {

inline constexpr double kCellHeight = 26, kRowLabels = 26, kHead = 40;

// Coordinates are those of the tensor; cells outside it are padding.
struct Panel {
  const Tensor* tensor = nullptr;
  std::string title;
  std::vector<int64_t> fixed;  // position whose last two spatial coordinates vary
  size_t row_dim = 0, column_dim = 0;
  bool has_rows = true;  // false: one spatial axis
  Span rows, columns;
  double x = 0, y = 0, cell_width = 30;

  double CellX(int64_t column) const { return kRowLabels + static_cast<double>(column - columns.begin) * cell_width; }
  double CellY(int64_t row) const { return kHead + static_cast<double>(row - rows.begin) * kCellHeight; }
  double Width() const { return std::max(CellX(columns.end), kRowLabels + 8.6 * static_cast<double>(title.size())); }
  double Height() const { return CellY(rows.end); }
  std::vector<int64_t> At(int64_t row, int64_t column) const {
    std::vector<int64_t> position = fixed;
    if (has_rows) position[row_dim] = row;
    position[column_dim] = column;
    return position;
  }
};

// Widens the cells to the longest value shown.
void FitCells(Panel* panel);
void SetAxes(const Geometry& geometry, Panel* panel);
// The kind of the cell that shows `element`, -1 outside of the tensor; "wrong" puts a mark beside the value.
using KindOf = std::function<std::string(int64_t row, int64_t column, int64_t element)>;
Json PanelView(const Panel& panel, const KindOf& kind_of);

}  // namespace poolproof::reports
