// The worker process, a program of its own in which nothing knows what is expected: maps the shared memory, loads the
// backend, runs batches until the lane goes. Or it is the process between a lane and the program of "process:COMMAND".

#include <fcntl.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>
#include <string_view>
#include <vector>

#include "conformance/worker/case_runner.h"
#include "conformance/worker/cell.h"
#include "conformance/worker/child_process.h"
#include "conformance/worker/command_main.h"
#include "conformance/worker/fault_handler.h"
#include "conformance/worker/lane.h"
#include "conformance/worker/reached_code.h"
#include "conformance/worker/worker_memory.h"

namespace poolproof::worker {
namespace {

bool ReadByte(int fd, char* byte) {
  ssize_t got;
  do {
    got = read(fd, byte, 1);
  } while (got < 0 && errno == EINTR);
  return got == 1;
}

bool SendByte(int fd, char byte) { return send(fd, &byte, 1, MSG_NOSIGNAL) == 1; }

std::vector<std::string> ReadStrings(const RunnerBlock& runner) {
  std::vector<std::string> strings;
  const char* next = runner.config;
  for (int i = 0; i <= runner.option_count; ++i) {
    strings.emplace_back(next);
    next += strings.back().size() + 1;
  }
  return strings;
}

// Fills the part of WorkerBlock that answers for the load; true if the backend is there.
bool Load(const RunnerBlock& runner, WorkerBlock* answer, LoadedBackend* loaded) {
  std::vector<std::string> options = ReadStrings(runner);
  const std::string path = options.front();
  options.erase(options.begin());
  const std::string error = LoadBackend(path, options, loaded);
  std::snprintf(answer->load_error, sizeof(answer->load_error), "%s", error.c_str());
  if (!error.empty()) return false;
  answer->abi_version = loaded->table->abi_version;
  std::snprintf(answer->name, sizeof(answer->name), "%s", loaded->table->name);
  std::snprintf(answer->version, sizeof(answer->version), "%s", loaded->table->version);
  return true;
}

void Enter(Phase phase) { WorkerAs<WorkerBlock>(kWorkerOffset)->phase.store(static_cast<int32_t>(phase)); }

void RunBatches(int control_fd, const LoadedBackend& loaded) {
  char command;
  if (!ReadByte(control_fd, &command)) return;
  TakeBase();
  CountNewCode();  // loading is no case
  CaseRunner cases(loaded, CountNewCode);
  do {
    cases.RunBatch();
    std::fflush(stdout);
  } while (SendByte(control_fd, kDoneByte) && ReadByte(control_fd, &command));
}

int Serve(int control_fd) {
  LoadedBackend loaded;
  Enter(Phase::kLoading);
  const bool usable = Load(*WorkerAs<const RunnerBlock>(kRunnerOffset), WorkerAs<WorkerBlock>(kWorkerOffset), &loaded);
  Enter(Phase::kIdle);
  std::fflush(nullptr);
  if (!SendByte(control_fd, kReadyByte) || !usable) return kNotLoaded;
  RunBatches(control_fd, loaded);
  Enter(Phase::kDestroy);
  loaded.table->destroy(loaded.instance);
  Enter(Phase::kExit);
  return 0;
}

int RunWorker() {
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  DisableCoreFiles();
  // The last words of a backend that crashes are worth more than its speed.
  setvbuf(stdout, nullptr, _IOLBF, BUFSIZ);
  const int control_fd = kWorkerFd, runner_fd = control_fd + 1, worker_fd = control_fd + 2, cell_fd = control_fd + 3;
  if (!MapWorkerMemory(runner_fd, worker_fd)) {
    std::fprintf(stderr, "cannot map the shared memory: %s\n", std::strerror(errno));
    return kNoMemory;
  }
  if (WorkerAs<const RunnerBlock>(kRunnerOffset)->layout_version != kLayoutVersion) return kOtherProgram;
  close(runner_fd);
  close(worker_fd);
  fcntl(control_fd, F_SETFD, FD_CLOEXEC);
  InstallFaultHandlers();
  EnterCell(cell_fd);
  close(cell_fd);
  return Serve(control_fd);
}

}  // namespace
}  // namespace poolproof::worker

int main(int argc, char** argv) {
  using namespace poolproof::worker;
  const std::string_view argument = argc == 2 ? argv[1] : "";
  if (argument == kWorkerArgument) return RunWorker();
  if (argument.starts_with(kCommandArgument)) return RunCommand(kCellFd, argv[1] + kCommandArgument.size());
  std::fprintf(stderr, "%s is for poolproof to start\n", argv[0]);
  return 2;
}
