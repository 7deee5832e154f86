// The spec files as they were when the program was built, put there by embed.cmake.
#pragma once

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
