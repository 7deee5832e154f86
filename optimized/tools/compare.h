// Runs one call on the reference and on the optimized backend and compares everything.
#ifndef POOLPROOF_OPTIMIZED_TOOLS_COMPARE_H_
#define POOLPROOF_OPTIMIZED_TOOLS_COMPARE_H_

#include <string>
#include <vector>

#include "conformance/backend.h"
#include "optimized/tools/guarded.h"
#include "optimized/tools/random_call.h"

namespace poolproof::optimized {

struct Comparison {
  std::string difference;      // empty: they agree
  bool rejected = false;       // both said INVALID_ARGUMENT
  bool unsupported = false;    // neither has the operator
};

class Comparer {
 public:
  // Options of the optimized backend; aborts on wrong ones.
  explicit Comparer(const std::vector<std::string>& options);
  ~Comparer();

  // Every name is dispatched to in turn; all results must be the same bits. With no names, the current
  // target is used.
  Comparison Compare(RandomCall& problem, const std::vector<std::string>& targets);

 private:
  struct Result {
    poolproof_status status = POOLPROOF_OK;
    std::string error;
    std::vector<unsigned char> bytes[2];
    poolproof_tensor shape[2] = {};
  };

  Result Reference(RandomCall& problem);
  // Tensors end at an unmapped page, or begin after one.
  Result Optimized(RandomCall& problem, bool at_end);
  std::string Difference(RandomCall& problem, const Result& want, const Result& got) const;
  std::string ElementDifference(RandomCall& problem, const Result& want, const Result& got,
                                size_t output) const;

  poolproof_instance* instance_ = nullptr;
  GuardedBuffer in_, out_[2];
};

}  // namespace poolproof::optimized

#endif  // POOLPROOF_OPTIMIZED_TOOLS_COMPARE_H_
