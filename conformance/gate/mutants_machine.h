// The proof of the suite by mutants that a machine made: what became of each, and the page that says it.
#ifndef POOLPROOF_CONFORMANCE_GATE_MUTANTS_MACHINE_H_
#define POOLPROOF_CONFORMANCE_GATE_MUTANTS_MACHINE_H_

#include <cstdint>
#include <string>
#include <unordered_map>
#include <vector>

#include "conformance/cases/plan.h"
#include "conformance/causes/machine/machine.h"

namespace poolproof {

// The gate as it is, on a backend that reads as the documents say; on one that reads what they are silent about
// otherwise; or a gate for which its readings are chosen: without them a backend that comes to the mutant deviates
// anyway, or keeps a rule of its own, which the documents allow.
enum class CaughtBy : uint8_t { kGate, kGateOtherwise, kChoice };

struct MachineMutant {
  const machine::Mutant* mutant = nullptr;
  std::string library;
  const std::string* argument = nullptr;  // why no gate can catch it, if that is argued

  // Once it has been run: the verdict of the first case that failed and that case, "" where none did.
  std::string verdict, first;
  CaughtBy by = CaughtBy::kGate;
  bool refuses = false;  // it calls something unsupported, which is no failure
  bool Caught() const { return !verdict.empty(); }
  bool Survives() const { return !Caught() && !refuses && argument == nullptr; }
};

// Places in a plan, of more than so many some of all.
class SomeCases {
 public:
  void Add(uint64_t n);
  const std::vector<uint64_t>& All() const { return kept_; }

 private:
  static constexpr size_t kMost = 96;
  uint64_t seen_ = 0, step_ = 1;
  std::vector<uint64_t> kept_;
};

// By number of the mutant: cases in which it makes a difference where it is. In all others it answers as if it
// were not there.
using CasesOfMutants = std::unordered_map<uint32_t, SomeCases>;

// Finds them: runs the plan on the library, without any mutant, in this process.
bool TraceMutants(const Plan& plan, const std::string& library, const std::vector<std::string>& options,
                  CasesOfMutants* cases, Error* error);

// What conformance/causes/MACHINE.md holds.
std::string MachinePage(const std::vector<MachineMutant>& mutants);

}  // namespace poolproof

#endif  // POOLPROOF_CONFORMANCE_GATE_MUTANTS_MACHINE_H_
