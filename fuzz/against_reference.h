// One problem, computed by the oracle and by another backend, compared element by element.
#ifndef POOLPROOF_FUZZ_AGAINST_REFERENCE_H_
#define POOLPROOF_FUZZ_AGAINST_REFERENCE_H_

#include <cstddef>
#include <string>

#include "conformance/cases/problem.h"
#include "conformance/judge/explain.h"
#include "fuzz/exact_buffer.h"
#include "reference/readings.h"

namespace poolproof::fuzz {

class AgainstReference {
 public:
  explicit AgainstReference(const reference::Readings& readings) : readings_(readings) {}

  // Computes what is expected. False for a problem that is too slow for a fuzzer.
  bool Prepare(const Problem& problem);

  // "" where `backend` answers as expected; else one sentence. An answer UNSUPPORTED is as
  // expected. Silences of the ledger are accepted, but only one reading of each in one call; the
  // outputs are prefilled with `prefill`.
  std::string Compare(const poolproof_backend& backend, poolproof_instance* instance, std::byte prefill);

 private:
  struct Side {
    Call call;
    ExactBuffer input;
    ExactBuffer outputs[kMaxOutputs];
    size_t needed[kMaxOutputs];  // bytes of the outputs without the problem's capacity
  };

  void Allocate(Side* side);
  void FillGot();
  std::string CompareShapes() const;
  std::string CompareData();
  std::string CompareOutput(size_t output);
  std::string CompareReadings();

  reference::Readings readings_;
  const Problem* problem_ = nullptr;
  poolproof_status expected_ = POOLPROOF_OK;
  std::string refusal_;
  bool may_refuse_ = false;
  bool filled_ = false;           // want_ has the input
  reference::EntrySet silences_;  // of several readings, by which elements of got_ are excused
  Side want_, got_;

  // Of the search for one reading.
  Call scratch_;
  Expected selected_;
  Explainer explainer_;
};

}  // namespace poolproof::fuzz

#endif  // POOLPROOF_FUZZ_AGAINST_REFERENCE_H_
