// The commands of the program. Each file adds one to the command line and sets the exit code.
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "conformance/gate/command_line.h"
#include "conformance/run/session.h"

namespace poolproof {

// State that the commands share; outlives the parse.
struct Program {
  int exit_code = kConforms;
  std::string specs_directory;  // --specs; empty: those compiled in
  std::string command;          // argv[0], for sentences that say what to type

  // Loads the specs; prints the sentence and sets the exit code where that fails.
  std::optional<Specs> Load();
  // Prints `message` to standard error and sets the exit code.
  void Fail(int code, const std::string& message);
  // Writes a file in one step, so that a full disk leaves the old one; a link stays a link and a device a device.
  // Where that fails, as Fail, and false. An empty path is standard output.
  bool Write(const std::string& path, const std::string& text);
  // Its name here: "conformance" in a build folder, "poolproof" where it is installed.
  std::string Name() const;
  // This program with one of its commands, as a user would type it again.
  std::string Again(const std::string& subcommand) const;
};

// "poolproof 1.2.3", and below it the digests of the specs and of what is planned of them.
std::string VersionText();

// "/usr/lib/NAME" for the program "/usr/bin/conformance": where what is built with it lies.
std::string BesideProgram(std::string_view name);

// Options of every command that runs a backend.
struct BackendOptions {
  std::string backend, profile = reference::DefaultProfile();
  std::vector<std::string> backend_options, device_options, readings;
  double timeout = 10, load_timeout = 60, exit_timeout = 0;
  std::string isolation = "standard";
  CellOptions cell;
  std::vector<std::string> devices;  // kinds of them
  double memory_gib = MachineMemoryGib();
  int64_t log_mib = 8;

  void AddTo(Command app, bool required);
  std::map<std::string, std::string> Overrides() const;
  LaneOptions Lane() const;
  // Memory of the machine, but enough for an input of the plan's largest size, 8 GiB, and two copies.
  static double MachineMemoryGib();
  // " --backend=... --profile=..." as a user would type it again; nothing of a backend that is not named.
  std::string Again() const;

 private:
  void AddCellTo(Command app);
};

// GiB of memory that the machine has.
double PhysicalGib();

// Constraint on the value of an option; anything else is refused with the range.
Check WholeNumber(uint64_t low, uint64_t high);
Check Seconds(double low, double high);
Check GiB(double low, double high);
Check OneOf(const Words& words);
// Checks an option that takes a level, or one of `more` words.
Check OneLevel(const Words& more = {});
// Completion of a filter and of problem lines, and of readings.
Words OperatorWords();
Words ReadingWords();
// The option of every command that takes a profile.
Option AddProfileTo(Command app, std::string& profile);
inline constexpr double kMaxSeconds = 31'536'000;  // a year
// Constraint of every option that takes a number of random problems.
Check RandomCount();
// Constraint of every seed, and of one that the run may draw.
Check Seed();
inline constexpr std::string_view kRandomSeed = "random";
Check SeedOrRandom();

// Judges by properties that need no oracle: `rounds` of each. Prints a table and sets the exit code.
void RunProperties(const BackendOptions& backend, uint64_t seed, uint64_t rounds, Program& program);

void AddRunCommand(Command app, Program& program);
void AddFuzzCommand(Command app, Program& program);
void AddListCommand(Command app, Program& program);
void AddShowCommand(Command app, Program& program);
void AddReproduceCommand(Command app, Program& program);
void AddCoverageCommand(Command app, Program& program);
void AddReportCommand(Command app, Program& program);
void AddCompareCommand(Command app, Program& program);
void AddMergeCommand(Command app, Program& program);
void AddBaselineCommand(Command app, Program& program);
void AddClaimCommand(Command app, Program& program);
void AddVerifyClaimCommand(Command app, Program& program);
void AddVectorsCommand(Command app, Program& program);
void AddJudgeCommand(Command app, Program& program);
void AddProbeCommand(Command app, Program& program);
void AddMutantsCommand(Command app, Program& program);
void AddMachineMutantsCommand(Command app, Program& program);
void AddDiagnosisCommand(Command app, Program& program);
void AddCompleteCommand(Command app);

}  // namespace poolproof
