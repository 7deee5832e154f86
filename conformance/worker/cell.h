// Putting a backend process into its cell.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "conformance/cases/spec.h"
#include "conformance/worker/cell_folder.h"
#include "conformance/worker/cell_options.h"
#include "conformance/worker/file_descriptor.h"

namespace poolproof::worker {

// Facts that the runner tells a process of its cell, and the process tells the runner: a file in memory
// that both have.
class CellFile {
 public:
  // `backend` as in LaneOptions; what it needs to be loaded is added to what may be read.
  bool Create(const CellOptions& options, const std::string& backend, Error* error);
  int Get() const { return file_.Get(); }
  // For the next process, which finds its folder empty.
  void Rewind();
  // The variables for the environment of the process, each as "NAME=value".
  std::vector<std::string> Environment() const;
  // Parts that the process has made of it; empty before it has.
  std::vector<CellPart> Parts() const;
  // Processes that the backend's program left behind.
  int64_t LeftBehind() const;

 private:
  FileDescriptor file_;
  std::string text_;
  std::vector<std::string> variables_;
  CellFolder folder_;
};

// Those of this process that the options let through, each as "NAME=value".
std::vector<std::string> VariablesOf(const CellOptions& options);

// In the process: enters the cell that `fd` describes and writes down what came of it. It is called
// once, before the backend is loaded, with one thread. The descriptor stays open.
struct CellState {
  bool signals_scoped = false;  // kill(-1) reaches this cell and nothing else
  bool handlers_guarded = false;
  int64_t processes = 0;    // that may be started
  bool names_open = false;  // all processes of the program can be named, until EnterProgram
};
CellState EnterCell(int fd);
// In the process that becomes the program, which had no number yet when the cell was entered: leaves it the names of
// its own threads alone. False where that fails.
bool EnterProgram(int fd);
void ReportLeftBehind(int fd, int64_t processes);

}  // namespace poolproof::worker
