// JSON as files from outside need it: nesting and size are bounded before the stack and time are,
// and a key that occurs twice is an error instead of a silent choice.
#ifndef POOLPROOF_CONFORMANCE_FORMAT_STRICT_JSON_H_
#define POOLPROOF_CONFORMANCE_FORMAT_STRICT_JSON_H_

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

#include <nlohmann/json.hpp>

namespace poolproof {

using Json = nlohmann::ordered_json;

inline constexpr size_t kMaxNesting = 32;
inline constexpr size_t kMaxKeys = 2000;  // of one object

// `text` as a value. Nothing, and the reason without full stop, where it is none: "no JSON:
// stopped at byte 7", "the key \"n\" occurs twice". Bytes that are no UTF-8 are
// read as U+FFFD.
std::optional<Json> ParseStrictly(std::string_view text, std::string* reason);

}  // namespace poolproof

#endif  // POOLPROOF_CONFORMANCE_FORMAT_STRICT_JSON_H_
