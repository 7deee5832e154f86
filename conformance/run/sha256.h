// SHA-256 (FIPS 180-4), so that digests of the suite can be checked with the tools of any system.
#ifndef POOLPROOF_CONFORMANCE_RUN_SHA256_H_
#define POOLPROOF_CONFORMANCE_RUN_SHA256_H_

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace poolproof {

class Sha256 {
 public:
  using Digest = std::array<uint8_t, 32>;

  Sha256& Add(const void* bytes, size_t count);
  Sha256& Add(std::string_view text) { return Add(text.data(), text.size()); }
  // Of all that was added. Nothing may be added afterwards.
  Digest Finish();

 private:
  void Block(const uint8_t* bytes);

  std::array<uint32_t, 8> state_ = {0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a,
                                    0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19};
  std::array<uint8_t, 64> block_{};
  uint64_t bytes_ = 0;
};

// The first `bytes` of a digest in lowercase hexadecimal.
std::string Hex(const Sha256::Digest& digest, size_t bytes);

}  // namespace poolproof

#endif  // POOLPROOF_CONFORMANCE_RUN_SHA256_H_
