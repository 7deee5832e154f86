// Section "networks": the pooling layers of published networks.
#include <algorithm>

#include "conformance/cases/boundaries.h"
#include "conformance/cases/geometry.h"
#include "conformance/cases/plain.h"
#include "conformance/cases/pool_axis.h"
#include "conformance/cases/valid.h"

namespace poolproof {
namespace {

// Elements that a layer keeps where it need not be whole, and from which on it is never whole then.
constexpr int64_t kFewElements = 1 << 13;
constexpr int64_t kManyElements = 1 << 21;
// How many of an operator's element types, in turn; all of them where every layer is whole.
constexpr size_t kTypesInTurn = 3;

void SetRounding(Problem* problem, bool up) {
  if (!up) {
    SetMeaning(problem, Meaning::kRoundDown);
  } else if (!SetMeaning(problem, Meaning::kRoundUpInside)) {
    SetMeaning(problem, Meaning::kRoundUp);
  }
}

// An adaptive layer whose cells are all alike is a layer with a kernel as well.
bool CellsAreWindows(const NetworkLayer& layer) {
  for (size_t axis = 0; axis < layer.output.size(); ++axis) {
    if (layer.input[axis + 2] % layer.output[axis] != 0) return false;
  }
  return true;
}

PoolAxis WindowOf(const NetworkLayer& layer, size_t axis) {
  if (layer.kernel.empty()) {
    const int64_t cell = layer.input[axis + 2] / layer.output[axis];
    return {cell, cell, 0, 0, 1};
  }
  return {layer.kernel[axis], layer.strides[axis], layer.pads[axis], layer.pads[axis], layer.dilations[axis]};
}

// Whether the operator can compute the layer, but for limits of its attributes.
bool Fits(const OperatorSpec& spec, const Function& function, const NetworkLayer& layer) {
  const bool adaptive =
      std::any_of(spec.inputs.begin(), spec.inputs.end(), [](const InputSpec& input) { return input.sizes; });
  if (IsMean(spec) != layer.mean || layer.input.size() < 3) return false;
  if (adaptive) return !layer.output.empty();
  if (!layer.output.empty() && !CellsAreWindows(layer)) return false;
  const bool dilated =
      std::any_of(layer.dilations.begin(), layer.dilations.end(), [](int64_t dilation) { return dilation > 1; });
  if (dilated && !HasRole(spec, Role::kDilation)) return false;
  if (!function.HasBatch() && layer.input[0] != 1) return false;
  return !function.IsMliLayout() || (layer.input.size() == 4 && !layer.ceil);
}

bool AttributesAreInRange(const Problem& problem) {
  const OperatorSpec& spec = *problem.spec;
  for (Role role : {Role::kKernel, Role::kStride, Role::kPadBegin, Role::kPadEnd}) {
    for (int axis = 0; axis < problem.SpatialRank(); ++axis) {
      if (!InRange(spec, role, AxisValue(problem, role, axis, 1))) return false;
    }
  }
  return true;
}

// `row`: by which what the layer leaves open is varied; nothing: it is left as the operator has it.
Problem MakeProblem(const OperatorSpec& spec, const Function& function, poolproof_element_type type,
                    const NetworkLayer& layer, std::optional<size_t> row) {
  const Layout layout = LayoutOf(function);
  const int outer = layout.batch >= 0 ? 2 : 1;
  const int axes = static_cast<int>(layer.input.size()) - 2;
  Problem problem = PlainProblem(spec, function, type, axes + outer);
  if (row) VaryRest(&problem, *row);
  if (layout.batch >= 0) problem.shape[0] = layer.input[0];
  problem.shape[static_cast<size_t>(layout.channels)] = layer.input[1];
  for (int axis = 0; axis < axes; ++axis) {
    const auto i = static_cast<size_t>(axis);
    SetSpatialSize(&problem, axis, layer.input[i + 2]);
    if (problem.HasSizes()) {
      problem.sizes[i] = layer.output[i];
    } else {
      SetPoolAxis(&problem, axis, WindowOf(layer, i));
    }
  }
  SetRounding(&problem, layer.ceil);
  SetExcludesPadding(&problem, layer.exclude_pad);
  return problem;
}

// To fewer channels, then fewer batches, as far as it takes; windows and planes stay.
void Reduce(Problem* problem) {
  const Layout layout = LayoutOf(*problem->function);
  for (const int dimension : {layout.channels, layout.batch}) {
    const int64_t elements = problem->Elements();
    if (dimension < 0 || elements <= kFewElements) continue;
    int64_t& size = problem->shape[static_cast<size_t>(dimension)];
    size = std::max<int64_t>(1, size * kFewElements / elements);
  }
}

bool HasLayer(const OperatorSpec& spec, const Function& function, const NetworkLayer& layer) {
  return IsUnrestricted(function) && Fits(spec, function, layer);
}

}  // namespace

std::optional<Problem> LayerProblem(const OperatorSpec& spec, const Function& function, poolproof_element_type type,
                                    const NetworkLayer& layer) {
  if (!HasLayer(spec, function, layer)) return std::nullopt;
  Problem problem = MakeProblem(spec, function, type, layer, std::nullopt);
  if (!AttributesAreInRange(problem) || !IsValid(problem)) return std::nullopt;
  return problem;
}

Problems NetworkProblems(const Specs& specs, const OperatorSpec& spec, size_t whole, std::vector<size_t>* layers) {
  Problems problems;
  size_t rows[2] = {};  // of the functions without a batch, and of those with one
  for (const NetworkLayer& layer : specs.networks) {
    for (const Function& function : spec.functions) {
      if (!HasLayer(spec, function, layer)) continue;
      const size_t count = function.types.size();
      size_t& row = rows[function.HasBatch() ? 1 : 0];
      for (size_t n = 0; n < (whole == 1 ? count : std::min(count, kTypesInTurn)); ++n) {
        ++row;
        if (whole > 1 && LacksBatch(spec, function) && row % kOneWithoutBatch != 0) continue;
        Problem problem = MakeProblem(spec, function, function.types[row % count], layer, row);
        if (whole > 1 && (row % whole != 0 || problem.Elements() > kManyElements)) Reduce(&problem);
        if (!AttributesAreInRange(problem) || !IsValid(problem)) continue;
        problems.push_back(std::move(problem));
        if (layers != nullptr) layers->push_back(static_cast<size_t>(&layer - specs.networks.data()));
      }
    }
  }
  return problems;
}

}  // namespace poolproof
