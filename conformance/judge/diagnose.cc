#include "conformance/judge/diagnose.h"

#include <algorithm>

#include "conformance/judge/compare.h"
#include "conformance/mutants/mutant.h"

namespace poolproof {

const std::vector<Cause>& Causes() {
  static const std::vector<Cause> causes = [] {
    std::vector<Cause> all;
    for (const mutants::Mutant& mutant : mutants::Mutants()) {
      if (!mutant.explains) break;
      all.push_back({std::string(mutant.id), std::string(mutant.title),
                     std::string(mutant.effect), std::string(mutant.link)});
    }
    return all;
  }();
  return causes;
}

namespace {

// Computing a problem once for each known cause takes about a second for so many taps; larger ones
// are diagnosed when they have been shrunk.
constexpr int64_t kMaxTaps = 2'000'000;

bool TooLarge(const Call& call, const Expected& expected) {
  const Result& want = expected.result();
  if (want.status != POOLPROOF_OK || !want.computed) return false;
  int64_t outputs = 1, taps = 1, inputs = 1;
  for (int d = 0; d < want.outputs[0].rank; ++d) outputs *= want.outputs[0].dims[d];
  for (int d = 0; d < call.inputs[0].rank; ++d) inputs *= call.inputs[0].dims[d];
  if (outputs == 0) return false;
  const reference::Window window =
      reference::FindOperator(call.call.op)->window(call.call, expected.readings(), 0);
  for (int axis = 0; axis < window.spatial_rank; ++axis) {
    taps *= std::max<int64_t>(window.taps[static_cast<size_t>(axis)], 1);
  }
  return std::max(outputs, inputs) > kMaxTaps / std::min(taps, kMaxTaps);
}

}  // namespace

CauseSet Diagnostician::Diagnose(Call& call, const Expected& expected, const Result& got) {
  CauseSet causes;
  if (TooLarge(call, expected)) return causes;
  const auto mutants = mutants::Mutants();
  const reference::Readings& readings = expected.readings();
  result_.output_count = call.call.output_count;
  result_.computed = got.computed;
  for (size_t m = 0; m < std::min(mutants.size(), kMaxCauses); ++m) {
    if (!mutants[m].pure || !mutants[m].explains || !mutants[m].Concerns(call.call.op)) continue;
    result_.status = mutants::InferMutant(mutants[m], call.call, readings);
    std::copy_n(call.outputs, result_.output_count, result_.outputs.begin());
    if (result_.status == POOLPROOF_OK && got.computed) {
      if (got.status == POOLPROOF_OK && !SameShapes(result_, got)) continue;
      for (size_t i = 0; i < result_.output_count; ++i) {
        memory_[i].resize(std::max<size_t>(call.outputs[i].size_bytes, 1));
        call.outputs[i].data = result_.outputs[i].data = memory_[i].data();
      }
      result_.status = mutants::RunMutant(mutants[m], call.call, readings);
    }
    causes[m] = SameBytes(result_, got) && !SameBytes(result_, expected.result());
  }
  return causes;
}

}  // namespace poolproof
