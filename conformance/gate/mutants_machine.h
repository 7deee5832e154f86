// The proof of the suite by mutants that a machine made: what becomes of each, and the page that says it.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <thread>
#include <vector>

#include "conformance/causes/machine/machine.h"
#include "conformance/gate/command.h"

namespace poolproof {

struct MachineOptions {
  std::string folder, only, argued, write;
  uint64_t sample = 0, seed = 1;
  uint64_t random = 10000;
  int jobs = static_cast<int>(std::max(1u, std::thread::hardware_concurrency()));
  double timeout = 2;
  bool list = false;
};

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

// The libraries: the oracle, which takes readings as options, and the fast implementation.
inline constexpr std::string_view kMachineLibraries[] = {"poolproof_machine_reference", "poolproof_machine_optimized"};
// The mutants of one; empty and a sentence where there are none.
std::span<const machine::Mutant> MutantsOf(const std::string& library, std::string* sentence);

// Runs the mutants on as many threads as the options say; false and a sentence where the runner fails.
bool RunMachineMutants(const Specs& specs, const MachineOptions& options, std::vector<MachineMutant>* mutants,
                       Error* error);

// The page of --write.
std::string MachinePage(const std::vector<MachineMutant>& mutants);

}  // namespace poolproof
