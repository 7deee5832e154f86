// Exact means of floats: sums without any rounding, and one rounding at the end.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cassert>
#include <cmath>
#include <cstdint>
#include <limits>
#include <optional>
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

// A finite float or double as `units` times 2^exponent.
template <typename T>
struct Parts {
  using Bits = std::conditional_t<sizeof(T) == 4, uint32_t, uint64_t>;
  using Limits = std::numeric_limits<T>;
  static_assert(Limits::is_iec559 && Limits::radix == 2);
  static constexpr int kFraction = Limits::digits - 1;
  static constexpr int kFields = 2 * Limits::max_exponent;               // of the exponent
  static constexpr int kLowest = Limits::min_exponent - Limits::digits;  // of the smallest value

  explicit Parts(T x) {
    const Bits bits = std::bit_cast<Bits>(x);
    field = static_cast<int>(bits >> kFraction) & (kFields - 1);
    const Bits fraction = bits & ((Bits{1} << kFraction) - 1);
    units = field == 0 ? fraction : fraction | Bits{1} << kFraction;
    negative = bits >> (8 * sizeof(T) - 1) != 0;
  }
  bool IsFinite() const { return field != kFields - 1; }
  // The exponent is this more than kLowest.
  int Place() const { return field == 0 ? 0 : field - 1; }
  // A value that is not 0 is a multiple of 2^this.
  int LowestBit() const { return kLowest + Place() + std::countr_zero(units); }

  int field;
  Bits units;
  bool negative;
};

// The sum of up to 2^30 floats or doubles as a fixed-point number that holds every bit of them.
//
// Infinities and NaN go as IEEE 754 has it: NaN or both infinities give NaN, one infinity itself.
template <typename T>
class ExactSum {
  using Bits = typename Parts<T>::Bits;
  static constexpr int kFields = Parts<T>::kFields;
  // The highest digit that a value begins in, two more for its bits, one for what many make of it.
  static constexpr size_t kDigits = kFields / 32 + 3;

 public:
  void Add(T x) {
    const Parts<T> parts(x);
    if (!parts.IsFinite()) {
      not_finite_ += x;
      return;
    }
    top_ = std::max(top_, parts.field);
    AddAt(static_cast<size_t>(parts.Place() / 32), parts.units, parts.Place() % 32, parts.negative);
  }

  // The sum divided by `divisor` > 0, rounded to odd.
  long double DividedBy(int64_t divisor) const {
    if (not_finite_ != 0) return not_finite_;
    return DivideDigits(digits_, Parts<T>::kLowest, divisor);
  }

  // A power of two that no value reaches in magnitude.
  long double Largest() const { return std::ldexp(1.0L, top_ - kFields / 2 + 2); }

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
    assert(digit + 1 < kDigits);
    digits_[digit] += static_cast<int64_t>(static_cast<uint32_t>(value));
    digits_[digit + 1] += value >> 32;
  }

  std::array<int64_t, kDigits> digits_{};
  int top_ = 0;       // the highest exponent field
  T not_finite_ = 0;  // the sum of what is not finite
};

// The same sum where a plain one loses nothing, which it mostly does not, and is quicker.
template <typename T>
class PlainSum {
 public:
  void Add(T x) {
    const Wide sum = sum_ + x;
    const Wide x_part = sum - sum_;
    exact_ &= (sum_ - (sum - x_part)) + (x - x_part) == 0;  // what was rounded away; NaN is not 0
    sum_ = sum;
    largest_ = std::max<Wide>(largest_, std::fabs(x));
  }

  bool IsExact() const { return exact_; }
  long double Sum() const { return sum_; }
  // The largest of all values, in magnitude.
  long double Largest() const { return largest_; }

 private:
  using Wide = std::conditional_t<sizeof(T) == 4, double, long double>;
  Wide sum_ = 0, largest_ = 0;
  bool exact_ = true;
};

// sum / divisor as ExactSum::DividedBy gives it, but for bits beyond those that any narrower type can
// need; nothing where that cannot be told quickly. `sum` has at most 64 bits, divisor > 0.
std::optional<long double> DivideQuickly(long double sum, int64_t divisor);

}  // namespace poolproof::reference
