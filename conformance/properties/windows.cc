#include "conformance/properties/windows.h"

#include <algorithm>

#include "conformance/cases/geometry.h"

namespace poolproof {

Windows::Windows(const Problem& problem, const poolproof_tensor& output) {
  const int rank = problem.shape.size;
  const Layout layout = LayoutOf(*problem.function);
  spatial_ = layout.spatial;
  if (output.rank != rank) {
    shape_error_ = "the output has rank " + std::to_string(output.rank) + ", the input " + std::to_string(rank);
    return;
  }
  output_dims_.assign(output.dims, output.dims + rank);
  input_steps_.assign(static_cast<size_t>(rank), 1);
  for (size_t d = static_cast<size_t>(rank) - 1; d > 0; --d) {
    input_steps_[d - 1] = input_steps_[d] * problem.shape[d];
  }
  for (int outer : {layout.batch, layout.channels}) {
    if (outer < 0) continue;
    const auto d = static_cast<size_t>(outer);
    if (output_dims_[d] == problem.shape[d]) continue;
    shape_error_ = "batch or channels of the output differ";
  }
  count_ = 1;
  for (int64_t dim : output_dims_) count_ *= dim;
  for (int axis = 0; axis < problem.SpatialRank(); ++axis) {
    axes_.push_back(MakeAxis(problem, output, axis));
  }
}

Windows::Axis Windows::MakeAxis(const Problem& problem, const poolproof_tensor& output, int axis) const {
  Axis made;
  const auto d = static_cast<size_t>(spatial_ + axis);
  made.input = problem.shape[d];
  made.output = output.dims[d];
  made.input_step = input_steps_[d];
  made.adaptive = problem.HasSizes();
  made.stride = AxisValue(problem, Role::kStride, axis, 1);
  made.dilation = AxisValue(problem, Role::kDilation, axis, 1);
  made.kernel = AxisValue(problem, Role::kKernel, axis, 1);
  made.pad = PadBefore(problem, axis, made.output);
  return made;
}

void Windows::AppendRange(const Axis& axis, int64_t position, std::vector<int64_t>* offsets) const {
  if (axis.adaptive) {
    const int64_t first = position * axis.input / axis.output;
    const int64_t end = ((position + 1) * axis.input + axis.output - 1) / axis.output;
    for (int64_t i = first; i < end; ++i) offsets->push_back(i * axis.input_step);
    return;
  }
  for (int64_t tap = 0; tap < axis.kernel; ++tap) {
    const int64_t i = position * axis.stride - axis.pad + tap * axis.dilation;
    if (i >= 0 && i < axis.input) offsets->push_back(i * axis.input_step);
  }
}

std::vector<int64_t> Windows::Taps(int64_t element) const {
  std::vector<int64_t> position(output_dims_.size());
  for (size_t d = output_dims_.size(); d-- > 0;) {
    position[d] = element % output_dims_[d];
    element /= output_dims_[d];
  }
  int64_t plane = 0;
  for (size_t d = 0; d < position.size(); ++d) {
    const int axis = static_cast<int>(d) - spatial_;
    const bool spatial = axis >= 0 && axis < static_cast<int>(axes_.size());
    if (!spatial) plane += position[d] * input_steps_[d];
  }
  std::vector<int64_t> taps = {plane};
  for (size_t axis = 0; axis < axes_.size(); ++axis) {
    std::vector<int64_t> offsets, product;
    AppendRange(axes_[axis], position[static_cast<size_t>(spatial_) + axis], &offsets);
    for (int64_t tap : taps) {
      for (int64_t offset : offsets) product.push_back(tap + offset);
    }
    taps = std::move(product);
  }
  return taps;
}

int64_t Windows::FullTaps() const {
  int64_t taps = 1;
  for (const Axis& axis : axes_) {
    taps *= axis.adaptive ? axis.input / axis.output + 2 : axis.kernel;
  }
  return taps;
}

}  // namespace poolproof
