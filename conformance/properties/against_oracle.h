// One problem, computed by the oracle and by a backend in the caller's own process, compared element by element.
#pragma once

#include <functional>
#include <string>

#include "conformance/judge/judge.h"
#include "conformance/properties/in_process.h"
#include "reference/readings.h"

namespace poolproof {

// Which answers other than the oracle's are right. Means may always differ within the tolerance of the documents.
enum class Leeway : uint8_t {
  kDocuments,   // UNSUPPORTED, and one reading of each silence in a call, as the gate judges
  kSignOfZero,  // nothing but which of two zeros is the maximum
};

class AgainstOracle {
 public:
  // Whether to compute a call, whose outputs are described.
  using Filter = std::function<bool(const Problem& problem, const poolproof_call& call)>;

  AgainstOracle(const reference::Selection& selection, Leeway leeway, Filter filter = {})
      : selection_(selection), leeway_(leeway), filter_(std::move(filter)) {}

  // Computes what is expected of `problem`, which is to outlive the comparisons with it. False for a problem that the
  // filter leaves out.
  bool Prepare(const Problem& problem);

  // "" where `backend` answers as expected; else one sentence about the first difference. Of `layout` the input is
  // set here.
  std::string Compare(InProcessBackend& backend, TensorLayout layout);

  const Result& expected() const { return expected_.result(); }
  // The answer of the last Compare(). Its data are good until the next one.
  const Result& got() const { return got_; }
  // The gate's judgement of that answer; Leeway::kDocuments.
  const Judgement& judgement() const { return judgement_; }
  Call& call() { return call_; }
  const Expected& oracle() const { return expected_; }

 private:
  const std::byte* Input();
  std::string CompareStatus(const InProcessBackend& backend) const;
  std::string CompareData();
  std::string JudgeAnswer(const InProcessBackend& backend);

  reference::Selection selection_;
  Leeway leeway_;
  Filter filter_;
  const Problem* problem_ = nullptr;
  bool filled_ = false;  // input_ has the problem's input
  GuardedMemory input_;
  Call call_, got_call_;  // for the oracle; for the backend
  Expected expected_;
  Result got_;
  bool ran_ = false;  // run was called for got_
  TensorMemory memory_;
  Judge judge_;
  Judgement judgement_;
};

}  // namespace poolproof
