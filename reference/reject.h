// Refusing a call with one sentence that names the place and the value.
#pragma once

#include <concepts>
#include <string>
#include <string_view>

#include "reference/reference.h"

namespace poolproof::reference {

inline void AppendText(std::string& out, std::string_view text) { out += text; }
inline void AppendText(std::string& out, std::integral auto value) { out += std::to_string(value); }

// Writes the pieces as Context::error. Always false, so that a check can end with
// `return Reject(...)`; no memory is touched where nothing is refused.
template <typename... Pieces>
[[gnu::cold]] bool Reject(Context& context, const Pieces&... pieces) {
  context.error.clear();
  (AppendText(context.error, pieces), ...);
  return false;
}

}  // namespace poolproof::reference
