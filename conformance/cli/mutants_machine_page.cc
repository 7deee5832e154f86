#include <fmt/format.h>

#include <map>

#include "conformance/cli/mutants_machine.h"

namespace poolproof {
namespace {

struct Counts {
  uint64_t mutants = 0, caught = 0, other_reading = 0, refuses = 0, argued = 0, survivors = 0;

  void Add(const MachineMutant& m) {
    ++mutants;
    ++(m.Caught() ? (m.other_reading ? other_reading : caught)
                  : m.argument != nullptr ? argued : m.refuses ? refuses : survivors);
  }
  std::string Row(const std::string& name) const {
    return fmt::format("| {} | {} | {} | {} | {} | {} | {} |\n", name, mutants, caught, other_reading, refuses,
                       argued, survivors);
  }
};

std::string Code(const MachineMutant& mutant) {
  return fmt::format("- `{}`\n", mutant.mutant->Key());
}

constexpr char kHead[] =
    "# Mutants made by machine\n\n"
    "Every operator and constant of the oracle, and of the planning of the fast implementation, was replaced by\n"
    "others, one at a time ([how](machine/transform.py), [where not](machine/left_out.txt)); each change is a\n"
    "backend, which the gate has to fail at its quick level with 50,000 random problems.\n"
    "Where no answer can be wrong for it, that is argued below ([list](machine/argued.txt)). This page is written by\n\n"
    "```sh\nbuild/bin/conformance machine-mutants --write conformance/mutants/MACHINE.md\n```\n\n";

std::string Table(const std::vector<MachineMutant>& mutants) {
  std::map<std::string, Counts> files;
  Counts all;
  for (const MachineMutant& mutant : mutants) {
    files[mutant.mutant->file].Add(mutant);
    all.Add(mutant);
  }
  std::string text =
      "| file | mutants | caught | caught under other readings | unsupported | argued | survivors |\n"
      "| --- | --- | --- | --- | --- | --- | --- |\n";
  for (const auto& [name, counts] : files) text += counts.Row(name);
  text += all.Row("**all**");
  const uint64_t caught = all.caught + all.other_reading, open = caught + all.survivors;
  if (open > 0) {
    text += fmt::format("\nOf the {} that answer wrongly {:.2f} % are caught.\n", open,
                        100.0 * static_cast<double>(caught) / static_cast<double>(open));
  }
  return text;
}

}  // namespace

std::string MachinePage(const std::vector<MachineMutant>& mutants) {
  std::string survivors;
  std::map<std::string, std::string> argued;  // by reason
  for (const MachineMutant& mutant : mutants) {
    if (mutant.Survives()) survivors += Code(mutant);
    if (!mutant.Caught() && mutant.argument != nullptr) argued[*mutant.argument] += Code(mutant);
  }
  std::string text = kHead + Table(mutants);
  text += "\n## Survivors\n\n" + (survivors.empty() ? "None.\n" : survivors);
  text += "\n## Argued\n";
  for (const auto& [reason, codes] : argued) text += fmt::format("\n{}\n\n{}", reason, codes);
  return text;
}

}  // namespace poolproof
