#include "conformance/run/digest.h"

#include <fmt/format.h>

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

}  // namespace poolproof
