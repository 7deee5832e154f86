// How large the problems of a plan are, as a table.
#pragma once

#include <array>
#include <cstdint>
#include <string>

#include "conformance/cases/problem.h"
#include "conformance/judge/oracle.h"

namespace poolproof {

class SizeTable {
 public:
  // `result` has the shapes of the outputs, where the problem is valid.
  void Add(const Problem& problem, const Result& result);
  // A row for each class of sizes, from one power of two up to below the next; a column for each
  // quantity, with the number of problems whose largest such value is in the class.
  std::string Text() const;

 private:
  static constexpr size_t kQuantities = 11, kClasses = 64;
  void Count(size_t quantity, int64_t value);

  std::array<std::array<uint64_t, kQuantities>, kClasses> counts_{};
};

}  // namespace poolproof
