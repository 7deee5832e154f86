// `conformance merge`: shards of one run put together.

#include <fmt/format.h>

#include <memory>

#include "conformance/cli/command.h"
#include "conformance/cli/summary.h"
#include "conformance/run/merge.h"

namespace poolproof {
namespace {

struct MergeOptions {
  std::vector<std::string> files;
  std::string baseline, out = "poolproof-results";
  BackendOptions backend;
};

void Merge(const MergeOptions& options, Program& program) {
  const std::optional<Specs> specs = program.Load();
  if (!specs) return;
  Error error;
  int exit_code = kConforms;
  const auto result =
      MergeShards(*specs, options.files, options.baseline, options.out, &exit_code, &error);
  if (!result) return program.Fail(exit_code, error.message);
  SessionOptions session;
  session.out = options.out;
  EndRun(*specs, session, *result, {program.command + " reproduce", options.backend, "", true},
         program);
}

}  // namespace

void AddMergeCommand(CLI::App& app, Program& program) {
  auto options = std::make_shared<MergeOptions>();
  CLI::App* merge = app.add_subcommand("merge", "Merge the results of all shards of a run");
  merge->add_option("files", options->files, "results.jsonl of each shard")->required();
  merge->add_option("--baseline", options->baseline, "File of expected discrepancies");
  merge->add_option("--out", options->out, "Folder for results and reports")->capture_default_str();
  merge->callback([&program, options] { Merge(*options, program); });
}

}  // namespace poolproof
