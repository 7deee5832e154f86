// `conformance merge`: shards of one run put together.

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <memory>

#include "conformance/format/reader.h"
#include "conformance/gate/command.h"
#include "conformance/gate/summary.h"
#include "conformance/run/merge.h"

namespace poolproof {
namespace {

namespace fs = std::filesystem;

struct MergeOptions {
  std::vector<std::string> paths;
  std::string baseline, out = "poolproof-results";
};

// All results files in a folder and those below it, but for what an earlier merge wrote to `out`.
bool AddFolder(const std::string& folder, const std::string& out, std::vector<std::string>* files, Error* error) {
  std::error_code code;
  std::vector<std::string> found;
  for (fs::recursive_directory_iterator at(folder, code), end; !code && at != end; at.increment(code)) {
    std::error_code other;
    const std::string path = at->path().string();
    if (!path.ends_with(".jsonl") || !at->is_regular_file(other)) continue;
    if (!fs::equivalent(path, fs::path(out) / "results.jsonl", other)) found.push_back(path);
  }
  std::sort(found.begin(), found.end());
  files->insert(files->end(), found.begin(), found.end());
  if (code) error->message = fmt::format("{}: cannot be read: {}.", folder, code.message());
  if (!code && found.empty()) error->message = folder + ": no results in this folder (files named *.jsonl).";
  return !code && !found.empty();
}

bool FindFiles(const MergeOptions& options, std::vector<std::string>* files, Error* error) {
  for (const std::string& path : options.paths) {
    std::error_code code;
    if (!fs::is_directory(path, code)) {
      files->push_back(path);
    } else if (!AddFolder(path, options.out, files, error)) {
      return false;
    }
  }
  return true;
}

// How the shards were run, which the header of their results says.
bool Recall(const std::string& path, SessionOptions* session, BackendOptions* backend, Error* error) {
  ResultsReader reader;
  if (!reader.Open(path, error)) return false;
  if (reader.Next(error) != ResultsReader::Item::kHeader) return false;
  const Json& header = reader.value();
  backend->backend = StringOr(ObjectOr(header, "backend"), "path");
  backend->backend_options = StringsOf(ObjectOr(header, "backend"), "options");
  backend->device_options = StringsOf(header, "device_options");
  const std::string isolation = StringOr(ObjectOr(header, "isolation"), "level");
  if (!isolation.empty()) backend->isolation = isolation;
  backend->profile = session->profile = StringOr(header, "profile");
  for (const auto& [id, reading] : ObjectOr(header, "readings").items()) {
    backend->readings.push_back(id + "=" + AsText(reading));
  }
  const auto level = FindLevel(StringOr(header, "level"), error);
  if (level) session->plan.level = *level;
  return level.has_value();
}

void Merge(const MergeOptions& options, Program& program) {
  const std::optional<Specs> specs = program.Load();
  if (!specs) return;
  Error error;
  std::vector<std::string> files;
  if (!FindFiles(options, &files, &error)) return program.Fail(kUsage, error.message);
  int exit_code = kConforms;
  const auto result = MergeShards(*specs, files, options.baseline, options.out, &exit_code, &error);
  if (!result) return program.Fail(exit_code, error.message);
  SessionOptions session;
  session.out = options.out;
  BackendOptions backend;
  if (!Recall(result->results_path, &session, &backend, &error)) {
    return program.Fail(kRunnerFailed, error.message);
  }
  EndRun(*specs, session, *result, {program.Again("reproduce"), backend, "", true}, program);
}

}  // namespace

void AddMergeCommand(Command app, Program& program) {
  auto options = std::make_shared<MergeOptions>();
  Command merge = app.AddCommand("merge", "Merge the results of all shards of a run");
  merge.AddOption("files", options->paths, "results.jsonl of each shard; or folders: every *.jsonl in them and below")
      .Required();
  merge.AddOption("--baseline", options->baseline, "Baseline, the file of expected discrepancies");
  merge.AddOption("--out", options->out, "Folder for results and reports").ShowDefault();
  merge.Do([&program, options] { Merge(*options, program); });
}

}  // namespace poolproof
