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

void Delivery::Deliver(uint64_t first, std::vector<Record> records, bool cut) {
  const std::lock_guard lock(mutex_);
  waiting_.emplace(first, Done{std::move(records), cut});
  while (!waiting_.empty() && waiting_.begin()->first == next_delivery_) {
    Done& done = waiting_.begin()->second;
    for (Record& record : done.records) over_ = over_ || !sink_(record);
    over_ = over_ || done.cut;
    stopped_ = stopped_ || over_;
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
