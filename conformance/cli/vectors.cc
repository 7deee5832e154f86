// `conformance vectors` and `conformance judge`: for teams that cannot load a library.

#include <fmt/format.h>

#include <memory>

#include "conformance/cli/command.h"
#include "conformance/cli/summary.h"
#include "conformance/run/vectors.h"

namespace poolproof {
namespace {

struct VectorsOptions {
  std::string folder, level = "documented", filter, profile = "documented";
  std::string out = "poolproof-results";
  uint64_t seed = 1, random = 0;
};

void AddCommon(CLI::App* app, VectorsOptions* options) {
  app->add_option("--level", options->level, "documented, gate, full")->capture_default_str();
  app->add_option("--profile", options->profile, "documented, openvino, pytorch")
      ->capture_default_str();
}

bool MakeSession(const VectorsOptions& from, Program& program, SessionOptions* session) {
  Error error;
  const auto level = FindLevel(from.level);
  const auto selection = SelectReadings(from.profile, {}, &error);
  if (!level || !selection) {
    program.Fail(kUsage, level ? error.message
                               : fmt::format("--level: \"{}\" is none of documented, gate, full.",
                                             from.level));
    return false;
  }
  session->plan.level = *level;
  session->plan.filter = from.filter;
  session->plan.seed = from.seed;
  session->plan.random_count = from.random;
  session->profile = from.profile;
  session->engine.selection = *selection;
  session->engine.lane.backend = from.folder;
  session->out = from.out;
  return true;
}

void Write(const VectorsOptions& options, Program& program) {
  const std::optional<Specs> specs = program.Load();
  SessionOptions session;
  if (!specs || !MakeSession(options, program, &session)) return;
  Error error;
  uint64_t count = 0;
  const auto plan = Plan::Make(*specs, session.plan, &error);
  if (!plan) return program.Fail(kUsage, error.message);
  if (!WriteVectors(*plan, session.engine.selection.readings, options.folder, &count, &error)) {
    return program.Fail(kRunnerFailed, error.message);
  }
  if (count == 0) {
    return program.Fail(kUsage, fmt::format("--filter \"{}\" matches no case.", options.filter));
  }
  fmt::print("{} vectors in {}\n", count, options.folder);
}

void JudgeFolder(const VectorsOptions& options, Program& program) {
  const std::optional<Specs> specs = program.Load();
  SessionOptions session;
  if (!specs || !MakeSession(options, program, &session)) return;
  Error error;
  const auto result = JudgeVectors(*specs, session, options.folder, &error);
  if (!result) return program.Fail(kUsage, error.message);
  PrintSummary(*specs, session, *result, program.command + " show", {});
  if (!WriteReports(*result, options.out, "", &error)) {
    return program.Fail(kRunnerFailed, error.message);
  }
  program.exit_code = result->conforms ? kConforms : kDoesNotConform;
}

}  // namespace

void AddVectorsCommand(CLI::App& app, Program& program) {
  auto options = std::make_shared<VectorsOptions>();
  CLI::App* vectors = app.add_subcommand(
      "vectors", "Write problems and expected outputs as JSON and .npy files");
  vectors->add_option("--out", options->folder, "Folder to write")->required();
  vectors->add_option("--filter", options->filter, "Words that the id, line or section contains");
  vectors->add_option("--seed", options->seed, "Seed of the random part")->capture_default_str();
  vectors->add_option("--random", options->random, "Write so many random problems as well");
  AddCommon(vectors, options.get());
  vectors->callback([&program, options] { Write(*options, program); });
}

void AddJudgeCommand(CLI::App& app, Program& program) {
  auto options = std::make_shared<VectorsOptions>();
  CLI::App* judge = app.add_subcommand(
      "judge", "Judge outputs (NNNNNN.output0.npy ...) written beside vectors");
  judge->add_option("folder", options->folder, "Folder of vectors and outputs")->required();
  judge->add_option("--out", options->out, "Folder for results and reports")->capture_default_str();
  AddCommon(judge, options.get());
  judge->callback([&program, options] { JudgeFolder(*options, program); });
}

}  // namespace poolproof
