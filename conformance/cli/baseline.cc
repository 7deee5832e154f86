// `conformance baseline`: proposes a baseline from a results file; never overwrites one silently.

#include <fmt/format.h>

#include <filesystem>
#include <fstream>
#include <memory>

#include "conformance/cli/command.h"
#include "conformance/run/results_file.h"

namespace poolproof {
namespace {

struct BaselineOptions {
  std::string results = "poolproof-results/results.jsonl", write;
  bool force = false;
};

// The groups of a results file, as far as a proposal needs them.
bool ReadGroups(const std::string& path, std::vector<Group>* groups, Error* error) {
  bool footer = false;
  const bool read = ForEachLine(path, [&](std::string_view line) {
    footer = footer || line.starts_with("{\"footer\":");
    if (!line.starts_with("{\"group\":")) return true;
    const auto value = nlohmann::json::parse(line, nullptr, false);
    const auto verdict = FindVerdict(value.value("verdict", ""));
    if (!value.is_object() || !verdict) return true;
    Group& group = groups->emplace_back();
    group.verdict = *verdict;
    group.cases = value.value("cases", uint64_t{0});
    group.signature = value.value("signature", "");
    group.message = value.value("message", "");
    group.operators = value.value("operators", std::set<std::string>());
    group.first = value.value("first", std::vector<std::string>());
    for (size_t i = 0; i < Causes().size(); ++i) {
      if (value["cause"].is_object() && value["cause"]["id"] == Causes()[i].id) group.causes.set(i);
    }
    return true;
  }, error);
  if (read && !footer) error->message = path + ": has no footer: the run did not end.";
  return read && footer;
}

void Propose(const BaselineOptions& options, Program& program) {
  Error error;
  std::vector<Group> groups;
  if (!ReadGroups(options.results, &groups, &error)) return program.Fail(kUsage, error.message);
  const std::string text = ProposeBaseline(groups).dump(1) + "\n";
  if (options.write.empty()) {
    fmt::print("{}", text);
    return;
  }
  if (std::filesystem::exists(options.write) && !options.force) {
    return program.Fail(
        kUsage, options.write + ": exists already; --force replaces it.");
  }
  std::ofstream file(options.write);
  file << text;
  if (!file.flush()) return program.Fail(kRunnerFailed, options.write + ": cannot be written.");
  fmt::print("{} entries written to {}; give each its reason, then use --baseline={}\n",
             groups.size(), options.write, options.write);
}

}  // namespace

void AddBaselineCommand(CLI::App& app, Program& program) {
  auto options = std::make_shared<BaselineOptions>();
  CLI::App* baseline = app.add_subcommand(
      "baseline", "Propose a baseline of the discrepancies that a run found");
  baseline->add_option("--results", options->results, "Results file of the run")
      ->capture_default_str();
  baseline->add_option("--write", options->write, "File to write instead of printing");
  baseline->add_flag("--force", options->force, "Replace the file");
  baseline->callback([&program, options] { Propose(*options, program); });
}

}  // namespace poolproof
