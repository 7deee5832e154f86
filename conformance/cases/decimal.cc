#include "conformance/cases/decimal.h"

#include <locale.h>
#include <stdlib.h>

#include <cerrno>
#include <cmath>
#include <string>

namespace poolproof {

std::optional<Number> ReadDecimal(std::string_view text) {
  // Forms that strtold reads as well: white space, a plus, "infinity", "nan(...)", hexadecimal digits.
  const std::string_view digits = text.substr(text.starts_with('-') ? 1 : 0);
  if (digits.find_first_of("0123456789.") != 0) return std::nullopt;
  if (digits.find_first_not_of("0123456789.eE+-") != digits.npos) return std::nullopt;
  static const locale_t plain = newlocale(LC_ALL_MASK, "C", nullptr);
  const std::string terminated(text);
  char* end = nullptr;
  errno = 0;
  const Number value = strtold_l(terminated.c_str(), &end, plain);
  if (end != terminated.c_str() + terminated.size()) return std::nullopt;
  if (std::isinf(value) || (value == 0 && errno == ERANGE)) return std::nullopt;
  return value;
}

}  // namespace poolproof
