// Runs one problem on the reference and on the optimized backend and compares everything.
#pragma once

#include <array>
#include <memory>
#include <string>
#include <vector>

#include "conformance/properties/against_oracle.h"

namespace poolproof {

class Comparer {
 public:
  // Options of the optimized backend; aborts on wrong ones.
  explicit Comparer(const std::vector<std::string>& options);

  // "" where both agree, else the first difference. Every name is dispatched to in turn, with tensors that end at an
  // unmapped page and with tensors that begin after one; all results must be the same bits. With no names, the current
  // target is used.
  std::string Compare(const Problem& problem, const std::vector<std::string>& targets);

  // The status of the last problem: OK, INVALID_ARGUMENT, or UNSUPPORTED where neither has the operator.
  poolproof_status expected() const { return oracle_.expected().status; }

 private:
  bool SameBitsAsFirst(size_t run);

  std::unique_ptr<InProcessBackend> backend_;
  AgainstOracle oracle_{{}, Leeway::kSignOfZero};
  std::array<std::vector<std::byte>, kMaxOutputs> first_;  // the outputs of the first run
};

}  // namespace poolproof
