// Digests of answers, cases and files: XXH3 of 128 bits. They tell what differs by accident; whoever
// can write a file can write its digest as well.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

namespace poolproof {

class Digest {
 public:
  struct Bits {
    uint64_t high, low;
  };

  Digest();
  ~Digest();

  Digest& Add(const void* bytes, size_t count);
  Digest& Add(std::string_view text) { return Add(text.data(), text.size()); }

  Bits Value() const;
  // 32 lowercase hexadecimal digits, as `xxhsum -H2` prints them.
  std::string Hex() const;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

// Hex() of what a regular file holds; empty where there is none that can be read.
std::string DigestOfFile(const std::string& path);

}  // namespace poolproof
