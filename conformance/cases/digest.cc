#include "conformance/cases/digest.h"

#include <fmt/format.h>

#include <filesystem>
#include <fstream>
#include <vector>

#define XXH_INLINE_ALL
#include <xxhash.h>

namespace poolproof {

struct Digest::State {
  XXH3_state_t xxh;
};

Digest::Digest() : state_(new State) { XXH3_128bits_reset(&state_->xxh); }
Digest::~Digest() = default;

Digest& Digest::Add(const void* bytes, size_t count) {
  XXH3_128bits_update(&state_->xxh, bytes, count);
  return *this;
}

Digest::Bits Digest::Value() const {
  const XXH128_hash_t value = XXH3_128bits_digest(&state_->xxh);
  return {value.high64, value.low64};
}

std::string Digest::Hex() const {
  const Bits value = Value();
  return fmt::format("{:016x}{:016x}", value.high, value.low);
}

std::string DigestOfFile(const std::string& path) {
  std::error_code code;
  if (!std::filesystem::is_regular_file(path, code)) return "";
  std::ifstream file(path, std::ios::binary);
  std::vector<char> block(size_t{1} << 18);
  Digest digest;
  while (file.read(block.data(), static_cast<std::streamsize>(block.size())) || file.gcount() > 0) {
    digest.Add(block.data(), static_cast<size_t>(file.gcount()));
  }
  return file.eof() ? digest.Hex() : "";
}

}  // namespace poolproof
