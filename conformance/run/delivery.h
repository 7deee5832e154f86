// Puts the records of chunks that lanes finish in any order back into plan order.
#pragma once

#include <condition_variable>
#include <functional>
#include <map>
#include <mutex>
#include <optional>
#include <vector>

#include "conformance/run/engine.h"

namespace poolproof {

class Delivery {
 public:
  // Chunks of `chunk_size` places from `first` to `end`; at most `window` chunks are handed out
  // beyond the oldest unfinished one, which bounds the memory of a run.
  Delivery(uint64_t first, uint64_t end, uint64_t chunk_size, uint64_t window, const Sink& sink)
      : next_claim_(first),
        next_delivery_(first),
        end_(end),
        chunk_size_(chunk_size),
        window_(window * chunk_size),
        sink_(sink) {}

  // First place of the next chunk, or nothing when the plan is used up or stopped. Where the window
  // is full it calls `before_waiting`, which has to deliver all chunks that the caller still holds
  // (one of them may be the one that everybody waits for), and waits.
  std::optional<uint64_t> Claim(const std::function<void()>& before_waiting);
  // One past the last place of the chunk that begins at `first`.
  uint64_t ChunkEnd(uint64_t first) const { return std::min(first + chunk_size_, end_); }
  // The records of the chunk that begins at `first`, in order. `cut`: the chunk was left before its
  // end, and so nothing that follows it counts.
  void Deliver(uint64_t first, std::vector<Record> records, bool cut = false);
  // No further chunk is handed out.
  void Stop();

 private:
  bool Ready() const { return stopped_ || next_claim_ >= end_ || next_claim_ < next_delivery_ + window_; }

  std::mutex mutex_;
  std::condition_variable room_;
  struct Done {
    std::vector<Record> records;
    bool cut = false;
  };
  std::map<uint64_t, Done> waiting_;
  uint64_t next_claim_, next_delivery_, end_;
  const uint64_t chunk_size_, window_;
  const Sink& sink_;
  bool stopped_ = false;
  bool over_ = false;  // the sink takes no more, or a chunk was cut
};

}  // namespace poolproof
