#include <fmt/format.h>

#include <map>

#include "conformance/gate/mutants_machine.h"

namespace poolproof {
namespace {

struct Counts {
  uint64_t mutants = 0, caught[3] = {}, refuses = 0, argued = 0, survivors = 0;

  void Add(const MachineMutant& m) {
    ++mutants;
    ++(m.Caught()              ? caught[static_cast<size_t>(m.by)]
       : m.argument != nullptr ? argued
       : m.refuses             ? refuses
                               : survivors);
  }
  std::string Row(const std::string& name) const {
    return fmt::format("| {} | {} | {} | {} | {} | {} | {} | {} |\n", name, mutants, caught[0], caught[1], caught[2],
                       refuses, argued, survivors);
  }
};

std::string Code(const MachineMutant& mutant) { return fmt::format("- `{}`\n", mutant.mutant->Key()); }

constexpr char kHead[] =
    "# Mutants made by machine\n\n"
    "Every operator and constant of the oracle, and of the planning of the fast implementation, was replaced by\n"
    "others, one at a time (how: conformance/causes/machine/transform.py, where not: left_out.txt); each change is a\n"
    "backend, which the default gate has to fail, here already without its sizes and networks and with 10,000 of\n"
    "its random problems. Some mutants only a backend comes to that reads the documents otherwise. *Otherwise*: where\n"
    "they are silent, and the same gate fails it. *Chosen*: where such a backend deviates without the mutant too, or\n"
    "where the mutant is a rule of its own that the silence allows; a gate for which the reading is chosen fails it.\n"
    "Where no answer can be wrong for a mutant, that is argued below (list: argued.txt). This page is\n"
    "written by\n\n"
    "```sh\nbuild/bin/conformance machine-mutants --write build/machine-mutants.md\n```\n\n";

std::string Table(const std::vector<MachineMutant>& mutants) {
  std::map<std::string, Counts> files;
  Counts all;
  for (const MachineMutant& mutant : mutants) {
    files[mutant.mutant->file].Add(mutant);
    all.Add(mutant);
  }
  std::string text =
      "| file | mutants | caught | otherwise | chosen | unsupported | argued | survivors |\n"
      "| --- | --- | --- | --- | --- | --- | --- | --- |\n";
  for (const auto& [name, counts] : files) text += counts.Row(name);
  text += all.Row("**all**");
  const uint64_t caught = all.caught[0] + all.caught[1], open = caught + all.survivors;
  if (open > 0) {
    text += fmt::format("\nOf the {} that make a backend wrong which the default gate can see, it catches {:.2f} %.\n",
                        open, 100.0 * static_cast<double>(caught) / static_cast<double>(open));
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
