// The memory of shared_layout.h as file descriptors and as the runner's mapping of it.
#pragma once

#include <cstddef>
#include <cstdint>

#include "conformance/cases/spec.h"
#include "conformance/worker/file_descriptor.h"
#include "conformance/worker/shared_layout.h"

namespace poolproof::worker {

class SharedMemory {
 public:
  SharedMemory() = default;
  SharedMemory(const SharedMemory&) = delete;
  SharedMemory& operator=(const SharedMemory&) = delete;
  ~SharedMemory();

  // False, and a sentence, if the system does not give the memory.
  bool Create(Error* error);
  // For the worker: the runner's file, which it can only read, and its own.
  int RunnerDescriptor() const { return runner_read_only_.Get(); }
  int WorkerDescriptor() const { return worker_file_.Get(); }

  std::byte* At(uint64_t offset) const { return base_ + offset; }
  template <typename T>
  T* As(uint64_t offset) const {
    return reinterpret_cast<T*>(base_ + offset);
  }
  RunnerBlock* Runner() const { return As<RunnerBlock>(kRunnerOffset); }
  WorkerBlock* Worker() const { return As<WorkerBlock>(kWorkerOffset); }
  CaseRequest* Request(int batch, int slot) const { return As<CaseRequest>(RequestOffset(batch, slot)); }
  CaseResponse* Response(int batch, int slot) const { return As<CaseResponse>(ResponseOffset(batch, slot)); }

  // Copies `bytes` to `offset`, which is in the runner's file. What is large is written to the file, so that new pages
  // are neither cleared nor found missing one by one.
  void Write(uint64_t offset, const std::byte* from, uint64_t bytes) const;

  // Memory that the pages take which were touched so far, by either side.
  uint64_t AllocatedBytes() const;
  // Gives the pages of [offset, offset + bytes) back to the system; they read as zero afterwards.
  void Release(uint64_t offset, uint64_t bytes) const;

 private:
  FileDescriptor runner_file_, runner_read_only_, worker_file_;
  std::byte* base_ = nullptr;
};

}  // namespace poolproof::worker
