// One problem, computed by the oracle and by another backend, compared element by element.
#ifndef POOLPROOF_FUZZ_AGAINST_REFERENCE_H_
#define POOLPROOF_FUZZ_AGAINST_REFERENCE_H_

#include <cstddef>
#include <memory>
#include <string>
#include <vector>

#include "conformance/problem/problem.h"
#include "reference/readings.h"

namespace poolproof::fuzz {

// Heap memory of exactly `size` bytes, so that a sanitizer sees one byte past it. Reused for the
// same size.
class ExactBuffer {
 public:
  std::byte* Get(size_t size);
  const std::byte* data() const { return bytes_.get(); }

 private:
  std::unique_ptr<std::byte[]> bytes_;
  size_t size_ = 0;
};

class AgainstReference {
 public:
  explicit AgainstReference(const reference::Readings& readings) : readings_(readings) {}

  // Computes what is expected. False for a problem that is too slow for a fuzzer.
  bool Prepare(const Problem& problem);

  // "" where `backend` answers as expected; else one sentence. An answer UNSUPPORTED is as
  // expected. Silences of the ledger are accepted; the outputs are prefilled with `prefill`.
  std::string Compare(const poolproof_backend& backend, poolproof_instance* instance,
                      std::byte prefill);

 private:
  struct Side {
    Call call;
    ExactBuffer input;
    ExactBuffer outputs[kMaxOutputs];
  };

  void FillAndAllocate(Side* side);
  std::string CompareShapes() const;
  std::string CompareData() const;
  std::string CompareOutput(size_t output) const;

  reference::Readings readings_;
  const Problem* problem_ = nullptr;
  poolproof_status expected_ = POOLPROOF_OK;
  std::string refusal_;
  bool may_refuse_ = false;
  Side want_, got_;
};

}  // namespace poolproof::fuzz

#endif  // POOLPROOF_FUZZ_AGAINST_REFERENCE_H_
