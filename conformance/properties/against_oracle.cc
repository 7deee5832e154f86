#include "conformance/properties/against_oracle.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>

#include "conformance/cases/fill.h"
#include "conformance/judge/message.h"

namespace poolproof {
namespace {

// The entry that an explanation needs to be read in two ways within one call.
std::optional<reference::Entry> MixedEntry(const Candidate& candidate) {
  for (const Evidence& e : candidate.evidence) {
    if (e.readings == 0 || (e.answers & e.answers >> reference::kRoundingQuestions) != 0) return e.entry;
  }
  return std::nullopt;
}

}  // namespace

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
  expected_.Compute(call_, selection_.For(call_.call), true, problem.capacity);
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
  ran_ = false;
  if (got_.status == POOLPROOF_OK) {
    std::copy_n(got_call_.outputs, got_.output_count, got_.outputs.begin());
    const bool described = expected().status != POOLPROOF_OK || SameShapes(expected(), got_);
    if (!described && leeway_ != Leeway::kDocuments) return ShapeMessage(*problem_, expected(), got_);
    if (filter_ && !filter_(*problem_, got_call_.call)) return "";
    layout.input = Input();
    ran_ = true;
    got_.status = backend.Compute(*problem_, layout, &got_call_, &memory_);
    for (size_t i = 0; i < got_.output_count; ++i) got_.outputs[i].data = got_call_.outputs[i].data;
    const size_t bytes = got_call_.inputs[0].size_bytes;
    if (std::memcmp(memory_.input.data(), Input(), bytes) != 0) {
      judgement_.verdict = Verdict::kInputModified;
      return "the input was changed";
    }
  }
  if (leeway_ == Leeway::kDocuments) return JudgeAnswer(backend);
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

// "" where some explanation passes as a case by itself; Decide has those without deviations first.
std::string AgainstOracle::JudgeAnswer(const InProcessBackend& backend) {
  CaseResult result;
  result.ran = ran_;
  result.infer_status = ran_ ? POOLPROOF_OK : got_.status;
  result.run_status[0] = got_.status;
  if (got_.status != POOLPROOF_OK) result.error = backend.LastError();
  std::copy_n(got_.outputs.begin(), got_.output_count, result.outputs.begin());
  for (size_t i = 0; i < got_.output_count; ++i) {
    result.data[0][i] = static_cast<const std::byte*>(got_.outputs[i].data);
  }
  judgement_ = judge_.Decide(*problem_, call_, {&expected_, nullptr, nullptr, selection_.demanded}, result);
  if (judgement_.verdict == Verdict::kUnsupported) return "";
  if (judgement_.verdict != Verdict::kPass && judgement_.verdict != Verdict::kDeviates) return judgement_.message;
  std::vector<Candidate> candidates = judgement_.candidates;
  if (candidates.empty()) candidates.push_back({judgement_.deviations, judgement_.evidence});
  for (const Candidate& candidate : candidates) {
    const std::optional<reference::Entry> mixed = MixedEntry(candidate);
    if (!mixed) {
      Choose(expected_.readings(), candidate, &judgement_);
      return judgement_.message;
    }
    judgement_.verdict = Verdict::kInconsistent;
    judgement_.message = fmt::format("mixes readings of {} in one call", reference::EntryId(*mixed));
  }
  return judgement_.message;
}

}  // namespace poolproof
