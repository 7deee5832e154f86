// The reader of baseline files: any file is read or refused with a sentence that names it, and one that was read is
// written as a text that reads back to the same.
#ifdef NDEBUG
#error "harnesses are built with assertions"
#endif

#include <sys/mman.h>
#include <unistd.h>

#include <cassert>
#include <cstdlib>
#include <string>
#include <string_view>

#include "conformance/results/baseline_file.h"

namespace {

// The reader takes a path: a file that exists in memory only.
int MemoryFile() {
  const int fd = memfd_create("baseline", 0);
  if (fd < 0) std::abort();
  return fd;
}

std::optional<poolproof::BaselineFile> Read(std::string_view text) {
  static const int fd = MemoryFile();
  static const std::string path = "/proc/self/fd/" + std::to_string(fd);
  if (ftruncate(fd, 0) != 0 || pwrite(fd, text.data(), text.size(), 0) != static_cast<ssize_t>(text.size())) {
    std::abort();
  }
  poolproof::Error error;
  auto file = poolproof::ReadBaselineFile(path, &error);
  assert(file.has_value() == error.message.empty());
  assert(file || error.message.find(path) != std::string::npos);
  return file;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  const auto file = Read({reinterpret_cast<const char*>(data), size});
  if (!file) return 0;
  const std::string text = poolproof::BaselineText(*file);
  const auto again = Read(text);
  assert(again && poolproof::BaselineText(*again) == text);
  assert(again->blocks.size() == file->blocks.size() && again->cases.size() == file->cases.size());
  for (const poolproof::BaselineCase& c : file->cases) assert(!again->CasesOf(c.id).empty());
  return 0;
}
