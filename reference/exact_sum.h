// Exact means of floats: sums without any rounding, and one rounding at the end.
#ifndef POOLPROOF_REFERENCE_EXACT_SUM_H_
#define POOLPROOF_REFERENCE_EXACT_SUM_H_

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>
#include <limits>
#include <span>
#include <type_traits>

namespace poolproof::reference {

// A quotient is handed on as a long double, which has to have room for two bits more than an f64.
static_assert(std::numeric_limits<long double>::digits >= 64 &&
              std::numeric_limits<long double>::max_exponent > 2 * 1024);

// The integer whose digits to the base 2^32 are `digits`, least first and each of any sign, times
// 2^exponent, divided by `divisor` > 0 and rounded to odd: exact where 64 bits hold it, otherwise
// the neighbour with an odd last bit. Rounding that to any narrower float type gives what rounding
// the exact quotient would give.
long double DivideDigits(std::span<const int64_t> digits, int exponent, int64_t divisor);

// The sum of up to 2^30 floats or doubles as a fixed-point number that holds every bit of them.
//
// Infinities and NaN go as IEEE 754 has it: NaN or both infinities give NaN, one infinity itself.
template <typename T>
class ExactSum {
  using Limits = std::numeric_limits<T>;
  static_assert(Limits::is_iec559 && Limits::radix == 2);
  using Bits = std::conditional_t<sizeof(T) == 4, uint32_t, uint64_t>;
  static constexpr int kFraction = Limits::digits - 1;
  static constexpr int kFields = 2 * Limits::max_exponent;  // values of the exponent field
  static constexpr int kLowest = Limits::min_exponent - Limits::digits;  // of the last bit
  // The highest digit that a value begins in, two more for its bits, one for what many make of it.
  static constexpr size_t kDigits = kFields / 32 + 3;

 public:
  void Add(T x) {
    const Bits bits = std::bit_cast<Bits>(x);
    const int field = static_cast<int>(bits >> kFraction) & (kFields - 1);
    if (field == kFields - 1) {
      not_finite_ += x;
      return;
    }
    top_ = std::max(top_, field);
    // The value is `units` times the smallest positive one times 2^place.
    const Bits fraction = bits & ((Bits{1} << kFraction) - 1);
    const Bits units = field == 0 ? fraction : fraction | Bits{1} << kFraction;
    const int place = field == 0 ? 0 : field - 1;
    const bool negative = bits >> (8 * sizeof(T) - 1) != 0;
    AddAt(static_cast<size_t>(place / 32), units, place % 32, negative);
  }

  // The sum divided by `divisor` > 0, rounded to odd.
  long double DividedBy(int64_t divisor) const {
    if (not_finite_ != 0) return not_finite_;
    return DivideDigits(digits_, kLowest, divisor);
  }

  // Every value is below 2^this in magnitude.
  int MaxExponent() const { return top_ - kFields / 2 + 2; }

 private:
  void AddAt(size_t digit, Bits units, int shift, bool negative) {
    if constexpr (sizeof(T) == 4) {
      const int64_t shifted = static_cast<int64_t>(units) << shift;  // 24 + 31 bits
      AddSigned(digit, negative ? -shifted : shifted);
    } else {
      const int64_t low = static_cast<int64_t>((units & 0xFFFFFFFFu) << shift);
      const int64_t high = static_cast<int64_t>((units >> 32) << shift);
      AddSigned(digit, negative ? -low : low);
      AddSigned(digit + 1, negative ? -high : high);
    }
  }

  // Each digit takes 32 bits of a value, so that 2^30 of them fit in an int64_t.
  void AddSigned(size_t digit, int64_t value) {
    digits_[digit] += static_cast<int64_t>(static_cast<uint32_t>(value));
    digits_[digit + 1] += value >> 32;
  }

  std::array<int64_t, kDigits> digits_{};
  int top_ = 0;        // the highest exponent field
  T not_finite_ = 0;  // the sum of what is not finite
};

}  // namespace poolproof::reference

#endif  // POOLPROOF_REFERENCE_EXACT_SUM_H_
