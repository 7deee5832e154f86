#include "conformance/cases/fill.h"

#include <algorithm>
#include <array>

#include "conformance/cases/fill_quotients.h"
#include "conformance/cases/fill_specials.h"
#include "conformance/cases/fill_value.h"
#include "conformance/cases/geometry.h"

namespace poolproof {
namespace {

using namespace fill;  // NOLINT: this file is the one user of the values

enum class Fill {
  kDistinct,
  kTies,
  kNegative,
  kLowest,
  kMinusInfinity,
  kSpecials,
  kExact,
  kExtreme,
  kRandom,
  kHighest,
  kOutliers,
  kQuotients
};
constexpr std::array<std::string_view, 12> kNames = {
    "distinct", "ties",    "negative", "lowest",  "minus-infinity",     "specials",
    "exact",    "extreme", "random",   "highest", poolproof::kOutliers, poolproof::kQuotients};
constexpr size_t kPlannedOnly = 2;  // the last ones

// Everything a fill may depend on: the element number and two words made of the seed.
struct Source {
  uint32_t seed_word;
  uint64_t seed;
  uint32_t Word(uint32_t i) const { return Mix(i + seed_word); }
  uint64_t Word64(uint32_t i) const { return Mix64(i + seed); }
};

template <typename T, typename Make>
void Generate(int64_t elements, T* out, const Make& make) {
  for (int64_t i = 0; i < elements; ++i) out[i] = make(static_cast<uint32_t>(i));
}

// A bijection of [0, 2^bits): 2^bits is at least the number of elements, so no value comes twice.
class Permutation {
 public:
  Permutation(int64_t elements, uint64_t seed) {
    while (bits_ < 32 && (int64_t{1} << bits_) < elements) ++bits_;
    mask_ = bits_ == 32 ? ~uint32_t{0} : (uint32_t{1} << bits_) - 1;
    offset_ = static_cast<uint32_t>(Mix64(seed));
    factor_ = static_cast<uint32_t>(Mix64(seed + 1)) | 1u;
    shift_ = (bits_ + 1) / 2;
  }
  int Bits() const { return bits_; }
  uint32_t operator()(uint32_t i) const {
    uint32_t x = ((i + offset_) * factor_) & mask_;
    x ^= x >> shift_;
    x = (x * 0x9e3779b1u) & mask_;
    return x ^ (x >> shift_);
  }

 private:
  int bits_ = 1, shift_ = 1;
  uint32_t mask_ = 1, offset_ = 0, factor_ = 1;
};

// Half floats with more elements than small integers: every finite value in turn.
template <typename T>
T HalfByRank(uint32_t rank) {
  constexpr uint32_t kFinite = T::kInfinity;
  const uint32_t wrapped = rank % (2 * kFinite);
  return {static_cast<uint16_t>(wrapped < kFinite ? wrapped : 0x8000u | (wrapped - kFinite))};
}

template <typename T>
void FillDistinct(int64_t elements, uint64_t seed, T* out) {
  const Permutation permutation(elements, seed);
  const auto center = static_cast<int64_t>(uint64_t{1} << (permutation.Bits() - 1));
  if constexpr (kIsHalf<T>) {
    if (permutation.Bits() > T::kExactBits) {
      return Generate(elements, out, [&](uint32_t i) { return HalfByRank<T>(permutation(i)); });
    }
  }
  if constexpr (!kIsFloat<T>) {
    // Odd seeds spread the values over the whole range of the type: an odd factor is a bijection.
    using Unsigned = std::make_unsigned_t<T>;
    const auto factor = static_cast<uint64_t>(seed % 2 == 0 ? 1 : 0x9e3779b97f4a7c15u);
    const int64_t low = std::is_signed_v<T> ? center : 0;
    return Generate(elements, out, [&](uint32_t i) {
      const auto value = static_cast<uint64_t>(int64_t{permutation(i)} - low);
      return static_cast<T>(static_cast<Unsigned>(value * factor));
    });
  } else if constexpr (kIsHalf<T>) {
    Generate(elements, out,
             [&](uint32_t i) { return T::FromInt(static_cast<int32_t>(int64_t{permutation(i)} - center)); });
  } else {
    Generate(elements, out, [&](uint32_t i) { return static_cast<T>(int64_t{permutation(i)} - center); });
  }
}

template <typename T>
T Negative(uint32_t word) {
  const auto magnitude = static_cast<int32_t>(word & 63u) + 1;
  return FromInt<T>(std::is_unsigned_v<T> ? magnitude : -magnitude);
}

template <typename T>
T Special(SpecialKind kind) {
  if constexpr (kIsFloat<T>) {
    switch (kind) {
      case SpecialKind::kNan: return QuietNan<T>();
      case SpecialKind::kNegativeNan: return Negate(QuietNan<T>());
      case SpecialKind::kInfinity: return Negate(MinusInfinity<T>());
      case SpecialKind::kMinusInfinity: return MinusInfinity<T>();
      case SpecialKind::kZero: return FromInt<T>(0);
      case SpecialKind::kMinusZero: return Negate(FromInt<T>(0));
      case SpecialKind::kLowest: return Lowest<T>();
      case SpecialKind::kHighest: return Highest<T>();
    }
  }
  return static_cast<unsigned>(kind) % 2 == 0 ? Lowest<T>() : Highest<T>();
}

// The rest of the tensor lets the special value decide: below zeros only negative values, below
// the lowest value only minus infinity.
template <typename T>
void FillAroundSpecial(int64_t elements, SpecialKind kind, uint64_t rest, T* out) {
  const Source source{static_cast<uint32_t>(Mix64(rest)), rest};
  const bool zero = kind == SpecialKind::kZero || kind == SpecialKind::kMinusZero;
  if (kIsFloat<T> && zero) {
    const T other = Special<T>(kind == SpecialKind::kZero ? SpecialKind::kMinusZero : SpecialKind::kZero);
    Generate(elements, out, [&](uint32_t i) {
      const uint32_t word = source.Word(i);
      return word >> 30 == 0 ? other : Negative<T>(word);
    });
  } else if (kind == SpecialKind::kLowest && rest % 2 == 1) {
    Generate(elements, out, [&](uint32_t) { return MinusInfinity<T>(); });
  } else {
    FillDistinct(elements, rest, out);
  }
}

template <typename T>
void FillSpecials(const Problem& problem, int64_t elements, T* out) {
  const auto kind = static_cast<SpecialKind>(problem.seed % kSpecialKinds);
  const auto place = static_cast<SpecialPlace>(problem.seed / kSpecialKinds % kSpecialPlaces);
  const uint64_t rest = problem.seed / (kSpecialKinds * kSpecialPlaces);
  FillAroundSpecial(elements, kind, rest, out);
  const Planes planes = PlanesOf(problem);
  for (int64_t plane = 0; plane < planes.count; ++plane) {
    const uint32_t random = Mix(static_cast<uint32_t>(plane) + static_cast<uint32_t>(rest));
    uint32_t visited = 0;
    VisitPlaces(planes, plane * planes.step, place, random, [&](int64_t offset) {
      // Mixed: every other place takes another kind.
      const bool other = place == SpecialPlace::kMixed && visited++ % 2 == 1;
      const auto mixed = static_cast<SpecialKind>((random + visited) % kSpecialKinds);
      out[offset] = Special<T>(other ? mixed : kind);
    });
  }
}

template <typename T>
T Extreme(uint32_t word) {
  const unsigned steps = word >> 8 & 3u;
  return word % 2 == 0 ? Lowest<T>(steps) : Highest<T>(steps);
}

// One in eight is so large that no sum holds it and one of the others; for integers there is no such number.
template <typename T>
T OutlierOrSmall(uint32_t word) {
  const T small = FromInt<T>(1 + static_cast<int32_t>(word & 7u));
  const bool large = word >> 29 == 0;
  if constexpr (std::is_same_v<T, F16>) {
    // Sums may be in f32, which holds 49,152 and small integers: those of 2^-9 vanish beside it.
    return large ? F16{static_cast<uint16_t>(0x7a00u | (word >> 8 & 0x8000u))}
                 : F16{static_cast<uint16_t>(0x1800u + (word & 0x3ffu))};
  } else if constexpr (std::is_same_v<T, Bf16>) {
    return large ? Bf16{static_cast<uint16_t>(0x5d80u | (word >> 8 & 0x8000u))} : small;
  } else if constexpr (kIsFloat<T>) {
    constexpr T kLarge = static_cast<T>(uint64_t{1} << 60);
    return large ? (word >> 8 & 1u ? kLarge : -kLarge) : small;
  } else {
    return large ? Highest<T>() : small;
  }
}

template <typename T>
void FillByWord(Fill fill, int64_t elements, Source source, T* out) {
  const auto make = [&](const auto& value) {
    Generate(elements, out, [&](uint32_t i) { return value(source.Word(i)); });
  };
  const T small = FromInt<T>(static_cast<int32_t>(source.seed_word % 100));
  switch (fill) {
    case Fill::kTies:
      return make(
          [](uint32_t w) { return FromInt<T>(static_cast<int32_t>(w >> 30) - (std::is_unsigned_v<T> ? 0 : 2)); });
    case Fill::kNegative: return make([](uint32_t w) { return Negative<T>(w); });
    case Fill::kLowest:
      return make([&](uint32_t w) { return w >> 28 != 0 ? Lowest<T>() : w & 1u ? Lowest<T>(1) : small; });
    case Fill::kHighest:
      return make([&](uint32_t w) { return w >> 28 != 0 ? Highest<T>() : w & 1u ? Highest<T>(1) : small; });
    case Fill::kMinusInfinity:
      return make([&](uint32_t w) { return w >> 28 != 0 ? MinusInfinity<T>() : w & 1u ? Lowest<T>() : small; });
    case Fill::kExtreme: return make([](uint32_t w) { return Extreme<T>(w); });
    case Fill::kOutliers: return make([](uint32_t w) { return OutlierOrSmall<T>(w); });
    default: return;
  }
}

// Taps of the largest window.
int64_t MostTaps(const Problem& problem) {
  int64_t taps = 1;
  for (int axis = 0; axis < problem.SpatialRank(); ++axis) {
    const int64_t size = SpatialSize(problem, axis);
    int64_t along = AxisValue(problem, Role::kKernel, axis, 1);
    if (static_cast<size_t>(axis) < problem.sizes.size) {
      const int64_t cells = std::max<int64_t>(problem.sizes[static_cast<size_t>(axis)], 1);
      along = size % cells == 0 ? size / cells : size / cells + 2;
    }
    taps *= std::clamp<int64_t>(along, 1, std::max<int64_t>(size, 1));
  }
  return taps;
}

// Integers of 4 bits, so few of them other than 0 that the type holds every sum over a window.
template <typename T>
void FillExact(const Problem& problem, int64_t elements, Source source, T* out) {
  int digits = 30;
  if constexpr (kIsHalf<T>) digits = T::kFraction + 1;
  if constexpr (std::is_same_v<T, float>) digits = 24;
  uint32_t thin = 1;
  for (const int64_t taps = MostTaps(problem); thin < (1u << 16) && taps * 8 / thin >> digits != 0;) {
    thin *= 2;
  }
  Generate(elements, out, [&](uint32_t i) {
    const uint32_t w = source.Word(i);
    if ((w & (thin - 1)) != 0) return FromInt<T>(0);
    return FromInt<T>(static_cast<int32_t>(w >> 28) - (std::is_unsigned_v<T> ? 0 : 8));
  });
}

// The sum that tells, spread over the plane from a place on that the seed says.
template <typename T>
void FillQuotients(const Problem& problem, int64_t elements, T* out) {
  int digits = 6;
  if constexpr (kIsHalf<T>) digits = T::kFraction + 1;
  const int64_t planes = std::max<int64_t>(PlanesOf(problem).count, 1), taps = std::max<int64_t>(elements / planes, 1);
  const int64_t sums[] = {TellingSumOf(digits, taps, taps + 1),
                          TellingSumOf(digits, taps, std::max<int64_t>(taps - 1, 1))};
  const auto begin = static_cast<int64_t>(problem.seed % static_cast<uint64_t>(taps));
  for (int64_t plane = 0; plane < planes; ++plane) {
    const int64_t sum = sums[plane % 2];
    for (int64_t i = 0; i < elements / planes; ++i) {
      const int64_t place = (begin + i) % taps;
      out[plane * taps + i] = FromInt<T>(static_cast<int32_t>(sum * (place + 1) / taps - sum * place / taps));
    }
  }
}

template <typename T>
void FillType(const Problem& problem, Fill fill, int64_t elements, T* out) {
  const Source source{static_cast<uint32_t>(Mix64(problem.seed)), Mix64(problem.seed)};
  switch (fill) {
    case Fill::kDistinct: return FillDistinct(elements, problem.seed, out);
    case Fill::kSpecials: return FillSpecials(problem, elements, out);
    case Fill::kExact: return FillExact(problem, elements, source, out);
    case Fill::kQuotients: return FillQuotients(problem, elements, out);
    case Fill::kRandom:
      if (problem.seed % 2 == 0) {
        return Generate(elements, out, [&](uint32_t i) { return Moderate<T>(source.Word64(i)); });
      }
      return Generate(elements, out, [&](uint32_t i) { return AnyFinite<T>(source.Word64(i)); });
    default: return FillByWord(fill, elements, source, out);
  }
}

void FillData(const Problem& problem, void* data) {
  for (size_t i = 0; i < problem.data.size(); ++i) {
    StoreElement(problem.type, problem.data[i], data, static_cast<int64_t>(i));
  }
}

}  // namespace

std::span<const std::string_view> FillNames() { return std::span(kNames).first(kNames.size() - kPlannedOnly); }

bool IsFill(std::string_view name) {
  return name == kNoFill || std::find(kNames.begin(), kNames.end(), name) != kNames.end();
}

void FillInput(const Problem& problem, void* data) {
  if (!problem.data.empty()) return FillData(problem, data);
  if (problem.ShapesAlone()) return;
  const auto fill = static_cast<Fill>(std::find(kNames.begin(), kNames.end(), problem.fill) - kNames.begin());
  const int64_t n = problem.Elements();
  switch (problem.type) {
    case POOLPROOF_F64: return FillType(problem, fill, n, static_cast<double*>(data));
    case POOLPROOF_F32: return FillType(problem, fill, n, static_cast<float*>(data));
    case POOLPROOF_F16: return FillType(problem, fill, n, static_cast<F16*>(data));
    case POOLPROOF_BF16: return FillType(problem, fill, n, static_cast<Bf16*>(data));
    case POOLPROOF_I8:
    case POOLPROOF_FX8: return FillType(problem, fill, n, static_cast<int8_t*>(data));
    case POOLPROOF_U8: return FillType(problem, fill, n, static_cast<uint8_t*>(data));
    case POOLPROOF_I16:
    case POOLPROOF_FX16: return FillType(problem, fill, n, static_cast<int16_t*>(data));
    case POOLPROOF_U16: return FillType(problem, fill, n, static_cast<uint16_t*>(data));
    case POOLPROOF_I32: return FillType(problem, fill, n, static_cast<int32_t*>(data));
    case POOLPROOF_U32: return FillType(problem, fill, n, static_cast<uint32_t*>(data));
    case POOLPROOF_I64: return FillType(problem, fill, n, static_cast<int64_t*>(data));
    case POOLPROOF_U64: return FillType(problem, fill, n, static_cast<uint64_t*>(data));
    default: return;
  }
}

std::vector<Number> InputValues(const Problem& problem) {
  const auto elements = static_cast<size_t>(problem.Elements());
  std::vector<uint64_t> memory(elements);  // 8 bytes serve every type
  FillInput(problem, memory.data());
  std::vector<Number> values(elements);
  for (size_t i = 0; i < elements; ++i) {
    values[i] = ElementAsNumber(problem.type, memory.data(), static_cast<int64_t>(i));
  }
  return values;
}

}  // namespace poolproof
