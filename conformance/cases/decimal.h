// Decimal text as number.
#pragma once

#include <optional>
#include <string_view>

#include "conformance/cases/spec.h"

namespace poolproof {

// The number nearest to a text of digits with point and exponent, whatever the locale. Nothing where
// the text is anything else, or is beyond the range of Number. std::from_chars would do the same, but
// libc++ has it for shorter types only.
std::optional<Number> ReadDecimal(std::string_view text);

}  // namespace poolproof
