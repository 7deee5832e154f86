// A child program with pipes to its stdin and from its stdout, read and written with a deadline.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "conformance/worker/cell.h"
#include "conformance/worker/child_process.h"
#include "conformance/worker/output_capture.h"

namespace poolproof::worker {

class ProcessChannel {
 public:
  enum class Status { kOk, kEnded, kTimeout, kTooLong };
  static constexpr size_t kMaxLine = size_t{1} << 20;

  // Runs `command` by /bin/sh, stderr going where `output` says.
  // In the cell that `cell` describes.
  bool Start(const std::string& command, const std::vector<std::string>& environment, CellFile* cell,
             OutputCapture* output, Error* error);
  // Ends its stdin, gives it a moment to end, and kills the group if it does not. What went wrong,
  // "" if nothing or if it was not running.
  std::string Stop();
  void Kill() { child_.Kill(); }
  // After kEnded: how it ended.
  std::string DescribeEnd();
  int Id() const { return child_.Id(); }

  void SetDeadline(double seconds_from_now);
  // All of these stop at the deadline. A request is written whole before its reply is read.
  Status Write(std::string_view bytes);
  Status ReadLine(std::string* line);
  Status Read(std::span<std::byte> bytes);

 private:
  Status AwaitReady(int fd, short events);
  Status FillBuffer();

  CellFile* cell_ = nullptr;
  OutputCapture* output_ = nullptr;
  ChildProcess child_;
  FileDescriptor to_child_, from_child_;
  std::string buffer_;  // read and not yet asked for
  int64_t deadline_ = 0;
};

}  // namespace poolproof::worker
