#include "conformance/worker/cell.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <sstream>

#include "conformance/worker/cell_devices.h"
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

constexpr int64_t kProcessesOfProgram = 256;
constexpr std::string_view kAnswers = "--";
constexpr const char* kOwnThreads = "/proc/self/task";

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
    if (key == "list") rules.list.push_back(value);
    if (key == "device") rules.devices.push_back(value);
    if (key == "folder") rules.folder = value;
    if (key == "network") rules.network = true;
    if (key == "nvidia") rules.nvidia = true;
    if (key == "devices") rules.allow_devices = true;
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

}  // namespace

bool CellFile::Create(const CellOptions& options, const std::string& backend, Error* error) {
  const bool program = backend.starts_with("process:");
  const int64_t processes = options.processes >= 0 ? options.processes : program ? kProcessesOfProgram : 0;
  std::ostringstream text;
  text << "isolation " << IsolationName(options.isolation) << "\n";
  if (options.isolation != Isolation::kNone) {
    for (const Readable& path : ReadablePaths(options, backend)) {
      text << (path.names_only ? "list " : "read ") << path.path << "\n";
    }
    for (const std::string& path : DevicesOf(options)) text << "device " << path << "\n";
    if (folder_.Create()) text << "folder " << folder_.Path() << "\n";
    if (AllowsNvidia(options)) text << "nvidia\n";
  }
  variables_ = VariablesOf(options);
  if (options.allow_network) text << "network\n";
  if (!options.allow_devices.empty()) text << "devices\n";
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
  folder_.Empty();
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

std::vector<std::string> CellFile::Environment() const {
  std::vector<std::string> variables = variables_;
  const bool asked =
      std::any_of(variables.begin(), variables.end(), [](const std::string& v) { return v.starts_with("TMPDIR="); });
  if (!asked && !folder_.Path().empty()) variables.push_back("TMPDIR=" + folder_.Path());
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
  if (rules.nvidia) rules.names = rules.program ? "/proc" : kOwnThreads;
  const LandlockState landlock = RestrictFiles(rules);
  AppendPart(fd, "files", landlock.files);
  state.names_open = rules.nvidia && rules.program && landlock.files == "on";
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

bool EnterProgram(int fd) {
  CellRules rules = ParseRules(ReadAll(fd));
  rules.names = kOwnThreads;
  return RestrictFiles(rules).files == "on";
}

void ReportLeftBehind(int fd, int64_t processes) { Append(fd, "left " + std::to_string(processes) + "\n"); }

}  // namespace worker
}  // namespace poolproof
