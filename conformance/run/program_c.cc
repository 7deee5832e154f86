// Problems as C with a call to fill in.
#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <cstring>
#include <kainjow/mustache.hpp>

#include "conformance/cases/fill.h"
#include "conformance/judge/message.h"
#include "conformance/run/call_template.h"  // made by CMake
#include "conformance/run/program_parts.h"

namespace poolproof {
namespace {

using kainjow::mustache::data;
using kainjow::mustache::mustache;

std::string CName(std::string_view name) {
  std::string text(name);
  std::replace_if(
      text.begin(), text.end(), [](char c) { return std::isalnum(static_cast<unsigned char>(c)) == 0; }, '_');
  return text;
}

std::string CValue(const poolproof_tensor& tensor, size_t i) {
  const poolproof_element_type type = tensor.element_type;
  if (type == POOLPROOF_F16 || type == POOLPROOF_BF16) {
    uint16_t bits = 0;
    std::memcpy(&bits, static_cast<const std::byte*>(tensor.data) + i * sizeof bits, sizeof bits);
    return fmt::format("0x{:04x}", bits);
  }
  std::string text = ElementAsText(type, tensor.data, static_cast<int64_t>(i));
  if (type == POOLPROOF_U64) return fmt::format("UINT64_C({})", text);
  if (type == POOLPROOF_I64) return text == "-9223372036854775808" ? "INT64_MIN" : fmt::format("INT64_C({})", text);
  if (!IsFloat(type)) return text;
  const std::string sign = text[0] == '-' ? "-" : "";
  if (text.ends_with("nan")) return sign + "NAN";
  if (text.ends_with("inf")) return sign + "INFINITY";
  if (text.find_first_of(".e") == text.npos) text += ".0";
  return type == POOLPROOF_F32 ? text + "f" : text;
}

data::type Flag(bool is) { return is ? data::type::bool_true : data::type::bool_false; }

data CTensor(const poolproof_tensor& tensor, const std::string& name) {
  const TypeNames& names = NamesOfType(tensor.element_type);
  const bool is_float = IsFloat(tensor.element_type), bits = is_float && names.c == "uint16_t";
  constexpr int kFractionOfHalf = 10, kFractionOfBrain = 7;
  const int fraction = tensor.element_type == POOLPROOF_F16 ? kFractionOfHalf : kFractionOfBrain;
  data row;
  row.set("name", CName(name));
  row.set("type", ShapeText(tensor));
  row.set("shape", ShapeList(tensor));
  row.set("c", std::string(names.c));
  row.set("format", std::string(names.format));
  row.set("elements", std::to_string(ElementsOf(tensor)));
  row.set("count", std::to_string(std::max<size_t>(1, ElementsOf(tensor))));
  row.set("values", ElementsOf(tensor) == 0
                        ? "    0"
                        : InLines(ElementsOf(tensor), [&](size_t i) { return CValue(tensor, i); }, "    "));
  row.set("bits", Flag(bits));
  row.set("float", Flag(is_float));
  row.set("decode", bits ? "value_of_bits(" : "");
  row.set("decoded", bits ? fmt::format(", {})", fraction) : "");
  return row;
}

data CAttributes(const Call& call) {
  data rows(data::type::list);
  for (size_t i = 0; i < call.call.attribute_count; ++i) {
    const poolproof_attribute& attribute = *call.call.attributes[i];
    const std::string name = "attribute_" + CName(attribute.name);
    std::string text = fmt::format("int64_t {} = {}", name, attribute.integer);
    if (attribute.kind == POOLPROOF_WORD) text = fmt::format("char {}[] = \"{}\"", name, attribute.word);
    if (attribute.kind == POOLPROOF_INT_LIST) {
      text = attribute.count == 0 ? fmt::format("int64_t* const {} = NULL", name)
                                  : fmt::format("int64_t {}[] = {{{}}}", name, NumbersOf(attribute));
    }
    data row;
    row.set("declaration", text);
    rows << row;
  }
  return rows;
}

}  // namespace

std::string CText(const PlannedCase& planned, const Vector& vector) {
  const Result& result = vector.expected.result();
  const bool computed = result.status == POOLPROOF_OK;
  data page, inputs(data::type::list), outputs(data::type::list);
  bool floats = false, half = false;
  for (size_t i = 0; i < vector.call.call.input_count; ++i) {
    inputs << CTensor(vector.call.inputs[i], planned.problem.spec->inputs[i].name);
  }
  for (size_t i = 0; computed && i < result.output_count; ++i) {
    const std::vector<double> tolerances = Tolerances(vector, i);
    data output = CTensor(result.outputs[i], NameOfOutput(vector, i));
    output.set("tolerated", Flag(!tolerances.empty()));
    output.set("tolerances", TolerancesText(tolerances, "    "));
    outputs << output;
    const poolproof_element_type type = result.outputs[i].element_type;
    floats |= IsFloat(type);
    half |= type == POOLPROOF_F16 || type == POOLPROOF_BF16;
  }
  page.set("line", planned.line);
  page.set("about", AboutText(planned, vector));
  page.set("op", planned.problem.function->name);
  page.set("attributes", CAttributes(vector.call));
  page.set("inputs", inputs);
  page.set("outputs", outputs);
  page.set("floats", Flag(floats));
  page.set("half", Flag(half));
  page.set("signs", Flag(computed && SignsCount(vector)));
  page.set("refused", computed ? "0" : "1");
  return mustache(std::string(kCallTemplate)).render(page);
}

}  // namespace poolproof
