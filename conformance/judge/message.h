// Sentences about differences, for people.
#pragma once

#include <string>

#include "conformance/judge/compare.h"

namespace poolproof {

std::string_view StatusName(poolproof_status status);   // "INVALID_ARGUMENT"
std::string ShapeText(const poolproof_tensor& tensor);  // "f32 [1,1,4,4]"
// "[0,0,0,3]" for a flat position.
std::string PositionText(const poolproof_tensor& tensor, int64_t element);
// "output values at [0,0,0,3]: expected 3, got -6"
std::string ValueMessage(const Problem& problem, const Result& expected, const Result& got, size_t output,
                         int64_t element);
// "output values has shape f32 [1,1,4,4] instead of f32 [1,1,3,3]"
std::string ShapeMessage(const Problem& problem, const Result& expected, const Result& got);
// The name of an output as in the spec, "values".
std::string OutputName(const Problem& problem, size_t output);

}  // namespace poolproof
