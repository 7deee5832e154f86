// Runs one problem on the reference and on the optimized backend and compares everything.
#ifndef POOLPROOF_CONFORMANCE_PROPERTIES_DIFFERENTIAL_COMPARE_H_
#define POOLPROOF_CONFORMANCE_PROPERTIES_DIFFERENTIAL_COMPARE_H_

#include <string>
#include <vector>

#include "conformance/backend.h"
#include "conformance/cases/problem.h"
#include "conformance/properties/guarded.h"

namespace poolproof {

struct Comparison {
  std::string difference;    // empty: they agree
  bool rejected = false;     // both said INVALID_ARGUMENT
  bool unsupported = false;  // neither has the operator
};

class Comparer {
 public:
  // Options of the optimized backend; aborts on wrong ones.
  explicit Comparer(const std::vector<std::string>& options);
  ~Comparer();

  // Every name is dispatched to in turn; all results must be the same bits. With no names, the current
  // target is used.
  Comparison Compare(const Problem& problem, const std::vector<std::string>& targets);

 private:
  struct Result {
    poolproof_status status = POOLPROOF_OK;
    std::string error;
    std::vector<unsigned char> bytes[2];
    poolproof_tensor shape[2] = {};
  };

  Result Reference();
  // Tensors end at an unmapped page, or begin after one.
  Result Optimized(bool at_end);
  std::string Difference(const Result& want, const Result& got);
  std::string ElementDifference(const Result& want, const Result& got, size_t output);

  Call call_;                        // of the problem that is compared
  std::vector<unsigned char> data_;  // its input
  poolproof_instance* instance_ = nullptr;
  GuardedBuffer in_, out_[2];
};

}  // namespace poolproof

#endif  // POOLPROOF_CONFORMANCE_PROPERTIES_DIFFERENTIAL_COMPARE_H_
