#include "reports/geometry.h"

#include <fmt/format.h>

#include <algorithm>
#include <cassert>
#include <charconv>

#include "conformance/format/text.h"

namespace poolproof::reports {
namespace {

constexpr int64_t kMaxSide = 14;  // cells of a grid in each direction
constexpr int64_t kAround = 3;    // cells shown around what is of interest in a larger grid

int64_t Product(const std::vector<int64_t>& shape) {
  int64_t product = 1;
  for (const int64_t n : shape) {
    if (n < 0 || n > 1'000'000 || product > 1'000'000) return -1;
    product *= n;
  }
  return product;
}

constexpr int64_t kMost = 1'000'000;  // larger coordinates cannot be drawn

bool Sane(const std::vector<int64_t>& values, size_t count, int64_t least) {
  return values.size() == count &&
         std::all_of(values.begin(), values.end(), [least](int64_t v) { return v >= least && v <= kMost; });
}

// Pads follow from where the window lies: attributes may be ignored or made by auto_pad.
void AddPads(const Json& detail, const Tensor& input, Geometry* g) {
  const std::vector<int64_t> strides = IntsOf(detail, "stride");
  const std::vector<int64_t> pads = IntsOf(detail, "pad_begin"), ends = IntsOf(detail, "pad_end");
  const std::vector<int64_t> outputs =
      IntsOf(ArrayOr(detail, "expected").empty() ? Json() : ArrayOr(detail, "expected")[0], "shape");
  for (size_t a = 0; a < g->Axes(); ++a) {
    const size_t dim = static_cast<size_t>(g->spatial[a]);
    int64_t before = 0, after = 0;
    if (Sane(strides, g->Axes(), 1) && outputs.size() == input.shape.size()) {
      before = std::clamp<int64_t>(g->position[dim] * strides[a] - g->begin[a], 0, kMost);
      const int64_t span = g->End(a) - g->begin[a];
      const bool explicit_pads = Sane(pads, g->Axes(), 0) && Sane(ends, g->Axes(), 0) && pads[a] == before;
      const int64_t needed = (outputs[dim] - 1) * strides[a] + span - input.shape[dim] - before;
      after = explicit_pads ? ends[a] : std::clamp<int64_t>(needed, 0, span);
    }
    g->pad_begin.push_back(before);
    g->pad_end.push_back(after);
  }
}

}  // namespace

std::optional<Tensor> ReadTensor(const Json& json) {
  Tensor tensor;
  tensor.name = Shorten(StringOr(json, "name"), 60);
  tensor.shape = IntsOf(json, "shape");
  const Json& values = ArrayOr(json, "values");
  const int64_t count = Product(tensor.shape);
  if (tensor.shape.empty() || tensor.shape.size() > 8 || count <= 0 || static_cast<size_t>(count) != values.size()) {
    return std::nullopt;
  }
  for (const Json& value : values) tensor.values.push_back(Shorten(AsText(value), 40));
  return tensor;
}

std::vector<int64_t> PositionOf(const Tensor& tensor, int64_t element) {
  assert(element >= 0);
  std::vector<int64_t> position(tensor.shape.size());
  for (size_t d = position.size(); d-- > 0;) {
    position[d] = element % tensor.shape[d];
    element /= tensor.shape[d];
  }
  return position;
}

int64_t ElementAt(const Tensor& tensor, const std::vector<int64_t>& position) {
  if (position.size() != tensor.shape.size()) return -1;
  int64_t element = 0;
  for (size_t d = 0; d < position.size(); ++d) {
    if (position[d] < 0 || position[d] >= tensor.shape[d]) return -1;
    element = element * tensor.shape[d] + position[d];
  }
  return element;
}

Span Clip(Span all, Span interesting) {
  assert(all.begin <= all.end);
  if (all.end - all.begin <= kMaxSide) return all;
  Span span{std::max(all.begin, interesting.begin - kAround), std::min(all.end, interesting.end + kAround)};
  span.end = std::min(span.end, span.begin + kMaxSide);
  return span;
}

std::string PositionText(const std::vector<int64_t>& position) { return fmt::format("[{}]", fmt::join(position, ",")); }

bool Geometry::Taps(size_t axis, int64_t at) const {
  const int64_t distance = at - begin[axis];
  if (distance < 0 || at >= End(axis)) return false;
  return step[axis] <= 1 || distance % step[axis] == 0;
}

std::optional<Geometry> ReadGeometry(const Json& detail, const Tensor& input) {
  const Json& window = ObjectOr(detail, "window");
  Geometry g;
  g.spatial = IntsOf(detail, "spatial");
  g.begin = IntsOf(window, "begin");
  g.step = IntsOf(window, "step");
  g.taps = IntsOf(window, "taps");
  g.offsets = IntsOf(window, "offsets");
  g.position = IntsOf(ObjectOr(detail, "first"), "position");
  const size_t axes = g.spatial.size(), rank = input.shape.size();
  if (axes == 0 || axes > 3 || g.position.size() != rank) return std::nullopt;
  if (!Sane(g.begin, axes, -kMost) || !Sane(g.step, axes, 0) || !Sane(g.taps, axes, 1)) {
    return std::nullopt;
  }
  for (size_t a = 0; a < axes; ++a) {
    if (g.spatial[a] < 0 || static_cast<size_t>(g.spatial[a]) >= rank) return std::nullopt;
  }
  AddPads(detail, input, &g);
  return g;
}

int64_t IndexTarget(const Tensor& input, const Geometry& geometry, const std::string& index) {
  int64_t value = 0;
  const auto [end, error] = std::from_chars(index.data(), index.data() + index.size(), value);
  if (error != std::errc() || value < 0) return -1;
  const int64_t total = static_cast<int64_t>(input.values.size());
  int64_t bound = total;
  for (const int64_t size : input.shape) {
    for (const int64_t offset : geometry.offsets) {
      if (bound > 0 && offset >= 0 && offset < total && offset % bound == value) return offset;
    }
    bound /= size;
  }
  return value < total ? value : -1;
}

}  // namespace poolproof::reports
