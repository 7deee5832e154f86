#include "reference/rounding.h"

#include <cassert>

namespace poolproof::reference {
namespace {

// A reciprocal of 14 bits and more moves a quotient of this magnitude by less than 1 / kMargin.
constexpr int kMaxQuotient = 128;
constexpr int kMargin = 64;
// The divisor without exact reciprocal whose middles are asked about.
constexpr int64_t kOddDivisor = 6;

struct Floor {
  __int128 quotient, rest;
};

Floor FloorOf(__int128 sum, int64_t divisor) {
  assert(divisor > 0);
  // Processors divide 64 bits by themselves, and 128 only in a function.
  const auto narrow = static_cast<int64_t>(sum);
  Floor floor = {narrow / divisor, narrow % divisor};
  if (narrow != sum) floor = {sum / divisor, sum % divisor};
  if (floor.rest < 0) {
    --floor.quotient;
    floor.rest += divisor;
  }
  return floor;
}

int QuestionOf(const Floor& floor, int64_t divisor) {
  const auto& [quotient, rest] = floor;
  if (rest == 0 || quotient < -kMaxQuotient || quotient >= kMaxQuotient) return -1;
  const int sign_and_parity = (quotient < 0 ? 2 : 0) + (quotient % 2 != 0 ? 1 : 0);
  const __int128 past_middle = 2 * rest - divisor;
  if (past_middle == 0) {
    const bool power_of_two = (divisor & (divisor - 1)) == 0;
    return power_of_two ? 8 + sign_and_parity : divisor == kOddDivisor ? 12 + sign_and_parity : -1;
  }
  const __int128 from_middle = past_middle < 0 ? -past_middle : past_middle;
  const bool close = rest * kMargin < divisor || (divisor - rest) * kMargin < divisor ||
                     from_middle * kMargin < 2 * static_cast<__int128>(divisor);
  return close ? -1 : sign_and_parity + (past_middle > 0 ? 4 : 0);
}

}  // namespace

int RoundingQuestion(__int128 sum, int64_t divisor) { return QuestionOf(FloorOf(sum, divisor), divisor); }

void RoundingAnswers::Note(__int128 sum, int64_t divisor, __int128 got) {
  const Floor floor = FloorOf(sum, divisor);
  const int question = QuestionOf(floor, divisor);
  const __int128 above = got - floor.quotient;
  if (question < 0 || above < 0 || above > 1) return;
  answers |= 1u << (question + (above == 1 ? kRoundingQuestions : 0));
}

}  // namespace poolproof::reference
