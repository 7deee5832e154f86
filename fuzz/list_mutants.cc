// Prints every mutant: its id, a tab, and the verdicts that the gate may give it.
#include <cstdio>

#include "conformance/causes/mutant.h"

int main() {
  for (const poolproof::mutants::Mutant& mutant : poolproof::mutants::Mutants()) {
    std::printf("%.*s\t%.*s\n", static_cast<int>(mutant.id.size()), mutant.id.data(),
                static_cast<int>(mutant.verdicts.size()), mutant.verdicts.data());
  }
  return 0;
}
