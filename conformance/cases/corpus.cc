#include "conformance/cases/corpus.h"

#include <algorithm>

namespace poolproof {
namespace {

constexpr uint64_t kLatest = 16;

}  // namespace

void Corpus::Claim(uint64_t end) {
  const std::lock_guard lock(mutex_);
  claimed_ = std::max(claimed_, end);
}

void Corpus::Add(const Problem& problem) {
  constexpr size_t kFrame = 64;  // of a line in the results, apart from its text
  const size_t bytes = PrintLine(problem).size() + kFrame;
  const std::lock_guard lock(mutex_);
  if (bytes > kMaxBytes - bytes_) return;
  bytes_ += bytes;
  entries_.push_back({claimed_, problem});
}

std::optional<Problem> Corpus::Draw(uint64_t index, Choices& choices) const {
  const std::lock_guard lock(mutex_);
  const auto behind = std::ranges::upper_bound(entries_, index, {}, &Entry::from);
  const auto count = static_cast<uint64_t>(behind - entries_.begin());
  if (count == 0) return std::nullopt;
  const uint64_t reach = choices.Percent(50) ? std::min(count, kLatest) : count;
  return entries_[count - 1 - choices.Below(reach)].problem;
}

size_t Corpus::Size() const {
  const std::lock_guard lock(mutex_);
  return entries_.size();
}

std::vector<Corpus::Entry> Corpus::Entries() const {
  const std::lock_guard lock(mutex_);
  return {entries_.begin(), entries_.end()};
}

}  // namespace poolproof
