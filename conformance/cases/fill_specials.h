// Where the fill `specials` puts its values.
#pragma once

#include <cstdint>

#include "conformance/cases/problem.h"

namespace poolproof::fill {

// The seed of `specials` says what goes where: seed = kind + kKinds * place + kKinds * kPlaces *
// rest. Integer types take lowest for even kinds and highest for odd ones.
enum class SpecialKind : uint8_t {
  kNan,
  kNegativeNan,
  kInfinity,
  kMinusInfinity,
  kZero,
  kMinusZero,
  kLowest,
  kHighest
};
enum class SpecialPlace : uint8_t { kFirst, kLast, kCorners, kPadAdjacent, kMixed };
inline constexpr uint64_t kSpecialKinds = 8;
inline constexpr uint64_t kSpecialPlaces = 5;

// How the feature map lies in memory: spatial axes (size, stride) and how to step through planes.
struct Planes {
  int rank = 0;
  int64_t size[POOLPROOF_MAX_RANK] = {};
  int64_t stride[POOLPROOF_MAX_RANK] = {};
  int64_t count = 0;  // planes
  int64_t step = 0;   // elements from one plane to the next
};
// For a shape that the layout does not fit, one plane with one axis of all elements.
Planes PlanesOf(const Problem& problem);

// Calls visit(flat offset) for the places inside the plane at `base`; `random` chooses where on a
// face a pad-adjacent tap lies. kMixed: all the other places.
template <typename Visit>
void VisitPlaces(const Planes& planes, int64_t base, SpecialPlace place, uint32_t random, const Visit& visit) {
  const bool mixed = place == SpecialPlace::kMixed;
  int64_t last = base;
  for (int a = 0; a < planes.rank; ++a) last += (planes.size[a] - 1) * planes.stride[a];
  if (mixed || place == SpecialPlace::kFirst) visit(base);
  if (mixed || place == SpecialPlace::kLast) visit(last);
  if (mixed || place == SpecialPlace::kCorners) {
    for (unsigned corner = 0; corner < (1u << planes.rank); ++corner) {
      int64_t offset = base;
      for (int a = 0; a < planes.rank; ++a) {
        if (corner >> a & 1u) offset += (planes.size[a] - 1) * planes.stride[a];
      }
      visit(offset);
    }
  }
  if (!mixed && place != SpecialPlace::kPadAdjacent) return;
  for (int face = 0; face < 2 * planes.rank; ++face) {
    int64_t offset = base;
    for (int a = 0; a < planes.rank; ++a) {
      const int64_t within = (random >> (3 * a)) % static_cast<uint64_t>(planes.size[a]);
      const int64_t border = face % 2 == 0 ? 0 : planes.size[a] - 1;
      offset += (a == face / 2 ? border : within) * planes.stride[a];
    }
    visit(offset);
  }
}

}  // namespace poolproof::fill
