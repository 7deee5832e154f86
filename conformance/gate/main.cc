// conformance: decides whether a library pools as the documents say.

#include <fmt/format.h>
#include <signal.h>
#include <sys/resource.h>

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <iostream>
#include <new>
#include <nlohmann/json.hpp>

#include "conformance/gate/command.h"

namespace {

constexpr char kAbout[] =
    "Decides whether a neural-network library pools as the documents say.\n"
    "Exit codes: 0 conforms (but for a baseline), 1 does not, 2 wrong usage or input,\n"
    "3 the library could not be loaded, 4 the runner failed, 130 interrupted.";

// Describes an unexpected failure.
std::string FailureSentence(const std::exception& failure) {
  if (dynamic_cast<const std::bad_alloc*>(&failure) != nullptr) return "There is not enough memory.";
  if (const auto* file = dynamic_cast<const std::filesystem::filesystem_error*>(&failure)) {
    return fmt::format("{}: {}.", file->path1().string(), file->code().message());
  }
  if (const auto* json = dynamic_cast<const nlohmann::json::exception*>(&failure)) {
    return fmt::format("A JSON value is of another type than this program expects (fault {}).", json->id);
  }
  return failure.what();
}

// Why this process cannot be run as it was started; empty where it can.
std::string WhyNotHere() {
  constexpr rlim_t kStack = rlim_t{1} << 20;  // threads, which parse and compute, get as much
  rlimit stack = {};
  if (getrlimit(RLIMIT_STACK, &stack) != 0 || stack.rlim_cur >= kStack) return "";
  return fmt::format("The stack is limited to {} KiB (ulimit -s); at least {} are needed.", stack.rlim_cur >> 10,
                     kStack >> 10);
}

// Printed text is part of the result: where it is lost, the run has failed.
bool IsPrinted() {
  std::cout.flush();
  return std::fflush(stdout) == 0 && std::ferror(stdout) == 0 && std::cout.good();
}

}  // namespace

// NOLINTNEXTLINE(bugprone-exception-escape): outside of the try only memory for the names of options can be lacking
int main(int argc, char** argv) {
  // A full disk or a limit on file sizes is an error to report, not a reason to die.
  signal(SIGXFSZ, SIG_IGN);
  poolproof::Program program;
  program.command = argv[0];
  if (const std::string why = WhyNotHere(); !why.empty()) {
    program.Fail(poolproof::kRunnerFailed, why);
    return program.exit_code;
  }
  poolproof::CommandLine line(kAbout, program.Name());
  line.SetVersion(poolproof::VersionText,
                  "Print the version, the digest of the specs and that of what is planned of them, and exit");
  line.SetHelpAll("Print the help of all commands and exit");
  line.SetFirstPath("--backend");
  poolproof::Command app = line.Root();
  app.AddOption("--specs", program.specs_directory, "Folder of specs to use instead of the built-in ones");
  poolproof::AddListCommand(app, program);
  poolproof::AddShowCommand(app, program);
  poolproof::AddReproduceCommand(app, program);
  poolproof::AddCoverageCommand(app, program);
  poolproof::AddReportCommand(app, program);
  poolproof::AddCompareCommand(app, program);
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
  poolproof::AddFuzzCommand(app, program);
  poolproof::AddCompleteCommand(app);
  poolproof::AddRunCommand(app, program);
  try {
    const std::string refused = line.Parse(argc, argv);
    if (!refused.empty()) program.Fail(poolproof::kUsage, refused);
  } catch (const std::exception& e) {
    program.Fail(poolproof::kRunnerFailed, FailureSentence(e));
  }
  if (!IsPrinted() && program.exit_code <= poolproof::kDoesNotConform) {
    program.Fail(poolproof::kRunnerFailed, fmt::format("Standard output cannot be written: {}.", std::strerror(errno)));
  }
  return program.exit_code;
}
