// Captures what a backend process writes to stdout and stderr.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>

#include "conformance/cases/spec.h"
#include "conformance/worker/file_descriptor.h"

namespace poolproof::worker {

// Both go through pipes, so that they can be counted and bounded; what is above the bound is read
// and dropped, and the log says how much that was. A caller that waits for the process has to wait for
// the pipes as well: a full one stops the process.
class OutputCapture {
 public:
  OutputCapture() = default;
  ~OutputCapture() { Close(); }
  OutputCapture(const OutputCapture&) = delete;
  OutputCapture& operator=(const OutputCapture&) = delete;

  // `log_path` is appended to, `log_bytes` at most; "" drops both. False and a sentence if it
  // cannot be opened.
  bool Open(const std::string& log_path, int64_t log_bytes, Error* error);

  // For the process.
  int Stdin() const { return null_.Get(); }
  int Stdout() const { return streams_[0].write_end.Get(); }
  int Stderr() const { return streams_[1].write_end.Get(); }
  // Readable where there is something to drain.
  std::array<int, 2> Readers() const { return {streams_[0].read_end.Get(), streams_[1].read_end.Get()}; }

  // Moves what has come to the log, a bounded part of it where more keeps coming.
  void Drain();
  int64_t StdoutBytes() const { return streams_[0].bytes; }
  // The last lines of stderr that were drained.
  std::string_view LastOfStderr() const { return last_; }

 private:
  struct Stream {
    FileDescriptor read_end, write_end;
    int64_t bytes = 0;
  };

  bool DrainOne(Stream& stream);
  void KeepLast(std::string_view bytes);
  void Log(const char* bytes, size_t count);
  void Close();

  FileDescriptor null_, log_;
  std::array<Stream, 2> streams_;
  std::string last_;
  int64_t left_ = 0;  // bytes that the log may still take
  int64_t cut_ = 0;   // bytes that were dropped
};

}  // namespace poolproof::worker
