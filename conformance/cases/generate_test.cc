// The suite looks at what the generator makes: everything that can go wrong has to occur.
#include "conformance/cases/generate.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <cmath>
#include <map>
#include <set>

#include "conformance/cases/fill.h"
#include "conformance/cases/generate_rapidcheck.h"
#include "conformance/cases/geometry.h"
#include "conformance/cases/plain.h"
#include "conformance/cases/valid.h"
#include "reference/reference.h"

namespace poolproof {
namespace {

// Runs the reference; which open points the result depends on.
reference::EntrySet Touched(const Problem& problem, std::vector<uint64_t>* input) {
  Call call;
  call.Bind(problem);
  reference::Context context;
  EXPECT_EQ(reference::InferShapes(call.call, context), POOLPROOF_OK) << PrintLine(problem);
  input->assign(static_cast<size_t>(problem.Elements()), 0);
  FillInput(problem, input->data());
  call.inputs[0].data = input->data();
  std::vector<std::vector<uint64_t>> outputs(call.call.output_count);
  for (size_t i = 0; i < outputs.size(); ++i) {
    outputs[i].resize(call.outputs[i].size_bytes / 8 + 1);
    call.outputs[i].data = outputs[i].data();
  }
  EXPECT_EQ(reference::Run(call.call, context), POOLPROOF_OK) << PrintLine(problem) << ": " << context.error;
  return context.touched;
}

bool AnyAxis(const Problem& problem, Role role, int64_t fallback) {
  for (int axis = 0; axis < problem.SpatialRank(); ++axis) {
    if (AxisValue(problem, role, axis, fallback) > fallback) return true;
  }
  return false;
}

void AddSizeClasses(const Problem& problem, std::set<std::string>* classes) {
  for (int axis = 0; axis < problem.SpatialRank() && problem.HasSizes(); ++axis) {
    const int64_t out = problem.sizes[static_cast<size_t>(axis)];
    const int64_t in = SpatialSize(problem, axis);
    classes->insert(out < in ? "adaptive below input" : out > in ? "adaptive above input" : "adaptive equal to input");
  }
  if (problem.HasSizes()) {
    classes->insert("sizes as " + std::string(ElementTypeName(problem.sizes_type)));
  }
}

void AddAttributeClasses(const Problem& problem, std::set<std::string>* classes) {
  for (size_t i = 0; i < problem.spec->attributes.size(); ++i) {
    const AttributeSpec& spec = problem.spec->attributes[i];
    const AttributeValue& value = problem.attributes[i];
    const std::string name = spec.name + "=";
    if (!value.present) {
      classes->insert(name + "absent");
    } else if (spec.type == AttributeType::kWord) {
      classes->insert(name + value.word);
    } else if (spec.type == AttributeType::kBool) {
      classes->insert(name + (value.integer != 0 ? "true" : "false"));
    } else if (spec.range_is_rank) {
      classes->insert(name + (value.integer < 0 ? "negative" : "non-negative"));
    }
  }
}

std::set<std::string> Classes(const Problem& problem) {
  std::set<std::string> classes = {
      "type " + std::string(ElementTypeName(problem.type)), "fill " + problem.fill, "operator " + problem.spec->id,
      "layout " + problem.function->layout + " rank " + std::to_string(problem.shape.size)};
  if (!IsUnrestricted(*problem.function)) classes.insert("specialization");
  if (AnyAxis(problem, Role::kPadBegin, 0)) classes.insert("padding at the beginning");
  if (AnyAxis(problem, Role::kPadEnd, 0)) classes.insert("padding at the end");
  if (AnyAxis(problem, Role::kDilation, 1)) classes.insert("dilation");
  AddSizeClasses(problem, &classes);
  AddAttributeClasses(problem, &classes);
  std::vector<uint64_t> input;
  const reference::EntrySet touched = Touched(problem, &input);
  using reference::Entry;
  for (const auto& [entry, name] :
       std::initializer_list<std::pair<Entry, const char*>>{{Entry::kCeilPastEnd, "window starts past the end"},
                                                            {Entry::kEmptyWindowValue, "window without a tap"},
                                                            {Entry::kTies, "tie"},
                                                            {Entry::kNan, "NaN in a window"},
                                                            {Entry::kSignedZero, "zeros of both signs"},
                                                            {Entry::kMinusInfinityInput, "window of minus infinity"},
                                                            {Entry::kLowestInputIndex, "window of the lowest value"},
                                                            {Entry::kAvgOverhang, "average over the padded end"},
                                                            {Entry::kAvgEmptyWindow, "average without a tap"},
                                                            {Entry::kAvgIntegerRounding, "rounded integer mean"},
                                                            {Entry::kCeilTorchOnce, "ceil_torch drops a window"}}) {
    if (touched.Has(entry)) classes.insert(name);
  }
  return classes;
}

// Everything that has to occur, from the specs themselves and from the list of Classes.
std::set<std::string> Wanted(const Specs& specs) {
  std::set<std::string> wanted = {"specialization",
                                  "padding at the beginning",
                                  "padding at the end",
                                  "dilation",
                                  "adaptive below input",
                                  "adaptive equal to input",
                                  "adaptive above input",
                                  "sizes as i32",
                                  "sizes as i64",
                                  "window starts past the end",
                                  "window without a tap",
                                  "tie",
                                  "NaN in a window",
                                  "zeros of both signs",
                                  "window of minus infinity",
                                  "window of the lowest value",
                                  "average over the padded end",
                                  "average without a tap",
                                  "rounded integer mean"};
  for (std::string_view fill : FillNames()) wanted.insert("fill " + std::string(fill));
  for (const OperatorSpec& spec : specs.operators) {
    wanted.insert("operator " + spec.id);
    for (const Function& function : spec.functions) {
      const Ranks ranks = RanksOf(spec, function);
      for (int rank = ranks.least; rank <= ranks.most; ++rank) {
        wanted.insert("layout " + function.layout + " rank " + std::to_string(rank));
      }
      for (poolproof_element_type type : function.types) {
        wanted.insert("type " + std::string(ElementTypeName(type)));
      }
    }
    for (const AttributeSpec& attribute : spec.attributes) {
      const std::string name = attribute.name + "=";
      for (const std::string& word : attribute.words) wanted.insert(name + word);
      if (attribute.type == AttributeType::kBool) wanted.insert({name + "true", name + "false"});
      if (attribute.range_is_rank) wanted.insert({name + "negative", name + "non-negative"});
      if (!attribute.required || !attribute.required_unless.empty()) wanted.insert(name + "absent");
    }
  }
  return wanted;
}

TEST(GenerateTest, EverythingThatCanGoWrongOccurs) {
  constexpr int kProblems = 4000;
  std::map<std::string, int> shares;
  const bool passed = rc::check("every class occurs", [&] {
    const Problem problem = *ProblemGenerator(BuiltInSpecs());
    const std::set<std::string> classes = Classes(problem);
    for (const std::string& name : classes) ++shares[name];
    for (const char* name : {"padding at the beginning", "dilation", "window starts past the end",
                             "window without a tap", "tie", "NaN in a window"}) {
      RC_CLASSIFY(classes.contains(name), name);
    }
  });
  EXPECT_TRUE(passed);
  for (uint64_t i = 0; i < kProblems; ++i) {
    for (const std::string& name : Classes(RandomProblem(BuiltInSpecs(), 1, i))) ++shares[name];
  }
  for (const auto& [name, count] : shares) {
    std::printf("%6.2f %%  %s\n", 100.0 * count / (kProblems + 100), name.c_str());
  }
  for (const std::string& name : Wanted(BuiltInSpecs())) EXPECT_GT(shares[name], 0) << name;
}

TEST(GenerateTest, ProblemsAreValidSmallAndReadable) {
  int64_t large = 0;
  for (uint64_t i = 0; i < 20000; ++i) {
    const Problem problem = RandomProblem(BuiltInSpecs(), 7, i);
    ASSERT_TRUE(IsValid(problem)) << PrintLine(problem);
    large += problem.Elements() > 1000;
    Error error;
    const std::optional<Problem> read = ParseLine(BuiltInSpecs(), PrintLine(problem), &error);
    ASSERT_TRUE(read) << error.message;
    ASSERT_EQ(PrintLine(*read), PrintLine(problem));
  }
  EXPECT_LT(large, 2000);
}

TEST(GenerateTest, EachProblemIsDeterminedBySeedAndIndex) {
  std::set<std::string> lines;
  for (uint64_t i = 0; i < 1000; ++i) {
    const std::string line = PrintLine(RandomProblem(BuiltInSpecs(), 5, i));
    EXPECT_EQ(line, PrintLine(RandomProblem(BuiltInSpecs(), 5, i)));
    lines.insert(line);
    lines.insert(PrintLine(RandomProblem(BuiltInSpecs(), 6, i)));
  }
  EXPECT_GT(lines.size(), 1990u);
}

TEST(GenerateTest, AnyBytesGiveAValidProblem) {
  for (const size_t size : {0u, 1u, 2u, 10u, 40u, 100u}) {
    for (uint64_t seed = 0; seed < 200; ++seed) {
      std::vector<uint8_t> bytes(size);
      Choices random(seed);
      for (uint8_t& byte : bytes) byte = static_cast<uint8_t>(random.Below(256));
      Choices choices{std::span<const uint8_t>(bytes)};
      const Problem problem = RandomProblem(BuiltInSpecs(), choices);
      ASSERT_TRUE(IsValid(problem)) << PrintLine(problem);
    }
  }
}

// "" or what of the problem the function does not take.
std::string Violation(const Problem& p) {
  const Function& function = *p.function;
  for (int axis = 0; axis < p.SpatialRank(); ++axis) {
    const int64_t kernel = AxisValue(p, Role::kKernel, axis, 1);
    const int64_t stride = AxisValue(p, Role::kStride, axis, 1);
    const int64_t begin = AxisValue(p, Role::kPadBegin, axis, 0);
    const int64_t end = AxisValue(p, Role::kPadEnd, axis, 0);
    const auto& fixed = axis == 0 ? function.kernel_height : function.kernel_width;
    if (kernel != fixed.value_or(kernel)) return "kernel";
    if (stride != function.stride.value_or(stride)) return "stride";
    if (function.padding == Function::Padding::kNone && begin + end != 0) return "padding";
    const bool fits = begin == (kernel - 1) / 2 && end == kernel / 2;
    if (function.padding == Function::Padding::kKernel && !fits) return "kernel padding";
  }
  const int64_t channels = p.shape[static_cast<size_t>(LayoutOf(function).channels)];
  return channels == function.channels.value_or(channels) ? "" : "channels";
}

TEST(GenerateTest, SpecializationsStayInTheirDomain) {
  for (const OperatorSpec& spec : BuiltInSpecs().operators) {
    for (const Function& function : spec.functions) {
      for (uint64_t seed = 0; seed < 20; ++seed) {
        Choices choices(seed);
        const Problem p = RandomProblem(spec, function, choices);
        ASSERT_EQ(p.function, &function);
        ASSERT_TRUE(IsValid(p)) << PrintLine(p);
        ASSERT_EQ(Violation(p), "") << PrintLine(p);
      }
    }
  }
}

}  // namespace
}  // namespace poolproof
