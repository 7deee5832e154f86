#include "conformance/worker/shared_memory.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cassert>
#include <cstring>

namespace poolproof::worker {
namespace {

bool FailTo(const char* what, Error* error) {
  error->message = std::string("cannot ") + what + " the memory shared with the backend process: " + DescriptorError();
  return false;
}

FileDescriptor MakeFile(const char* name, uint64_t bytes) {
  FileDescriptor file = FileDescriptor::MovedUp(memfd_create(name, MFD_CLOEXEC));
  if (file.Valid() && ftruncate(file.Get(), static_cast<off_t>(bytes)) != 0) file.Close();
  return file;
}

bool MapAt(std::byte* at, uint64_t bytes, int fd) {
  return mmap(at, bytes, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_NORESERVE | MAP_FIXED, fd, 0) != MAP_FAILED;
}

}  // namespace

SharedMemory::~SharedMemory() {
  if (base_ != nullptr) munmap(base_, kTotalBytes);
}

bool SharedMemory::Create(Error* error) {
  if (sysconf(_SC_PAGESIZE) != static_cast<long>(kPage)) {
    error->message = "this system has pages of " + std::to_string(sysconf(_SC_PAGESIZE)) +
                     " bytes; guarded memory needs pages of " + std::to_string(kPage);
    return false;
  }
  runner_file_ = MakeFile("poolproof-runner", kRunnerFileBytes);
  if (runner_file_.Valid()) worker_file_ = MakeFile("poolproof-worker", kWorkerFileBytes);
  if (!runner_file_.Valid() || !worker_file_.Valid()) return FailTo("create", error);
  const std::string path = "/proc/self/fd/" + std::to_string(runner_file_.Get());
  runner_read_only_ = FileDescriptor::MovedUp(open(path.c_str(), O_RDONLY | O_CLOEXEC));
  if (!runner_read_only_.Valid()) return FailTo("open", error);
  void* range = mmap(nullptr, kTotalBytes, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (range == MAP_FAILED) return FailTo("map", error);
  base_ = static_cast<std::byte*>(range);
  return (MapAt(base_, kRunnerFileBytes, runner_file_.Get()) &&
          MapAt(base_ + kRunnerFileBytes, kWorkerFileBytes, worker_file_.Get())) ||
         FailTo("map", error);
}

void SharedMemory::Write(uint64_t offset, const std::byte* from, uint64_t bytes) const {
  assert(offset + bytes <= kRunnerFileBytes);
  uint64_t done = 0;
  while (bytes > kSmallRegion && done < bytes) {
    const ssize_t wrote = pwrite(runner_file_.Get(), from + done, bytes - done, static_cast<off_t>(offset + done));
    if (wrote <= 0) break;  // the copy below says what is wrong
    done += static_cast<uint64_t>(wrote);
  }
  std::memcpy(At(offset + done), from + done, bytes - done);
}

uint64_t SharedMemory::AllocatedBytes() const {
  constexpr uint64_t kBlock = 512;
  struct stat runner = {}, worker = {};
  fstat(runner_file_.Get(), &runner);
  fstat(worker_file_.Get(), &worker);
  return kBlock * static_cast<uint64_t>(runner.st_blocks + worker.st_blocks);
}

void SharedMemory::Release(uint64_t offset, uint64_t bytes) const {
  const bool runners = offset < kRunnerFileBytes;
  const FileDescriptor& file = runners ? runner_file_ : worker_file_;
  // Only a hint about memory: where the file system cannot, the pages simply stay.
  (void)fallocate(file.Get(), FALLOC_FL_PUNCH_HOLE | FALLOC_FL_KEEP_SIZE,
                  static_cast<off_t>(runners ? offset : offset - kRunnerFileBytes), static_cast<off_t>(bytes));
}

}  // namespace poolproof::worker
