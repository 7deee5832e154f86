#include "conformance/worker/program_output.h"

#include <fcntl.h>
#include <unistd.h>

#include "conformance/worker/child_process.h"
#include "conformance/worker/file_descriptor.h"

namespace poolproof::worker {
namespace {

constexpr double kSecondsToEnd = 10;

}  // namespace

std::string OutputOf(const std::string& program, const std::vector<std::string>& arguments,
                     const std::vector<std::string>& environment) {
  int ends[2];
  if (pipe2(ends, O_CLOEXEC) != 0) return "";
  const FileDescriptor reader = FileDescriptor::MovedUp(ends[0]);
  FileDescriptor writer = FileDescriptor::MovedUp(ends[1]);
  const FileDescriptor null = FileDescriptor::MovedUp(open("/dev/null", O_RDWR | O_CLOEXEC));
  if (!reader.Valid() || !writer.Valid() || !null.Valid()) return "";
  ChildProcess child;
  Error ignored;
  if (!child.Start(program, arguments, environment, {null.Get(), writer.Get(), null.Get()}, &ignored)) return "";
  writer.Close();
  std::string text;
  char buffer[4096];
  for (ssize_t got; (got = read(reader.Get(), buffer, sizeof(buffer))) > 0;) {
    text.append(buffer, static_cast<size_t>(got));
  }
  if (!child.WaitFor(kSecondsToEnd)) child.Kill();
  return text;
}

}  // namespace poolproof::worker
