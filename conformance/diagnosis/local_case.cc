#include "conformance/diagnosis/local_case.h"

#include <fmt/format.h>

#include "conformance/cases/fill.h"
#include "conformance/results/answer.h"
#include "conformance/results/record.h"

namespace poolproof {

using reference::Entry;

bool LocalCase::Load(uint64_t n, WordNumbers* words) { return plan_.Get(n, &planned_) && DescribeCase(words); }

bool LocalCase::Load(std::string_view id, WordNumbers* words) {
  Error ignored;
  std::optional<PlannedCase> planned = plan_.Find(id, &ignored);
  if (!planned) return false;
  planned_ = *std::move(planned);
  return DescribeCase(words);
}

Features LocalCase::Describe(const Problem& problem, const Selection& selection, Call* call, WordNumbers* words) {
  call->Bind(problem);
  reference::Context context;
  context.readings = selection.For(call->call);
  const bool valid = reference::InferShapes(call->call, context) == POOLPROOF_OK;
  return FeaturesOf(problem, valid ? call->outputs[0] : poolproof_tensor{}, !valid, words);
}

bool LocalCase::DescribeCase(WordNumbers* words) {
  features_ = Describe(planned_.problem, selection_, &call_, words);
  return true;
}

bool LocalCase::AppliesTo(const Fault& fault) const {
  if (fault.bound) return BoundAppliesTo(*fault.bound, planned_.problem.function->name);
  return fault.is_reading || CauseAppliesTo(fault.cause, planned_.problem.function->name);
}

bool LocalCase::IsWithin(int64_t most) const {
  const auto at = [this](Feature f) { return features_[static_cast<size_t>(f)]; };
  const int64_t outputs = std::max<int64_t>(at(Feature::kOutElements), 1);
  return at(Feature::kElements) <= most && at(Feature::kTaps) <= most / outputs;
}

bool LocalCase::Compute(int64_t most) {
  if (!IsWithin(most)) return false;
  call_.Bind(planned_.problem);
  if (!planned_.problem.ShapesAlone()) {
    input_.resize(static_cast<size_t>(std::max<int64_t>(planned_.problem.InputBytes(), 1)));
    FillInput(planned_.problem, input_.data());
    call_.inputs[0].data = input_.data();
  }
  ComputeExpected(planned_.problem, planned_.example, selection_, call_, &expected_);
  return true;
}

const Result* LocalCase::Give(const Fault& fault) {
  if (fault.bound) return &diagnostician_.GiveBounded(*fault.bound, expected_);
  if (!fault.is_reading) return diagnostician_.Give(fault.cause, call_, expected_);
  if (!expected_.touched().Has(fault.entry)) return nullptr;
  reference::Readings readings = expected_.readings();
  readings[fault.entry] = fault.reading;
  other_.Compute(call_, readings, !expected_.result().computed, expected_.capacity());
  given_ = other_.result();
  return &given_;
}

// Another reading of one silence may make right what does not fit the selected ones.
bool LocalCase::PassesWithAnyReading(const Result& given) {
  if (Compare(call_, expected_, given).Matches()) return true;
  for (size_t i = 0; i < reference::kEntryCount; ++i) {
    const Entry entry = static_cast<Entry>(i);
    if (!expected_.touched().Has(entry) || !reference::IsSilence(entry)) continue;
    for (uint8_t r = 0; r < reference::ComputableReadings(entry); ++r) {
      reference::Readings readings = expected_.readings();
      if (readings[entry] == r) continue;
      readings[entry] = r;
      other_.Compute(call_, readings, !given.computed, expected_.capacity());
      if (Compare(call_, other_, given).Matches()) return true;
    }
  }
  return false;
}

bool LocalCase::ChangesAnswer(const Fault& fault) {
  const Result* given = Give(fault);
  return given != nullptr && !SameBytes(*given, expected_.result());
}

bool LocalCase::FailsWith(const Fault& fault) {
  if (!ChangesAnswer(fault)) return false;
  if (fault.is_reading && reference::OnlyBoundsErrors(fault.entry)) return PassesWithReading(fault, ReadingText(fault));
  // Give has left its result where it was.
  const Result given = fault.is_reading ? given_ : diagnostician_.given();
  return fault.is_reading ? !Compare(call_, expected_, given).Matches() : !PassesWithAnyReading(given);
}

bool LocalCase::ReproducesAnswer(const Fault& fault, uint64_t answer) {
  const Result* given = Give(fault);
  if (given == nullptr || fault.is_reading) return false;
  return answer == AnswerNumber(AnswerDigest(diagnostician_.inferred(), *given, planned_.problem.capacity));
}

bool LocalCase::PassesWithReading(const Fault& fault, std::string_view reading) {
  const Result* given = Give(fault);
  if (given == nullptr || SameBytes(*given, expected_.result())) return false;
  const auto entry = reference::FindEntry(reading.substr(0, reading.find('=')));
  const Result answer = *given;
  if (!entry || !expected_.touched().Has(*entry)) return false;
  const auto explanation = explainer_.Explain(call_, expected_, answer, selection_.demanded, false);
  if (!explanation || !explanation->candidates.front().deviations.empty()) return false;
  for (const Evidence& evidence : explanation->candidates.front().evidence) {
    if (evidence.entry != *entry) continue;
    return reading == fmt::format("{}={}", reference::EntryId(*entry), EvidenceText(*entry, evidence.readings));
  }
  return false;
}

}  // namespace poolproof
