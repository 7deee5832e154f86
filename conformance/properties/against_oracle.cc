#include "conformance/properties/against_oracle.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>

#include "conformance/cases/fill.h"
#include "conformance/judge/message.h"

namespace poolproof {

// The input is made once for the oracle and all comparisons, and only where it is used.
const std::byte* AgainstOracle::Input() {
  if (!filled_) FillInput(*problem_, input_.Get(call_.inputs[0].size_bytes, Placement::kAtEnd));
  filled_ = true;
  return input_.data();
}

bool AgainstOracle::Prepare(const Problem& problem) {
  problem_ = &problem;
  filled_ = false;
  call_.Bind(problem);
  expected_.Compute(call_, selection_.For(call_.call.op), true, problem.capacity);
  if (expected().status != POOLPROOF_OK) return true;
  if (filter_ && !filter_(problem, call_.call)) return false;
  call_.inputs[0].data = const_cast<std::byte*>(Input());
  expected_.Compute(call_, expected_.readings(), false, problem.capacity);
  return true;
}

std::string AgainstOracle::Compare(InProcessBackend& backend, TensorLayout layout) {
  got_call_.Bind(*problem_);
  got_ = {};
  got_.output_count = got_call_.call.output_count;
  got_.status = backend.Infer(&got_call_);
  if (got_.status == POOLPROOF_OK) {
    std::copy_n(got_call_.outputs, got_.output_count, got_.outputs.begin());
    const bool described = expected().status != POOLPROOF_OK || SameShapes(expected(), got_);
    if (!described && leeway_ != Leeway::kDocuments) return ShapeMessage(*problem_, expected(), got_);
    if (filter_ && !filter_(*problem_, got_call_.call)) return "";
    layout.input = Input();
    got_.status = backend.Compute(*problem_, layout, &got_call_, &memory_);
    for (size_t i = 0; i < got_.output_count; ++i) got_.outputs[i].data = got_call_.outputs[i].data;
    const size_t bytes = got_call_.inputs[0].size_bytes;
    if (std::memcmp(memory_.input.data(), Input(), bytes) != 0) return "the input was changed";
  }
  if (leeway_ == Leeway::kDocuments) return Judge(backend);
  const std::string difference = CompareStatus(backend);
  if (!difference.empty() || got_.status != POOLPROOF_OK || expected().status != POOLPROOF_OK) return difference;
  return CompareData();
}

std::string AgainstOracle::CompareStatus(const InProcessBackend& backend) const {
  if (got_.status == expected().status) return "";
  return fmt::format("answered {} ({}), expected {} ({})", StatusName(got_.status), backend.LastError(),
                     StatusName(expected().status), expected_.error());
}

// Whether nothing is another reading but which of two zeros is the maximum.
std::string AgainstOracle::CompareData() {
  const Comparison comparison = poolproof::Compare(call_, expected_, got_);
  if (comparison.difference == Difference::kShape) return ShapeMessage(*problem_, expected(), got_);
  if (!comparison.Matches()) {
    return ValueMessage(*problem_, expected(), got_, comparison.output, comparison.element);
  }
  for (size_t e = 0; e < reference::kEntryCount; ++e) {
    const auto entry = static_cast<reference::Entry>(e);
    if (comparison.silences.Has(entry) && entry != reference::Entry::kSignedZero) {
      return "reads " + std::string(reference::EntryId(entry)) + " in another way";
    }
  }
  return "";
}

// As the gate judges a case by itself: whether some reading of all silences explains the answer, and what else not.
std::string AgainstOracle::Judge(const InProcessBackend& backend) {
  if (got_.status == POOLPROOF_UNSUPPORTED) return "";
  const auto explanation = explainer_.Explain(call_, expected_, got_, selection_.demanded, false);
  if (!explanation) {
    const std::string difference = CompareStatus(backend);
    return difference.empty() && got_.status == POOLPROOF_OK ? CompareData() : difference;
  }
  std::string why;
  for (const Candidate& candidate : explanation->candidates) {
    const auto& evidence = candidate.evidence;
    const auto mixed = std::find_if(evidence.begin(), evidence.end(), [](const Evidence& e) {
      return e.readings == 0 || (e.answers & e.answers >> reference::kRoundingQuestions) != 0;
    });
    if (mixed != evidence.end()) {
      why = fmt::format("mixes readings of {} in one call", reference::EntryId(mixed->entry));
    } else if (!candidate.deviations.empty()) {
      why = fmt::format("deviates by another reading of {}", reference::EntryId(candidate.deviations[0].entry));
    } else {
      return "";
    }
  }
  return why;
}

}  // namespace poolproof
