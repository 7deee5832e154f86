// The spec files as they were when the program was built, put there by embed.cmake.
#ifndef POOLPROOF_CONFORMANCE_CASES_EMBEDDED_H_
#define POOLPROOF_CONFORMANCE_CASES_EMBEDDED_H_

#include <span>
#include <string_view>

namespace poolproof {

struct EmbeddedFile {
  std::string_view path;  // relative to specs/: "openvino/max_pool_8.json"
  std::string_view text;
};

// Sorted by path.
std::span<const EmbeddedFile> EmbeddedSpecs();

}  // namespace poolproof

#endif  // POOLPROOF_CONFORMANCE_CASES_EMBEDDED_H_
