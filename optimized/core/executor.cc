#include "optimized/core/executor.h"

#include <new>

namespace poolproof::optimized {
namespace {

// Below this many bytes, waking a thread costs more than it saves.
constexpr int64_t kMinBytesPerThread = 64 * 1024;

}  // namespace

void Scratch::Free::operator()(void* p) const { ::operator delete(p, std::align_val_t{kAlign}); }

void* Scratch::Get(int slot, size_t bytes) {
  Block& block = blocks_[slot];
  if (block.size < bytes) {
    const size_t size = bytes + bytes / 2 + 4096;
    block.data.reset();
    block.size = 0;
    block.data.reset(::operator new(size, std::align_val_t{kAlign}));
    block.size = size;
  }
  return block.data.get();
}

Executor::Executor(int threads) {
  for (int id = 1; id < threads; ++id) {
    worker_scratch_.push_back(std::make_unique<Scratch>());
    workers_.emplace_back([this, id] { Work(id); });
  }
}

Executor::~Executor() {
  {
    std::lock_guard<std::mutex> lock(mutex_);
    stop_ = true;
  }
  start_.notify_all();
  for (std::thread& worker : workers_) worker.join();
}

void Executor::ForRanges(int64_t count, int64_t work, Body body, const void* context) {
  if (workers_.empty() || count < 2 || work < 2 * kMinBytesPerThread) {
    if (count > 0) body(context, 0, count, scratch_);
    return;
  }
  {
    std::lock_guard<std::mutex> lock(mutex_);
    count_ = count;
    body_ = body;
    context_ = context;
    pending_ = static_cast<int>(workers_.size());
    failed_ = false;
    ++generation_;
  }
  start_.notify_all();
  RunShare(0);
  std::unique_lock<std::mutex> lock(mutex_);
  done_.wait(lock, [this] { return pending_ == 0; });
  if (failed_) throw std::bad_alloc();
}

void Executor::RunShare(int id) {
  const int64_t n = threads();
  const int64_t begin = count_ / n * id + count_ % n * id / n;
  const int64_t end = count_ / n * (id + 1) + count_ % n * (id + 1) / n;
  Scratch& scratch = id == 0 ? scratch_ : *worker_scratch_[static_cast<size_t>(id - 1)];
  try {
    if (begin < end) body_(context_, begin, end, scratch);
  } catch (const std::bad_alloc&) {
    failed_ = true;
  }
}

void Executor::Work(int id) {
  uint64_t seen = 0;
  std::unique_lock<std::mutex> lock(mutex_);
  while (true) {
    start_.wait(lock, [&] { return stop_ || generation_ != seen; });
    if (stop_) return;
    seen = generation_;
    lock.unlock();
    RunShare(id);
    lock.lock();
    if (--pending_ == 0) done_.notify_one();
  }
}

}  // namespace poolproof::optimized
