// Sums for the fill `quotients`, by which a divisor that is off by one shows.
#pragma once

#include <array>
#include <cmath>
#include <cstdint>
#include <map>

namespace poolproof::fill {

// A sum of taps that a float of some digits holds, as it does all partial sums of as many whole numbers.
struct TellingSum {
  int64_t sum = 1;
  double ulps = 0;  // from the exact mean to the quotient by the other divisor, rounded
};

// The unit in the last place of a float of `digits` digits at x > 0.
inline double UlpOf(double x, int digits) { return std::ldexp(1.0, std::ilogb(x) + 1 - digits); }

// The sum of which the quotient by `other` lies farthest from that by `taps`.
inline TellingSum FindTellingSum(int digits, int64_t taps, int64_t other) {
  TellingSum best;
  for (int64_t sum = 1; sum <= int64_t{1} << digits; ++sum) {
    const double exact = static_cast<double>(sum) / static_cast<double>(taps);
    const double wrong = static_cast<double>(sum) / static_cast<double>(other);
    const double unit = UlpOf(wrong, digits);
    const double ulps = std::fabs(std::nearbyint(wrong / unit) * unit - exact) / UlpOf(exact, digits);
    if (ulps > best.ulps) best = {sum, ulps};
  }
  return best;
}

// The same, remembered: problems with such a fill follow one another with the same windows.
inline int64_t TellingSumOf(int digits, int64_t taps, int64_t other) {
  thread_local std::map<std::array<int64_t, 3>, int64_t> known;
  const auto [found, is_new] = known.try_emplace({digits, taps, other});
  if (is_new) found->second = FindTellingSum(digits, taps, other).sum;
  return found->second;
}

}  // namespace poolproof::fill
