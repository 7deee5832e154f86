// Problems that showed something new of a library, which a fuzzer changes further.
#pragma once

#include <cstdint>
#include <deque>
#include <mutex>
#include <optional>
#include <vector>

#include "conformance/cases/choices.h"
#include "conformance/cases/problem.h"

namespace poolproof {

// A list that grows while problems are drawn, so that each random problem is the same whenever it is drawn: one that is
// added serves only indices that nobody had claimed before. Thread-safe.
class Corpus {
 public:
  // Random problems below this index may be drawn from now on.
  void Claim(uint64_t end);
  void Add(const Problem& problem);
  // One of those that serve random problem `index`, every other time of the latest; nothing where there is none.
  std::optional<Problem> Draw(uint64_t index, Choices& choices) const;
  size_t Size() const;
  struct Entry {
    uint64_t from = 0;  // the first index that it serves
    Problem problem;
  };
  std::vector<Entry> Entries() const;

 private:
  mutable std::mutex mutex_;
  uint64_t claimed_ = 0;
  std::deque<Entry> entries_;  // ascending
};

}  // namespace poolproof
