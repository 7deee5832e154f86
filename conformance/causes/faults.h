// Wrong backends made of mutants: each part is a mutant that is active where a condition holds. They
// prove the diagnosis, which knows the mutants but not where they are active, nor which are combined.
//
//   strides-reversed where width>=32
//   exclude-pad-ignored where type=f16 + index-in-8-bits
//   stale pads by shape,kernel
//
// Instead of a mutant there may be a form, which the diagnosis does not know. The last is neither: what was
// asked for the attributes named first in the first call that had the same shape (and the other attributes
// named) is used for all such calls.
#ifndef POOLPROOF_CONFORMANCE_CAUSES_FAULTS_H_
#define POOLPROOF_CONFORMANCE_CAUSES_FAULTS_H_

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "conformance/causes/mutant.h"
#include "conformance/format/error.h"

namespace poolproof::mutants {

// "width>=32", "rank=5", "width%8" (is no multiple), "type=f16". What may stand before the sign:
// batch, channels, depth, height, width, rank, kernel, stride, dilation, pad (the largest), taps, type.
struct FaultCondition {
  std::string of;
  char sign = 0;  // '>' at least, '<' at most, '=', '%'; 0: always
  int64_t number = 0;
  std::string word;  // of type

  bool Holds(const poolproof_call& call) const;
};

struct FaultPart {
  const Mutant* mutant = nullptr;  // nullptr: a stale cache
  FaultCondition where;
  std::vector<std::string> stale, key;  // attributes
};

// A way to be wrong that is no mutant; nullptr where there is none of this name.
const Mutant* FindForm(std::string_view id);

// Nothing where `text` is none, with a sentence without full stop.
std::optional<std::vector<FaultPart>> ParseFaults(std::string_view text, Error* error);

// A line of faults.txt: what is wrong, and which names are right for it.
struct FaultLine {
  std::string faults;
  std::vector<std::vector<std::string>> names;  // of each part; {"nothing"} where none may be named
  bool wrong = false;                           // another name is known to come first
  size_t groups = 0;                            // at most, as far as is known
};
std::vector<FaultLine> FaultLines();

// One backend instance.
struct FaultSession {
  std::vector<FaultPart> parts;
  std::vector<State> states;  // of each part
  std::map<std::string, std::vector<int64_t>> cache;
  std::string error;
};
poolproof_status Infer(FaultSession& session, const poolproof_call& call);
poolproof_status Run(FaultSession& session, const poolproof_call& call);

}  // namespace poolproof::mutants

#endif  // POOLPROOF_CONFORMANCE_CAUSES_FAULTS_H_
