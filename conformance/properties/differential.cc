// Random problems of every operator on the reference and on the optimized backend, on every instruction set
// of this machine, with all tensors between unmapped pages.
//
//   differential --problems=1000000 --seed=1 [--kernel=interleaved]
//
// Exit status: 0 if all agree, 1 if one does not, 2 for wrong usage.
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <array>
#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "conformance/cases/generate.h"
#include "conformance/properties/differential_compare.h"
#include "optimized/core/target.h"

namespace poolproof {
namespace {

struct Counts {
  int64_t compared = 0, rejected = 0, unsupported = 0, different = 0;
};

struct Options {
  uint64_t problems = 1000000, seed = 1, first = 0;
  int64_t show = 10;
  int threads = 1;
  std::string op, kernel;
  std::vector<std::string> targets;
};

using Table = std::map<std::string, std::map<poolproof_element_type, Counts>>;

void PrintTable(const Table& table, const std::vector<std::string>& targets) {
  Counts all;
  fmt::print("{:26} {:5} {:>10} {:>10} {:>11} {:>10}\n", "operator", "type", "compared", "rejected", "unsupported",
             "different");
  for (const auto& [op, types] : table) {
    for (const auto& [type, counts] : types) {
      fmt::print("{:26} {:5} {:10} {:10} {:11} {:10}\n", op, ElementTypeName(type), counts.compared, counts.rejected,
                 counts.unsupported, counts.different);
      all.compared += counts.compared;
      all.rejected += counts.rejected;
      all.unsupported += counts.unsupported;
      all.different += counts.different;
    }
  }
  fmt::print("total: {} compared, {} rejected by both, {} unsupported by both, {} different\n", all.compared,
             all.rejected, all.unsupported, all.different);
  fmt::print("each on: {}\n", fmt::join(targets, ", "));
}

int Run(const Options& options) {
  Comparer comparer({"threads=" + std::to_string(options.threads), "kernel=" + options.kernel});
  const std::vector<std::string> targets = options.targets.empty() ? optimized::Targets() : options.targets;
  std::vector<Callable> callables = AllCallables(BuiltInSpecs());
  std::erase_if(callables, [&](const Callable& c) { return !options.op.empty() && c.function->name != options.op; });
  Table table;
  int64_t different = 0;
  for (uint64_t i = options.first; i < options.first + options.problems; ++i) {
    const Problem problem = RandomProblem(callables, options.seed, i);
    const std::string difference = comparer.Compare(problem, targets);
    Counts& counts = table[problem.spec->id][problem.type];
    const poolproof_status expected = comparer.expected();
    ++(expected == POOLPROOF_UNSUPPORTED        ? counts.unsupported
       : expected == POOLPROOF_INVALID_ARGUMENT ? counts.rejected
                                                : counts.compared);
    if (difference.empty()) continue;
    ++counts.different;
    if (++different <= options.show) {
      fmt::print("problem {}: {}\n  {}\n", i, PrintLine(problem), difference);
    }
  }
  PrintTable(table, targets);
  return different == 0 ? 0 : 1;
}

}  // namespace
}  // namespace poolproof

// NOLINTNEXTLINE(bugprone-exception-escape): it is for developers, whom std::terminate tells what was thrown
int main(int argc, char** argv) {
  poolproof::Options options;
  CLI::App app("Compares the optimized backend with the reference on random problems");
  app.add_option("--problems", options.problems, "Number of problems")->check(CLI::PositiveNumber);
  app.add_option("--seed", options.seed, "Seed of the problems");
  app.add_option("--first", options.first, "Number of the first problem");
  app.add_option("--kernel", options.kernel, "Only this kernel of ours, where it takes a problem");
  app.add_option("--op", options.op, "Only the operator of this name")->check([](const std::string& name) {
    return poolproof::BuiltInSpecs().FindOperator(name) != nullptr ? "" : "no operator is named " + name;
  });
  app.add_option("--targets", options.targets, "Instruction sets; all of this machine by default")
      ->delimiter(',')
      ->check(CLI::IsMember(poolproof::optimized::Targets()));
  app.add_option("--threads", options.threads, "Threads of the backend")->check(CLI::Range(1, 64));
  app.add_option("--show", options.show, "Differences to print");
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& e) {
    return app.exit(e) == 0 ? 0 : 2;
  }
  return poolproof::Run(options);
}
