// Parts of the drawings: tensors of "detail", positions in them, and grids of cells.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "conformance/format/reader.h"

namespace poolproof::reports {

struct Tensor {
  std::string name;
  std::vector<int64_t> shape;
  std::vector<std::string> values;  // as many as the shape says
};

// Nothing where the values are left out or do not fit the shape.
std::optional<Tensor> ReadTensor(const Json& json);

std::vector<int64_t> PositionOf(const Tensor& tensor, int64_t element);
int64_t ElementAt(const Tensor& tensor, const std::vector<int64_t>& position);  // -1: outside
std::string PositionText(const std::vector<int64_t>& position);                 // "[0,0,1,2]"

// Half-open range of coordinates.
struct Span {
  int64_t begin = 0, end = 0;
  bool Has(int64_t i) const { return begin <= i && i < end; }
};

// The part of `all` that is drawn: everything if it is small, otherwise what is around `interesting`.
Span Clip(Span all, Span interesting);

}  // namespace poolproof::reports
