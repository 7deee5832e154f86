#include "conformance/run/translate.h"

#include <fmt/format.h>

#include <algorithm>

#include "conformance/cases/fill.h"
#include "conformance/cases/geometry.h"
#include "conformance/cases/plain.h"
#include "conformance/cases/pool_axis.h"
#include "conformance/judge/message.h"

namespace poolproof {
namespace {

constexpr int64_t kUsualPower = 2;  // of a norm

bool TakesSizes(const OperatorSpec& spec) {
  return std::any_of(spec.inputs.begin(), spec.inputs.end(), [](const InputSpec& input) { return input.sizes; });
}

bool Because(std::string reason, std::string* why) {
  *why = std::move(reason);
  return false;
}

// The operator of the family that is of the same kind. Whole planes are those of an adaptive operator of size 1, or
// else one window.
const OperatorSpec* FindTwin(const Specs& specs, std::string_view family, const OperatorSpec& of) {
  std::vector<std::pair<bool, bool>> kinds = {{of.whole_planes, TakesSizes(of)}};
  if (of.whole_planes) kinds.insert(kinds.end(), {{false, true}, {false, false}});
  for (const auto& [whole, adaptive] : kinds) {
    for (const OperatorSpec& spec : specs.operators) {
      if (spec.family == family && spec.outputs[0].compare == of.outputs[0].compare && spec.whole_planes == whole &&
          TakesSizes(spec) == adaptive) {
        return &spec;
      }
    }
  }
  return nullptr;
}

bool SetWindow(const Problem& from, int axis, const WindowAxis& window, Problem* to, std::string* why) {
  SetPoolAxis(to, axis, {window.kernel, window.stride, window.pad_begin, window.pad_end, window.dilation});
  const std::string& name = to->function->name;
  const bool pads = window.pad_begin != 0 || window.pad_end != 0 || window.Overhang() > 0;
  if (pads && !AttributeIndex(*to->spec, Role::kPadBegin)) return Because(name + " has no padding", why);
  if (AxisValue(*to, Role::kDilation, axis, 1) != window.dilation) return Because(name + " has no dilation", why);
  const int64_t begin = AxisValue(*to, Role::kPadBegin, axis, 0), end = AxisValue(*to, Role::kPadEnd, axis, 0);
  if (begin == window.pad_begin && end == window.pad_end) return true;
  return Because(fmt::format("{} pads both ends of an axis alike, and {} pads axis {} by {} and {}", name,
                             from.function->name, axis, window.pad_begin, window.pad_end),
                 why);
}

bool SetRounding(const Problem& from, Problem* to, std::string* why) {
  const Meaning meaning =
      KeepsSize(from) ? Meaning::kRoundDown : MeaningOf(from, Role::kRounding).value_or(Meaning::kRoundDown);
  // Another way to round up may give the same sizes.
  const bool set =
      SetMeaning(to, meaning) || (meaning != Meaning::kRoundDown &&
                                  (SetMeaning(to, Meaning::kRoundUpInside) || SetMeaning(to, Meaning::kRoundUp)));
  if (set || meaning == Meaning::kRoundDown) return true;
  return Because(to->function->name + " rounds sizes down", why);
}

// The function for inputs with or without a batch, as that of `from` is; the first one where there is none.
const Function& FunctionFor(const OperatorSpec& spec, const Problem& from) {
  const auto has = [&](const Function& function) { return function.HasBatch() == from.function->HasBatch(); };
  const auto found = std::find_if(spec.functions.begin(), spec.functions.end(), has);
  return found == spec.functions.end() ? spec.functions.front() : *found;
}

// The call of `from` as one of `spec`, attribute by attribute.
bool MakeTwin(const OperatorSpec& spec, const Vector& vector, Problem* to, std::string* why) {
  const Problem& from = vector.planned.problem;
  const Function& function = FunctionFor(spec, from);
  const auto type = std::find(function.types.begin(), function.types.end(), from.type);
  if (type == function.types.end()) {
    return Because(fmt::format("{} takes no {}", function.name, ElementTypeName(from.type)), why);
  }
  const int rank = from.shape.size;
  if (function.HasBatch() && !from.function->HasBatch()) {
    return Because(function.name + " takes no input without a batch", why);
  }
  if (const Ranks ranks = RanksOf(spec, function); rank < ranks.least || rank > ranks.most) {
    return Because(fmt::format("{} takes no input of rank {}", function.name, rank), why);
  }
  *to = PlainProblem(spec, function, from.type, rank);
  to->shape = from.shape;
  to->data = InputValues(from);
  if (from.OutputCount() > spec.outputs.size()) return Because(function.name + " has no indices", why);
  to->outputs = from.OutputCount() < spec.outputs.size() ? static_cast<uint8_t>(from.OutputCount()) : uint8_t{0};
  if (to->HasSizes() && from.HasSizes()) to->sizes = from.sizes;
  if (to->HasSizes() && !from.HasSizes()) {
    for (int64_t& size : to->sizes.value) size = 1;
  }
  if (to->HasSizes() || spec.whole_planes) return true;
  const std::vector<WindowAxis> axes = WindowAxesOf(vector);
  for (size_t axis = 0; axis < axes.size(); ++axis) {
    if (!SetWindow(from, static_cast<int>(axis), axes[axis], to, why)) return false;
  }
  SetExcludesPadding(to, ExcludesPadding(from));
  SetAxisValue(to, Role::kPower, 0, AxisValue(from, Role::kPower, 0, kUsualPower));
  return SetRounding(from, to, why);
}

// Indices are compared as numbers, whatever their type.
bool SameNumbers(const poolproof_tensor& a, const poolproof_tensor& b) {
  for (int64_t i = 0, count = static_cast<int64_t>(a.size_bytes / ElementSize(a.element_type)); i < count; ++i) {
    if (ElementAsText(a.element_type, a.data, i) != ElementAsText(b.element_type, b.data, i)) return false;
  }
  return true;
}

// Whether both documents give the same result.
bool SameResult(const Vector& from, const Vector& to, std::string* why) {
  const std::string& name = to.planned.problem.function->name;
  const Result &want = from.expected.result(), &got = to.expected.result();
  if (got.status != POOLPROOF_OK) return Because(fmt::format("{} refuses it: {}", name, to.expected.error()), why);
  for (size_t i = 0; i < want.output_count; ++i) {
    const poolproof_tensor &a = want.outputs[i], &b = got.outputs[i];
    if (a.rank != b.rank || !std::equal(a.dims, a.dims + a.rank, b.dims)) {
      return Because(fmt::format("the result of {} is {}, not {}", name, ShapeText(b), ShapeText(a)), why);
    }
    if (SameNumbers(a, b)) continue;
    const char* const how = i == 0 ? "computes other values" : "counts indices in another way";
    return Because(fmt::format("{} {} by its documents", name, how), why);
  }
  return true;
}

}  // namespace

std::vector<WindowAxis> WindowAxesOf(const Vector& vector) {
  const Problem& problem = vector.planned.problem;
  const poolproof_tensor& output = vector.expected.result().outputs[0];
  const auto window =
      reference::FindOperator(vector.call.call.op)->window(vector.call.call, vector.expected.readings(), 0);
  std::vector<WindowAxis> axes;
  for (int axis = 0; axis < problem.SpatialRank(); ++axis) {
    const auto i = static_cast<size_t>(axis);
    WindowAxis& made = axes.emplace_back();
    made.size = SpatialSize(problem, axis);
    made.outputs = output.dims[LayoutOf(*problem.function).spatial + axis];
    made.kernel = problem.spec->whole_planes ? made.size : AxisValue(problem, Role::kKernel, axis, 1);
    made.stride = AxisValue(problem, Role::kStride, axis, 1);
    made.dilation = AxisValue(problem, Role::kDilation, axis, 1);
    made.pad_begin = window.pad_begin[i];
    made.pad_end = window.pad_end[i];
  }
  return axes;
}

bool Translate(const Specs& specs, std::string_view family, const reference::Selection& selection, const Vector& from,
               Vector* to, std::string* why) {
  const Problem& problem = from.planned.problem;
  if (problem.spec->family == family) {
    to->planned = from.planned;
  } else {
    const OperatorSpec* const spec = FindTwin(specs, family, *problem.spec);
    if (spec == nullptr) {
      return Because(fmt::format("no operator of {} computes what {} does", family, problem.function->name), why);
    }
    // Implementations differ there, and none is wrong.
    if (from.expected.touched().Has(reference::Entry::kAvgOverhang)) {
      return Because("the documents leave open what a mean is divided by where a window hangs over the padding", why);
    }
    if (!MakeTwin(*spec, from, &to->planned.problem, why)) return false;
    to->planned.line = PrintLine(to->planned.problem);
  }
  to->Compute(selection);
  return SameResult(from, *to, why);
}

}  // namespace poolproof
