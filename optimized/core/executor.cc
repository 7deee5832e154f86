#include "optimized/core/executor.h"

#include <cassert>
#include <new>

#include "hwy/cache_control.h"

namespace poolproof::optimized {
namespace {

// Below this many bytes, waking a thread costs more than it saves.
constexpr int64_t kMinBytesPerThread = int64_t{64} * 1024;

// How often a thread looks for work before it sleeps, some 50 to 100 microseconds long: to be woken takes about as long
// as to pool a few megabytes.
constexpr int kSpins = 2000;

// Waits until `value` is not `old` any more.
void AwaitChange(const std::atomic<uint32_t>& value, uint32_t old, int spins) {
  for (int i = 0; i < spins; ++i) {
    if (value.load(std::memory_order_acquire) != old) return;
    hwy::Pause();
  }
  value.wait(old, std::memory_order_acquire);
}

}  // namespace

void Scratch::Free::operator()(void* p) const { ::operator delete(p, std::align_val_t{kAlign}); }

void* Scratch::Get(int slot, size_t bytes) {
  assert(slot >= 0 && slot < kSlots);
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

// With fewer processors than threads, one that looks for work keeps another from it.
Executor::Executor(int threads)
    : spins_(static_cast<unsigned>(threads) <= std::thread::hardware_concurrency() ? kSpins : 0) {
  assert(threads >= 1);
  for (int id = 1; id < threads; ++id) {
    worker_scratch_.push_back(std::make_unique<Scratch>());
    workers_.emplace_back([this, id] { Work(id); });
  }
}

Executor::~Executor() {
  stop_ = true;
  Start();
  for (std::thread& worker : workers_) worker.join();
}

void Executor::ForRanges(int64_t count, int64_t work, Body body, const void* context) {
  assert(count >= 0 && work >= 0 && body != nullptr);
  if (workers_.empty() || count < 2 || work < 2 * kMinBytesPerThread) {
    if (count > 0) body(context, 0, count, scratch_);
    return;
  }
  count_ = count;
  body_ = body;
  context_ = context;
  failed_ = false;
  pending_.store(static_cast<uint32_t>(workers_.size()), std::memory_order_relaxed);
  Start();
  RunShare(0);
  for (uint32_t left; (left = pending_.load(std::memory_order_acquire)) > 0;) AwaitChange(pending_, left, spins_);
  if (failed_) throw std::bad_alloc();
}

// The workers see what was written before.
void Executor::Start() {
  generation_.fetch_add(1, std::memory_order_release);
  generation_.notify_all();
}

void Executor::RunShare(int id) {
  const int64_t n = threads();
  assert(id >= 0 && id < n);
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
  // Nothing starts before all workers are done with what was started, so that none is missed.
  for (uint32_t seen = 0;; ++seen) {
    AwaitChange(generation_, seen, spins_);
    if (stop_) return;
    RunShare(id);
    if (pending_.fetch_sub(1, std::memory_order_acq_rel) == 1) pending_.notify_one();
  }
}

}  // namespace poolproof::optimized
