// The oracle against the documents' sentences taken one output element and one tap at a time, with
// nothing clipped, hoisted or shared: pad, look at every tap, keep what lies inside.
#include <gtest/gtest.h>

#include <cmath>

#include "reference/random_call.h"

namespace poolproof::reference {
namespace {

using List = std::vector<int64_t>;

const poolproof_attribute* Find(const poolproof_call& call, std::string_view name) {
  for (size_t i = 0; i < call.attribute_count; ++i) {
    if (call.attributes[i]->name == name) return call.attributes[i];
  }
  return nullptr;
}

List ListOf(const poolproof_call& call, std::string_view name, size_t axes, int64_t absent) {
  const poolproof_attribute* a = Find(call, name);
  return a == nullptr ? List(axes, absent) : List(a->integers, a->integers + a->count);
}

std::string WordOf(const poolproof_call& call, std::string_view name, const char* absent) {
  const poolproof_attribute* a = Find(call, name);
  return a == nullptr ? absent : a->word;
}

struct Geometry {
  List in, out, kernel, strides, dilations, begin, end;
};

// The formulas of the shape rules, in floating point as they are written.
void SetOutput(const std::string& auto_pad, const std::string& rounding, size_t i, Geometry* g) {
  const double eff = static_cast<double>((g->kernel[i] - 1) * g->dilations[i] + 1);
  const double stride = static_cast<double>(g->strides[i]), size = static_cast<double>(g->in[i]);
  if (auto_pad.starts_with("same")) {
    g->out[i] = g->in[i];
    const int64_t total = std::max(0L, static_cast<int64_t>((size - 1) * stride + eff - size));
    g->begin[i] = auto_pad == "same_upper" ? total / 2 : (total + 1) / 2;
    g->end[i] = total - g->begin[i];
    return;
  }
  if (auto_pad == "valid") g->begin[i] = g->end[i] = 0;
  const double begin = static_cast<double>(g->begin[i]), end = static_cast<double>(g->end[i]);
  const double exact = (size + begin + end - eff) / stride + 1;
  double out = rounding == "floor" ? std::floor(exact) : std::ceil(exact);
  if (rounding == "ceil_torch" && (out - 1) * stride >= size + begin) out -= 1;
  g->out[i] = static_cast<int64_t>(out);
}

Geometry GeometryOf(const poolproof_call& call) {
  const poolproof_tensor& input = *call.inputs[0];
  const size_t axes = static_cast<size_t>(input.rank) - 2;
  Geometry g;
  g.in.assign(input.dims + 2, input.dims + input.rank);
  g.kernel = ListOf(call, "kernel", axes, 0);
  g.strides = ListOf(call, "strides", axes, 0);
  g.dilations = ListOf(call, "dilations", axes, 1);
  g.begin = ListOf(call, "pads_begin", axes, 0);
  g.end = ListOf(call, "pads_end", axes, 0);
  g.out.resize(axes);
  for (size_t i = 0; i < axes; ++i) {
    SetOutput(WordOf(call, "auto_pad", "explicit"), WordOf(call, "rounding_type", "floor"), i, &g);
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
  long double value;
  int64_t offset;
};

// The taps inside the input of the window at `o` in plane `plane`.
std::vector<Tap> TapsOf(const poolproof_call& call, const Geometry& g, int64_t plane, const List& o) {
  const poolproof_tensor& input = *call.inputs[0];
  const auto* data = static_cast<const unsigned char*>(input.data);
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
    if (!inside) continue;
    const size_t byte = static_cast<size_t>(offset) * ElementSize(input.element_type);
    taps.push_back({LoadTestValue(input.element_type, data + byte), offset});
  } while (Advance(&k, g.kernel));
  return taps;
}

// Documented readings: NaN wins, the first of equals, minus infinity or the lowest for no tap.
Tap MaximumOf(const std::vector<Tap>& taps, poolproof_element_type type) {
  Tap best = {-std::numeric_limits<long double>::infinity(), 0};
  if (type >= POOLPROOF_I8) {
    best.value = VisitElementType(
        type, [](auto e) { return static_cast<long double>(decltype(e)::Load(decltype(e)::kLowest)); });
  }
  bool first = true;
  for (const Tap& tap : taps) {
    const bool nan = std::isnan(tap.value) && !std::isnan(best.value);
    if (first || nan || tap.value > best.value) best = tap;
    first = false;
  }
  return best;
}

bool Same(long double a, long double b) { return a == b || (std::isnan(a) && std::isnan(b)); }

int64_t BoundOf(const poolproof_call& call) {
  const poolproof_tensor& input = *call.inputs[0];
  const poolproof_attribute* axis = Find(call, "axis");
  const int64_t value = axis == nullptr ? 0 : axis->integer;
  int64_t bound = 1;
  for (int64_t i = value < 0 ? value + input.rank : value; i < input.rank; ++i) {
    bound *= input.dims[i];
  }
  return bound;
}

// The window's own mean; the divisor of exclude-pad=false is the whole kernel.
bool IsMean(const poolproof_call& call, const Geometry& g, const std::vector<Tap>& taps, long double got) {
  long double sum = 0, magnitude = 0, divisor = 1;
  for (const Tap& tap : taps) sum += tap.value, magnitude += std::fabs(tap.value);
  for (const int64_t kernel : g.kernel) divisor *= static_cast<long double>(kernel);
  if (Find(call, "exclude-pad")->integer != 0) divisor = static_cast<long double>(taps.size());
  if (divisor == 0) return got == 0;
  const long double mean = sum / divisor;
  const poolproof_element_type type = call.inputs[0]->element_type;
  const long double loss = 0x1p-60L * magnitude / divisor;  // of long double itself
  if (type >= POOLPROOF_I64) return std::fabs(got - mean) <= 1 + loss;
  if (type >= POOLPROOF_I8) return got == std::trunc(mean);
  if (!std::isfinite(mean)) return Same(mean, got);
  // Half a unit of the widest gap, bf16's.
  return std::fabs(got - mean) <= std::fabs(mean) * 0x1p-8L + loss;
}

void CheckCall(TestCall& test, const Outcome& outcome) {
  const poolproof_call& call = test.Get();
  const poolproof_tensor& input = *call.inputs[0];
  const bool average = std::string_view(call.op).starts_with("Avg");
  const Geometry g = GeometryOf(call);
  ASSERT_EQ(List(outcome.shapes[0].begin() + 2, outcome.shapes[0].end()), g.out);
  const std::vector<long double> values = outcome.Values(0);
  const auto indices = outcome.bytes.size() > 1 ? outcome.Values(1) : std::vector<long double>();
  size_t element = 0;
  for (int64_t plane = 0; plane < input.dims[0] * input.dims[1]; ++plane) {
    List o(g.out.size(), 0);
    do {
      const std::vector<Tap> taps = TapsOf(call, g, plane, o);
      const Tap best = MaximumOf(taps, input.element_type);
      ASSERT_TRUE(average ? IsMean(call, g, taps, values[element]) : Same(best.value, values[element]));
      ASSERT_TRUE(indices.empty() || indices[element] == best.offset % BoundOf(call));
      ++element;
    } while (Advance(&o, g.out));
  }
  ASSERT_EQ(element, values.size());
}

TEST(Definition, HoldsForRandomCalls) {
  int checked = 0;
  for (uint64_t seed = 0; seed < 8000; ++seed) {
    RandomCalls random(seed);
    TestCall call = random.Sliding();
    const Outcome outcome = call.Run();
    if (outcome.status != POOLPROOF_OK) continue;
    CheckCall(call, outcome);
    if (HasFatalFailure()) FAIL() << "call " << seed;
    ++checked;
  }
  EXPECT_GT(checked, 4000);
}

}  // namespace
}  // namespace poolproof::reference
