#include "conformance/cases/test_specs.h"

#include <gtest/gtest.h>

namespace poolproof {
namespace {

AttributeSpec Attribute(const char* name, const char* key, AttributeType type, Role role, int spatial_axis = -1) {
  AttributeSpec attribute;
  attribute.name = name;
  attribute.key = key;
  attribute.type = type;
  attribute.role = role;
  attribute.spatial_axis = spatial_axis;
  return attribute;
}

Function Named(const char* name, const char* layout, std::vector<poolproof_element_type> types) {
  Function function;
  function.name = name;
  function.layout = layout;
  function.types = std::move(types);
  return function;
}

InputSpec Input(const char* name, bool sizes) {
  InputSpec input;
  input.name = name;
  input.sizes = sizes;
  return input;
}

OperatorSpec Pool() {
  OperatorSpec spec;
  spec.id = "pool";
  spec.functions = {Named("Pool", "NC...",
                          {POOLPROOF_F64, POOLPROOF_F32, POOLPROOF_F16, POOLPROOF_BF16, POOLPROOF_I8, POOLPROOF_U8,
                           POOLPROOF_I64, POOLPROOF_U64})};
  spec.inputs = {Input("data", false)};
  spec.outputs.resize(2);
  spec.attributes = {Attribute("kernel", "k", AttributeType::kIntList, Role::kKernel),
                     Attribute("strides", "s", AttributeType::kIntList, Role::kStride),
                     Attribute("dilations", "d", AttributeType::kIntList, Role::kDilation),
                     Attribute("pads_begin", "pb", AttributeType::kIntList, Role::kPadBegin),
                     Attribute("pads_end", "pe", AttributeType::kIntList, Role::kPadEnd),
                     Attribute("rounding_type", "rounding", AttributeType::kWord, Role::kRounding),
                     Attribute("auto_pad", "auto", AttributeType::kWord, Role::kAutoPad),
                     Attribute("exclude-pad", "exclude", AttributeType::kBool, Role::kExcludePad),
                     Attribute("index_element_type", "index", AttributeType::kWord, Role::kIndexType),
                     Attribute("axis", "axis", AttributeType::kInt, Role::kAxis)};
  return spec;
}

OperatorSpec Adaptive() {
  OperatorSpec spec;
  spec.id = "adaptive";
  spec.functions = {Named("Adaptive", "NC...", {POOLPROOF_F32, POOLPROOF_F16})};
  spec.inputs = {Input("data", false), Input("output_shape", true)};
  spec.outputs.resize(2);
  spec.attributes = {Attribute("index_element_type", "index", AttributeType::kWord, Role::kIndexType)};
  return spec;
}

OperatorSpec Fixed() {
  OperatorSpec spec;
  spec.id = "fixed";
  spec.functions = {Named("fixed_chw", "CHW", {POOLPROOF_FX8, POOLPROOF_FX16}),
                    Named("fixed_hwc", "HWC", {POOLPROOF_FX8, POOLPROOF_FX16})};
  spec.inputs = {Input("in", false)};
  spec.outputs.resize(1);
  spec.min_rank = spec.max_rank = 3;
  spec.attributes = {Attribute("kernel_width", "kw", AttributeType::kInt, Role::kKernel, 1),
                     Attribute("kernel_height", "kh", AttributeType::kInt, Role::kKernel, 0),
                     Attribute("stride_width", "sw", AttributeType::kInt, Role::kStride, 1),
                     Attribute("stride_height", "sh", AttributeType::kInt, Role::kStride, 0),
                     Attribute("padding_left", "pl", AttributeType::kInt, Role::kPadBegin, 1),
                     Attribute("padding_right", "pr", AttributeType::kInt, Role::kPadEnd, 1),
                     Attribute("padding_top", "pt", AttributeType::kInt, Role::kPadBegin, 0),
                     Attribute("padding_bottom", "pb", AttributeType::kInt, Role::kPadEnd, 0)};
  return spec;
}

}  // namespace

const Specs& TestSpecs() {
  static const Specs specs = [] {
    Specs made;
    made.operators = {Pool(), Adaptive(), Fixed()};
    return made;
  }();
  return specs;
}

Problem Parsed(std::string_view line) {
  Error error;
  std::optional<Problem> problem = ParseLine(TestSpecs(), line, &error);
  EXPECT_TRUE(problem) << line << ": " << error.message;
  return problem ? *std::move(problem) : Problem();
}

}  // namespace poolproof
