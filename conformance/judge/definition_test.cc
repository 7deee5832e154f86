// The oracle against the documents' sentences taken one output element and one tap at a time, with
// nothing clipped, hoisted or shared: pad, look at every tap, keep what lies inside.
#include <gtest/gtest.h>

#include <cmath>

#include "conformance/cases/geometry.h"
#include "conformance/judge/test_call.h"

namespace poolproof {
namespace {

using List = std::vector<int64_t>;

struct Geometry {
  List in, out, kernel, strides, dilations, begin, end;
};

// The formulas of the shape rules, in floating point as they are written.
// divides: padding is chosen for the size divided by the stride, not for the size.
void SetOutput(Meaning padding, Meaning rounding, bool divides, size_t i, Geometry* g) {
  const double eff = static_cast<double>((g->kernel[i] - 1) * g->dilations[i] + 1);
  const double stride = static_cast<double>(g->strides[i]), size = static_cast<double>(g->in[i]);
  if (padding == Meaning::kPadMoreAtEnd || padding == Meaning::kPadMoreInFront) {
    g->out[i] = divides ? static_cast<int64_t>(std::ceil(size / stride)) : g->in[i];
    const double reached = static_cast<double>(g->out[i] - 1) * stride + eff;
    const int64_t total = std::max(0L, static_cast<int64_t>(reached - size));
    g->begin[i] = padding == Meaning::kPadMoreAtEnd ? total / 2 : (total + 1) / 2;
    g->end[i] = total - g->begin[i];
    return;
  }
  if (padding == Meaning::kPadNone) g->begin[i] = g->end[i] = 0;
  if (padding == Meaning::kPadNone && divides) rounding = Meaning::kRoundDown;
  const double begin = static_cast<double>(g->begin[i]), end = static_cast<double>(g->end[i]);
  const double exact = (size + begin + end - eff) / stride + 1;
  double out = rounding == Meaning::kRoundDown ? std::floor(exact) : std::ceil(exact);
  if (rounding == Meaning::kRoundUpInside && (out - 1) * stride >= size + begin) out -= 1;
  g->out[i] = static_cast<int64_t>(out);
}

List AxisValues(const Problem& problem, Role role, int64_t absent) {
  List values;
  for (int axis = 0; axis < problem.SpatialRank(); ++axis) values.push_back(AxisValue(problem, role, axis, absent));
  return values;
}

Geometry GeometryOf(const Problem& problem) {
  const auto axes = static_cast<size_t>(problem.SpatialRank());
  Geometry g;
  g.in.assign(problem.shape.begin() + 2, problem.shape.end());
  g.kernel = AxisValues(problem, Role::kKernel, 0);
  g.strides = AxisValues(problem, Role::kStride, 1);
  g.dilations = AxisValues(problem, Role::kDilation, 1);
  g.begin = AxisValues(problem, Role::kPadBegin, 0);
  g.end = AxisValues(problem, Role::kPadEnd, 0);
  g.out.resize(axes);
  for (size_t i = 0; i < axes; ++i) {
    SetOutput(MeaningOf(problem, Role::kAutoPad).value(), MeaningOf(problem, Role::kRounding).value(),
              problem.spec->family == "onnx", i, &g);
  }
  return g;
}

// Next position in row-major order within `sizes`; false after the last.
bool Advance(List* at, const List& sizes) {
  for (size_t i = at->size(); i-- > 0;) {
    if (++(*at)[i] < sizes[i]) return true;
    (*at)[i] = 0;
  }
  return false;
}

struct Tap {
  Number value;
  int64_t offset;
};

// The taps inside the input of the window at `o` in plane `plane`.
std::vector<Tap> TapsOf(const TestCall& test, const Geometry& g, int64_t plane, const List& o) {
  const poolproof_tensor& input = test.call.inputs[0];
  std::vector<Tap> taps;
  List k(o.size(), 0);
  do {
    int64_t offset = plane;
    bool inside = true;
    for (size_t i = 0; i < o.size(); ++i) {
      const int64_t x = o[i] * g.strides[i] - g.begin[i] + k[i] * g.dilations[i];
      inside = inside && x >= 0 && x < g.in[i];
      offset = offset * g.in[i] + x;
    }
    if (inside) taps.push_back({ElementAsNumber(input.element_type, input.data, offset), offset});
  } while (Advance(&k, g.kernel));
  return taps;
}

Number LowestOf(poolproof_element_type type) {
  if (IsFloat(type)) return -std::numeric_limits<Number>::infinity();
  const Number negative = -std::ldexp(Number{1}, static_cast<int>(8 * ElementSize(type)) - 1);
  uint64_t bytes = 0;
  return StoreElement(type, negative, &bytes, 0) ? negative : 0;
}

// Documented readings: NaN wins, the first of equals, minus infinity or the lowest for no tap.
Tap MaximumOf(const std::vector<Tap>& taps, poolproof_element_type type) {
  Tap best = {LowestOf(type), 0};
  bool first = true;
  for (const Tap& tap : taps) {
    const bool nan = std::isnan(tap.value) && !std::isnan(best.value);
    if (first || nan || tap.value > best.value) best = tap;
    first = false;
  }
  return best;
}

bool Same(Number a, Number b) { return a == b || (std::isnan(a) && std::isnan(b)); }

// One more than the largest index: the elements from `axis` on.
int64_t BoundOf(const Problem& problem) {
  const AttributeValue* axis = problem.Find(Role::kAxis);
  const int64_t value = axis != nullptr && axis->present ? axis->integer : 0;
  int64_t bound = 1;
  for (int64_t i = value < 0 ? value + problem.shape.size : value; i < problem.shape.size; ++i) {
    bound *= problem.shape[static_cast<size_t>(i)];
  }
  return bound;
}

// The window's own mean; the divisor of exclude-pad=false is the whole kernel.
bool IsMeanOf(const Problem& problem, const Geometry& g, const std::vector<Tap>& taps, Number got) {
  Number sum = 0, magnitude = 0, divisor = 1;
  for (const Tap& tap : taps) sum += tap.value, magnitude += std::fabs(tap.value);
  for (const int64_t kernel : g.kernel) divisor *= static_cast<Number>(kernel);
  if (ExcludesPadding(problem)) divisor = static_cast<Number>(taps.size());
  if (divisor == 0) return got == 0;
  const Number mean = sum / divisor;
  // The largest loss of sums of this type.
  const Number loss = static_cast<Number>(taps.size()) * 0x1p-63L * magnitude / divisor;
  if (problem.type == POOLPROOF_I64 || problem.type == POOLPROOF_U64) return std::fabs(got - mean) <= 1 + loss;
  if (!IsFloat(problem.type)) return got == std::trunc(mean);
  if (!std::isfinite(mean)) return Same(mean, got);
  // Half a unit of the widest gap, bf16's, and half of the least number.
  const Number least = problem.type == POOLPROOF_F16 ? 0x1p-24L : 0x1p-133L;
  return std::fabs(got - mean) <= std::fabs(mean) * 0x1p-8L + least / 2 + loss;
}

// The window's own norm, but for what sums and powers of f32, and bf16, may lose; or infinity, where they overflow.
bool IsNormOf(const Problem& problem, const std::vector<Tap>& taps, Number got) {
  const Number power = AxisValue(problem, Role::kPower, -1, 2);
  Number sum = 0;
  for (const Tap& tap : taps) sum += std::pow(std::fabs(tap.value), power);
  const Number norm = std::pow(sum, 1 / power);
  const Number least = problem.type == POOLPROOF_F16 ? 0x1p-24L : 0x1p-133L;
  return Same(norm, got) || std::fabs(got - norm) <= norm * 0x1p-8L + least || (std::isinf(got) && norm > 60000);
}

void CheckElement(const TestCall& test, const Geometry& g, const Result& result, const std::vector<Tap>& taps,
                  int64_t element) {
  const auto value = [&](size_t output) {
    return ElementAsNumber(result.outputs[output].element_type, result.outputs[output].data, element);
  };
  if (IsMean(*test.problem.spec)) {
    ASSERT_TRUE(IsMeanOf(test.problem, g, taps, value(0))) << element;
    return;
  }
  if (test.problem.spec->outputs[0].compare == poolproof::Compare::kNorm) {
    ASSERT_TRUE(IsNormOf(test.problem, taps, value(0))) << element;
    return;
  }
  const Tap best = MaximumOf(taps, test.problem.type);
  ASSERT_TRUE(Same(best.value, value(0))) << element;
  if (MeaningOf(test.problem, Role::kStorageOrder) == Meaning::kColumnMajor) return;
  ASSERT_TRUE(result.output_count == 1 || value(1) == static_cast<Number>(best.offset % BoundOf(test.problem)))
      << element;
}

void CheckCall(const TestCall& test, const Result& result) {
  const Geometry g = GeometryOf(test.problem);
  const poolproof_tensor& output = result.outputs[0];
  ASSERT_EQ(List(output.dims + 2, output.dims + output.rank), g.out);
  int64_t element = 0;
  for (int64_t plane = 0; plane < test.problem.shape[0] * test.problem.shape[1]; ++plane) {
    List o(g.out.size(), 0);
    do {
      CheckElement(test, g, result, TapsOf(test, g, plane, o), element++);
      if (testing::Test::HasFatalFailure()) return;
    } while (Advance(&o, g.out));
  }
  ASSERT_EQ(static_cast<size_t>(element) * ElementSize(output.element_type), output.size_bytes);
}

// Problems of the operators whose windows slide as the documents that have padding by words say.
TEST(Definition, HoldsForRandomCalls) {
  const std::vector<Callable> callables =
      CallablesThat([](const OperatorSpec& spec) { return HasRole(spec, Role::kAutoPad); });
  Expected expected;
  for (uint64_t seed = 0; seed < 8000; ++seed) {
    Choices choices(seed);
    TestCall test(SmallProblem(callables, choices));
    const Result& result = test.Compute({}, &expected);
    ASSERT_EQ(result.status, POOLPROOF_OK) << PrintLine(test.problem);
    CheckCall(test, result);
    if (HasFatalFailure()) FAIL() << PrintLine(test.problem);
  }
}

}  // namespace
}  // namespace poolproof
