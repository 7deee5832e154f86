#include "conformance/judge/judge.h"

#include <fmt/format.h>

#include <algorithm>
#include <cassert>
#include <cstring>
#include <span>
#include <string>

#include "conformance/cases/run_limits.h"
#include "conformance/format/text.h"
#include "conformance/judge/message.h"

namespace poolproof {
namespace {

Verdict EventVerdict(Event event) {
  switch (event) {
    case Event::kTimeout: return Verdict::kTimeout;
    case Event::kOutOfBounds: return Verdict::kOutOfBounds;
    case Event::kInputModified: return Verdict::kInputModified;
    case Event::kWrittenLate: return Verdict::kWrittenLate;
    case Event::kNotRun: return Verdict::kMissing;
    default: return Verdict::kCrash;
  }
}

// Whether a byte of element `i` still is what the output was filled with, in the first two placements, which are filled
// with different bytes.
bool KeepsPrefill(const CaseResult& result, size_t output, size_t size, int64_t i) {
  const size_t begin = static_cast<size_t>(i) * size;
  for (size_t b = begin; b < begin + size; ++b) {
    if (result.data[0][output][b] == result.prefill[0] && result.data[1][output][b] == result.prefill[1]) return true;
  }
  return false;
}

// A type that there is, a rank in range, and dimensions whose product can be counted.
bool CanBeFollowed(const poolproof_tensor& tensor) {
  int64_t bytes = static_cast<int64_t>(ElementSize(tensor.element_type));
  if (bytes == 0 || tensor.rank < 0 || tensor.rank > POOLPROOF_MAX_RANK) return false;
  for (int32_t d = 0; d < tensor.rank; ++d) {
    if (tensor.dims[d] < 0 || __builtin_mul_overflow(bytes, tensor.dims[d], &bytes)) return false;
  }
  return true;
}

std::string TooLargeMessage(const Problem& problem, const Result& want) {
  for (size_t i = 0; i < want.output_count; ++i) {
    if (want.outputs[i].size_bytes <= static_cast<size_t>(kMaxRunBytes)) continue;
    return fmt::format(
        "Not run: output {} has {} bytes, and at most {} are run; with fill=none the "
        "shapes alone are judged.",
        OutputName(problem, i), want.outputs[i].size_bytes, kMaxRunBytes);
  }
  return "Not run.";
}

std::string DeviationMessage(const reference::Readings& selected, const std::vector<Choice>& deviations) {
  std::string follows, instead;
  for (const Choice& choice : deviations) {
    const auto names = reference::ReadingNames(choice.entry);
    const char* comma = follows.empty() ? "" : ", ";
    follows += fmt::format("{}{}={}", comma, reference::EntryId(choice.entry), names[choice.reading]);
    instead += fmt::format("{}{}", comma, names[selected[choice.entry]]);
  }
  return fmt::format("The result is that of another reading: {} (selected: {}).", follows, instead);
}

}  // namespace

std::string Said(const CaseResult& result) { return result.error.empty() ? "" : fmt::format(" ({})", result.error); }

void Choose(const reference::Readings& selected, const Candidate& candidate, Judgement* judgement) {
  judgement->deviations = candidate.deviations;
  judgement->evidence = candidate.evidence;
  judgement->verdict = candidate.deviations.empty() ? Verdict::kPass : Verdict::kDeviates;
  judgement->message = candidate.deviations.empty() ? "" : DeviationMessage(selected, candidate.deviations);
}

Result Judge::Answer(const Call& call, const CaseResult& result, int placement) {
  assert(placement >= 0 && placement < kMaxPlacements);
  Result answer;
  const size_t p = static_cast<size_t>(placement);
  answer.computed = result.ran;
  answer.status = result.infer_status;
  if (answer.status == POOLPROOF_OK && result.ran) answer.status = result.run_status[p];
  answer.output_count = call.call.output_count;
  for (size_t i = 0; i < answer.output_count; ++i) {
    answer.outputs[i] = result.outputs[i];
    answer.outputs[i].data = const_cast<std::byte*>(result.data[p][i]);
  }
  return answer;
}

bool Judge::DecideEvent(const CaseResult& result, Judgement* judgement) {
  if (result.event == Event::kNone) return false;
  judgement->verdict = EventVerdict(result.event);
  judgement->message = result.event == Event::kNotRun ? fmt::format("Not run: {}.", result.event_text)
                                                      : fmt::format("The backend {}.", result.event_text);
  return true;
}

bool Judge::DecideStatus(const CaseResult& result, const Result& answer, Judgement* judgement) {
  if (answer.status == POOLPROOF_UNSUPPORTED && result.ran) {
    judgement->verdict = Verdict::kFail;
    judgement->difference = Difference::kStatus;
    judgement->message = fmt::format("infer_shapes accepts the call, then run answers UNSUPPORTED{}.", Said(result));
    return true;
  }
  if (answer.status == POOLPROOF_UNSUPPORTED) {
    judgement->verdict = Verdict::kUnsupported;
    judgement->message = result.error.empty() ? "The backend answers UNSUPPORTED." : result.error;
    return true;
  }
  if (answer.status == POOLPROOF_OK || answer.status == POOLPROOF_INVALID_ARGUMENT) return false;
  judgement->verdict = Verdict::kFail;
  judgement->difference = Difference::kStatus;
  judgement->message = fmt::format("The backend answers {}{}.", StatusName(answer.status), Said(result));
  return true;
}

// Nothing of a description that contradicts itself is followed.
bool Judge::DecideDescription(const CaseResult& result, const Result& want, const Result& answer,
                              Judgement* judgement) {
  if (result.bad_description.empty() || answer.status != POOLPROOF_OK) return false;
  const auto outputs = std::span(answer.outputs).first(answer.output_count);
  if (std::all_of(outputs.begin(), outputs.end(), CanBeFollowed)) return false;
  const bool accepted = want.status == POOLPROOF_INVALID_ARGUMENT;
  judgement->verdict = accepted ? Verdict::kWronglyAccepted : Verdict::kFail;
  judgement->difference = accepted ? Difference::kStatus : Difference::kShape;
  judgement->message = result.bad_description + ".";
  judgement->message[0] = static_cast<char>(std::toupper(judgement->message[0]));
  return true;
}

bool Judge::DecideUnwritten(const Problem& problem, const CaseResult& result, const Result& answer,
                            Judgement* judgement) {
  if (result.placements < 2) return false;
  for (size_t output = 0; output < answer.output_count; ++output) {
    const poolproof_tensor& tensor = answer.outputs[output];
    const size_t size = ElementSize(tensor.element_type);
    const int64_t n = size == 0 ? 0 : static_cast<int64_t>(tensor.size_bytes / size);
    int64_t first = -1, count = 0;
    for (int64_t i = 0; i < n; ++i) {
      if (!KeepsPrefill(result, output, size, i)) continue;
      if (count++ == 0) first = i;
    }
    if (count == 0) continue;
    judgement->verdict = Verdict::kUnwritten;
    judgement->message = fmt::format("{} of {} elements of output {} were never written, the first at {}.", count, n,
                                     OutputName(problem, output), PositionText(tensor, first));
    judgement->output = output;
    judgement->element = first;
    return true;
  }
  return false;
}

bool Judge::DecideRepeatability(const Problem& problem, const Call& call, const CaseResult& result,
                                const Result& answer, Judgement* judgement) {
  if (!result.inconsistency.empty()) {
    judgement->verdict = Verdict::kNondeterministic;
    judgement->message = fmt::format("Two answers about one call differ: {}.", result.inconsistency);
    return true;
  }
  for (int p = 1; p < result.placements; ++p) {
    const Result again = Answer(call, result, p);
    if (SameBytes(answer, again)) continue;
    judgement->verdict = Verdict::kNondeterministic;
    if (answer.status != again.status) {
      judgement->message = fmt::format("The first run answers {}, run {} of the same case {}{}.",
                                       StatusName(answer.status), p + 1, StatusName(again.status), Said(result));
      return true;
    }
    for (size_t output = 0; output < answer.output_count; ++output) {
      const poolproof_tensor& x = answer.outputs[output];
      const poolproof_tensor& y = again.outputs[output];
      const size_t size = ElementSize(x.element_type);
      for (int64_t i = 0; i < static_cast<int64_t>(x.size_bytes / size); ++i) {
        if (SameElement(x.element_type, x.data, y.data, i)) continue;
        judgement->output = output;
        judgement->element = i;
        const std::string what = ValueMessage(problem, answer, again, output, i);
        judgement->message = fmt::format("Two runs of the case differ; {} (the first run counting as expected).", what);
        return true;
      }
    }
    return true;
  }
  return false;
}

bool Judge::MatchesPrinted(const Example& example, const Result& answer, Judgement* judgement) {
  if (example.printed_outputs.empty() || answer.status != POOLPROOF_OK || !answer.computed) {
    return false;
  }
  for (size_t i = 0; i < answer.output_count && i < example.printed_outputs.size(); ++i) {
    if (example.printed_outputs[i].values.empty()) continue;
    if (!printed_.Override(i, example.printed_outputs[i])) return false;
    const poolproof_tensor& want = printed_.result().outputs[i];
    const poolproof_tensor& have = answer.outputs[i];
    if (want.element_type != have.element_type || want.size_bytes != have.size_bytes ||
        std::memcmp(want.data, have.data, want.size_bytes) != 0) {
      return false;
    }
  }
  judgement->verdict = Verdict::kDeviates;
  judgement->deviation_text = example.ledger.empty() ? "" : example.ledger.front();
  judgement->message = fmt::format("The result is the printed one, which is an erratum of the document ({}).",
                                   judgement->deviation_text);
  return true;
}

void Judge::DecideMismatch(const Problem& problem, Call& call, const Expectation& expectation, const Result& answer,
                           Judgement* judgement) {
  const Result& want = expectation.expected->result();
  const Comparison comparison = Compare(call, *expectation.expected, answer);
  judgement->difference = comparison.difference;
  judgement->output = comparison.output;
  judgement->element = comparison.element;
  if (comparison.difference == Difference::kStatus) {
    const bool accepted = answer.status == POOLPROOF_OK;
    judgement->verdict = accepted ? Verdict::kWronglyAccepted : Verdict::kWronglyRejected;
    judgement->message =
        accepted ? fmt::format("The call is invalid ({}), the backend accepts it.", expectation.expected->error())
                 : "The call is valid, the backend answers INVALID_ARGUMENT.";
    return;
  }
  judgement->verdict = Verdict::kFail;
  std::string what = comparison.difference == Difference::kShape
                         ? ShapeMessage(problem, want, answer)
                         : ValueMessage(problem, want, answer, comparison.output, comparison.element);
  what[0] = static_cast<char>(std::toupper(static_cast<unsigned char>(what[0])));
  judgement->message = what + ".";
}

Judgement Judge::Decide(const Problem& problem, Call& call, const Expectation& expectation, const CaseResult& result) {
  Judgement judgement;
  if (DecideEvent(result, &judgement)) return judgement;
  const Result answer = Answer(call, result, 0);
  if (DecideStatus(result, answer, &judgement)) return judgement;
  const Result& want = expectation.expected->result();
  if (DecideDescription(result, want, answer, &judgement)) return judgement;
  if (answer.status == POOLPROOF_OK && !answer.computed && want.computed && SameShapes(want, answer)) {
    judgement.verdict = Verdict::kMissing;
    judgement.message = fmt::format("Not run: {}.", result.not_run);
    return judgement;
  }
  if (want.status == POOLPROOF_OK && !want.computed && !problem.ShapesAlone()) {
    judgement.verdict = Verdict::kMissing;
    judgement.message = TooLargeMessage(problem, want);
    return judgement;
  }
  const bool exact = SameBytes(want, answer);
  const bool differs = DecideRepeatability(problem, call, result, answer, &judgement);
  if ((!exact || differs) && answer.status == POOLPROOF_OK && answer.computed &&
      DecideUnwritten(problem, result, answer, &judgement)) {
    return judgement;
  }
  if (differs) return judgement;
  if (expectation.example != nullptr && !exact) {
    printed_.Compute(call, expectation.expected->readings(), false);
    if (MatchesPrinted(*expectation.example, answer, &judgement)) return judgement;
  }
  std::optional<Explanation> explanation =
      explainer_.Explain(call, *expectation.expected, answer, expectation.demanded, expectation.prove);
  if (!explanation) {
    DecideMismatch(problem, call, expectation, answer, &judgement);
    if (answer.status == POOLPROOF_INVALID_ARGUMENT && !result.error.empty()) {
      judgement.message += Said(result);
    }
    return judgement;
  }
  Choose(expectation.expected->readings(), explanation->candidates.front(), &judgement);
  if (explanation->candidates.size() > 1) {
    judgement.candidates = std::move(explanation->candidates);
  }
  // As many digits as a line of the results keeps, so that a run that goes on has the same.
  judgement.ulp = std::stod(NumberText(explanation->ulp));
  return judgement;
}

}  // namespace poolproof
