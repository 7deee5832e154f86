// The reader of baseline files: any file is read or refused with a sentence that names it, and the
// cases of an entry that was read are written as what reads back to the same cases.
#ifdef NDEBUG
#error "harnesses are built with assertions"
#endif

#include <sys/mman.h>
#include <unistd.h>

#include <cassert>
#include <cstdlib>
#include <string>

#include <nlohmann/json.hpp>

#include "conformance/results/baseline.h"

namespace {

// The reader takes a path: a file that exists in memory only.
int MemoryFile() {
  const int fd = memfd_create("baseline", 0);
  if (fd < 0) std::abort();
  return fd;
}

void CheckCover(const poolproof::Cover& cover) {
  if (cover.size() == 0) return;
  nlohmann::ordered_json entry;
  cover.Write(true, &entry);
  poolproof::Cover again;
  poolproof::Error error;
  assert(again.Read(entry, &error) && again.size() == cover.size());
  assert(again.SameCasesAs(cover) || cover.size() > poolproof::Cover::kNamed);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  static const int fd = MemoryFile();
  static const std::string path = "/proc/self/fd/" + std::to_string(fd);
  if (ftruncate(fd, 0) != 0 || pwrite(fd, data, size, 0) != static_cast<ssize_t>(size)) {
    std::abort();
  }
  poolproof::Error error;
  std::optional<poolproof::Baseline> baseline = poolproof::Baseline::Load(path, &error);
  assert(baseline.has_value() == error.message.empty());
  assert(baseline || error.message.find(path) != std::string::npos);
  if (!baseline) return 0;
  baseline->Summary(true, nullptr);
  const auto file = poolproof::ReadBaselineFile(path, false, &error);
  assert(file);
  for (const poolproof::BaselineEntry& entry : file->entries) CheckCover(entry.cover);
  return 0;
}
