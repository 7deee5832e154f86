// Comparing answers with each other.
#pragma once

#include <functional>
#include <string>

#include "conformance/properties/property.h"

namespace poolproof {

int64_t Elements(const poolproof_tensor& tensor);
Number ElementOf(const poolproof_tensor& tensor, int64_t i);
bool SameShape(const poolproof_tensor& a, const poolproof_tensor& b);
bool SameValue(Number a, Number b);  // NaN equals NaN, the zeros equal each other

// How far two right answers to the same mean may lie apart, for values up to `largest` and at most
// `taps` of them: twice the tolerance of the documents for floats, twice what the ledger's silence
// on MLI means allows for fx16, nothing for other integers, where a backend has one rounding.
Number MeanTolerance(poolproof_element_type type, int64_t taps, Number largest);
// The same for a problem: all of its taps, the largest magnitude among its values.
Number MeanTolerance(const Problem& problem, const poolproof_tensor& output);

// "element 5 of output 0 is 3 in one problem and 4 in the other"; "" where all outputs agree, means
// within the tolerance. `other` says which element of b belongs to element i of a.
std::string Difference(const Round& round, size_t a, size_t b, const std::function<int64_t(int64_t)>& other);
std::string Difference(const Round& round, size_t a, size_t b);

// A value as text for a reason.
std::string Text(const poolproof_tensor& tensor, int64_t i);

}  // namespace poolproof
