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

// A list that grows while problems are drawn. Each random problem is the same whenever it is drawn, since an entry
// serves only indices that had not been claimed when it was added. Thread-safe.
class Corpus {
 public:
  // The lines of all stand in one line of a results file, which a reader takes up to 16 MiB.
  static constexpr size_t kMaxBytes = size_t{8} << 20;

  // Random problems below this index may be drawn from now on.
  void Claim(uint64_t end);
  // Adds nothing where the lines of all would take more than kMaxBytes.
  void Add(const Problem& problem);
  // Draws an entry that serves random problem `index`, half of the time from the latest; nothing where none serves it.
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
  size_t bytes_ = 0;           // of the lines
  std::deque<Entry> entries_;  // ascending
};

}  // namespace poolproof
