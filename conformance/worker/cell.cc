#include "conformance/worker/cell.h"

#include <fcntl.h>
#include <glob.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cstdlib>
#include <sstream>

#include "conformance/format/glob.h"
#include "conformance/worker/cell_parts.h"
#include "conformance/worker/cell_paths.h"
#include "conformance/worker/child_process.h"

namespace poolproof {
namespace {

struct Named {
  std::string_view name;
  Isolation isolation;
};
constexpr Named kLevels[] = {
    {"none", Isolation::kNone}, {"standard", Isolation::kStandard}, {"full", Isolation::kFull}};

}  // namespace

std::optional<Isolation> FindIsolation(std::string_view name) {
  for (const Named& level : kLevels) {
    if (level.name == name) return level.isolation;
  }
  return std::nullopt;
}

std::string_view IsolationName(Isolation isolation) {
  for (const Named& level : kLevels) {
    if (level.isolation == isolation) return level.name;
  }
  return "?";
}

namespace worker {
namespace {

// Variables that tell the loader, the C library and the runtimes of languages. Nothing that carries
// secrets: no variable of a CI system, and none of the user's own.
constexpr std::string_view kPassed[] = {"PATH",
                                        "HOME",
                                        "POOLPROOF_*",
                                        "LANG",
                                        "LANGUAGE",
                                        "LC_*",
                                        "TZ",
                                        "LD_LIBRARY_PATH",
                                        "LD_PRELOAD",
                                        "OMP_*",
                                        "GOMP_*",
                                        "KMP_*",
                                        "MKL_*",
                                        "OPENBLAS_*",
                                        "DNNL_*",
                                        "ONEDNN_*",
                                        "ASAN_OPTIONS",
                                        "UBSAN_OPTIONS",
                                        "TSAN_OPTIONS",
                                        "LSAN_OPTIONS",
                                        "PYTHONPATH",
                                        "PYTHONHOME",
                                        "PYTHONDONTWRITEBYTECODE",
                                        "VIRTUAL_ENV",
                                        "PYENV_*",
                                        "NODE_PATH",
                                        "NODE_OPTIONS",
                                        "JAVA_HOME",
                                        "JAVA_TOOL_OPTIONS",
                                        "RUST_BACKTRACE",
                                        "GODEBUG",
                                        "GOMAXPROCS",
                                        "CUDA_*",
                                        "NVIDIA_*",
                                        "HIP_*",
                                        "ROCR_*",
                                        "ROCM_*",
                                        "ZE_*"};
constexpr int64_t kProcessesOfProgram = 256;
constexpr std::string_view kAnswers = "--";

std::string ReadAll(int fd) {
  std::string text;
  std::array<char, 4096> buffer;
  ssize_t got;
  while ((got = pread(fd, buffer.data(), buffer.size(), static_cast<off_t>(text.size()))) > 0) {
    text.append(buffer.data(), static_cast<size_t>(got));
  }
  return text;
}

void Append(int fd, const std::string& line) { (void)!write(fd, line.data(), line.size()); }

void AppendPart(int fd, std::string_view name, const std::string& state) {
  Append(fd, "part " + std::string(name) + "\t" + state + "\n");
}

int64_t Number(const std::string& text) {
  int64_t value = 0;
  std::from_chars(text.data(), text.data() + text.size(), value);
  return value;
}

CellRules ParseRules(const std::string& text) {
  CellRules rules;
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line) && line != kAnswers;) {
    const size_t blank = std::min(line.find(' '), line.size());
    const std::string key = line.substr(0, blank);
    const std::string value = line.substr(std::min(blank + 1, line.size()));
    if (key == "isolation") rules.isolation = value;
    if (key == "read") rules.read.push_back(value);
    if (key == "device") rules.devices.push_back(value);
    if (key == "network") rules.network = true;
    if (key == "program") rules.program = true;
    if (key == "memory") rules.memory_bytes = Number(value);
    if (key == "file") rules.file_bytes = Number(value);
    if (key == "files") rules.open_files = Number(value);
    if (key == "processes") rules.processes = Number(value);
    if (key == "runner") rules.runner = Number(value);
    if (key == "group") rules.runner_group = Number(value);
  }
  return rules;
}

std::vector<std::string> Devices(const CellOptions& options) {
  std::vector<std::string> devices = {"/dev/null", "/dev/zero", "/dev/full", "/dev/random", "/dev/urandom"};
  for (const std::string& pattern : options.allow_devices) {
    glob_t found = {};
    if (glob(pattern.c_str(), GLOB_NOCHECK, nullptr, &found) == 0) {
      devices.insert(devices.end(), found.gl_pathv, found.gl_pathv + found.gl_pathc);
    }
    globfree(&found);
  }
  return devices;
}

}  // namespace

bool CellFile::Create(const CellOptions& options, const std::string& backend, Error* error) {
  const bool program = backend.starts_with("process:");
  const int64_t processes = options.processes >= 0 ? options.processes : program ? kProcessesOfProgram : 0;
  std::ostringstream text;
  text << "isolation " << IsolationName(options.isolation) << "\n";
  if (options.isolation != Isolation::kNone) {
    for (const std::string& path : ReadablePaths(options, backend)) text << "read " << path << "\n";
    for (const std::string& path : Devices(options)) text << "device " << path << "\n";
  }
  if (options.allow_network) text << "network\n";
  if (program) text << "program\n";
  text << "memory " << options.memory_bytes << "\nfile " << options.file_bytes << "\nfiles " << options.open_files
       << "\nprocesses " << processes << "\nrunner " << getpid() << "\ngroup " << getpgrp() << "\n"
       << kAnswers << "\n";
  text_ = text.str();
  file_ = FileDescriptor::MovedUp(memfd_create("poolproof-cell", MFD_CLOEXEC));
  if (!file_.Valid()) return Fail("cannot describe the cell of the backend: " + DescriptorError(), error);
  Rewind();
  return true;
}

void CellFile::Rewind() {
  if (ftruncate(file_.Get(), 0) != 0 || lseek(file_.Get(), 0, SEEK_SET) != 0) return;
  Append(file_.Get(), text_);
}

std::vector<CellPart> CellFile::Parts() const {
  std::vector<CellPart> parts;
  std::istringstream lines(ReadAll(file_.Get()));
  for (std::string line; std::getline(lines, line);) {
    const size_t tab = line.find('\t');
    if (!line.starts_with("part ") || tab == line.npos) continue;
    parts.push_back({line.substr(5, tab - 5), line.substr(tab + 1)});
  }
  return parts;
}

int64_t CellFile::LeftBehind() const {
  std::istringstream lines(ReadAll(file_.Get()));
  int64_t left = 0;
  for (std::string line; std::getline(lines, line);) {
    if (line.starts_with("left ")) left += Number(line.substr(5));
  }
  return left;
}

std::vector<std::string> CellEnvironment(const CellOptions& options) {
  std::vector<std::string> variables;
  for (char** variable = environ; *variable != nullptr; ++variable) {
    const std::string_view text = *variable;
    const std::string_view name = text.substr(0, std::min(text.find('='), text.size()));
    const auto fits = [name](const auto& pattern) { return GlobMatches(pattern, name); };
    if (options.isolation == Isolation::kNone || std::any_of(std::begin(kPassed), std::end(kPassed), fits) ||
        std::any_of(options.pass_env.begin(), options.pass_env.end(), fits)) {
      variables.emplace_back(text);
    }
  }
  return variables;
}

CellState EnterCell(int fd) {
  CellRules rules = ParseRules(ReadAll(fd));
  CellState state;
  state.processes = rules.processes;
  if (rules.isolation == IsolationName(Isolation::kNone)) return state;
  // First, since it is what the runner tells orphans of a cell by.
  AppendPart(fd, "no new privileges", ForbidNewPrivileges());
  if (rules.isolation == IsolationName(Isolation::kFull)) {
    const std::string namespaces = EnterNamespaces();
    AppendPart(fd, "namespaces", namespaces);
    rules.signals_scoped = namespaces == "on";
  }
  AppendPart(fd, "limits", LimitResources(rules));
  AppendPart(fd, "no capabilities", DropCapabilities());
  const LandlockState landlock = RestrictFiles(rules);
  AppendPart(fd, "files", landlock.files);
  rules.signals_scoped |= landlock.signals == "on";
  state.signals_scoped = rules.signals_scoped;
  const std::string calls = FilterSystemCalls(rules);
  AppendPart(fd, "system calls", calls);
  const bool alone = !rules.program && rules.processes == 0 && calls == "on";
  AppendPart(fd, "signals", alone || rules.signals_scoped ? "on" : landlock.signals);
  AppendPart(fd, "network", rules.network ? "off" : calls);
  // Landlock keeps other cells from looking into this one; where there is none, this does.
  if (landlock.files != "on") KeepOthersAway();
  return state;
}

void ReportLeftBehind(int fd, int64_t processes) { Append(fd, "left " + std::to_string(processes) + "\n"); }

}  // namespace worker
}  // namespace poolproof
