// Anything that a backend may have left in the memory that it shares with the suite is judged.
//
// - whatever it says of a call, documented examples included, there is a verdict
// - what it described is looked at as a whole before anything follows it: no tensor that is not what
//   it says reaches drawings, details, causes or reproducers
// - the right answer passes, and nothing passes whose shape or bytes are of no reading
#include <cassert>
#include <cstring>

#include "conformance/cases/choices.h"
#include "conformance/cases/fill.h"
#include "conformance/cases/run_limits.h"
#include "conformance/causes/diagnose.h"
#include "conformance/diagnosis/clause.h"
#include "conformance/judge/judge.h"
#include "conformance/properties/guarded.h"
#include "conformance/results/detail.h"
#include "conformance/run/engine.h"
#include "conformance/run/reproducer.h"
#include "conformance/worker/case_result.h"
#include "conformance/worker/shared_memory.h"
#include "fuzz/harness.h"
#include "fuzz/problem_from_bytes.h"

namespace {

using namespace poolproof;          // NOLINT: one file
using namespace poolproof::worker;  // NOLINT

constexpr int kPlacements = 2;

const Plan& DocumentedPlan() {
  static const std::optional<Plan> plan = [] {
    Error error;
    PlanOptions options;
    options.level = Level::kDocumented;
    return Plan::Make(BuiltInSpecs(), options, &error);
  }();
  assert(plan);
  return *plan;
}

const SharedMemory& Memory() {
  static SharedMemory memory;
  static const bool created = [] {
    Error error;
    return memory.Create(&error);
  }();
  assert(created);
  return memory;
}

// A number that is near a limit, or any.
int64_t OddNumber(Choices& choices) {
  constexpr int64_t kOdd[] = {
      -1, 0, 1, 2, 8, 9, 99, 1000, INT32_MAX, INT32_MIN, INT64_MAX, INT64_MIN, int64_t{1} << 31, int64_t{1} << 62};
  return kOdd[choices.Below(std::size(kOdd))];
}

// As the worker would have left it: the expected result, where it belongs.
void AnswerRightly(const Result& expected, int placement, PlacementResponse* response) {
  *response = {};
  response->completed = 1;
  response->changed_output = -1;
  response->damage.output = -1;
  response->infer_status = expected.status;
  for (poolproof_tensor& output : response->outputs) output.struct_size = sizeof(poolproof_tensor);
  if (expected.status != POOLPROOF_OK) return;
  for (size_t i = 0; i < expected.output_count; ++i) {
    response->outputs[i] = expected.outputs[i];
    response->outputs[i].struct_size = sizeof(poolproof_tensor);
    response->outputs[i].data = nullptr;
  }
  if (!expected.computed) {
    response->not_run = NotRun::kInferOnly;
    return;
  }
  response->ran = 1;
  for (size_t i = 0; i < expected.output_count; ++i) {
    const uint64_t bytes = expected.outputs[i].size_bytes;
    const uint64_t offset = OutputOffset(0, 0, placement, static_cast<int>(i));
    response->data_offset[i] = offset;
    response->data_bytes[i] = bytes;
    if (bytes > 0) std::memcpy(Memory().At(offset), expected.outputs[i].data, bytes);
    response->data_hash[i] = HashOutput(Memory().At(offset), bytes);
  }
}

void SpoilDescription(Choices& choices, poolproof_tensor* tensor) {
  switch (choices.Below(6)) {
    case 5: tensor->struct_size = static_cast<size_t>(OddNumber(choices)); break;
    case 0: tensor->element_type = static_cast<int32_t>(OddNumber(choices)); break;
    case 1: tensor->rank = static_cast<int32_t>(OddNumber(choices)); break;
    case 2: tensor->dims[choices.Below(POOLPROOF_MAX_RANK)] = OddNumber(choices); break;
    case 3: tensor->size_bytes = static_cast<size_t>(OddNumber(choices)); break;
    default: tensor->frac_bits = static_cast<int32_t>(OddNumber(choices)); break;
  }
}

void SpoilBytes(Choices& choices, void* bytes, size_t size) {
  for (uint64_t n = 1 + choices.Below(4); n > 0 && size > 0; --n) {
    static_cast<unsigned char*>(bytes)[choices.Below(size)] = static_cast<unsigned char>(choices.Below(256));
  }
}

// One change of what a right backend would have left.
void Spoil(Choices& choices, size_t output_count, PlacementResponse* responses) {
  PlacementResponse& response = responses[choices.Below(kPlacements)];
  poolproof_tensor* described = &response.outputs[choices.Below(std::max<size_t>(output_count, 1))];
  switch (choices.Below(6)) {
    case 0:
      for (int p = 0; p < kPlacements; ++p) {
        responses[p].ran = 0;
        responses[p].not_run = NotRun::kBadDescription;
      }
      [[fallthrough]];
    case 1: SpoilDescription(choices, described); break;
    case 2: SpoilBytes(choices, &response, sizeof(response)); break;
    case 3: {
      const uint64_t offset = OutputOffset(0, 0, static_cast<int>(choices.Below(kPlacements)), 0);
      SpoilBytes(choices, Memory().At(offset), responses[0].data_bytes[0] % kSmallRegion);
      if (choices.Percent(50)) break;
      for (int p = 0; p < kPlacements; ++p) {  // in time
        PlacementResponse& r = responses[p];
        r.data_hash[0] = HashOutput(Memory().At(r.data_offset[0]), r.data_bytes[0] % kSmallRegion);
      }
      break;
    }
    case 4: response.infer_status = static_cast<int32_t>(choices.Below(5)); break;
    default: response.run_status = static_cast<int32_t>(choices.Below(5)); break;
  }
}

// Everything that looks at a judged case.
void ShowAll(const PlannedCase& planned, Call& call, const Expected& expected, const CaseResult& result,
             const Judgement& judgement) {
  static Diagnostician diagnostician;
  const Result answer = Judge::Answer(call, result, 0);
  const bool answered = result.event == Event::kNone;
  if (answered && judgement.verdict == Verdict::kFail) {
    diagnostician.Diagnose(call, expected, answer);
  }
  MakeDetail(planned, call, expected, answered ? &answer : nullptr, judgement);
  ClauseOf(BuiltInSpecs(), planned, judgement);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  static Call call;
  static GuardedMemory input;
  static Expected expected;
  static Judge judge;
  static LaneCase c;
  Choices choices(fuzz::HashOf(data, size));
  PlannedCase planned;
  const Plan& documented = DocumentedPlan();
  if (choices.Percent(30)) {
    documented.Get(choices.Below(documented.FixedSize()), &planned);
  } else {
    planned.problem = fuzz::RecentProblem(data, size);
    planned.line = planned.id = PrintLine(planned.problem);
  }
  call.Bind(planned.problem);
  const bool quick =
      planned.problem.ShapesAlone() || (planned.problem.Elements() <= 2000 && WhyTooLarge(planned.problem).empty() &&
                                        IsQuick(planned.problem, call.call, {2000, 5000}));
  if (!quick) return 0;
  if (!planned.problem.ShapesAlone()) {
    call.inputs[0].data = input.Get(call.inputs[0].size_bytes, Placement::kAtBegin);
    FillInput(planned.problem, call.inputs[0].data);
  }
  ComputeExpected(planned.problem, planned.example, {}, call, &expected);
  for (size_t i = 0; i < expected.result().output_count; ++i) {
    if (expected.result().computed && expected.result().outputs[i].size_bytes > kSmallRegion) return 0;
  }
  c.output_count = call.call.output_count;
  c.capacity = planned.problem.capacity;
  c.max_output_bytes = kMaxOutputBytesOfSmall;
  for (int p = 0; p < kPlacements; ++p) AnswerRightly(expected.result(), p, &c.responses[static_cast<size_t>(p)]);
  const bool spoilt = planned.problem.capacity != 0 || choices.Percent(90);
  if (spoilt) Spoil(choices, c.output_count, c.responses.data());

  const CaseResult result = ReadResult(Memory(), c, kPlacements);
  Expectation expectation{&expected, planned.example, planned.invalid};
  expectation.prove = choices.Percent(50);
  const Judgement judgement = judge.Decide(planned.problem, call, expectation, result);
  const bool passes = judgement.verdict == Verdict::kPass;
  const Result answer = Judge::Answer(call, result, 0);
  const bool follows_nonsense = passes && answer.status == POOLPROOF_OK && !result.bad_description.empty() &&
                                !SameShapes(expected.result(), answer);
  if ((!spoilt && !passes) || follows_nonsense) {
    std::fprintf(stderr, "%s: %s\nPROBLEM: %s\n", std::string(VerdictName(judgement.verdict)).c_str(),
                 judgement.message.c_str(), planned.id.c_str());
    std::abort();
  }
  ShowAll(planned, call, expected, result, judgement);
  return 0;
}
