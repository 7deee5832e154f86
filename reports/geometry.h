// "detail" as a drawing needs it: its tensors, positions in them, and where the window of the first wrong element lies.
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

// Vectors hold one entry per spatial axis, outermost first.
struct Geometry {
  std::vector<int64_t> spatial;             // dimension of the tensors
  std::vector<int64_t> begin, step, taps;   // of the window, in input coordinates
  std::vector<int64_t> pad_begin, pad_end;  // as they take effect, whatever the attributes say
  std::vector<int64_t> offsets;             // flat positions of the taps inside the input
  std::vector<int64_t> position;            // of the first wrong element, all dimensions

  size_t Axes() const { return spatial.size(); }
  // One past the last tap.
  int64_t End(size_t axis) const { return begin[axis] + (taps[axis] - 1) * step[axis] + 1; }
  // Whether the window has a tap at coordinate `at` of `axis`.
  bool Taps(size_t axis, int64_t at) const;
  Span Window(size_t axis) const { return {begin[axis], End(axis)}; }
};

// Nothing where "window", "first" or "spatial" are absent or contradict each other.
std::optional<Geometry> ReadGeometry(const Json& detail, const Tensor& input);

// The input element that an index output names, or -1. An index counts from some dimension on; where
// several elements fit, a tap of the window is meant.
int64_t IndexTarget(const Tensor& input, const Geometry& geometry, const std::string& index);

}  // namespace poolproof::reports
