#include "reports/drawing.h"

#include <fmt/format.h>

#include <algorithm>
#include <cassert>

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

}  // namespace poolproof::reports
