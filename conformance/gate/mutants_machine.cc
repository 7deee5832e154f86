// `conformance machine-mutants`: runs every mutant that transform.py made through the gate.

#include "conformance/gate/mutants_machine.h"

#include <fmt/format.h>

#include <algorithm>
#include <fstream>
#include <map>
#include <memory>
#include <random>
#include <regex>
#include <set>
#include <sstream>

#include "argued_text.h"

namespace poolproof {
namespace {

// The keys of the mutants that a line names: each way of each place, the other places as the source has them.
std::vector<std::string> KeysOf(const std::string& line) {
  static const std::regex place(R"(\[([^\[\]]*) -> ([^\[\]]*)\])"), way("[^, ]+");
  std::vector<std::string> keys;
  for (std::sregex_iterator at(line.begin(), line.end(), place), end; at != end; ++at) {
    const auto begin = static_cast<size_t>(at->position()), length = static_cast<size_t>(at->length());
    const std::string before = std::regex_replace(line.substr(0, begin), place, "$1") + "[" + at->str(1) + " -> ";
    const std::string after = "]" + std::regex_replace(line.substr(begin + length), place, "$1"), ways = at->str(2);
    for (std::sregex_iterator one(ways.begin(), ways.end(), way); one != end; ++one) {
      keys.push_back(before + one->str() + after);
    }
  }
  return keys.empty() ? std::vector{line} : keys;
}

// Why no gate can catch a mutant, by its key; and the keys that no mutant has had so far.
struct Arguments {
  std::map<std::string, std::string> reasons;
  std::set<std::string> unused;
};

// Reads argued.txt, which says how to; "" or a sentence.
std::string Parse(std::istream& lines, const std::string& name, Arguments* arguments) {
  std::string reason, line;
  for (size_t number = 1; std::getline(lines, line); ++number) {
    if (line.empty() || line.starts_with("#")) continue;
    if (line.starts_with("= ")) {
      reason = line.substr(2);
      continue;
    }
    const std::string place = fmt::format("{}:{}: ", name, number);
    if (reason.empty()) return fmt::format("{}no line \"= REASON\" comes before \"{}\".", place, line);
    for (const std::string& key : KeysOf(line)) {
      if (!arguments->unused.insert(key).second) return fmt::format("{}\"{}\" is argued twice.", place, key);
      arguments->reasons[key] = reason;
    }
  }
  return "";
}

bool ReadArguments(const std::string& path, Arguments* arguments, Program& program) {
  std::istringstream built_in(kArguments);
  std::ifstream file(path);
  const std::string sentence = path.empty() ? Parse(built_in, "argued.txt", arguments)
                               : file       ? Parse(file, path, arguments)
                                            : path + ": cannot be read.";
  if (!sentence.empty()) program.Fail(kUsage, sentence);
  return sentence.empty();
}

// The mutants that the options ask for, with their arguments; empty after a sentence.
std::vector<MachineMutant> Choose(const MachineOptions& options, Arguments* arguments, Program& program) {
  std::vector<MachineMutant> mutants;
  for (const std::string_view name : kMachineLibraries) {
    const std::string library = fmt::format("{}/lib{}.so", options.folder, name);
    std::string sentence;
    for (const machine::Mutant& mutant : MutantsOf(library, &sentence)) {
      const auto argument = arguments->reasons.find(mutant.Key());
      arguments->unused.erase(mutant.Key());
      mutants.push_back({&mutant, library, argument == arguments->reasons.end() ? nullptr : &argument->second, "", ""});
    }
    if (!sentence.empty()) program.Fail(kUsage, sentence);
    if (!sentence.empty()) return {};
  }
  std::erase_if(mutants,
                [&](const MachineMutant& m) { return m.mutant->Key().find(options.only) == std::string::npos; });
  if (mutants.empty()) program.Fail(kUsage, fmt::format("--only \"{}\" names no mutant.", options.only));
  if (options.sample > 0 && options.sample < mutants.size()) {
    std::vector<MachineMutant> some;
    std::sample(mutants.begin(), mutants.end(), std::back_inserter(some), options.sample,
                std::mt19937_64(options.seed));
    mutants.swap(some);
  }
  return mutants;
}

void List(const std::vector<MachineMutant>& mutants) {
  for (const MachineMutant& m : mutants) {
    fmt::print("{}\t{}\t{}\n", m.mutant->Name(), m.mutant->Key(), m.argument != nullptr ? *m.argument : "");
  }
}

// Prints what is to be done about; the exit code says whether there is anything.
void Conclude(const std::vector<MachineMutant>& mutants, const std::set<std::string>& unused, Program& program) {
  uint64_t caught = 0, survivors = 0, wrong = 0;
  for (const MachineMutant& m : mutants) {
    caught += m.Caught() ? 1 : 0;
    if (m.Survives()) {
      ++survivors;
      fmt::print("survives: {}\n", m.mutant->Key());
    } else if (m.Caught() && m.argument != nullptr) {
      ++wrong;
      fmt::print("argued, but caught ({}, {}): {}\n", m.verdict, m.first, m.mutant->Key());
    }
  }
  for (const std::string& key : unused) fmt::print("argued, but there is no such mutant: {}\n", key);
  fmt::print("{} mutants, {} caught, {} argued or unsupported, {} survive\n", mutants.size(), caught,
             mutants.size() - caught - survivors, survivors);
  program.exit_code = wrong == 0 && unused.empty() ? kConforms : kDoesNotConform;
}

void Prove(const MachineOptions& options, Program& program) {
  const std::optional<Specs> specs = program.Load();
  Arguments arguments;
  if (!specs || !ReadArguments(options.argued, &arguments, program)) return;
  std::vector<MachineMutant> mutants = Choose(options, &arguments, program);
  if (mutants.empty()) return;
  if (options.list) return List(mutants);
  Error error;
  if (!RunMachineMutants(*specs, options, &mutants, &error)) return program.Fail(kRunnerFailed, error.message);
  if (!options.write.empty() && !program.Write(options.write, MachinePage(mutants))) return;
  Conclude(mutants, options.only.empty() ? arguments.unused : std::set<std::string>(), program);
}

}  // namespace

void AddMachineMutantsCommand(Command app, Program& program) {
  auto options = std::make_shared<MachineOptions>();
  options->folder = BesideProgram("");
  Command command =
      app.AddCommand("machine-mutants", "Run the gate against backends in which one operator or constant is another");
  command.AddOption("--folder", options->folder, "Folder of the libraries of mutants").ShowDefault();
  command.AddOption("--only", options->only, "Only mutants whose file, function or line contains this");
  command.AddOption("--sample", options->sample, "Only this many of them, drawn by --seed; 0: all")
      .Checked(WholeNumber(0, UINT32_MAX));
  command.AddOption("--seed", options->seed, "Seed of the sample").Checked(Seed()).ShowDefault();
  command.AddOption("--jobs", options->jobs, "Mutants that are run at once").Checked(WholeNumber(1, 256)).ShowDefault();
  command.AddOption("--random", options->random, "Random problems at most, per mutant")
      .Checked(RandomCount())
      .ShowDefault();
  command.AddOption("--timeout", options->timeout, "Seconds that one case may take")
      .Checked(Seconds(0.001, kMaxSeconds))
      .ShowDefault();
  command.AddOption("--argued", options->argued, "Arguments to use instead of those compiled in");
  command.AddOption("--write", options->write, "File for the page");
  command.AddFlag("--list", options->list, "Name the mutants and their arguments, run none");
  command.Do([&program, options] { Prove(*options, program); });
}

}  // namespace poolproof
