// `conformance baseline`: writes a baseline of what runs found; never overwrites one silently.

#include <fmt/format.h>

#include <filesystem>
#include <memory>

#include "conformance/format/text.h"
#include "conformance/gate/command.h"
#include "conformance/results/baseline_write.h"

namespace poolproof {
namespace {

const std::vector<std::string> kUsualResults = {"poolproof-results/results.jsonl"};

struct BaselineOptions {
  std::vector<std::string> results;
  std::string write, update, prune, varies;
  bool force = false;
};

void Say(const WrittenBaseline& written, const std::string& path) {
  for (const std::string& name : written.dropped) {
    fmt::print("left out: {}: no case fits it\n", EscapeForTerminal(name));
  }
  if (written.kept > 0) fmt::print("kept: {} of cases that these results do not have\n", Plural(written.kept, "line"));
  fmt::print("{} for {} written to {}; give each its reason, then use --baseline={}\n", Plural(written.blocks, "block"),
             Plural(written.cases, "case"), EscapeForTerminal(path), EscapeForTerminal(path));
}

// Where nothing can go, the file stays as it was written.
void Prune(const Specs& specs, const BaselineOptions& options, Program& program) {
  const std::string& target = options.write.empty() ? options.prune : options.write;
  if (target != options.prune && !options.force && std::filesystem::exists(target)) {
    return program.Fail(kUsage, target + ": exists already; --force replaces it.");
  }
  Error error;
  const auto pruned = PruneBaseline(specs, options.prune, options.results, &error);
  if (!pruned) return program.Fail(kUsage, error.message);
  if ((pruned->lines > 0 || target != options.prune) && !program.Write(target, pruned->text)) return;
  for (const std::string& name : pruned->dropped) {
    fmt::print("left out: {}: none of its cases fails any more\n", EscapeForTerminal(name));
  }
  fmt::print("{} went from {}\n", Plural(pruned->lines, "line"), EscapeForTerminal(target));
}

void Write(const BaselineOptions& options, Program& program) {
  const std::optional<Specs> specs = program.Load();
  if (!specs) return;
  if (!options.prune.empty()) {
    if (options.update.empty() && options.varies.empty()) return Prune(*specs, options, program);
    return program.Fail(kUsage, "--prune takes lines from a baseline as it is, without --update and --varies.");
  }
  // An update that goes where it came from replaces what it has read.
  const bool in_place = !options.write.empty() && options.write == options.update;
  if (!in_place && !options.force && std::filesystem::exists(options.write)) {
    return program.Fail(kUsage, options.write + ": exists already; --force replaces it.");
  }
  BaselineRequest request;
  request.results = options.results;
  request.old_file = options.update;
  request.varies_by = options.varies;
  Error error;
  const auto written = WriteBaseline(*specs, request, &error);
  if (!written) return program.Fail(kUsage, error.message);
  if (options.write.empty()) {
    fmt::print("{}", written->text);
    return;
  }
  if (program.Write(options.write, written->text)) Say(*written, options.write);
}

}  // namespace

void AddBaselineCommand(Command app, Program& program) {
  auto options = std::make_shared<BaselineOptions>();
  options->results = kUsualResults;
  Command baseline = app.AddCommand("baseline", "Write a baseline: what runs found, case by case");
  baseline.First();
  baseline.AddOption("--results", options->results, "Results of one run, or of several runs of the same plan")
      .ShowDefault();
  baseline.AddOption("--write", options->write, "File to write (default: print it)");
  baseline.AddOption("--update", options->update,
                     "Existing baseline, whose reasons, owners, expiry dates and variations are kept, as are\n"
                     "cases that the results do not have");
  baseline.AddOption("--prune", options->prune,
                     "Existing baseline, from which cases go that do not fail any more in the results");
  baseline.AddOption("--varies", options->varies, "What the results of several runs may differ by: cpu or run")
      .Checked(OneOf({"cpu", "run"}));
  baseline.AddFlag("--force", options->force, "Overwrite the file of --write");
  baseline.Do([&program, options] { Write(*options, program); });
}

}  // namespace poolproof
