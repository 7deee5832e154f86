#include "conformance/gate/draw.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "conformance/cases/fill.h"
#include "conformance/judge/message.h"

namespace poolproof {
namespace {

constexpr int64_t kMaxDrawn = 600;   // elements
constexpr int64_t kMaxPadding = 12;  // positions on each side of an axis

int64_t Count(const poolproof_tensor& tensor) {
  int64_t count = 1;
  for (int d = 0; d < tensor.rank; ++d) count *= tensor.dims[d];
  return count;
}

std::string Cell(const std::string& text, size_t width, bool marked) {
  return fmt::format("{}{:>{}}{}", marked ? '[' : ' ', text, width, marked ? ']' : ' ');
}

size_t Width(const poolproof_tensor& tensor) {
  size_t width = 1;
  for (int64_t i = 0; i < Count(tensor); ++i) {
    width = std::max(width, ElementAsText(tensor.element_type, tensor.data, i).size());
  }
  return width;
}

// The cells of one row of the padded input; positions outside the input are dots.
struct Frame {
  const poolproof_tensor& input;
  const reference::Window& window;
  std::array<int64_t, 3> low{}, high{};          // per spatial axis, padding included
  std::array<int64_t, POOLPROOF_MAX_RANK> at{};  // coordinates of the plane
  size_t width = 1;

  bool InWindow(int axis, int64_t position) const {
    const size_t a = static_cast<size_t>(axis);
    const int64_t distance = position - window.begin[a];
    return distance >= 0 && distance % window.step[a] == 0 && distance / window.step[a] < window.taps[a];
  }

  // Leaves out what is far from the window, or from the input where the window is near it; says how
  // much that is.
  std::string CutPadding() {
    std::string text;
    for (size_t a = 0; a < static_cast<size_t>(window.spatial_rank); ++a) {
      const int64_t end = window.begin[a] + (window.taps[a] - 1) * window.step[a] + 1;
      int64_t first = -kMaxPadding, last = input.dims[window.axis[a]] + kMaxPadding;
      if (end <= first || window.begin[a] >= last) {
        first = window.begin[a] - kMaxPadding / 4;
        last = std::min(end + kMaxPadding / 4, first + 4 * kMaxPadding);
      }
      first = std::max(low[a], first);
      last = std::min(high[a], last);
      if (first > low[a] || last < high[a]) {
        text += fmt::format("(axis {}: positions {} to {} of {} to {} are shown)\n", a, first, last - 1, low[a],
                            high[a] - 1);
      }
      low[a] = first;
      high[a] = last;
    }
    return text;
  }

  std::string Draw(int axis, std::array<int64_t, 3> position, bool inside) {
    if (axis == window.spatial_rank) return DrawCell(position);
    std::string text;
    const size_t a = static_cast<size_t>(axis);
    for (int64_t p = low[a]; p < high[a]; ++p) {
      position[a] = p;
      text += Draw(axis + 1, position, inside && InWindow(axis, p));
    }
    return text + "\n";
  }

  std::string DrawCell(const std::array<int64_t, 3>& position) const {
    bool inside = true, tap = true;
    auto coordinates = at;
    for (int axis = 0; axis < window.spatial_rank; ++axis) {
      const size_t a = static_cast<size_t>(axis);
      const size_t dim = static_cast<size_t>(window.axis[a]);
      inside = inside && position[a] >= 0 && position[a] < input.dims[dim];
      tap = tap && InWindow(axis, position[a]);
      coordinates[dim] = position[a];
    }
    if (!inside) return Cell(".", width, tap);
    int64_t flat = 0;
    for (int d = 0; d < input.rank; ++d) {
      flat = flat * input.dims[d] + coordinates[static_cast<size_t>(d)];
    }
    return Cell(ElementAsText(input.element_type, input.data, flat), width, tap);
  }
};

// Coordinates, in the input, of the plane that an output element belongs to.
std::array<int64_t, POOLPROOF_MAX_RANK> PlaneOf(const poolproof_tensor& output, int64_t element) {
  std::array<int64_t, POOLPROOF_MAX_RANK> at{};
  for (int d = output.rank; d-- > 0;) {
    const int64_t size = std::max<int64_t>(output.dims[d], 1);
    at[static_cast<size_t>(d)] = element % size;
    element /= size;
  }
  return at;
}

}  // namespace

std::string DrawTensor(const poolproof_tensor& tensor, const std::vector<int64_t>& marked) {
  const int64_t count = Count(tensor);
  if (tensor.data == nullptr || count == 0) return "(no elements)\n";
  if (count > kMaxDrawn) return fmt::format("({} elements)\n", count);
  const std::set<int64_t> marks(marked.begin(), marked.end());
  const size_t width = Width(tensor);
  std::string text;
  for (int64_t i = 0; i < count; ++i) {
    text += Cell(ElementAsText(tensor.element_type, tensor.data, i), width, marks.contains(i));
    int64_t block = 1;
    for (int d = tensor.rank; d-- > 1;) {  // one line break for each dimension that ends here
      block *= tensor.dims[d];
      if ((i + 1) % block == 0 && d + 3 > tensor.rank) text += '\n';
    }
    if (tensor.rank == 1 && i + 1 == count) text += '\n';
  }
  return text;
}

std::string DrawWindow(const Problem& problem, const Call& call, const Expected& expected, int64_t element) {
  const poolproof_tensor& output = expected.result().outputs[0];
  if (Count(call.inputs[0]) > kMaxDrawn || call.inputs[0].data == nullptr) {
    return fmt::format("(input of {} elements)\n", Count(call.inputs[0]));
  }
  const reference::Operator* op = reference::FindOperator(call.call.op);
  const reference::Window window = op->window(call.call, expected.readings(), element);
  Frame frame{call.inputs[0], window, {}, {}, {}, 1};
  frame.at = PlaneOf(output, element);
  frame.width = Width(call.inputs[0]);
  // Windows move in one direction: the first and the last one reach as far as any.
  for (const int64_t e : {int64_t{0}, std::max<int64_t>(Count(output) - 1, 0)}) {
    const reference::Window other = op->window(call.call, expected.readings(), e);
    for (size_t a = 0; a < static_cast<size_t>(window.spatial_rank); ++a) {
      const int64_t size = call.inputs[0].dims[window.axis[a]];
      const int64_t end = other.begin[a] + (other.taps[a] - 1) * other.step[a] + 1;
      frame.low[a] = std::min({frame.low[a], int64_t{0}, other.begin[a]});
      frame.high[a] = std::max({frame.high[a], size, end});
    }
  }
  const std::string left_out = frame.CutPadding();
  std::string text =
      fmt::format("window of output {} at {}, . is padding:\n", OutputName(problem, 0), PositionText(output, element));
  return text + frame.Draw(0, {}, true) + left_out;
}

}  // namespace poolproof
