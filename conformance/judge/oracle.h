// The expected result of a problem under one set of readings.
#pragma once

#include <array>
#include <cstddef>
#include <string>
#include <vector>

#include "conformance/cases/problem.h"
#include "reference/reference.h"

namespace poolproof {

// A result, expected or got: status, and for OK the outputs. Does not own the bytes.
struct Result {
  poolproof_status status = POOLPROOF_OK;
  bool computed = true;  // false: only shapes are known (the tensors are too large to run)
  size_t output_count = 0;
  std::array<poolproof_tensor, kMaxOutputs> outputs{};
};

// True where type, shape, size and frac_bits of all outputs are equal.
bool SameShapes(const Result& a, const Result& b);

// An expected result with its memory, which is reused from one Compute to the next.
class Expected {
 public:
  // Computes `call` (inputs with data) under `readings`. The outputs of `call` are scratch.
  // `infer_only`: shapes alone. `capacity`: of the outputs that it is computed in.
  void Compute(Call& call, const reference::Readings& readings, bool infer_only, Capacity capacity = {});
  // Replaces the bytes of output `index` by values that a document prints, where the type holds
  // them all; false, and nothing changed, otherwise.
  bool Override(size_t index, const TensorValue& value);

  const Result& result() const { return result_; }
  const reference::Readings& readings() const { return context_.readings; }
  reference::EntrySet touched() const { return context_.touched; }
  reference::EntrySet binding() const { return context_.binding; }
  Capacity capacity() const { return capacity_; }
  const std::string& error() const { return context_.error; }

 private:
  Result result_;
  Capacity capacity_;
  reference::Context context_;
  std::array<std::vector<std::byte>, kMaxOutputs> memory_;
};

// Computes what a case has to give under the selected readings: the oracle's result, for a documented example, where it
// is one, with the values of the document. `call` is bound to the problem and its inputs have data.
void ComputeExpected(const Problem& problem, const Example* example, const reference::Selection& selection, Call& call,
                     Expected* expected);

}  // namespace poolproof
