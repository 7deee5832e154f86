// Shared by the forms in which a problem is printed (program_as.h).
#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "conformance/run/translate.h"

namespace poolproof {

// Names of others for an element type; empty where they do not have it.
struct TypeNames {
  poolproof_element_type type;
  std::string_view torch, numpy, onnx, benchdnn, c, format;
};
const TypeNames& NamesOfType(poolproof_element_type type);

size_t ElementsOf(const poolproof_tensor& tensor);
// Values with commas behind them, in lines of a readable length.
std::string InLines(size_t count, const std::function<std::string(size_t)>& value, std::string_view indent);
std::string TolerancesText(const std::vector<double>& all, std::string_view indent);
// "1, 1, 4, 4", and "4," of one dimension, as Python has it.
std::string ShapeList(const poolproof_tensor& tensor);
std::string NumbersOf(const poolproof_attribute& attribute);  // of a list
std::string NameOfOutput(const Vector& vector, size_t i);
// A sentence about the call of `vector`, which is that of `planned` or a translation, and what the documents leave
// open.
std::string AboutText(const PlannedCase& planned, const Vector& vector);

// How far each element of an output may be from the expected one; empty where all are exact.
std::vector<double> Tolerances(const Vector& vector, size_t output);
// Whether the documents demand the sign of each zero that is expected.
bool SignsCount(const Vector& vector);

// The texts. `vector` is computed, and has elements but for C; for Python it is a call of the project.
std::string TorchText(const PlannedCase& planned, const Vector& vector);
std::string OnnxText(const PlannedCase& planned, const Vector& vector);
std::optional<std::string> BenchdnnText(const PlannedCase& planned, const Vector& vector, std::string* why);
std::string CText(const PlannedCase& planned, const Vector& vector);

}  // namespace poolproof
