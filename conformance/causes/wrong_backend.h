// Wrong backends made of mutants: each part is a mutant that is active where a condition holds. They
// prove the diagnosis, which knows the mutants but not where they are active, nor which are combined.
//
//   strides-reversed where width >= 32
//   exclude-pad-ignored where type = f16 + index-in-8-bits
//   stale pad_begin,pad_end by shape,kernel
//
// Instead of a mutant there may be a form, which the diagnosis does not know. The last is neither: the lists
// named first, as the first call had them that had the same shape (and the other lists named), are used for all such
// calls. Conditions are those of docs/expressions.md, over what a backend can know of a call.
#pragma once

#include <map>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "conformance/causes/mutant.h"
#include "conformance/expression/expression.h"

namespace poolproof::mutants {

struct WrongPart {
  const Mutant* mutant = nullptr;               // nullptr: a stale cache
  std::optional<expression::Expression> where;  // unset: everywhere
  std::vector<Role> stale, key;                 // of lists
};

// Ways to be wrong that are not mutants, and the one with this name, or nullptr.
std::span<const Mutant> Forms();
const Mutant* FindForm(std::string_view id);

// Nothing where `text` is none, with a sentence without full stop. "none" has no parts.
std::optional<std::vector<WrongPart>> ParseWrongBackend(std::string_view text, Error* error);

// A line of faults.txt or field.txt: what is wrong, and which names are right for it.
struct FaultLine {
  std::string faults;
  std::vector<std::vector<std::string>> names;  // of each part; {"nothing"} where none may be named, {"by:width"} where
                                                // a rule may describe it that speaks of the width
  bool wrong = false;                           // another name is known to come first, or none
  size_t groups = 0;                            // at most, as far as is known
};
std::vector<FaultLine> FaultLines();
// Lines of field.txt, the defects of libraries.
std::vector<FaultLine> FieldLines();

// State that a wrong backend keeps from call to call.
struct Memory {
  std::vector<State> states;  // of each part
  std::map<std::pair<std::string, Role>, IntList> cache;
};

// As poolproof_backend::infer_shapes and run; `readings` are those of a backend that is right but for its parts.
// `error` is the reason of a refusal.
poolproof_status Infer(std::span<const WrongPart> parts, const reference::Readings& readings, Memory* memory,
                       const poolproof_call& call, std::string* error);
poolproof_status Run(std::span<const WrongPart> parts, const reference::Readings& readings, Memory* memory,
                     const poolproof_call& call, std::string* error);

}  // namespace poolproof::mutants
