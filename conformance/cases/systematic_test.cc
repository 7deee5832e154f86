// Sections sizes, networks, counters and huge: what they promise occurs, for each operator and type.
#include <gtest/gtest.h>

#include <algorithm>
#include <functional>
#include <map>
#include <numeric>
#include <set>

#include "conformance/cases/boundaries.h"
#include "conformance/cases/generate.h"
#include "conformance/cases/geometry.h"
#include "conformance/cases/pool_axis.h"
#include "conformance/cases/valid.h"
#include "reference/reference.h"

namespace poolproof {
namespace {

std::vector<int64_t> OutputShape(const Problem& problem) {
  Call call;
  call.Bind(problem);
  reference::Context context;
  EXPECT_EQ(reference::InferShapes(call.call, context), POOLPROOF_OK) << PrintLine(problem);
  return {call.outputs[0].dims, call.outputs[0].dims + call.outputs[0].rank};
}

int64_t Taps(const Problem& problem) {
  int64_t taps = 1;
  for (int axis = 0; axis < problem.SpatialRank(); ++axis) {
    const auto i = static_cast<size_t>(axis);
    taps *=
        problem.HasSizes() ? SpatialSize(problem, axis) / problem.sizes[i] : AxisValue(problem, Role::kKernel, axis, 1);
  }
  return taps;
}

// The largest number of outputs along one spatial axis.
int64_t Outputs(const Problem& problem) {
  const std::vector<int64_t> shape = OutputShape(problem);
  const auto first = static_cast<size_t>(LayoutOf(*problem.function).spatial);
  const auto axes = static_cast<size_t>(problem.SpatialRank());
  int64_t outputs = 1;
  for (size_t axis = first; axis < first + axes; ++axis) outputs *= shape[axis];
  return outputs;
}

// Whether the operator is called with elements of one byte, of which the largest counters and inputs are made.
bool TakesBytes(const OperatorSpec& spec) {
  return std::ranges::any_of(spec.functions, [](const Function& function) {
    return std::ranges::any_of(function.types, [](poolproof_element_type type) { return ElementSize(type) == 1; });
  });
}

using ValuesOfKeys = std::map<std::string, std::set<int64_t>>;

void AddValues(const Problem& problem, ValuesOfKeys* values) {
  const Layout layout = LayoutOf(*problem.function);
  const int last = problem.SpatialRank() - 1;
  (*values)["width"].insert(SpatialSize(problem, last));
  if (last > 0) (*values)["height"].insert(SpatialSize(problem, last - 1));
  (*values)["channels"].insert(problem.shape[static_cast<size_t>(layout.channels)]);
  if (layout.batch >= 0) (*values)["batch"].insert(problem.shape[0]);
  // A plane that is one window has the taps of its sizes, and one output.
  if (problem.spec->whole_planes) return;
  (*values)["taps"].insert(Taps(problem));
  (*values)["outputs"].insert(Outputs(problem));
}

// A kernel of MLI is at most 255 x 255; these numbers have a larger prime factor.
bool HasKernel(const OperatorSpec& spec, int64_t taps) {
  if (!HasRole(spec, Role::kKernel) || InRange(spec, Role::kKernel, taps)) return true;
  for (int64_t factor = 2; factor * factor <= taps; ++factor) {
    if (taps % factor == 0 && InRange(spec, Role::kKernel, taps / factor)) return true;
  }
  return false;
}

TEST(SizesTest, EachQuantityOccursNextToEachPowerOfTwo) {
  for (const OperatorSpec& spec : BuiltInSpecs().operators) {
    std::map<std::string, ValuesOfKeys> of;  // per function and type
    for (const Problem& problem : SizeProblems(spec)) {
      ASSERT_TRUE(IsValid(problem)) << PrintLine(problem);
      ASSERT_LE(problem.Elements(), 1 << 19) << PrintLine(problem);
      if (LacksBatch(spec, *problem.function)) continue;  // has a share of all
      AddValues(problem, &of[problem.function->name + " " + std::string(ElementTypeName(problem.type))]);
    }
    EXPECT_FALSE(of.empty());
    for (const auto& [call, values] : of) {
      for (const auto& [quantity, seen] : values) {
        for (int64_t power = 2; power <= 4096; power *= 2) {
          for (int64_t value : {power - 1, power, power + 1}) {
            if (quantity == "taps" && !HasKernel(spec, value)) continue;
            EXPECT_TRUE(seen.contains(value)) << call << ": no " << quantity << " of " << value;
          }
        }
      }
    }
  }
}

TEST(SizesTest, FunctionsWithoutABatchHaveAShare) {
  size_t functions = 0;
  for (const OperatorSpec& spec : BuiltInSpecs().operators) {
    std::map<const Function*, size_t> sizes, layers;
    for (const Problem& problem : SizeProblems(spec)) ++sizes[problem.function];
    for (const Problem& problem : NetworkProblems(BuiltInSpecs(), spec, 32)) ++layers[problem.function];
    const Function& first = spec.functions.front();
    for (const Function& function : spec.functions) {
      if (!LacksBatch(spec, function)) continue;
      ++functions;
      // Fewer sizes, since none is that of a batch.
      EXPECT_GE(sizes[&function], sizes[&first] / (kOneWithoutBatch + 2)) << function.name;
      EXPECT_LE(sizes[&function], sizes[&first] / kOneWithoutBatch) << function.name;
      EXPECT_GE(layers[&function], layers[&first] / (2 * kOneWithoutBatch)) << function.name;
      EXPECT_LE(layers[&function], layers[&first] / kOneWithoutBatch + 1) << function.name;
    }
  }
  EXPECT_EQ(functions, 5u);
}

// Both orders of both calls, one after the other, for each attribute and dimension and every element type.
TEST(TwinsTest, EachAttributeAndDimensionHasItsTwins) {
  for (const OperatorSpec& spec : BuiltInSpecs().operators) {
    const Problems problems = TwinProblems(spec);
    ASSERT_EQ(problems.size() % 3, 0u);
    std::map<std::string, std::set<std::string>> changed;  // per function and type
    std::map<std::string, size_t> types;
    for (size_t i = 0; i < problems.size(); i += 3) {
      const Problem &first = problems[i], &second = problems[i + 1];
      ASSERT_TRUE(IsValid(first) && IsValid(second)) << PrintLine(first);
      EXPECT_EQ(first.attributes, problems[i + 2].attributes);
      std::set<std::string>& names = changed[first.function->name + " " + std::string(ElementTypeName(first.type))];
      types[first.function->name + " " + std::string(ElementTypeName(first.type))] = first.function->types.size();
      for (size_t a = 0; a < spec.attributes.size(); ++a) {
        if (first.attributes[a] != second.attributes[a]) names.insert(spec.attributes[a].name);
      }
      if (!(first.shape == second.shape)) names.insert("shape");
      if (first.type != second.type) names.insert("type");
      if (!(first.sizes == second.sizes)) names.insert("sizes");
    }
    for (const auto& [call, names] : changed) {
      for (const AttributeSpec& attribute : spec.attributes) EXPECT_TRUE(names.contains(attribute.name)) << call;
      EXPECT_TRUE(names.contains("shape")) << call;
      EXPECT_EQ(names.contains("type"), types[call] > 1) << call;
      EXPECT_TRUE(names.contains("sizes") || spec.inputs.size() == 1) << call;
    }
  }
}

TEST(RunningSumsTest, EachWidthAndRankOccursForEveryFloat) {
  for (const OperatorSpec& spec : BuiltInSpecs().operators) {
    std::map<std::string, std::set<int64_t>> kernels, axes;
    for (const Problem& problem : RunningSumProblems(spec)) {
      EXPECT_EQ(problem.fill, "outliers");
      int64_t widest = 0;
      for (int axis = 0; axis < problem.SpatialRank(); ++axis) {
        widest = std::max(widest, AxisValue(problem, Role::kKernel, axis, 0));
      }
      kernels[std::string(ElementTypeName(problem.type))].insert(widest);
      axes[std::string(ElementTypeName(problem.type))].insert(problem.SpatialRank());
    }
    const bool floats = IsMean(spec) && spec.max_rank > 3;
    EXPECT_EQ(kernels.size(), floats ? 4u : 0u) << spec.id;
    for (const auto& [type, seen] : axes) EXPECT_EQ(seen.size(), 3u) << spec.id << type;
    for (const auto& [type, seen] : kernels) {
      EXPECT_GE(seen.size(), HasRole(spec, Role::kKernel) ? 15u : 1u) << spec.id << type;
    }
  }
}

TEST(DivisorsTest, EachNumberOfTapsOccursForHalves) {
  for (const OperatorSpec& spec : BuiltInSpecs().operators) {
    std::map<std::string, std::set<int64_t>> taps;
    for (const Problem& problem : DivisorProblems(spec)) {
      EXPECT_EQ(problem.fill, "quotients");
      taps[std::string(ElementTypeName(problem.type))].insert(Taps(problem));
    }
    const bool floats = IsMean(spec) && spec.max_rank > 3;
    EXPECT_EQ(taps["bf16"].size(), floats ? 254u : 0u) << spec.id;
    EXPECT_EQ(taps["f16"].size(), floats ? 2046u : 0u) << spec.id;
  }
}

TEST(CapacitiesTest, EachFunctionAndEachOutputIsShortOnce) {
  for (const OperatorSpec& spec : BuiltInSpecs().operators) {
    std::map<std::string, std::set<std::vector<int64_t>>> of;  // per function and type
    for (const Problem& problem : CapacityProblems(spec)) {
      const auto& more = problem.capacity.more;
      of[problem.function->name + " " + std::string(ElementTypeName(problem.type))].insert({more.begin(), more.end()});
    }
    size_t calls = 0;
    for (const Function& function : spec.functions) calls += function.types.size();
    EXPECT_EQ(of.size(), calls) << spec.id;
    for (const auto& [call, seen] : of) EXPECT_EQ(seen.size(), spec.outputs.size() > 1 ? 5u : 1u) << call;
  }
}

TEST(GridsTest, BatchesChannelsAndTheirProductPassEachBorder) {
  for (const OperatorSpec& spec : BuiltInSpecs().operators) {
    const bool batched = spec.max_rank > 3;
    std::map<size_t, std::set<int64_t>> batches, channels, products;  // per size of an element
    std::set<int64_t> sizes;
    for (const Problem& problem : GridProblems(spec)) {
      const Layout layout = LayoutOf(*problem.function);
      const int64_t channel = problem.shape[static_cast<size_t>(layout.channels)];
      const int64_t batch = layout.batch < 0 ? 1 : problem.shape[static_cast<size_t>(layout.batch)];
      if (problem.ShapesAlone()) {
        sizes.insert(SpatialSize(problem, problem.SpatialRank() - 1));
        continue;
      }
      const size_t size = ElementSize(problem.type);
      (batch == 1 ? channels : channel == 1 ? batches : products)[size].insert(batch * channel);
    }
    const std::set<int64_t> borders = {65535, 65536, 65537}, inner = {65535, 65536, 65538};
    for (const size_t size : {sizeof(float), sizeof(double)}) {
      if (!batched) continue;
      EXPECT_EQ(channels[size], borders) << spec.id;
      EXPECT_EQ(batches[size], borders) << spec.id;
      EXPECT_EQ(products[size], inner) << spec.id;
    }
    for (const int bits : {24, 31, 53}) {
      const bool counted = sizes.contains((int64_t{1} << bits) + 1) && sizes.contains((int64_t{1} << bits) - 1);
      EXPECT_EQ(counted, HasRole(spec, Role::kStride)) << spec.id << " 2^" << bits;
    }
  }
}

TEST(NetworksTest, LayersOfManyNetworksFitTheOperators) {
  EXPECT_GE(BuiltInSpecs().networks.size(), 300u);
  std::set<std::string> names;
  for (const NetworkLayer& layer : BuiltInSpecs().networks) names.insert(layer.network);
  EXPECT_GE(names.size(), 100u);
  for (const OperatorSpec& spec : BuiltInSpecs().operators) {
    std::set<poolproof_element_type> types;
    const Problems problems = NetworkProblems(BuiltInSpecs(), spec, 32);
    for (const Problem& problem : problems) types.insert(problem.type);
    EXPECT_GE(problems.size(), types.size()) << spec.id;
    for (const Function& function : spec.functions) {
      for (const poolproof_element_type type : function.types) EXPECT_TRUE(types.contains(type)) << spec.id;
    }
  }
}

TEST(CountersTest, SumsAndPlacesPassNarrowCounters) {
  for (const OperatorSpec& spec : BuiltInSpecs().operators) {
    int64_t elements = 0, taps = 0, channels = 0, batch = 0;
    for (const Problem& problem : CounterProblems(spec, false)) {
      const Layout layout = LayoutOf(*problem.function);
      elements = std::max(elements, problem.Elements());
      channels = std::max(channels, problem.shape[static_cast<size_t>(layout.channels)]);
      if (layout.batch >= 0) batch = std::max(batch, problem.shape[0]);
      const bool extremes = problem.fill == "highest" || problem.fill == "lowest";
      if (extremes && problem.type == POOLPROOF_I8) taps = std::max(taps, Taps(problem));
    }
    EXPECT_GT(elements, 1 << 24) << spec.id;
    EXPECT_GT(channels, 1 << 14) << spec.id;
    if (spec.max_rank > 3) {
      EXPECT_GT(batch, 1 << 14) << spec.id;
    }
    if (IsMean(spec) && HasRole(spec, Role::kKernel) && spec.max_rank > 3 && TakesBytes(spec)) {
      EXPECT_GT(taps * 127, int64_t{1} << 31) << spec.id;
    }
  }
}

// Whether a window is read from another place shows only where elements differ.
bool TellsPlaces(const Problem& problem) { return problem.fill == "exact" || problem.fill == "distinct"; }

TEST(CountersTest, PlanesAndChannelsPass24Bits) {
  for (const OperatorSpec& spec : BuiltInSpecs().operators) {
    int64_t plane = 0, channels = 0;
    for (const Problem& problem : CounterProblems(spec, false)) {
      if (!TellsPlaces(problem)) continue;
      int64_t size = 1;
      for (int axis = 0; axis < problem.SpatialRank(); ++axis) size *= SpatialSize(problem, axis);
      plane = std::max(plane, size);
      channels =
          std::max(channels, size * (problem.shape[static_cast<size_t>(LayoutOf(*problem.function).channels)] - 1));
    }
    EXPECT_GT(plane, 1 << 24) << spec.id;
    EXPECT_GT(channels, 1 << 24) << spec.id;
  }
}

// Where the last image begins.
TEST(CountersTest, ImagesBehindTheFirstBeginPast24Bits) {
  for (const OperatorSpec& spec : BuiltInSpecs().operators) {
    std::map<poolproof_element_type, std::set<int64_t>> batches, few;
    for (const bool every_type : {false, true}) {
      for (const Problem& problem : CounterProblems(spec, every_type)) {
        const Layout layout = LayoutOf(*problem.function);
        const int64_t batch = layout.batch < 0 ? 1 : problem.shape[static_cast<size_t>(layout.batch)];
        if (batch == 1 || problem.Elements() / batch * (batch - 1) <= 1 << 24) continue;
        if (!TellsPlaces(problem)) continue;
        (every_type ? batches : few)[problem.type].insert(batch);
      }
    }
    const auto has_both = [](const auto& seen) { return seen.second.contains(2) && *seen.second.rbegin() > 200; };
    const bool batched = spec.max_rank > 3;
    EXPECT_EQ(std::ranges::any_of(few, has_both), batched) << spec.id;
    EXPECT_EQ(std::ranges::count_if(batches, has_both), batched ? std::ssize(spec.functions[0].types) : 0) << spec.id;
  }
}

TEST(HugeTest, EveryFormIsPastTheSignedRange) {
  for (const OperatorSpec& spec : BuiltInSpecs().operators) {
    const Problems problems = HugeProblems(spec);
    if (HasRole(spec, Role::kKernel) && TakesBytes(spec)) {
      EXPECT_GE(problems.size(), 2u) << spec.id;
    }
    for (const Problem& problem : problems) {
      EXPECT_GT(problem.Elements(), int64_t{1} << 31) << spec.id;
      EXPECT_LE(problem.InputBytes(), (int64_t{1} << 31) + (1 << 22)) << spec.id;
      const std::vector<int64_t> shape = OutputShape(problem);
      const int64_t outputs = std::accumulate(shape.begin(), shape.end(), int64_t{1}, std::multiplies<>());
      EXPECT_GE(outputs, 60) << spec.id;
      EXPECT_LE(outputs, int64_t{1} << 24) << spec.id;
    }
  }
}

TEST(RandomSizesTest, EverySizeClassOccurs) {
  int64_t width = 0, channels = 0, batch = 0, stride = 0, dilation = 0, kernel = 0, elements = 0;
  for (uint64_t i = 0; i < 60000; ++i) {
    const Problem problem = RandomProblem(BuiltInSpecs(), 3, i);
    const Layout layout = LayoutOf(*problem.function);
    width = std::max(width, SpatialSize(problem, problem.SpatialRank() - 1));
    channels = std::max(channels, problem.shape[static_cast<size_t>(layout.channels)]);
    if (layout.batch >= 0) batch = std::max(batch, problem.shape[0]);
    stride = std::max(stride, AxisValue(problem, Role::kStride, 0, 1));
    dilation = std::max(dilation, AxisValue(problem, Role::kDilation, 0, 1));
    kernel = std::max(kernel, AxisValue(problem, Role::kKernel, 0, 1));
    elements = std::max(elements, problem.Elements());
  }
  EXPECT_GE(width, 1000);
  EXPECT_GE(channels, 1500);
  EXPECT_GE(batch, 60);
  EXPECT_GE(stride, 60);
  EXPECT_GE(dilation, 60);
  EXPECT_GE(kernel, 60);
  EXPECT_GE(elements, 1 << 16);
}

}  // namespace
}  // namespace poolproof
