// How much of the work of a plan is done, from which follows when the rest will be.
#pragma once

#include <cstdint>
#include <vector>

#include "conformance/cases/plan.h"

namespace poolproof {

class Work {
 public:
  explicit Work(const Plan& plan);
  // The share, 0 to 1, of what all cases take that those in the places before `n` take.
  double Share(uint64_t n) const;

 private:
  double Before(uint64_t n) const;

  std::vector<double> fixed_ = {0};  // what those in the places before each take
  double random_ = 0, all_ = 0;      // what one random problem takes, and all cases
};

}  // namespace poolproof
