// Numbers of a problem line as text.
#pragma once

#include <string>
#include <string_view>

#include "conformance/cases/spec.h"

namespace poolproof {

// Appends the shortest text that ParseNumber and then StoreElement of `type` turn into `value`,
// which is a value of that type. Integers have no point or exponent; minus zero is "-0.0"; a NaN
// with its sign bit set is "-nan".
void AppendNumber(poolproof_element_type type, Number value, std::string* out);

// Reads decimal text, "nan", "-nan", "inf", "-inf". False where `text` is anything else, or is
// beyond the range of Number.
bool ParseNumber(std::string_view text, Number* value);

// The value of `type` nearest to `value`; NaN where an integer type does not hold it.
Number RoundToType(poolproof_element_type type, Number value);

}  // namespace poolproof
