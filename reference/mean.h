// Exact means: sums without rounding errors that could be seen, and one rounding at the end.
#ifndef POOLPROOF_REFERENCE_MEAN_H_
#define POOLPROOF_REFERENCE_MEAN_H_

#include <cmath>
#include <cstdint>
#include <limits>

#include "reference/element.h"
#include "reference/plan.h"

namespace poolproof::reference {

// An f64, and with it every smaller float, must be summed without overflow and with bits to spare.
static_assert(std::numeric_limits<long double>::digits >= 64 &&
              std::numeric_limits<long double>::max_exponent > 2 * 1024);

// A sum of floats as the unevaluated pair high + low, together over 120 significant bits: low
// gathers, exactly, what each addition to high rounds away.
//
// Infinities and NaN go as IEEE 754 has it: NaN or both infinities give NaN, one infinity itself.
class FloatSum {
 public:
  void Add(long double x) {
    const long double sum = high_ + x;
    const long double x_part = sum - high_;
    low_ += (high_ - (sum - x_part)) + (x - x_part);
    high_ = sum;
  }

  // The sum divided by `divisor`, rounded to odd: exact where long double holds it, otherwise the
  // neighbour with an odd last bit. Rounding that to any narrower float type gives what rounding
  // the exact quotient would give.
  long double DividedBy(long double divisor) const;

 private:
  long double high_ = 0;
  long double low_ = 0;
};

// The exact sum of integers of up to 64 bits: 2^63 of them do not overflow.
using IntegerSum = __int128;

// sum / divisor for divisor > 0, by a reading of avg-integer-rounding.
IntegerSum RoundQuotient(IntegerSum sum, int64_t divisor, AvgIntegerRounding rounding);

}  // namespace poolproof::reference

#endif  // POOLPROOF_REFERENCE_MEAN_H_
