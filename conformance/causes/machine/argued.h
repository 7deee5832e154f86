// Mutants made by machine that no gate can catch, each with the reason: argued.txt.
//
// Every line is one of
//   = REASON                                       of what follows, up to the next
//   FILE FUNCTION: if (a [< -> <=] b) return;      a mutant, by its line of the source
// FUNCTION is - outside of functions. Lines of the source are named by what they say, so that an argument
// goes where its line goes, and is to be made anew when the line changes.
#ifndef POOLPROOF_CONFORMANCE_CAUSES_MACHINE_ARGUED_H_
#define POOLPROOF_CONFORMANCE_CAUSES_MACHINE_ARGUED_H_

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "conformance/causes/machine/machine.h"

namespace poolproof::machine {

class Arguments {
 public:
  // The file as it was when this was built.
  static std::string_view BuiltIn();
  // "" where `text` can be read, otherwise a sentence.
  std::string Read(std::string_view text, const std::string& name);

  // The reason, or nullptr.
  const std::string* ReasonOf(const Mutant& mutant);
  // Those that no mutant had when it was asked for.
  std::vector<std::string> Unused() const;

 private:
  struct Reason {
    std::string text;
    bool used = false;
  };
  std::map<std::string, Reason, std::less<>> by_key_;
};

}  // namespace poolproof::machine

#endif  // POOLPROOF_CONFORMANCE_CAUSES_MACHINE_ARGUED_H_
