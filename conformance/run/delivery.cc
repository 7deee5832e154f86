#include "conformance/run/delivery.h"

namespace poolproof {

std::optional<uint64_t> Delivery::Claim(const std::function<void()>& before_waiting) {
  std::unique_lock lock(mutex_);
  if (!Ready()) {
    lock.unlock();
    before_waiting();
    lock.lock();
    room_.wait(lock, [&] { return Ready(); });
  }
  if (stopped_ || next_claim_ >= end_) return std::nullopt;
  const uint64_t first = next_claim_;
  next_claim_ = ChunkEnd(first);
  return first;
}

void Delivery::Deliver(uint64_t first, std::vector<Record> records) {
  const std::lock_guard lock(mutex_);
  waiting_.emplace(first, std::move(records));
  while (!waiting_.empty() && waiting_.begin()->first == next_delivery_) {
    for (Record& record : waiting_.begin()->second) {
      if (sink_failed_ || sink_(record)) continue;
      sink_failed_ = stopped_ = true;
    }
    next_delivery_ = ChunkEnd(next_delivery_);
    waiting_.erase(waiting_.begin());
  }
  room_.notify_all();
}

void Delivery::Stop() {
  const std::lock_guard lock(mutex_);
  stopped_ = true;
  room_.notify_all();
}

}  // namespace poolproof
