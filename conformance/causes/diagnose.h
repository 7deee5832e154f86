// Names the known cause of a wrong result: the published bug, or kind of bug, that gives just it.
#pragma once

#include <bitset>
#include <optional>
#include <string>
#include <vector>

#include "conformance/judge/oracle.h"

namespace poolproof {

inline constexpr size_t kMaxCauses = 256;
using CauseSet = std::bitset<kMaxCauses>;  // bit i: the result equals that of known cause i

// A known cause, in the order of the bits of a CauseSet.
struct Cause {
  std::string id;            // "onnxruntime-29629"
  std::string title;         // "divisor counts taps past the padded end"
  std::string effect;        // what a user sees
  std::string link;          // public report; may be empty
  std::optional<Role> role;  // of the attribute that is misread
};
const std::vector<Cause>& Causes();
// Whether cause `m` can explain results of the operator.
bool CauseAppliesTo(size_t m, std::string_view op);

// A number that results are never below, or never above.
struct Bound {
  bool is_floor = true;
  long double value = 0;  // as each element type holds it
  std::string text;
};
// Whether the operator has such results: maxima, which a start value holds up; all, which a clamp holds down.
bool BoundAppliesTo(const Bound& bound, std::string_view op);

// One per thread; reuses its memory.
class Diagnostician {
 public:
  // The causes that give exactly `got` for `call` and something else than `expected`.
  CauseSet Diagnose(Call& call, const Expected& expected, const Result& got);

  // The result of cause `m` for `call`, until the next call; nullptr where it has nothing to do with the
  // operator.
  const Result* Give(size_t m, Call& call, const Expected& expected);
  // Expected values within a bound, until the next call; where it holds, an index is 0.
  const Result& GiveBounded(const Bound& bound, const Expected& expected);
  // The last result, and the answer of the cause to infer_shapes then.
  const Result& given() const { return result_; }
  poolproof_status inferred() const { return inferred_; }

 private:
  bool Infer(size_t m, Call& call, const Expected& expected, bool compute);
  void Run(size_t m, Call& call, const Expected& expected);

  Result result_;
  poolproof_status inferred_ = POOLPROOF_OK;
  std::array<std::vector<std::byte>, kMaxOutputs> memory_;
};

}  // namespace poolproof
