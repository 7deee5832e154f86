// `conformance vectors` and `conformance judge`: for teams that cannot load a library.

#include <fmt/format.h>

#include <memory>

#include "conformance/format/text.h"
#include "conformance/gate/command.h"
#include "conformance/gate/progress.h"
#include "conformance/gate/summary.h"
#include "conformance/run/vectors.h"

namespace poolproof {
namespace {

struct VectorsOptions {
  std::string folder, level = "documented", filter, profile = reference::DefaultProfile();
  uint64_t seed = 1, random = 0;
};

struct JudgeOptions {
  std::string folder, profile, baseline, out = "poolproof-results";
};

void Write(const VectorsOptions& options, Program& program) {
  const std::optional<Specs> specs = program.Load();
  if (!specs) return;
  Error error;
  const auto level = FindLevel(options.level, &error);
  if (!level) return program.Fail(kUsage, error.message);
  const auto selection = SelectReadings(options.profile, {}, &error);
  const PlanOptions plan_options{*level, options.seed, options.random, options.filter, {}, {}};
  const auto plan = selection ? Plan::Make(*specs, plan_options, &error) : std::nullopt;
  if (!plan) return program.Fail(kUsage, error.message);
  if (!plan->Any()) {
    return program.Fail(kUsage, NoCaseFits(options.filter));
  }
  uint64_t count = 0;
  if (!WriteVectors(*plan, options.profile, *selection, options.folder, &count, &error)) {
    return program.Fail(kRunnerFailed, error.message);
  }
  fmt::print("{} vectors in {}\n", count, EscapeForTerminal(options.folder));
}

void JudgeFolder(const JudgeOptions& options, Program& program) {
  const std::optional<Specs> specs = program.Load();
  if (!specs) return;
  SessionOptions session;
  session.profile = options.profile;
  session.baseline_path = options.baseline;
  session.out = options.out;
  auto line = std::make_unique<ProgressLine>(0);
  session.phase = [&line](std::string_view phase, double share) { line->Show(phase, share); };
  Error error;
  int exit_code = kConforms;
  const auto result = JudgeVectors(*specs, &session, options.folder, &exit_code, &error);
  line.reset();
  if (!result) return program.Fail(exit_code, error.message);
  BackendOptions readings;
  readings.profile = session.profile;
  EndRun(*specs, session, *result, {program.Again("show"), readings, "", true}, program);
}

}  // namespace

void AddVectorsCommand(Command app, Program& program) {
  auto options = std::make_shared<VectorsOptions>();
  Command vectors = app.AddCommand("vectors", "Write problems and expected outputs as JSON and .npy files");
  vectors.AddOption("--out", options->folder, "Folder to write, new or empty").Required();
  vectors.AddOption("--filter", options->filter, "Only cases that every word matches, as for a run")
      .Complete(OperatorWords);
  vectors.AddOption("--seed", options->seed, "Seed of the random part").Checked(Seed()).ShowDefault();
  vectors.AddOption("--random", options->random, "Number of random problems to write as well").Checked(RandomCount());
  vectors.AddOption("--level", options->level, "How much to write: " + std::string(kLevelNames))
      .ShowDefault()
      .Checked(OneLevel());
  AddProfileTo(vectors, options->profile);
  vectors.Do([&program, options] { Write(*options, program); });
}

void AddJudgeCommand(Command app, Program& program) {
  auto options = std::make_shared<JudgeOptions>();
  Command judge =
      app.AddCommand("judge", "Judge the outputs (NNNNNN.output0.npy, ...) that were written next to vectors");
  judge.AddOption("folder", options->folder, "Folder with the vectors and the outputs").Required();
  judge.AddOption("--out", options->out, "Folder for results and reports").ShowDefault();
  judge.AddOption("--profile", options->profile, "Readings to demand (default: the profile of the vectors)");
  judge.AddOption("--baseline", options->baseline, "Baseline, the file of expected discrepancies");
  judge.Do([&program, options] { JudgeFolder(*options, program); });
}

}  // namespace poolproof
