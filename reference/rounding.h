// Evidence of the answers of a backend for the rule by which it rounds quotients.
//
// A rule need not have a name to be one rule. What it does with a quotient is asked in questions
// that any rule answers always alike: of which sign the quotient is, whether the integer below it
// is odd, and whether it lies below, at or above the middle between two integers. Quotients so
// close to the middle or to an integer that multiplying by a reciprocal could move them across are
// left out, and so are middles of divisors that have no exact reciprocal, but for one divisor.
#pragma once

#include <cstdint>

namespace poolproof::reference {

inline constexpr int kRoundingQuestions = 16;

// The question that sum / divisor asks, divisor > 0; -1 where it asks none.
int RoundingQuestion(__int128 sum, int64_t divisor);

struct RoundingAnswers {
  bool open = false;     // some quotient was no integer
  uint32_t named = ~0u;  // bit r: every quotient is what reading r of the entry gives
  // Bit q: question q was answered with the integer below the quotient; bit 16 + q: with the one
  // above.
  uint32_t answers = 0;

  // Notes that `got` was answered to sum / divisor.
  void Note(__int128 sum, int64_t divisor, __int128 got);
};

}  // namespace poolproof::reference
