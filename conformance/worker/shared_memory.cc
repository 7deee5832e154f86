#include "conformance/worker/shared_memory.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

namespace poolproof::worker {
namespace {

bool Fail(const char* what, Error* error) {
  error->message = std::string("cannot ") + what + " the memory shared with the backend process: " +
                   std::strerror(errno);
  return false;
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
  file_ = FileDescriptor::MovedUp(memfd_create("poolproof", MFD_CLOEXEC));
  if (!file_.Valid()) return Fail("create", error);
  if (ftruncate(file_.Get(), static_cast<off_t>(kTotalBytes)) != 0) return Fail("size", error);
  void* mapped = mmap(nullptr, kTotalBytes, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_NORESERVE,
                      file_.Get(), 0);
  if (mapped == MAP_FAILED) return Fail("map", error);
  base_ = static_cast<std::byte*>(mapped);
  return true;
}

void SharedMemory::Release(uint64_t offset, uint64_t bytes) const {
  // Only a hint about memory: where the file system cannot, the pages simply stay.
  (void)fallocate(file_.Get(), FALLOC_FL_PUNCH_HOLE | FALLOC_FL_KEEP_SIZE,
                  static_cast<off_t>(offset), static_cast<off_t>(bytes));
}

}  // namespace poolproof::worker
