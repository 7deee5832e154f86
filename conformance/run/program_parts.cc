#include "conformance/run/program_parts.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>

#include "conformance/cases/fill.h"

namespace poolproof {
namespace {

constexpr size_t kColumns = 100;  // of a line of values

constexpr TypeNames kTypes[] = {
    {POOLPROOF_F64, "float64", "float64", "DOUBLE", "", "double", ""},
    {POOLPROOF_F32, "float32", "float32", "FLOAT", "f32", "float", ""},
    {POOLPROOF_F16, "float16", "float16", "FLOAT16", "f16", "uint16_t", ""},
    {POOLPROOF_BF16, "bfloat16", "", "BFLOAT16", "bf16", "uint16_t", ""},
    {POOLPROOF_I8, "int8", "int8", "INT8", "s8", "int8_t", "PRId8"},
    {POOLPROOF_U8, "uint8", "uint8", "UINT8", "u8", "uint8_t", "PRIu8"},
    {POOLPROOF_I16, "int16", "int16", "INT16", "", "int16_t", "PRId16"},
    {POOLPROOF_U16, "", "uint16", "UINT16", "", "uint16_t", "PRIu16"},
    {POOLPROOF_I32, "int32", "int32", "INT32", "s32", "int32_t", "PRId32"},
    {POOLPROOF_U32, "", "uint32", "UINT32", "", "uint32_t", "PRIu32"},
    {POOLPROOF_I64, "int64", "int64", "INT64", "", "int64_t", "PRId64"},
    {POOLPROOF_U64, "", "uint64", "UINT64", "", "uint64_t", "PRIu64"},
    {POOLPROOF_FX8, "", "", "", "", "int8_t", "PRId8"},
    {POOLPROOF_FX16, "", "", "", "", "int16_t", "PRId16"},
};

// Lets the judge judge an element other than the expected one.
reference::ElementJudgement JudgeOther(const Vector& vector, size_t output, size_t element, const void* other) {
  const poolproof_call& call = vector.call.call;
  return reference::FindOperator(call.op)->judge(call, vector.expected.readings(), output,
                                                 static_cast<int64_t>(element), other);
}

// How far a value may be from the expected one; 0 where it is exact.
double Tolerance(const Vector& vector, size_t output, size_t element) {
  const poolproof_tensor& tensor = vector.expected.result().outputs[output];
  const double expected =
      static_cast<double>(ElementAsNumber(tensor.element_type, tensor.data, static_cast<int64_t>(element)));
  if (!IsFloat(tensor.element_type) || !std::isfinite(expected)) return 0;
  std::byte other[sizeof(double)] = {};
  StoreElement(tensor.element_type, expected == 0 ? 1 : expected / 2, other, 0);
  const reference::ElementJudgement judged = JudgeOther(vector, output, element, other);
  if (judged.bound == 0 || !std::isfinite(judged.bound)) return 0;
  return judged.bound + std::abs(judged.exact - expected);
}

}  // namespace

const TypeNames& NamesOfType(poolproof_element_type type) {
  return *std::find_if(std::begin(kTypes), std::end(kTypes),
                       [&](const TypeNames& names) { return names.type == type; });
}

size_t ElementsOf(const poolproof_tensor& tensor) { return tensor.size_bytes / ElementSize(tensor.element_type); }

std::string InLines(size_t count, const std::function<std::string(size_t)>& value, std::string_view indent) {
  std::string text, line;
  for (size_t i = 0; i < count; ++i) {
    const std::string one = value(i) + ",";
    if (!line.empty() && indent.size() + line.size() + 1 + one.size() > kColumns) {
      text += std::string(indent) + line + "\n";
      line.clear();
    }
    line += (line.empty() ? "" : " ") + one;
  }
  return text + std::string(indent) + line;
}

std::vector<double> Tolerances(const Vector& vector, size_t output) {
  std::vector<double> all(ElementsOf(vector.expected.result().outputs[output]));
  for (size_t i = 0; i < all.size(); ++i) all[i] = Tolerance(vector, output, i);
  if (std::all_of(all.begin(), all.end(), [](double each) { return each == 0; })) all.clear();
  return all;
}

bool SignsCount(const Vector& vector) {
  const poolproof_tensor& tensor = vector.expected.result().outputs[0];
  if (!IsFloat(tensor.element_type)) return false;
  for (size_t i = 0; i < ElementsOf(tensor); ++i) {
    const Number value = ElementAsNumber(tensor.element_type, tensor.data, static_cast<int64_t>(i));
    std::byte other[sizeof(double)] = {};
    if (value != 0 || !StoreElement(tensor.element_type, -value, other, 0)) continue;
    if (JudgeOther(vector, 0, i, other).acceptance != reference::Acceptance::kRejected) return false;
  }
  return true;
}

std::string AboutText(const PlannedCase& planned, const Vector& vector) {
  std::string open;
  for (size_t e = 0; e < reference::kEntryCount; ++e) {
    const auto entry = static_cast<reference::Entry>(e);
    if (!vector.expected.touched().Has(entry) || !reference::IsSilence(entry)) continue;
    if (reference::OnlyBoundsErrors(entry)) continue;
    open += (open.empty() ? "" : ", ") + std::string(reference::EntryId(entry));
  }
  const std::string& asked = planned.problem.function->name;
  const std::string& said = vector.planned.problem.function->name;
  std::string text = asked == said ? fmt::format("One call of {}.", asked)
                                   : fmt::format("One call of {}, as {} computes it by its documents.", asked, said);
  if (!open.empty()) text += fmt::format(" They leave open: {}; one answer of several is expected there.", open);
  return text;
}

std::string ShapeList(const poolproof_tensor& tensor) {
  return fmt::format("{}{}", fmt::join(tensor.dims, tensor.dims + tensor.rank, ", "), tensor.rank == 1 ? "," : "");
}

std::string TolerancesText(const std::vector<double>& all, std::string_view indent) {
  return InLines(all.size(), [&](size_t i) { return fmt::format("{}", all[i]); }, indent);
}

std::string NameOfOutput(const Vector& vector, size_t i) { return vector.planned.problem.spec->outputs[i].name; }

std::string NumbersOf(const poolproof_attribute& attribute) {
  return fmt::format("{}", fmt::join(attribute.integers, attribute.integers + attribute.count, ", "));
}

}  // namespace poolproof
