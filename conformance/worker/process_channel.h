// A child program with pipes to its stdin and from its stdout, read and written with a deadline.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "conformance/worker/cell.h"
#include "conformance/worker/child_process.h"
#include "conformance/worker/output_capture.h"

namespace poolproof::worker {

class ProcessChannel {
 public:
  enum class Status { kOk, kEnded, kTimeout, kTooLong, kMustEnd };
  static constexpr size_t kMaxLine = size_t{1} << 20;

  // Runs `command` by /bin/sh, stderr going where `output` says.
  // In the cell that `cell` describes.
  bool Start(const std::string& command, CellFile* cell, OutputCapture* output, Error* error);
  // Ends its stdin and waits for it to end: `seconds`, or if that is 0 twice as long as it took to start, 2 at least.
  // One that does not is ended, which is a warning. What went wrong, if anything.
  std::optional<ProcessFault> Stop(double seconds);
  void SetStartSeconds(double seconds) { start_seconds_ = seconds; }
  void Kill() { child_.Kill(); }
  // After kEnded: how it ended.
  std::string DescribeEnd();
  int Id() const { return child_.Id(); }

  void SetDeadline(double seconds_from_now);
  // As LaneOptions::must_end.
  void SetMustEnd(std::function<bool()> must_end) { must_end_ = std::move(must_end); }
  // All of these stop at the deadline. A request is written whole before its reply is read.
  Status Write(std::string_view bytes);
  Status ReadLine(std::string* line);
  // `got`: how many bytes came.
  Status Read(std::span<std::byte> bytes, size_t* got);
  // Tells whether something has come that is not asked for yet: after ReadLine has failed, the beginning of a line.
  bool HasMore() const { return !buffer_.empty(); }

 private:
  Status AwaitReady(int fd, short events);
  Status FillBuffer();
  bool MustEnd() const { return must_end_ && must_end_(); }

  CellFile* cell_ = nullptr;
  OutputCapture* output_ = nullptr;
  ChildProcess child_;
  FileDescriptor to_child_, from_child_;
  std::string buffer_;  // read and not yet asked for
  int64_t deadline_ = 0;
  int64_t latest_ = 0;  // when also what comes bit by bit has to be there
  std::function<bool()> must_end_;
  double start_seconds_ = 0;
  int64_t kills_ = 0;  // of the system for lack of memory, before it was started
};

}  // namespace poolproof::worker
