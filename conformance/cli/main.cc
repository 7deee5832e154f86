// conformance: decides whether a library pools as the documents say.

#include <signal.h>

#include "conformance/cli/command.h"
#include "conformance/cli/usage.h"
#include "conformance/worker/lane.h"

namespace {

constexpr char kAbout[] =
    "Decides whether a neural-network library pools as the documents say.\n\n"
    "Exit codes: 0 conforms (baselined discrepancies aside), 1 does not conform, 2 wrong usage or bad input,\n"
    "3 the backend could not be loaded or started, 4 the runner itself failed.";

}  // namespace

int main(int argc, char** argv) {
  const int worker = poolproof::RunWorkerIfAsked(argc, argv);
  if (worker >= 0) return worker;

  // A full disk or a limit on file sizes is an error to report, not a reason to die.
  signal(SIGXFSZ, SIG_IGN);
  poolproof::Program program;
  program.command = argv[0];
  CLI::App app(kAbout, program.Name());
  app.set_version_flag("--version", std::function<std::string()>(poolproof::VersionText),
                       "Print the version, the digest of the specs and that of what is planned of them, and exit");
  app.set_help_all_flag("--help-all", "Print the help of all commands and exit");
  app.add_option("--specs", program.specs_directory, "Folder of specs to use instead of the built-in ones");
  poolproof::AddListCommand(app, program);
  poolproof::AddShowCommand(app, program);
  poolproof::AddReproduceCommand(app, program);
  poolproof::AddCoverageCommand(app, program);
  poolproof::AddReportCommand(app, program);
  poolproof::AddMergeCommand(app, program);
  poolproof::AddBaselineCommand(app, program);
  poolproof::AddClaimCommand(app, program);
  poolproof::AddVerifyClaimCommand(app, program);
  poolproof::AddVectorsCommand(app, program);
  poolproof::AddJudgeCommand(app, program);
  poolproof::AddMutantsCommand(app, program);
  poolproof::AddMachineMutantsCommand(app, program);
  poolproof::AddProbeCommand(app, program);
  poolproof::AddDiagnosisCommand(app, program);
  poolproof::AddRunCommand(app, program);
  try {
    app.parse(argc, argv);
  } catch (const CLI::Success& e) {
    return app.exit(e);
  } catch (const CLI::ParseError& e) {
    program.Fail(poolproof::kUsage, poolproof::UsageSentence(app, e));
  } catch (const std::exception& e) {
    program.Fail(poolproof::kRunnerFailed, poolproof::FailureSentence(e));
  }
  return program.exit_code;
}
