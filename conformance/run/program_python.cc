// Problems as Python, for PyTorch and for ONNX Runtime.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <cctype>
#include <cmath>
#include <kainjow/mustache.hpp>

#include "conformance/run/onnx_template.h"  // made by CMake, as are the next two
#include "conformance/run/program_parts.h"
#include "conformance/run/python_comparison.h"
#include "conformance/run/torch_template.h"

namespace poolproof {
namespace {

using kainjow::mustache::data;
using kainjow::mustache::mustache;

// Python reads numbers as f64: the shortest text of a smaller type would be another number.
std::string PythonNumber(const poolproof_tensor& tensor, size_t i) {
  const auto at = static_cast<int64_t>(i);
  const double value = static_cast<double>(ElementAsNumber(tensor.element_type, tensor.data, at));
  const bool plain = !IsFloat(tensor.element_type) || value == 0 || !std::isfinite(value);
  return plain ? ElementAsText(tensor.element_type, tensor.data, at) : fmt::format("{}", value);
}

std::string NumbersText(const poolproof_tensor& tensor, std::string_view indent) {
  return InLines(ElementsOf(tensor), [&](size_t i) { return PythonNumber(tensor, i); }, indent);
}

std::string PythonValue(const poolproof_attribute& attribute, bool is_tuple) {
  switch (attribute.kind) {
    case POOLPROOF_INT: return fmt::format("{}", attribute.integer);
    case POOLPROOF_BOOL: return attribute.integer != 0 ? "True" : "False";
    case POOLPROOF_WORD: return fmt::format("\"{}\"", attribute.word);
    default: break;
  }
  const std::string numbers = NumbersOf(attribute);
  // Some functions for one axis take a number alone.
  if (is_tuple) return attribute.count == 1 ? numbers : fmt::format("({})", numbers);
  return fmt::format("[{}]", numbers);
}

// "kernel_shape=[2, 2], strides=[1, 1]"
std::string PythonArguments(const Call& call, bool is_tuple) {
  std::vector<std::string> arguments;
  for (size_t i = 0; i < call.call.attribute_count; ++i) {
    const poolproof_attribute& attribute = *call.call.attributes[i];
    arguments.push_back(fmt::format("{}={}", attribute.name, PythonValue(attribute, is_tuple)));
  }
  return fmt::format("{}", fmt::join(arguments, ", "));
}

data PythonPage(const PlannedCase& planned, const Vector& vector) {
  data page, outputs(data::type::list);
  const Result& result = vector.expected.result();
  for (size_t i = 0; i < result.output_count; ++i) {
    const std::vector<double> tolerances = Tolerances(vector, i);
    data output;
    output.set("index", std::to_string(i));
    output.set("name", NameOfOutput(vector, i));
    output.set("shape", ShapeList(result.outputs[i]));
    output.set("values", NumbersText(result.outputs[i], "            "));
    output.set("tolerated", tolerances.empty() ? data::type::bool_false : data::type::bool_true);
    output.set("tolerances", TolerancesText(tolerances, "            "));
    output.set("dtype", std::string(NamesOfType(result.outputs[i].element_type).onnx));
    outputs << output;
  }
  page.set("outputs", outputs);
  page.set("signs", SignsCount(vector) ? data::type::bool_true : data::type::bool_false);
  page.set("line", planned.line);
  page.set("about", AboutText(planned, vector));
  page.set("input", NumbersText(vector.call.inputs[0], "        "));
  page.set("input_shape", ShapeList(vector.call.inputs[0]));
  std::string compare = mustache(std::string(kPythonComparison)).render(page);
  compare.pop_back();
  page.set("compare", compare);
  return page;
}

bool IsUpper(char c) { return std::isupper(static_cast<unsigned char>(c)) != 0; }

// "adaptive_max_pool" of "AdaptiveMaxPool", "lp_pool" of "LPPool"
std::string SnakeCase(std::string_view name) {
  std::string text;
  for (size_t i = 0; i < name.size(); ++i) {
    if (IsUpper(name[i]) && i > 0 && i + 1 < name.size() && !IsUpper(name[i + 1])) text += '_';
    text += static_cast<char>(std::tolower(static_cast<unsigned char>(name[i])));
  }
  return text;
}

// The name without that of the project, "MaxPool-22" of "onnx.MaxPool-22".
std::string_view WithoutProject(std::string_view name) { return name.substr(name.find('.') + 1); }

}  // namespace

std::string TorchText(const PlannedCase& planned, const Vector& vector) {
  const Problem& problem = vector.planned.problem;
  data page = PythonPage(planned, vector);
  page.set("dtype", std::string(NamesOfType(problem.type).torch));
  page.set("function", fmt::format("{}{}d", SnakeCase(WithoutProject(problem.spec->functions.front().name)),
                                   problem.SpatialRank()));
  std::string arguments = PythonArguments(vector.call, true);
  if (problem.HasSizes()) arguments = fmt::format("({},)", fmt::join(problem.sizes, ", "));
  if (vector.expected.result().output_count > 1) arguments += ", return_indices=True";
  page.set("arguments", arguments);
  return mustache(std::string(kTorchTemplate)).render(page);
}

std::string OnnxText(const PlannedCase& planned, const Vector& vector) {
  const Problem& problem = vector.planned.problem;
  data page = PythonPage(planned, vector);
  const std::string_view name = WithoutProject(problem.function->name);
  const size_t dash = name.find('-');
  std::vector<std::string> names;
  for (size_t i = 0; i < vector.expected.result().output_count; ++i) {
    names.push_back(fmt::format("\"{}\"", NameOfOutput(vector, i)));
  }
  const std::string arguments = PythonArguments(vector.call, false);
  page.set("dtype", std::string(NamesOfType(problem.type).onnx));
  page.set("numpy", std::string(NamesOfType(problem.type).numpy));
  page.set("function", std::string(name.substr(0, dash)));
  page.set("version", std::string(name.substr(dash + 1)));
  page.set("names", fmt::format("{}", fmt::join(names, ", ")));
  page.set("arguments", arguments.empty() ? "" : ", " + arguments);
  return mustache(std::string(kOnnxTemplate)).render(page);
}

}  // namespace poolproof
