// Scratch memory and threads of one backend instance, kept between calls so that a small call
// allocates nothing.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <thread>
#include <vector>

namespace poolproof::optimized {

// Grow-only memory of one thread, aligned for any vector.
class Scratch {
 public:
  static constexpr size_t kAlign = 128;
  static constexpr int kSlots = 30;

  // At least `bytes` bytes of unspecified content, valid until the next Get with the same slot.
  void* Get(int slot, size_t bytes);
  template <typename T>
  T* Get(int slot, int64_t count) {
    return static_cast<T*>(Get(slot, static_cast<size_t>(count) * sizeof(T)));
  }

 private:
  struct Free {
    void operator()(void* p) const;
  };
  struct Block {
    std::unique_ptr<void, Free> data;
    size_t size = 0;
  };
  Block blocks_[kSlots];
};

// Splits [0, count) into one contiguous range per thread. With one thread nothing is locked and
// nothing is started.
class Executor {
 public:
  explicit Executor(int threads);
  ~Executor();
  Executor(const Executor&) = delete;
  Executor& operator=(const Executor&) = delete;

  // Scratch of the calling thread, between calls of For.
  Scratch& scratch() { return scratch_; }

  int threads() const { return static_cast<int>(workers_.size()) + 1; }

  // Calls body(context, begin, end, scratch) for disjoint ranges that cover [0, count) and waits.
  // `work` is the number of bytes touched: little work stays on the calling thread. Throws
  // std::bad_alloc, after all shares have ended, if one of them did.
  using Body = void (*)(const void* context, int64_t begin, int64_t end, Scratch& scratch);
  void ForRanges(int64_t count, int64_t work, Body body, const void* context);

  template <typename F>
  void For(int64_t count, int64_t work, const F& body) {
    ForRanges(
        count, work,
        [](const void* f, int64_t begin, int64_t end, Scratch& scratch) {
          (*static_cast<const F*>(f))(begin, end, scratch);
        },
        &body);
  }

 private:
  void Start();
  void Work(int id);
  void RunShare(int id);

  const int spins_;
  Scratch scratch_;
  std::vector<std::unique_ptr<Scratch>> worker_scratch_;
  std::vector<std::thread> workers_;
  std::atomic<uint32_t> generation_ = 0;  // of what is to be done
  std::atomic<uint32_t> pending_ = 0;     // workers that are not done with it
  bool stop_ = false;
  std::atomic<bool> failed_ = false;  // a share ran out of memory
  int64_t count_ = 0;
  Body body_ = nullptr;
  const void* context_ = nullptr;
};

}  // namespace poolproof::optimized
